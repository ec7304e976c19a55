"""Known, new and gone findings of a run against a baseline."""

import math

import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st
from made_verdicts import citation, claim, verdict
from recorded_suites import transcript

from pytest_grounding import validate
from pytest_grounding.errors import InputError
from pytest_grounding.model.finding import Finding, Waived
from pytest_grounding.model.run_report import RunFacts, RunReport
from pytest_grounding.reports.figure_lines import only_new
from pytest_grounding.reports.terminal import run_lines, verdict_text
from pytest_grounding.settings import Settings
from pytest_grounding.suite.baseline_file import LOW_CONFIDENCE, baseline_of, failing_lines
from pytest_grounding.suite.known_findings import KnownFindings, held_in_words, prune_baseline, renew
from pytest_grounding.suite.suite_figures import decide_suite

NEW = Settings(baseline_gate="new")
FACTS = RunFacts()


def unsupported(index, severity="warning", rule="unsupported_claim"):
    return Finding(rule=rule, severity=severity, message=f"message of {index}", claim=index)


def review(identifier="a", *texts, status="review", confidence=0.5, **more):
    """A transcript whose claims no source supports."""
    claims = [claim("unsupported", index=number, text=text) for number, text in enumerate(texts)]
    found = [unsupported(number) for number in range(len(texts))]
    facts = {"status": status, "confidence": confidence, "claims": claims, "findings": found}
    return verdict(identifier, **{"citations": [], **facts, **more})


def report_of(*verdicts, facts=FACTS, settings=NEW, against=None):
    return decide_suite(RunReport.of(verdicts, facts), settings, against)


def accepted(*verdicts):
    return baseline_of(report_of(*verdicts), NEW)


def ratchet(before, after, **more):
    return report_of(*after, against=accepted(*before), **more).gate.baseline.ratchet


def test_the_words_of_a_baseline_count_one_and_two_transcripts():
    one = review("a", "Cats can fly.")
    assert held_in_words(accepted(one)) == "1 transcript, 1 known finding"
    assert held_in_words(accepted(one, review("b", "Cows swim."))) == "2 transcripts, 2 known findings"


def test_a_known_finding_stays_known_in_another_answer():
    before = [review("a", "The moon is cheese.", "Cats can fly.")]
    found = ratchet(before, [review("a", "Dogs can fly.", "Cats can fly.")])
    assert found.line == "1 known, 1 new, 1 gone"
    assert [(item.transcript, item.rule, item.words) for item in found.new] == [
        ("a", "unsupported_claim", "Dogs can fly.")
    ]
    assert [item.words for item in found.gone] == ["The moon is cheese."]
    assert accepted(TWICE).transcripts[0].known[0].number == 2
    assert [line.rule for _, line in failing_lines(LOW)] == [LOW_CONFIDENCE]
    run = RunReport.of([verdict("a")], FACTS)
    repaired = decide_suite(run, NEW, accepted(MILD), refresh="pytest-grounding baseline b.json .").gate
    assert repaired.status == "pass"
    assert repaired.notes == (
        "baseline: 1 finding fixed or waived; write the baseline anew, or a return goes unnoticed: "
        "pytest-grounding baseline b.json .",
    )


def cited(target, content):
    broken = Finding(rule="source_exists", severity="error", message="none", citation=0)
    return review("a", citations=[citation(False, target=target)], findings=[broken], transcript_hash=content)


def failed(rule, content="one"):
    found = Finding(rule=rule, severity="error", message="m")
    return review("a", findings=[found], claims=[], status="reject", transcript_hash=content)


MILD, SEVERE = (
    review("a", "Cats can fly.", findings=[unsupported(0, severity)]) for severity in ("warning", "error")
)
CONTRADICTED = review("a", "Cats can fly.", findings=[unsupported(0, severity="error", rule="contradicted")])
TWICE = review("a", "Cats can fly.", findings=[unsupported(0), unsupported(0)])
LOW = review("a", confidence=0.5)
NAN = review("a", confidence=math.nan, status="reject")


