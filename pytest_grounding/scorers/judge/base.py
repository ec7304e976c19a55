"""The protocol of judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers.base import ClaimText


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a judge says of one thing.

    Attributes:
        value: one of the words that the question allows, such as ``full``, ``partial``, ``none``.
        reason: why, in the judge's words.
    """

    value: str
    reason: str


@runtime_checkable
class Judge(Protocol):
    """Settles what a scorer is not sure of. A judge that cannot tell raises `ScorerError`."""

    @property
    def name(self) -> str:
        """Name under which the setting ``judge`` chooses it."""
        ...

    def support(self, claim: ClaimText, chunks: Sequence[Chunk], *, question: str = "") -> Ruling:
        """ISSUP of one claim: ``full``, ``partial`` or ``none``."""
        ...

    def relevance(self, question: str, chunks: Sequence[Chunk]) -> Ruling:
        """ISREL: ``relevant`` or ``irrelevant``."""
        ...

    def usefulness(self, question: str, answer: str) -> Ruling:
        """ISUSE: ``useful`` or ``not useful``."""
        ...

    def claims(self, answer: str, *, question: str = "") -> list[str]:
        """The statements of an answer that can be checked, each a verbatim part of it, in its order."""
        ...
