"""Scorers with scores that the test chooses."""

from pytest_grounding.checks.retrieval import retrieval_verdict
from pytest_grounding.errors import ScorerError
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers import RelevanceScore, SupportScore
from pytest_grounding.settings import Settings


class Fixed:
    """Gives the chunks the scores of a list."""

    def __init__(self, *scores, name="fixed"):
        self.scores = scores
        self.name = name
        self.calls = 0

    def relevance(self, question, chunks, *, language="en"):
        self.calls += 1
        return [RelevanceScore(score, "" if score is not None else "no idea") for score in self.scores]

    def support(self, claims, chunks, *, question="", language="en"):
        return [SupportScore(None)] * len(claims)


class Broken(Fixed):
    """Cannot score."""

    def relevance(self, question, chunks, *, language="en"):
        self.calls += 1
        raise ScorerError("no cassette for this request")


def chunks_of(*texts):
    return [Chunk(id=f"c{number}", text=text) for number, text in enumerate(texts, start=1)]


def judge(question, *texts, scores=None, language="en", **settings):
    """A verdict with every chunk at a relevance of 0.9 unless the test says otherwise."""
    scorer = Fixed(*(scores if scores is not None else [0.9] * len(texts)))
    return retrieval_verdict(
        question, chunks_of(*texts), scorers=[scorer], settings=Settings.of(settings), language=language
    )
