"""The values that scorers return, and a claim as they see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.verdict import Conflict, Method


@dataclass(frozen=True, slots=True)
class ClaimText:
    """One claim as a scorer sees it."""

    text: str  # the claim without citation markers
    #: The sentence before it, for a claim that only makes sense after it (a pronoun); may be empty.
    context: str = ""


Claims = Sequence[ClaimText]


@dataclass(frozen=True, slots=True)
class RelevanceScore:
    """Relevance of one chunk to the question.

    Attributes:
        value: relevance in [0, 1], or None if the scorer abstained.
        reason: in words, for people.
    """

    value: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SupportScore:
    """Support of one claim by the chunks.

    Attributes:
        probability: calibrated probability of support in [0, 1], or None when the scorer abstained.
        evidence: verbatim sentences, best first; the nearest ones even when support is low.
        conflicts: contradictions, typed, with both quotes.
        method: how the score was computed.
        reason: why, in words ("no source says: 45 days"); for an abstention, why there is no score.
        calibrated: False where the engine reports that its probability is not calibrated for this
            input (another language, an unusual script).
        missing: words of the claim that no evidence covers, as written in the claim.
    """

    probability: float | None
    evidence: tuple[Evidence, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    method: Method = "lexical"
    reason: str = ""
    calibrated: bool = True
    missing: tuple[str, ...] = field(default=())


def is_contradicted(score: SupportScore) -> bool:
    """Whether a chunk certainly contradicts the claim."""
    return any(conflict.severity == "error" for conflict in score.conflicts)