@pytest.mark.row(64)
@each(
    ("another transcript", [MILD, verdict("b")], [verdict("a"), review("b", "Cats can fly.")], 0, 1, 1),
    ("another rule", [MILD], [CONTRADICTED], 0, 1, 1),
    ("more severe", [MILD], [SEVERE], 0, 1, 1),
    ("less severe", [SEVERE], [MILD], 1, 0, 0),
    ("one more of the same", [MILD], [TWICE], 1, 1, 0),
    ("one less of the same", [TWICE], [MILD], 1, 0, 1),
    ("a citation without a claim", [cited("7", "one")], [cited("7", "two")], 1, 0, 0),
    ("another citation", [cited("7", "one")], [cited("8", "one")], 0, 1, 1),
    ("no words", [failed("empty_answer")], [failed("empty_answer")], 1, 0, 0),
    ("no words in another transcript", [failed("empty_answer")], [failed("empty_answer", "two")], 0, 1, 1),
    ("not checked", [failed("internal_error")], [failed("internal_error")], 0, 1, 0),
    ("low confidence", [LOW], [review("a", confidence=0.5, transcript_hash="other")], 1, 0, 0),
    ("lower confidence", [LOW], [review("a", confidence=0.49, transcript_hash="other")], 0, 1, 1),
    ("low confidence now", [verdict("a")], [LOW], 0, 1, 0),
    ("only a higher confidence is left", [MILD], [review("a", confidence=0.6)], 1, 0, 1),
    ("only a lower confidence is left", [MILD], [review("a", confidence=0.4)], 0, 1, 1),
    ("only NaN is left", [MILD], [NAN], 0, 1, 1),
)
def test_counts_known_new_and_gone(case, before, after, known, new, gone):
    assert ratchet(before, after).line == f"{known} known, {new} new, {gone} gone"


def test_another_marker_leaves_the_claim_known():
    def answer(marker, *, is_broken=False):
        text = f"Cats can fly {marker}."
        cited = citation(False, text=marker, target=marker, start=13, end=13 + len(marker), claim=0)
        broken = Finding(rule="source_exists", severity="error", message="none", claim=0, citation=0)
        words = claim("unsupported", text=text, end=len(text), citations=(0,))
        found = [broken, unsupported(0)] if is_broken else [unsupported(0)]
        return review("a", claims=[words], citations=[cited], findings=found, status="reject")

    assert ratchet([answer("[7]")], [answer("[12]")]).line == "1 known, 0 new, 0 gone"
    broken = [answer("[7]", is_broken=True)], [answer("[12]", is_broken=True)]
    assert ratchet(*broken).line == "1 known, 1 new, 1 gone", "another source that is not there"
    assert accepted(answer("[7]")).transcripts[0].known[0].words == "Cats can fly."


def test_a_span_means_the_claims_that_it_touches():
    claims = [claim(text="One."), claim(index=1, text="Two.", start=5, end=9)]
    strange = Finding(rule="injection", severity="warning", message="m", span=(6, 8))
    found = review("a", claims=claims, findings=[strange])
    assert [line.words for _, line in failing_lines(found)] == ["Two."]


def test_a_known_finding_hides_no_other_on_the_same_claim():
    known = "Employees receive 30 vacation days per year"
    before, after = (validate(transcript("a", f"{known} {markers}.")) for markers in ("[1]", "[1][9]"))
    assert ratchet([before], [before]).line == "2 known, 0 new, 0 gone"
    found = ratchet([before], [after])
    assert (found.line, [item.rule for item in found.new]) == ("2 known, 1 new, 0 gone", ["source_exists"])
    shown, _ = KnownFindings(accepted(before)).without_known(after)
    assert "there is no source 9" in verdict_text(shown)


def test_a_waived_finding_is_neither_known_nor_new():
    waived = unsupported(0).model_copy(update={"waived": Waived(reason="wrong", by="Ann")})
    excused = review("a", "Cats can fly.", "Pigs can fly.", findings=[waived, unsupported(1)])
    assert [line.words for _, line in failing_lines(excused)] == ["Pigs can fly."]
    assert ratchet([review("a", "Cats can fly.")], [excused]).line == "0 known, 1 new, 1 gone"


def test_figures_of_the_suite_leave_out_known_findings():
    known = [review(f"known-{number}", f"Cat {number} can fly.") for number in range(5)]
    good = [verdict(f"good-{number}") for number in range(5)]
    report = report_of(*known, *good, against=accepted(*known, *good))
    assert report.gate.status == "pass"
    by_name = {item.name: item for item in report.gate.thresholds}
    rate, confident = by_name["hallucination_rate"], by_name["confident_share"]
    assert (rate.count, rate.total, rate.known, rate.outcome) == (0, 5, 5, "pass")
    assert (confident.count, confident.total, confident.known) == (5, 5, 5)
    assert "ok (5 known left out)" in "\n".join(line.text for line in run_lines(report))
    assert report.summary.claims_hallucinated == 5, "the figures of the whole suite stay what they are"
    planted = [review("good-0", "Cats can fly."), *good[1:]]
    worse = report_of(*known, *planted, against=accepted(*known, *good))
    rate = next(item for item in worse.gate.thresholds if item.name == "hallucination_rate")
    assert (rate.count, rate.total, rate.known, rate.outcome) == (1, 5, 5, "fail")


