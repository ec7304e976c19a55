"""Judges of single claims and of batches."""

import pytest

from pytest_grounding.errors import ScorerError
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers import ClaimText
from pytest_grounding.scorers.remote.judge import BatchJudge, Judge, Ruling
from pytest_grounding.scorers.remote.scorer_factory import GuardedJudge

CHUNKS = [Chunk(id="c1", text="Refunds take 30 days.")]
CLAIMS = [ClaimText("Refunds take 30 days."), ClaimText("It raises."), ClaimText("Shipping is free.")]


class Single:
    """Rules on one claim at a time."""

    name = "single"

    def __init__(self):
        self.asked = []

    def support(self, claim, chunks, *, question=""):
        self.asked.append((claim.text, question))
        if "raises" in claim.text:
            raise RuntimeError("the line is dead")
        return Ruling("full" if claim.text == chunks[0].text else "none", "as it stands there")


class Batch(Single):
    """Rules on all of them at once."""

    given: object = ()

    def supports(self, claims, chunks, *, question=""):
        self.asked.append(len(claims))
        return self.given


def test_a_failing_claim_does_not_stop_the_others():
    single = Single()
    assert isinstance(single, Judge)
    assert not isinstance(single, BatchJudge)
    first, second, third = GuardedJudge(single).supports(CLAIMS, CHUNKS, question="How long?")
    assert first == Ruling("full", "as it stands there")
    assert isinstance(second, ScorerError)
    assert "the line is dead" in str(second)
    assert third.value == "none"
    assert single.asked == [(claim.text, "How long?") for claim in CLAIMS]


def test_checks_each_ruling_of_a_batch():
    batch = Batch()
    batch.given = [Ruling("full", "x"), ScorerError("not of this one"), Ruling("maybe", "x")]
    first, second, third = GuardedJudge(batch).supports(CLAIMS, CHUNKS)
    assert batch.asked == [3]
    assert first.value == "full"
    assert str(second) == "not of this one"
    assert "'maybe', which is none of: full, partial, none" in str(third)
    batch.given = [Ruling("full", "x")]
    with pytest.raises(ScorerError, match="gave 1 rulings for 3 claims"):
        GuardedJudge(batch).supports(CLAIMS, CHUNKS)
    batch.given = None
    with pytest.raises(ScorerError, match="TypeError"):
        GuardedJudge(batch).supports(CLAIMS, CHUNKS)
