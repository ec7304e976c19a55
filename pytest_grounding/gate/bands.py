"""The bands of a confidence: what the claims, sources and citations of an answer allow it to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_grounding.model.finding import BACKED
from pytest_grounding.model.verdict import ClaimVerdict, ConfidenceBreakdown

#: Highest confidence without a supported claim; off the question, without a relevant source or with a
#: citation that is an error; of a partly supported answer.
MOST_UNSUPPORTED, MOST_IRRELEVANT, MOST_PARTIAL = 0.29, 0.49, 0.69
#: Lowest confidence of a partly supported answer within the limit of the rate, and of one that repeats its
#: sources.
LEAST_PARTIAL, LEAST_CLOSE = 0.5, 0.9
#: Share of a claim's content, by weight, in one sentence from which it repeats that sentence.
_REPEATED = 0.93
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Band:
    """The lowest and the highest value of a confidence, and why."""

    low: float = 0.0
    high: float = 1.0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """What bands depend on."""

    support: str  # all, some or none of the checked claims are supported: full, partial, none or unknown
    rate: float | None  # the hallucination rate, in [0, 1], or None
    max_rate: float  # the rate above which an answer is rejected
    is_irrelevant: bool = False  # no source is relevant, and the answer says nothing of the question
    is_off_question: bool = False  # the answer is about something else than its question
    has_wrong_citation: bool = False  # a citation is an error
    is_close: bool = False  # every claim repeats a sentence of the sources


def band_of(standing: Standing) -> Band:
    """The band of an answer; the lowest ceiling goes before any floor."""
    if standing.support == "none":
        return Band(0.0, MOST_UNSUPPORTED, "no claim is supported")
    if standing.is_off_question:
        return Band(0.0, MOST_IRRELEVANT, "the answer is off the question")
    if standing.is_irrelevant:
        return Band(0.0, MOST_IRRELEVANT, "no retrieved chunk is relevant")
    if standing.has_wrong_citation:
        return Band(0.0, MOST_IRRELEVANT, "a citation is an error")
    if standing.support == "partial":
        is_within = standing.rate is not None and standing.rate <= standing.max_rate
        return Band(LEAST_PARTIAL if is_within else 0.0, MOST_PARTIAL, "only some claims are supported")
    if standing.support == "full" and standing.is_close:
        return Band(LEAST_CLOSE, 1.0, "every claim repeats a source")
    return Band()


def banded(breakdown: ConfidenceBreakdown, band: Band) -> ConfidenceBreakdown:
    """A confidence squeezed into a band, so that it ranks answers within the band as before."""
    if breakdown.value is None or not band.reason:
        return breakdown
    value = round(band.low + breakdown.value * (band.high - band.low), _DIGITS)
    ceiling = band.high if band.high < 1.0 else None
    notes = breakdown.notes
    if band.low:
        notes = (*notes, f"between {band.low:g} and {band.high:g}: {band.reason}")
    reason = band.reason if ceiling is not None else ""
    changes = {"value": value, "ceiling": ceiling, "ceiling_reason": reason, "notes": notes}
    return breakdown.model_copy(update=changes)


def is_close(claims: Sequence[ClaimVerdict]) -> bool:
    """Whether every checked claim repeats one sentence of the sources, with no fact unsettled."""
    checked = [claim for claim in claims if claim.checked and claim.waived is None]
    return bool(checked) and all(map(_is_repeated, checked))


def _is_repeated(claim: ClaimVerdict) -> bool:
    if claim.status not in BACKED or claim.conflicts or claim.missing_words:
        return False
    if claim.method == "exact_match":
        return True
    return bool(claim.evidence) and (claim.evidence[0].score or 0.0) >= _REPEATED
