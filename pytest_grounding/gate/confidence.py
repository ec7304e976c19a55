"""Combine the results of the checks into one number in [0, 1], with all of its terms."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounding._io.jsonio import read_records
from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.model.verdict import ConfidenceBreakdown, ConfidenceTerm
from pytest_grounding.settings import Settings

#: Query type -> weights of relevance, support, usefulness.
WEIGHTS: dict[str, tuple[float, float, float]] = {
    "default": (0.3, 0.4, 0.3),
    "factual": (0.25, 0.5, 0.25),
    "conversational": (0.2, 0.3, 0.5),
}
CEILING_PARTIAL = 0.69
CEILING_NONE = 0.29
CEILING_IRRELEVANT = 0.49
#: Confidence of an answer that declines, by whether the retrieval contained the answer.
DECLINED = {"none": 0.9, "full": 0.3, "partial": 0.6, "abstain": 0.6}
#: Lower bound of the mean retrieval score of each tier, and the tier's confidence.
TIERS = ((0.7, 0.5), (0.85, 0.7))
TOP_TIER = 0.9
GROUNDED_BONUS = 0.1
UNGROUNDED_MALUS = -0.2
#: Note for the calibrated confidence without a map.
NEEDS_MAP = (
    "confidence_model = 'calibrated' needs the setting calibration; "
    "write the file that pytest-grounding calibrate made"
)
_DIGITS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """Results of the checks that confidence depends on."""

    empty: bool
    declined: bool
    answer_present: str
    relevant: bool | None
    support: str
    support_share: float | None
    useful: bool
    query_type: str
    recorded_scores: Sequence[float]
    relevance_scores: Sequence[float]
    citations: int
    citations_valid: int
    reasons: Mapping[str, str]
    unscored: str = ""
    switched_off: str = ""


def measure(
    signals: Signals, settings: Settings, learned: ConfidenceBreakdown | None = None
) -> dict[str, ConfidenceBreakdown]:
    """All confidences by model; without the answer model's, ``self_rag`` replaces it."""
    if signals.empty:
        names = ["learned", "self_rag", "tiered", *(["calibrated"] if settings.calibration else [])]
        return {name: _fixed(name, 0.0, "the answer is empty") for name in names}
    if signals.switched_off:
        models = ("learned", "self_rag", "tiered", settings.confidence_model)
        return {name: none_of(name, signals.switched_off) for name in models}
    found = {"self_rag": self_rag(signals), "tiered": tiered(signals)}
    found["learned"] = learned or found["self_rag"]
    if settings.calibration:
        found["calibrated"] = calibrated(found, load_calibration(settings.calibration))
    elif settings.confidence_model == "calibrated":
        raise SettingsError(NEEDS_MAP)
    return found


def self_rag(signals: Signals) -> ConfidenceBreakdown:
    """Weighted mean of relevance, support share and usefulness, with its caps."""
    if signals.declined:
        reason = {
            "none": "rightly declined: the answer was not retrieved",
            "full": "declined although the answer was retrieved",
        }.get(signals.answer_present, "declined; it cannot be decided whether the answer was retrieved")
        return _fixed("self_rag", DECLINED[signals.answer_present], reason)
    if signals.unscored:
        return none_of("self_rag", signals.unscored)
    weights = WEIGHTS[signals.query_type]
    values = (
        None if signals.relevant is None else float(signals.relevant),
        signals.support_share,
        float(signals.useful),
    )
    known = sum(weight for weight, value in zip(weights, values, strict=True) if value is not None)
    terms = tuple(
        ConfidenceTerm.built(
            name=name,
            value=value,
            weight=_round(weight / known) if value is not None else 0.0,
            reason=signals.reasons.get(name, ""),
        )
        for name, weight, value in zip(("relevance", "support", "usefulness"), weights, values, strict=True)
    )
    raw = sum(w * v for w, v in zip(weights, values, strict=True) if v is not None) / known
    ceiling, reason = _ceiling(signals)
    value = raw if ceiling is None else min(raw, ceiling)
    return ConfidenceBreakdown.built(
        model="self_rag",
        value=_round(value),
        terms=terms,
        raw=_round(raw),
        ceiling=ceiling,
        ceiling_reason=reason,
        notes=(f"weights for {signals.query_type} questions",),
    )


