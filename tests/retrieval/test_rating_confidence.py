"""How sure the rating of a retrieval is: by what would tip it."""

import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.checks.retrieval.quality import rate
from pytest_grounding.model.verdict import ChunkRelevance, Presence
from pytest_grounding.settings import Settings


def judged(*scores: float | None) -> list[ChunkRelevance]:
    return [
        ChunkRelevance(chunk_id=f"c{number}", score=score, relevant=score is not None and score >= 0.3)
        for number, score in enumerate(scores)
    ]


def sure(presence: Presence, *scores: float | None) -> tuple[str, float, str]:
    found = rate(judged(*scores), presence, Settings())
    return found.rating, found.confidence, found.confidence_reason


@each(
    ("full", (0.95, 0.9), "good", 0.95, "hangs on whether the answer is present"),
    ("full", (0.61, 0.61), "good", 0.525, "scores 0.02 lower"),
    ("full", (0.59, 0.59), "partial", 0.5, "scores 0.01 higher"),
    ("none", (0.95, 0.9), "partial", 0.9, "which is fairly sure"),
    ("abstain", (0.95, 0.9), "partial", 0.5, "which is not known"),
    ("abstain", (0.95, 0.05), "partial", 1.0, "no shift"),
    ("none", (0.05, 0.01), "poor", 1.0, "no shift"),
    ("none", (0.29, 0.01), "poor", 0.5, "scores 0.01 higher"),
    ("none", (0.4, 0.1), "partial", 0.75, "scores 0.11 lower"),
    ("none", (), "poor", 1.0, "nothing was retrieved"),
    ("abstain", (None, None), "partial", 0.0, "could not be scored"),
)
def test_what_it_hangs_on(
    presence: Presence, scores: tuple[float | None, ...], rating: str, confidence: float, said: str
) -> None:
    found = sure(presence, *scores)
    assert found[0] == rating
    assert found[1] == pytest.approx(confidence)
    assert said in found[2]


SCORES = st.lists(st.integers(0, 100).map(lambda value: value / 100), min_size=1, max_size=6)
PRESENCE = st.sampled_from(["full", "partial", "none", "abstain"])


@given(SCORES, PRESENCE, st.integers(-20, 20))
def test_no_shift_smaller_than_it_says_changes_the_rating(
    scores: list[float], presence: Presence, hundredths: int
) -> None:
    rating, confidence, _ = sure(presence, *scores)
    assert 0.0 <= confidence <= 1.0
    free = round((confidence - 0.5) * 2 * 20) if confidence >= 0.5 else 0
    if abs(hundredths) <= free:
        moved = [round(score + hundredths / 100, 9) for score in scores]
        assert sure(presence, *moved)[0] == rating


def test_it_stands_in_verdicts_and_in_retrievals_alone() -> None:
    question = "How long do refunds take?"
    chunks = ["Refunds take 14 days.", "Bananas are yellow."]
    found = pg.validate_retrieval(question, chunks)
    assert found.rating_confidence is not None
    assert 0.0 <= found.rating_confidence <= 1.0
    assert found.rating_confidence_reason
    given_ = {"id": "a", "question": question, "answer": "Refunds take 14 days.", "chunks": []}
    assert pg.validate(given_).retrieval.rating_confidence == 1.0


def test_what_could_not_be_read_has_none() -> None:
    found = pg.validate_retrieval("How long?", ["x" * 3_000_001])
    assert found.rating_confidence is None