def test_citation_accuracy_leaves_out_known_citations():
    def answer(*targets):
        cited = [citation(False, index=n, target=target, claim=n) for n, target in enumerate(targets)]
        claims = [claim(index=n, text=f"Claim {target}.") for n, target in enumerate(targets)]
        broken = [
            Finding(rule="source_exists", severity="error", message="none", claim=n, citation=n)
            for n in range(len(targets))
        ]
        return review("a", citations=cited, claims=claims, findings=broken, status="reject")

    good = [verdict(f"good-{number}") for number in range(3)]
    against = accepted(answer("7"), *good)
    same = {item.name: item for item in report_of(answer("7"), *good, against=against).gate.thresholds}
    assert (same["citation_accuracy"].count, same["citation_accuracy"].total) == (3, 3)
    assert (same["ungrounded_answers"].count, same["ungrounded_answers"].total) == (0, 3)
    more = {item.name: item for item in report_of(answer("7", "8"), *good, against=against).gate.thresholds}
    assert (more["citation_accuracy"].count, more["citation_accuracy"].total) == (3, 4)
    assert (more["ungrounded_answers"].count, more["ungrounded_answers"].total) == (1, 4)


def test_only_a_new_abstained_claim_fails():
    lost = Finding(rule="not_scored", severity="warning", message="m", claim=0)
    before = review("a", claims=[claim("abstained", text="Cats can fly.")], findings=[lost])
    assert report_of(before, verdict("b"), against=accepted(before, verdict("b"))).gate.status == "pass"
    new = report_of(before, verdict("b"), against=accepted(verdict("a"), verdict("b"))).gate
    assert any("could not be scored" in reason for reason in new.reasons)


def test_lists_only_new_findings_as_worst():
    known = review("a", "Cats can fly.", "Dogs can fly.")
    run = report_of(
        review("a", "Cats can fly.", "Pigs can fly."), against=accepted(known), facts=RunFacts(failed=("a",))
    )
    text = "\n".join(line.text for line in run_lines(run))
    assert "worst findings (1 of 1)" in text
    assert [item.message for item in only_new(run).transcripts[0].findings] == ["message of 1"]


def test_a_renewal_takes_no_lower_confidence():
    old = accepted(review("a", confidence=0.5))
    lower = review("a", confidence=0.4, transcript_hash="other")
    found = renew(old, report_of(lower), NEW)
    assert [item.rule for item in found.refused] == [LOW_CONFIDENCE]
    assert report_of(lower, against=found.baseline).gate.baseline.ratchet.line == "0 known, 1 new, 0 gone"


def test_does_not_prune_after_other_settings_or_another_engine():
    old = accepted(review("a", "Cats can fly."))
    with pytest.raises(InputError, match="nothing was pruned: the settings changed: supported_threshold"):
        prune_baseline(old, report_of(verdict("a")), NEW.with_values({"supported_threshold": 0.9}))
    with pytest.raises(InputError, match="nothing was pruned: the engine changed"):
        prune_baseline(old.model_copy(update={"engine_version": "0"}), report_of(verdict("a")), NEW)


def test_does_not_prune_a_transcript_with_other_settings():
    strict = review("a", "Cats can fly.", settings_hash="strict")
    old = accepted(strict)
    assert prune_baseline(old, report_of(verdict("a", settings_hash="other")), NEW).gone == ()
    assert len(prune_baseline(old, report_of(verdict("a", settings_hash="strict")), NEW).gone) == 1


WORDS = st.lists(st.sampled_from(["Cats fly.", "Dogs fly.", "Pigs fly.", "Cows fly."]), max_size=5)


@given(before=WORDS, after=WORDS)
def test_known_new_and_gone_add_up(before, after):
    found = KnownFindings(accepted(review("a", *before))).sort(review("a", *after))
    gone = sum(line.number for line in found.gone)
    lines = max(1, len(before)), max(1, len(after))
    assert len(found.known) + len(found.new) == lines[1]
    if after:  # a low confidence that was hidden is known without a line of its own
        assert len(found.known) + gone == lines[0]
    same = KnownFindings(accepted(review("a", *before))).sort(review("a", *reversed(before)))
    assert (same.new, same.gone) == ((), ())
