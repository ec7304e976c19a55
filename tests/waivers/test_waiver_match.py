"""Which finding a waiver is about, as the engine makes findings."""

import pytest

from pytest_grounding import validate
from pytest_grounding.errors import InputError
from pytest_grounding.gate.waivers import Waivers, waiver_for
from pytest_grounding.model.finding import Finding

GIVEN = {
    "id": "refunds",
    "question": "How long do refunds take?",
    "chunks": [
        {"id": "c1", "text": "Refunds are paid within 14 days of the return."},
        {"id": "c2", "text": "The shop opens at nine."},
    ],
    "answer": "Refunds are paid within 45 days of the return [1]. The shop opens at nine [2].",
}


def found(given, rule):
    verdict = validate(given)
    return next(item for item in verdict.findings if item.rule == rule), verdict


def matches(held, finding, verdict):
    return Waivers([held]).find(finding, verdict) is not None


def waiver(rule="contradicted", **more):
    facts = {"reason": "accepted", "by": "Ada", **more}
    return waiver_for(*found(GIVEN, rule), **facts)


def test_a_waiver_names_the_claim_without_the_number_of_a_chunk():
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


def test_anywhere_means_the_claim_in_any_transcript():
    assert matches(waiver(anywhere=True), *found({**GIVEN, "id": "other"}, "contradicted"))


def test_a_citation_of_nothing_is_identified_by_its_target():
    wrong = {**GIVEN, "answer": "The shop opens at nine [7]."}
    held = waiver_for(*found(wrong, "source_exists"), reason="accepted", by="Ada")
    assert held.claim == "The shop opens at nine. [7]"
    assert not matches(held, *found({**wrong, "answer": "The shop opens at nine [8]."}, "source_exists"))


def test_a_finding_on_the_whole_answer_ends_with_any_change_of_it():
    bare = {**GIVEN, "answer": "Refunds are paid within 14 days of the return. The shop opens at nine."}
    held = waiver_for(*found(bare, "missing_citations"), reason="accepted", by="Ada")
    assert matches(held, *found(bare, "missing_citations"))
    longer = {**bare, "answer": bare["answer"] + " It closes at ten."}
    assert not matches(held, *found(longer, "missing_citations"))


def test_an_expired_waiver_does_not_match():
    held = waiver(expires="2026-11-22")
    finding, verdict = found(GIVEN, "contradicted")
    assert Waivers([held], today="2026-11-22").find(finding, verdict) == held
    assert Waivers([held], today="2026-11-23").find(finding, verdict) is None


def test_what_was_not_checked_cannot_be_waived():
    verdict = validate(GIVEN)
    broken = Finding(rule="internal_error", severity="error", message="a defect")
    with pytest.raises(InputError, match="internal_error cannot be waived"):
        waiver_for(broken, verdict, reason="accepted", by="Ada")
