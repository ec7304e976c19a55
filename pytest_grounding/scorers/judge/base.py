"""The protocol of judges, and what a chat model gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from pytest_grounding.errors import ScorerError
from pytest_grounding.model.opinions import JudgeVote
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers.base import ClaimText


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a judge says of one thing.

    Attributes:
        value: one of the words that the question allows, such as ``full``, ``partial``, ``none``.
        reason: why, in the judge's words.
        votes: what each judge said in each round, where several judges or rounds are behind the value.
    """

    value: str
    reason: str
    votes: tuple[JudgeVote, ...] = ()


class UndecidedError(ScorerError):
    """Several judges or rounds were asked, and there is no ruling.

    Args:
        problem: who said what, in words.
        votes: what each judge said in each round.
    """

    def __init__(self, problem: str, votes: tuple[JudgeVote, ...]) -> None:
        self.votes = votes
        super().__init__(problem)


class InconclusiveError(UndecidedError):
    """They could tell, and what they say is now one thing and now another."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a service says that one reply took.

    Attributes:
        input_tokens: tokens of the request, at least 0; None where the service does not tell.
        output_tokens: tokens of the reply, at least 0; None where the service does not tell.
    """

    input_tokens: int | None
    output_tokens: int | None

    @classmethod
    def of(cls, given: Any, taken: Any) -> Usage | None:
        """What a service tells, or None where neither is a whole number from 0 on.

        Args:
            given: tokens of the request.
            taken: tokens of the reply.
        """
        counts = [_count(value) for value in (given, taken)]
        return None if counts == [None, None] else cls(*counts)


@dataclass(frozen=True, slots=True)
class Completion:
    """What a chat model answers.

    Attributes:
        reply: the JSON object.
        usage: what it took; None where the service does not tell.
    """

    reply: Mapping[str, Any]
    usage: Usage | None = None


def _count(value: Any) -> int | None:
    # Cohere tells whole numbers as 12.0.
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    is_count = is_number and 0 <= value < 2**53 and value == int(value)
    return int(value) if is_count else None


#: ``complete(system, user, schema)`` asks a model for a JSON object of a schema; raises ScorerError when it
#: cannot.
Complete = Callable[[str, str, Mapping[str, Any]], Completion]


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
    """ISSUP of each claim by a request of its own; one that fails does not stop the others.

    Args:
        judge: who is asked.
        claims: what is judged.
        chunks: what it is judged by.
        question: the question that was answered, if known.

    Returns:
        One ruling a claim in their order, or why there is none.
    """
    found: list[Ruling | ScorerError] = []
    for claim in claims:
        try:
            found.append(judge.support(claim, chunks, question=question))
        except ScorerError as error:
            found.append(error)
    return found
