"""The hand-labelled questions: how often type and presence are right, and whether the page says so."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from labels import Labelled, load_labelled

from pytest_grounding.checks.retrieval import validate_retrieval
from pytest_grounding.model.verdict import RetrievalVerdict
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
from pytest_grounding.settings import Settings

PAGE = Path(__file__).resolve().parents[2] / "docs" / "retrieval.md"
VALUES = ("full", "partial", "none", "abstain")


@cache
def judged() -> tuple[tuple[Labelled, RetrievalVerdict], ...]:
    scorer, settings = LexicalScorer(), Settings()
    return tuple(
        (row, validate_retrieval(row.question, row.chunks, scorers=[scorer], settings=settings))
        for row in load_labelled()
    )


def half(kept: bool) -> list[tuple[Labelled, RetrievalVerdict]]:
    return [pair for pair in judged() if pair[0].kept is kept]


def table(kept: bool) -> str:
    """The confusion table as it stands in the docs."""
    counts = Counter((row.presence, verdict.answer_present) for row, verdict in half(kept))
    lines = [f"| stated in the text | {' | '.join(VALUES)} |", "|---|" + "---:|" * len(VALUES)]
    for label in VALUES[:3]:
        lines.append(f"| {label} | " + " | ".join(str(counts[label, value]) for value in VALUES) + " |")
    return "\n".join(lines)


def shares(kept: bool) -> tuple[float, float, float]:
    pairs = half(kept)
    types = sum(row.type == verdict.question_type for row, verdict in pairs) / len(pairs)
    expected = sum(row.expected == verdict.expected_answer for row, verdict in pairs) / len(pairs)
    confused = sum({row.presence, verdict.answer_present} == {"full", "none"} for row, verdict in pairs)
    return types, expected, confused / len(pairs)


def test_the_set_is_large_and_varied() -> None:
    rows = [row for row, _ in judged()]
    assert len(rows) >= 200
    assert len([row for row in rows if row.kept]) >= 100
    assert len({(row.topic, row.question) for row in rows}) == len(rows)
    for kept in (True, False):
        some = [row for row in rows if row.kept is kept]
        assert {row.type for row in some} == set(
            "who what when where why how how_many how_much which yes_no".split()
        )
        assert {row.presence for row in some} == {"full", "partial", "none"}


def test_types_and_presence_on_the_kept_questions() -> None:
    types, expected, confused = shares(kept=True)
    assert types >= 0.95
    assert expected >= 0.95
    assert confused <= 0.1


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "developing"])
def test_the_page_shows_the_confusion_table(kept: bool) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert table(kept) in text, f"docs/retrieval.md must say:\n{table(kept)}"
    types, expected, confused = shares(kept)
    line = f"{len(half(kept))} questions: type {types:.1%} right, expected answer {expected:.1%} right, "
    line += f"full and none confused {confused:.1%}"
    assert line in " ".join(text.split()), f"docs/retrieval.md must say:\n{line}"


def test_evidence_of_every_verdict_is_verbatim() -> None:
    pieces = 0
    for row, verdict in judged():
        texts = {chunk.id: chunk.text for chunk in row.chunks}
        for piece in verdict.evidence:
            assert texts[piece.chunk_id][piece.start : piece.end] == piece.text
            pieces += 1
    assert pieces > 200


def test_chunks_of_another_topic_do_not_answer() -> None:
    rows = [row for row, _ in judged()]
    topics = sorted({row.topic: row.chunks for row in rows}.items())
    scorer, settings = LexicalScorer(), Settings()
    wrong = total = 0
    for number, row in enumerate(rows):
        topic, chunks = topics[(row.topic + 1 + number % (len(topics) - 1)) % len(topics)]
        if topic == row.topic:
            continue
        verdict = validate_retrieval(row.question, chunks, scorers=[scorer], settings=settings)
        wrong += verdict.answer_present == "full"
        total += 1
    assert total > 600
    assert wrong <= 0.005 * total
