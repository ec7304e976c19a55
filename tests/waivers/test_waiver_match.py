"""Which finding a waiver is about, as the engine makes findings."""

from typing import Any

import pytest
from every import each

from pytest_grounding import validate
from pytest_grounding.errors import InputError
from pytest_grounding.gate.waivers import Waiver, Waivers, waiver_for
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.verdict import Verdict

GIVEN: dict[str, Any] = {
    "id": "refunds",
    "question": "How long do refunds take?",
    "chunks": [
        {"id": "c1", "text": "Refunds are paid within 14 days of the return."},
        {"id": "c2", "text": "The shop opens at nine."},
    ],
    "answer": "Refunds are paid within 45 days of the return [1]. The shop opens at nine [2].",
}


def found(given: dict[str, Any], rule: str) -> tuple[Finding, Verdict]:
    verdict = validate(given)
    return next(item for item in verdict.findings if item.rule == rule), verdict


def is_about(held: Waiver, finding: Finding, verdict: Verdict) -> bool:
    return Waivers([held]).find(finding, verdict) is not None


def waiver(rule: str = "contradicted", **more: Any) -> Waiver:
    facts: dict[str, Any] = {"reason": "accepted", "by": "Ada", **more}
    return waiver_for(*found(GIVEN, rule), **facts)


def test_it_names_the_claim_without_the_number_of_a_chunk():
    assert waiver(day="2026-11-22").model_dump() == {
        "rule": "contradicted",
        "transcript": "refunds",
        "claim": "Refunds are paid within 45 days of the return.",
        "claim_hash": waiver().claim_hash,
        "evidence_hash": waiver().evidence_hash,
        "reason": "accepted",
        "by": "Ada",
        "day": "2026-11-22",
        "expires": "",
    }


def test_another_order_of_the_chunks_leaves_it_alone():
    turned = {
        **GIVEN,
        "chunks": GIVEN["chunks"][::-1],
        "answer": "Refunds are paid within 45 days of the return [2]. The shop opens at nine [1].",
    }
    assert is_about(waiver(), *found(turned, "contradicted"))


@each(
    {"answer": "Refunds are paid within 46 days of the return [1]."},
    {"chunks": [{"id": "c1", "text": "Refunds are paid within 15 days of the return."}]},
    {"id": "other"},
)
def test_it_is_about_no_other_claim_evidence_or_transcript(change):
    assert not is_about(waiver(), *found({**GIVEN, **change}, "contradicted"))


def test_anywhere_it_is_about_the_claim_in_any_transcript():
    assert is_about(waiver(anywhere=True), *found({**GIVEN, "id": "other"}, "contradicted"))


def test_a_citation_of_nothing_is_named_by_what_it_names():
    wrong = {**GIVEN, "answer": "The shop opens at nine [7]."}
    held = waiver_for(*found(wrong, "source_exists"), reason="accepted", by="Ada")
    assert held.claim == "The shop opens at nine. [7]"
    assert not is_about(held, *found({**wrong, "answer": "The shop opens at nine [8]."}, "source_exists"))


def test_a_finding_on_the_whole_answer_is_about_all_of_it():
    bare = {**GIVEN, "answer": "Refunds are paid within 14 days of the return. The shop opens at nine."}
    held = waiver_for(*found(bare, "missing_citations"), reason="accepted", by="Ada")
    assert is_about(held, *found(bare, "missing_citations"))
    longer = {**bare, "answer": bare["answer"] + " It closes at ten."}
    assert not is_about(held, *found(longer, "missing_citations"))


def test_one_that_has_expired_is_not_found():
    held = waiver(expires="2026-11-22")
    finding, verdict = found(GIVEN, "contradicted")
    assert Waivers([held], today="2026-11-22").find(finding, verdict) == held
    assert Waivers([held], today="2026-11-23").find(finding, verdict) is None


@each(
    ({"reason": " "}, "a waiver needs a reason; give the reason why"),
    ({"expires": "tomorrow"}, "'tomorrow' is not a date; write it as"),
)
def test_what_cannot_be_written_is_refused(wrong, message):
    with pytest.raises(InputError, match=message):
        waiver(**wrong)


def test_what_was_not_checked_cannot_be_waived():
    verdict = validate(GIVEN)
    broken = Finding(rule="internal_error", severity="error", message="a defect")
    with pytest.raises(InputError, match="internal_error cannot be waived"):
        waiver_for(broken, verdict, reason="accepted", by="Ada")
