"""The protocol of judges, and what a chat model gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from pytest_grounding.errors import ScorerError
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


#: ``complete(system, user, schema)`` asks a model for a JSON object of a schema; raises ScorerError when it
#: cannot.
Complete = Callable[[str, str, Mapping[str, Any]], Mapping[str, Any]]


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


@runtime_checkable
class BatchJudge(Judge, Protocol):
    """A judge that can be asked about all claims of an answer at once; `Judge` alone is enough."""

    def supports(
        self, claims: Sequence[ClaimText], chunks: Sequence[Chunk], *, question: str = ""
    ) -> list[Ruling | ScorerError]:
        """ISSUP of each claim in its order, or why the judge could not tell of that one."""
        ...


def one_by_one(
    judge: Judge, claims: Sequence[ClaimText], chunks: Sequence[Chunk], *, question: str = ""
) -> list[Ruling | ScorerError]:
    """ISSUP of each claim by a request of its own; one that fails does not stop the others."""
    found: list[Ruling | ScorerError] = []
    for claim in claims:
        try:
            found.append(judge.support(claim, chunks, question=question))
        except ScorerError as error:
            found.append(error)
    return found
