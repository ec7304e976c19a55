"""The protocol of scorers, and the values that they answer with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Conflict, Method

#: Methods of the built-in scorer: its scores are probabilities, and asking it once more costs no request.
BUILT_IN_METHODS = frozenset({"exact_match", "lexical"})


@dataclass(frozen=True, slots=True)
class ClaimText:
    """One claim as a scorer sees it.

    Attributes:
        text: the claim without citation markers.
        context: the sentence before it, for a claim that only makes sense after it (a pronoun); may be
            empty.
    """

    text: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class RelevanceScore:
    """How relevant one chunk is to the question.

    Attributes:
        value: relevance in [0, 1], or None when the scorer could not tell.
        reason: in words, for people.
    """

    value: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SupportScore:
    """How well chunks support one claim.

    Attributes:
        probability: calibrated probability of support in [0, 1], or None when the scorer abstained.
        evidence: verbatim sentences, best first; the nearest ones also when support is low.
        conflicts: what the evidence says otherwise, typed, with both quotes.
        method: how the score came about.
        reason: why, in words ("no source says: 45 days"); for an abstention, why it could not score.
        calibrated: False where the engine says itself that its probability is not calibrated for this
            input (another language, an unusual script).
        missing: words of the claim that no evidence covers, as they stand in the claim.
    """

    probability: float | None
    evidence: tuple[Evidence, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    method: Method = "lexical"
    reason: str = ""
    calibrated: bool = True
    missing: tuple[str, ...] = field(default=())


@runtime_checkable
class Scorer(Protocol):
    """A thing that scores relevance and support.

    Both calls take everything at once, so that a remote scorer needs one request. A scorer that cannot
    score one item gives it a score of None with the reason; one that cannot score at all raises
    `ScorerError`.
    """

    @property
    def name(self) -> str:
        """Name under which settings choose it and reports show it."""
        ...

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        """Relevance of each chunk to the question, in the order of the chunks."""
        ...

    def support(
        self,
        claims: Sequence[ClaimText],
        chunks: Sequence[Chunk],
        *,
        question: str = "",
        language: str = "en",
    ) -> list[SupportScore]:
        """Support of each claim by all chunks together, in the order of the claims."""
        ...