def _ceiling(signals: Signals) -> tuple[float | None, str]:
    ceilings = []
    if signals.relevant is False:
        ceilings.append((CEILING_IRRELEVANT, "no retrieved chunk is relevant"))
    if signals.support == "partial":
        ceilings.append((CEILING_PARTIAL, "only some claims are supported"))
    if signals.support == "none":
        ceilings.append((CEILING_NONE, "no claim is supported"))
    return min(ceilings) if ceilings else (None, "")


def tiered(signals: Signals) -> ConfidenceBreakdown:
    """Tier of the mean retrieval score, with a bonus or penalty for grounded citations."""
    recorded = list(signals.recorded_scores)
    scores = recorded or list(signals.relevance_scores)
    mean = round(math.fsum(scores) / len(scores), _DIGITS) if scores else 0.0
    base = next((value for limit, value in TIERS if mean < limit), TOP_TIER)
    origin = "the chunks' recorded scores" if recorded else "the relevance scorer, as no chunk has a score"
    change, why = 0.0, "no citation: neither bonus nor malus"
    if signals.citations:
        if signals.citations_valid == signals.citations:
            change, why = GROUNDED_BONUS, "all citations are valid"
        else:
            invalid = signals.citations - signals.citations_valid
            change, why = UNGROUNDED_MALUS, f"{invalid} of {signals.citations} citations are not valid"
    raw = base + change
    return ConfidenceBreakdown.built(
        model="tiered",
        value=_round(min(max(raw, 0.0), 1.0)),
        raw=_round(raw),
        terms=(
            ConfidenceTerm.built(
                name="retrieval", value=base, weight=1.0, reason=f"mean {mean:.3f}, from {origin}"
            ),
            ConfidenceTerm.built(name="citations", value=change, weight=1.0, reason=why),
        ),
    )


def load_calibration(path: str) -> Mapping[str, Any]:
    """Read a calibration map."""
    try:
        value = next(iter(read_records(path))).value
        points = list(zip(value["x"], value["y"], strict=True))
        numbers = [float(number) for point in points for number in point]
        usable = (
            len(points) >= 2 and value["input"] in {"learned", "self_rag", "tiered"} and _is_monotone(points)
        )
    except KeyError as error:
        problem = f"calibration = {path!r} is not a calibration map (it contains no {error})"
        raise SettingsError(f"{problem}; write one with pytest-grounding calibrate") from error
    except (InputError, TypeError, ValueError, StopIteration) as error:
        raise SettingsError(f"calibration = {path!r} is not a calibration map ({error})") from error
    if not usable or not all(0.0 <= number <= 1.0 for number in numbers):
        raise SettingsError(
            f"calibration = {path!r} is not a calibration map; write one with pytest-grounding calibrate"
        )
    return dict(value)


def _is_monotone(points: Sequence[tuple[float, float]]) -> bool:
    return all(a[0] < b[0] and a[1] <= b[1] for a, b in itertools.pairwise(points))


def calibrated(
    found: Mapping[str, ConfidenceBreakdown], calibration: Mapping[str, Any]
) -> ConfidenceBreakdown:
    """A monotone map of another confidence, fitted to labelled feedback; linear between its points."""
    source = found[str(calibration["input"])]
    if source.value is None:
        return none_of("calibrated", *source.notes)
    value = interpolate(calibration["x"], calibration["y"], source.value)
    return ConfidenceBreakdown(
        model="calibrated",
        value=_round(value),
        raw=_round(value),
        terms=(ConfidenceTerm(name=source.model, value=source.value, weight=1.0, reason="mapped"),),
    )


def interpolate(xs: Sequence[float], ys: Sequence[float], x: float) -> float:
    """The value at ``x`` of the line through points with rising ``xs``; constant outside."""
    import numpy as np  # imported here for cost: only a calibrated confidence needs it

    return float(np.interp(x, xs, ys))


def none_of(model: str, *notes: str) -> ConfidenceBreakdown:
    """A missing confidence, and why: an unscored answer is neither low nor high."""
    return ConfidenceBreakdown(model=model, value=None, raw=None, notes=notes)


def _fixed(model: str, value: float, reason: str) -> ConfidenceBreakdown:
    term = ConfidenceTerm(name="usefulness", value=value, weight=1.0, reason=reason)
    return ConfidenceBreakdown(model=model, value=value, raw=value, terms=(term,))


def _round(value: float) -> float:
    return round(value, _DIGITS)
