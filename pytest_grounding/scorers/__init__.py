"""Scorers answer "how relevant is this chunk" and "how well is this claim supported"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from pytest_grounding.model.scores import Claims as Claims
from pytest_grounding.model.scores import ClaimText as ClaimText
from pytest_grounding.model.scores import RelevanceScore as RelevanceScore
from pytest_grounding.model.scores import SupportScore as SupportScore
from pytest_grounding.model.transcript import Chunk

#: Methods of the built-in scorer: its scores are probabilities, and asking again costs no request.
BUILT_IN_METHODS = frozenset({"exact_match", "lexical"})


@runtime_checkable
class Scorer(Protocol):
    """Scores relevance and support.

    Both calls take everything at once, so that a remote scorer needs one request. A scorer that cannot
    score an item returns a score of None with the reason; one that cannot score at all raises
    `ScorerError`.
    """

    @property
    def name(self) -> str:
        """Name of the scorer in settings and reports."""
        ...

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        """Relevance of each chunk to the question, in the order of the chunks."""
        ...

    def support(
        self, claims: Claims, chunks: Sequence[Chunk], *, question: str = "", language: str = "en"
    ) -> list[SupportScore]:
        """Support of each claim by all chunks together, in the order of the claims."""
        ...
