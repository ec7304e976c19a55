"""A waived finding decides nothing: it is shown as waived, and counts in no figure."""

import os

import pytest
from every import each

from pytest_grounding import validate
from pytest_grounding.errors import InputError
from pytest_grounding.gate.waivers import Waiver, add, held_by_waiver, overrulable, waiver_for
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.settings import Settings
from pytest_grounding.suite.suite_figures import decide_suite
from pytest_grounding.testing import Example

REFUNDS = Example(
    "How long do refunds take?",
    ["Refunds are paid within 14 days of the return.", "The refund office opens at nine in the morning."],
    id="refunds",
    score=0.9,
)
RIGHT = "Refunds are paid within 14 days of the return [1]."
WRONG = "The refund office opens at ten in the morning [2]."
INVENTED = "Refunds above 500 euros are signed by the director of finance [2]."


def recorded(answer, **more):
    return REFUNDS.answered(answer, **more)


def waivers_of(verdict, *rules):
    found = [item for item in verdict.causes if item.rule in rules]
    assert found, f"{rules} in {[item.rule for item in verdict.causes]}"
    return [waiver_for(item, verdict, reason="checked by hand", by="Ada", day="2026-11-22") for item in found]


@each((WRONG, "contradicted"), (INVENTED, "unsupported_claim"))
def test_a_waived_claim_no_longer_fails_the_answer(answer, rule):
    given = recorded(f"{RIGHT} {answer}")
    before = validate(given)
    assert before.status == "reject"
    after = validate(given, waivers=waivers_of(before, rule))
    assert (after.status, after.hallucination_rate) == ("pass", 0.0)
    assert after.confidence == validate(recorded(RIGHT)).confidence
    assert after.settings_hash == before.settings_hash
    (waived,) = (item for item in after.findings if item.rule == rule)
    assert waived.waived.model_dump() == {
        "reason": "checked by hand",
        "by": "Ada",
        "day": "2026-11-22",
        "severity": "error" if rule == "contradicted" else "warning",
    }
    assert waived.severity == "info"
    claim = after.claims[1]
    assert (claim.status, claim.waived) == (before.claims[1].status, waived.waived.model_copy())
    assert after.diagnosis == "Nothing broke but what people waived."


def test_waiving_the_only_claim_leaves_no_rate():
    given = recorded(WRONG, question="When does the refund office open?")
    before = validate(given)
    after = validate(given, waivers=waivers_of(before, "contradicted"))
    assert (after.status, after.hallucination_rate) == ("pass", None)


def test_the_figures_of_the_suite_count_it_as_waived():
    given = recorded(f"{RIGHT} {WRONG}")
    verdict = validate(given, waivers=waivers_of(validate(given), "contradicted"))
    report = decide_suite(RunReport.of([verdict]), Settings())
    assert report.summary is not None
    assert report.gate.status == "pass"
    assert (report.summary.claims_hallucinated, report.summary.claims_scored) == (0, 1)
    assert report.summary.waived == verdict.waived_number > 0


def test_a_citation_of_nothing_is_waived_only_by_its_own_rule():
    given = recorded(RIGHT.replace("[1]", "[1][7]"))
    before = validate(given)
    assert before.citation_accuracy == 0.5
    named = waivers_of(before, "source_exists")
    other = [item.model_copy(update={"rule": "unsupported_claim"}) for item in named]
    assert validate(given, waivers=other).status == "reject"
    after = validate(given, waivers=named)
    assert (after.status, after.citation_accuracy, after.uncertain) == ("pass", 1.0, False)
    waived = [item for item in after.citations if item.waived is not None]
    assert [(item.text, item.valid) for item in waived] == [("[7]", True)]
    report = decide_suite(RunReport.of([after]), Settings())
    assert (report.summary.citations, report.summary.ungrounded_answers) == (1, 0.0)


def test_waiving_a_claim_does_not_excuse_its_broken_citation():
    given = recorded(f"{RIGHT} {INVENTED.replace('[2]', '[9]')}")
    before = validate(given)
    after = validate(given, waivers=waivers_of(before, "unsupported_claim"))
    assert after.status == "reject"
    (finding,) = (item for item in after.findings if item.severity == "error")
    assert (finding.rule, finding.waived) == ("source_exists", None)
    assert "unsupported_claim" in [item.rule for item in finding.causes if item.waived is not None]


def test_a_low_confidence_can_be_accepted():
    answer = "I do not know how long refunds take."
    given = recorded(answer)
    before = validate(given)
    assert before.status != "pass"
    held = held_by_waiver(before, reason="accepted")
    after = validate(given, waivers=held)
    assert after.status == "pass"
    assert after.confidence == before.confidence
    assert after.waived.reason == "accepted"
    report = decide_suite(RunReport.of([after]), Settings())
    assert report.gate.status == "pass"
    other = recorded("I cannot tell how long refunds take.")
    assert validate(other, waivers=held).status == validate(other).status != "pass"


def test_only_findings_that_fail_an_answer_can_be_waived():
    verdict = validate(recorded(f"{RIGHT} {WRONG}"))
    assert {item.rule for item in overrulable(verdict)} >= {"contradicted"}
    assert overrulable(validate(recorded(RIGHT))) == ()


def test_an_answer_that_was_not_checked_cannot_be_waived():
    chunk = {"id": "big", "text": "word " * 3_000_000}
    verdict = validate(recorded(RIGHT, chunks=[chunk]))
    assert [item.rule for item in verdict.findings] == ["too_large"]
    forced = Waiver.model_construct(
        **{**waivers_of(validate(recorded(WRONG)), "contradicted")[0].model_dump(), "rule": "too_large"}
    )
    assert validate(recorded(RIGHT, chunks=[chunk]), waivers=[forced]).status == "reject"
    assert overrulable(verdict) == ()


def test_the_file_of_the_settings_is_read_and_read_again(tmp_path):
    path = tmp_path / "waivers.jsonl"
    path.touch()
    settings = {"waivers_file": str(path)}
    given = recorded(f"{RIGHT} {WRONG}")
    before = validate(given, settings)
    assert before.to_json() == validate(given).to_json()
    held = waivers_of(before, "contradicted")
    add(path, held)
    after = validate(given, settings)
    assert (after.status, after.settings_hash) == ("pass", before.settings_hash)
    assert validate(given, {**settings, "waivers": "off"}).to_json() == before.to_json()
    path.write_text(path.read_text("utf-8") + "{}\n", "utf-8")
    os.utime(path, ns=(1, 1))
    with pytest.raises(InputError, match=r"waivers\.jsonl:2: "):
        validate(given, settings)
