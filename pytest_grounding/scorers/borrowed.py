"""What a remote score lacks and the built-in engine has: verbatim evidence, typed conflicts, language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Evidence, Method
from pytest_grounding.scorers.base import ClaimText, SupportScore


def text_of(claim: ClaimText) -> str:
    """The claim as a model should read it: with the sentence before it where it needs that."""
    return f"{claim.context} {claim.text}" if claim.context else claim.text


def best_first(evidence: Sequence[Evidence], chunk_id: str) -> tuple[Evidence, ...]:
    """The evidence with that of one chunk in front; the rest keeps its order."""
    return tuple(sorted(evidence, key=lambda item: item.chunk_id != chunk_id))


def with_score(
    local: SupportScore,
    probability: float | None,
    method: Method,
    reason: str,
    *,
    evidence: tuple[Evidence, ...] | None = None,
) -> SupportScore:
    """The built-in engine's score with another's probability; its conflicts stay, whoever scores.

    A model that compares meanings gives "45 days" and "30 days" nearly the same score, so what is said
    otherwise is never left to it.
    """
    return replace(
        local,
        probability=None if probability is None else round(probability, 6),
        method=method,
        reason=reason,
        calibrated=False,
        evidence=local.evidence if evidence is None else evidence,
    )


def holds_text(chunk: Chunk) -> bool:
    """Whether there is anything in the chunk to send."""
    return bool(chunk.text.strip())
