"""Answers from sources that no longer hold, or of another version than the question asks for."""

from typing import Any

from every import each

import pytest_grounding as pg
from benchmarks.labelled import rows_of

OLD, NEW = "Refunds are paid within 30 days.", "Refunds are paid within 14 days."


def validated(
    answer: str, chunks: list[tuple[str, dict[str, Any]]], question: str, **more: Any
) -> pg.Verdict:
    held = [
        {"id": f"c{number}", "text": text, "metadata": known}
        for number, (text, known) in enumerate(chunks, start=1)
    ]
    return pg.validate({"id": "t1", "question": question, "chunks": held, "answer": answer, **more})


def rules_of(verdict: pg.Verdict) -> set[str]:
    return {part.rule for item in verdict.findings for part in item.parts if part.severity != "info"}


def test_answers_from_the_wrong_version_are_stopped_and_right_ones_pass() -> None:
    stopped = held = 0
    rows = list(rows_of("versions"))
    for row in rows:
        told = {key: value for key, value in row.items() if key not in ("label", "kind", "group", "role")}
        passes = pg.validate(told).status == "pass"
        stopped += row["label"] == "wrong" and not passes
        held += row["label"] == "supported" and not passes
    assert len(rows) == 120
    assert stopped >= 0.75 * 60, stopped
    assert held <= 0.05 * 60, held


@each(
    ({"valid_until": "2025-01-01"}, {"metadata": {"recorded_at": "2026-02-01"}}, True),
    ({"valid_until": "2027-01-01"}, {"metadata": {"recorded_at": "2026-02-01"}}, False),
    ({"valid_until": "2025-01-01"}, {}, False),
    ({"status": "Superseded"}, {}, True),
    ({"status": "current"}, {}, False),
    ({"superseded_by": "v2"}, {}, True),
    ({"superseded_by": None, "deprecated": False}, {}, False),
)
def test_metadata_say_that_a_source_no_longer_holds(
    metadata: dict[str, Any], more: dict[str, Any], is_found: bool
) -> None:
    verdict = validated(OLD, [(OLD, metadata)], "How long do refunds take?", **more)
    assert ("outdated_source" in rules_of(verdict)) == is_found


@each(
    (f"{OLD} This rule is no longer valid.", True),
    (f"(Archived) {OLD}", True),
    (f"{OLD} This page has been replaced by the terms of 2026.", True),
    (f"{OLD} A ticket is no longer valid once it was used.", False),
    (f"{OLD} Archived mails are kept for a year.", False),
)
def test_a_source_may_say_so_itself(text: str, is_found: bool) -> None:
    verdict = validated(OLD, [(text, {})], "How long do refunds take?")
    assert ("outdated_source" in rules_of(verdict)) == is_found


def test_of_two_that_disagree_the_newer_one_is_shown_first_and_may_be_taken() -> None:
    chunks = [(OLD, {"date": "2023-05-01"}), (NEW, {"date": "2026-01-01"})]
    newer, older = (validated(said, chunks, "How long do refunds take?") for said in (NEW, OLD))
    assert newer.status == "pass"
    assert older.status == "review"
    assert "outdated_source" in rules_of(older)
    (shown,) = (item for item in newer.findings if item.rule == "conflicting_sources")
    assert [item.chunk_id for item in shown.evidence] == ["c2", "c1"]
    assert "the first one is current" in shown.message


def test_where_nothing_tells_which_one_holds_the_choice_is_shown_with_both() -> None:
    verdict = validated(NEW, [(OLD, {}), (NEW, {})], "How long do refunds take?")
    (shown,) = (item for item in verdict.findings if item.rule == "conflicting_sources")
    assert shown.severity == "warning"
    assert {item.text for item in shown.evidence} == {OLD, NEW}


def test_what_an_outdated_source_shares_with_a_current_one_is_no_fault() -> None:
    chunks = [(OLD, {"status": "superseded"}), (OLD, {"status": "current"})]
    assert validated(OLD, chunks, "How long do refunds take?").status == "pass"


def test_a_question_about_what_was_may_be_answered_from_it() -> None:
    chunks = [(OLD, {"status": "superseded"})]
    assert validated(OLD, chunks, "How long did refunds take before?").status == "pass"
    assert validated(OLD, chunks, "How long do refunds take?").status == "review"


def test_the_version_of_the_question_decides() -> None:
    chunks = [("The limit is 50 rows.", {"version": "2.0"}), ("The limit is 90 rows.", {"version": "3.0"})]
    question = "What is the limit in v3.0?"
    assert "outdated_source" not in rules_of(validated("The limit is 90 rows.", chunks, question))
    found = validated("The limit is 50 rows.", chunks, question)
    assert "outdated_source" in rules_of(found)
    assert any("version 2.0" in item.message for item in found.findings)
    # A bare number of the question is not a version.
    chunks = [("The limit is 50 rows.", {"version": "2"}), ("Colours can be chosen.", {"version": "3"})]
    assert validated("The limit is 50 rows.", chunks, "Add 3 rows: what is the limit?").status == "pass"
