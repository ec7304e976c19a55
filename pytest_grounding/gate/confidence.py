"""The confidence: the answer model, and the models of the specification with all of their terms."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pytest_grounding._io.jsonio import read_records
from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.lexicon import meanings
from pytest_grounding.model.verdict import ClaimVerdict, ConfidenceBreakdown, ConfidenceTerm
from pytest_grounding.scorers.builtin.features import Coverage
from pytest_grounding.settings import Settings

_JUDGED_RIGHT, _JUDGED_WRONG = 0.97, 0.05  # support of a claim that a judge found right or wrong
_LEAST = 1e-4
_NO_DOUBT = -3.0  # log odds of a contradiction if there is none
_SHORT = 25  # most content words of a short answer
_THRESHOLD, _LIKELY = 0.85, 0.5  # log odds of the support threshold, and of a likely contradiction
_DIGITS = 9
_SHOWN_DIGITS = 4
#: Terms of an explanation: name -> what it is made of.
_GROUPS = {
    "support": "the support of the claims, the weakest first",
    "coverage": "how much of the answer's wording is in the sources",
    "contradictions": "what the sources contradict",
    "length": "how long the answer is, and how many claims it makes",
}

#: Numbers of an answer with several claims: name -> what it measures.
FEATURES = meanings("features", "several claims")
#: Numbers of an answer with a single claim.
SINGLE = meanings("features", "single claim")
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


@dataclass(frozen=True, slots=True)
class FittedLine:
    """A logistic regression: features, their groups, weights, and the range to which each is clipped."""

    intercept: float
    names: tuple[str, ...]
    groups: tuple[str, ...]
    weights: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    def cut(self, features: Sequence[float]) -> list[float]:
        """The features, clipped to the range of the training data."""
        return [min(max(x, low), high) for x, low, high in zip(features, self.low, self.high, strict=True)]


@lru_cache(maxsize=2)
def shipped_line(kind: Literal["several", "single"]) -> FittedLine:
    """The line shipped beside this module, for answers with several claims or with one."""
    data = json.loads(Path(__file__).with_name("answer_model.json").read_text(encoding="utf-8"))[kind]
    names = FEATURES if kind == "several" else SINGLE
    rows = [data["features"][name] for name in names]
    return FittedLine(
        float(data["intercept"]),
        tuple(names),
        tuple(map(_group_of, names)),
        tuple(float(row["weight"]) for row in rows),
        tuple(float(row["low"]) for row in rows),
        tuple(float(row["high"]) for row in rows),
    )


def answer_features(
    supports: Sequence[float], doubts: Sequence[float], contradicted: int, coverage: Coverage
) -> list[float]:
    """The features of an answer, in the order of `FEATURES`; doubts are log odds."""
    weakest = _logit(min(supports, default=0.5))
    mean = _logit(sum(supports) / len(supports)) if supports else weakest
    length, each = math.log(coverage.words + 1), 1.0 / (1 + len(supports))
    doubt = max(doubts, default=_NO_DOUBT)
    short, is_doubted = float(coverage.words <= _SHORT), float(doubt >= _LIKELY)
    return [
        coverage.held,
        coverage.own,
        coverage.pairs,
        length,
        coverage.held * length,
        coverage.own * length,
        coverage.pairs * length,
        weakest * length,
        mean * length,
        doubt,
        float(contradicted),
        math.log(1 + len(supports)),
        (1 - coverage.held) * coverage.words,
        max(0.0, _THRESHOLD - weakest),
        is_doubted,
        short,
        short * is_doubted,
        short * coverage.held,
        short * coverage.pairs,
        short * coverage.words / _SHORT,
        each,
        each * weakest,
        float(min(coverage.lost_numbers, 1)),
    ]


def single_features_of(support: float, doubts: Sequence[float], contradicted: int) -> list[float]:
    """The features of an answer with a single claim, in the order of `SINGLE`; doubts are log odds."""
    is_likely = max(doubts, default=_NO_DOUBT) >= _LIKELY
    return [_logit(support), float(bool(doubts)), float(is_likely), float(contradicted)]


def _logit(share: float) -> float:
    return math.log(max(share, _LEAST) / max(1.0 - share, _LEAST))


def learned(claims: Sequence[ClaimVerdict], coverage: Coverage) -> ConfidenceBreakdown | None:
    """The probability that every claim of an answer is right; None if no checked claim has a score."""
    scored = [c for c in claims if c.checked and c.waived is None and c.support is not None]
    if not scored:
        return None
    supports = list(map(_support, scored))
    doubts = [c.log_odds or 0.0 for claim in scored if not _is_judged(claim) for c in claim.conflicts]
    contradicted = sum(claim.status == "contradicted" for claim in scored)
    line, features = shipped_line("several"), answer_features(supports, doubts, contradicted, coverage)
    if len(scored) == 1:
        line, features = shipped_line("single"), single_features_of(supports[0], doubts, contradicted)
    terms = [weight * value for weight, value in zip(line.weights, line.cut(features), strict=True)]
    # The middle of the range is the mean of the feature.
    typical = [w * (low + high) / 2 for w, low, high in zip(line.weights, line.low, line.high, strict=True)]
    value = round(1.0 / (1.0 + math.exp(-(line.intercept + math.fsum(terms)))), _DIGITS)
    added: dict[str, float] = {}
    for group, term, usual in zip(line.groups, terms, typical, strict=True):
        added[group] = added.get(group, 0.0) + term - usual
    start = line.intercept + math.fsum(typical)
    return ConfidenceBreakdown.built(
        model="learned",
        value=value,
        raw=value,
        terms=tuple(
            ConfidenceTerm.built(
                name=group, value=round(number, _SHOWN_DIGITS), weight=1.0, reason=_GROUPS[group]
            )
            for group, number in sorted(added.items(), key=lambda item: list(_GROUPS).index(item[0]))
        ),
        notes=(
            "probability that every claim of the answer is right; each term is what it adds to the log odds "
            f"of a typical answer, {start:.1f}",
        ),
    )


def _group_of(name: str) -> str:
    if "coverage" in name or "lost" in name:
        return "coverage"
    if "doubt" in name or "contradict" in name:
        return "contradictions"
    return "support" if any(word in name for word in ("weak", "second", "mean", "low", "sure")) else "length"


def _is_judged(claim: ClaimVerdict) -> bool:
    return claim.method == "llm_judge"


def _support(claim: ClaimVerdict) -> float:
    support = claim.support or 0.0
    if not _is_judged(claim):
        return support
    is_right = claim.status in ("supported", "borderline")
    return max(support, _JUDGED_RIGHT) if is_right else min(support, _JUDGED_WRONG)


@dataclass(frozen=True, slots=True)
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
    relevant = None if signals.relevant is None else float(signals.relevant)
    values = (relevant, signals.support_share, float(signals.useful))
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
    source = f"mean {mean:.3f}, from {origin}"
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
            ConfidenceTerm.built(name="retrieval", value=base, weight=1.0, reason=source),
            ConfidenceTerm.built(name="citations", value=change, weight=1.0, reason=why),
        ),
    )


def load_calibration(path: str) -> Mapping[str, Any]:
    """Read a calibration map."""
    wrong = f"calibration = {path!r} is not a calibration map"
    try:
        value = next(iter(read_records(path))).value
        points = list(zip(value["x"], value["y"], strict=True))
        numbers = [float(number) for point in points for number in point]
        usable = len(points) >= 2 and value["input"] in {"learned", "self_rag", "tiered"}
        usable = usable and all(a[0] < b[0] and a[1] <= b[1] for a, b in itertools.pairwise(points))
    except KeyError as error:
        problem = f"{wrong} (it contains no {error})"
        raise SettingsError(f"{problem}; write one with pytest-grounding calibrate") from error
    except (InputError, TypeError, ValueError, StopIteration) as error:
        raise SettingsError(f"{wrong} ({error})") from error
    if not usable or not all(0.0 <= number <= 1.0 for number in numbers):
        raise SettingsError(f"{wrong}; write one with pytest-grounding calibrate")
    return dict(value)


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
