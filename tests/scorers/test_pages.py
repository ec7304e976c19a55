"""A chunk says the same however it is laid out, and however often it was retrieved."""

from __future__ import annotations

import textwrap

import pytest
from every import examples

import pytest_grounding as pg
from benchmarks.labelled import rows_of
from pytest_grounding import Verdict


def judged(question: str, answer: str, *chunks: str) -> Verdict:
    texts = [{"id": f"c{number}", "text": text} for number, text in enumerate(chunks, start=1)]
    return pg.validate({"id": "a", "question": question, "answer": answer, "chunks": texts})


CASES = [
    ("Are dogs allowed?", "Dogs are allowed in the hall.", "Dogs are not allowed in the hall."),
]


@pytest.mark.parametrize(("question", "answer", "chunk"), CASES)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" not ", " not\n"),
        (". The", ".\nThe"),
        (" not ", " not\u00a0"),
        (" not ", " not&nbsp;"),
        ("Dogs", "<b>Dogs</b>"),
    ],
)
def test_layout_hides_no_contradiction(question: str, answer: str, chunk: str, old: str, new: str) -> None:
    verdict = judged(question, answer, chunk.replace(old, new))
    assert [claim.status for claim in verdict.claims] == ["contradicted"]


def test_what_is_quoted_is_the_chunk_as_it_is() -> None:
    chunk = "Tickets are sold here. Dogs are <b>not</b>\nallowed in the hall, and\u00a0cats are not. Come in."
    verdict = judged("Are dogs allowed?", "Dogs are allowed in the hall.", chunk)
    (claim,) = verdict.claims
    (conflict, *_) = claim.conflicts
    for piece in (*claim.evidence, conflict.evidence):
        assert piece.text == chunk[piece.start : piece.end]
        assert piece.before in chunk
        assert piece.after in chunk
    assert "<b>not</b>\nallowed" in conflict.evidence.text
    assert conflict.evidence_text in chunk


@examples("width", [50, 72])
def test_wrapped_chunks_change_hardly_a_verdict(width: int) -> None:
    changed = total = 0
    for row in [row for row in rows_of("wrong_fact") if row["role"] == "train"][:160]:
        wrapped = [textwrap.fill(text, width, break_on_hyphens=False) for text in row["chunks"]]
        before = judged(row["question"], row["answer"], *row["chunks"])
        after = judged(row["question"], row["answer"], *wrapped)
        changed += before.status != after.status
        total += any("\n" in text for text in wrapped)
    assert total > 100
    assert changed <= total * 0.02


TWICE = [
    (
        "Can I bring my dog to the hotel?",
        "No, dogs are not allowed in the rooms.",
        "Dogs are allowed in all our rooms, but not in the breakfast hall.",
    ),
]


def test_either_of_two_equal_chunks_may_be_cited() -> None:
    chunk = "Refunds are paid within 14 days."
    for number in (1, 2):
        verdict = judged("When?", f"Refunds are paid within 14 days [{number}].", chunk, chunk)
        assert (verdict.status, [item.valid for item in verdict.citations]) == ("pass", [True])
        assert not [item for item in verdict.causes if item.rule == "semantic_alignment"]
