"""The answer model: the probability that every claim of an answer is right.

A logistic line over plain numbers of the whole answer. Its weakest claim alone ranks long answers badly, the
share of words that stand in the sources ranks short ones badly; together, with the answer's length, they rank
both. ``answer_model.json`` holds the weights; ``python -m training.answers`` writes it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pytest_grounding.model.verdict import ClaimVerdict, ConfidenceBreakdown, ConfidenceTerm
from pytest_grounding.scorers.lexical.coverage import Coverage

#: What a judge's word counts for a claim, as a support.
_JUDGED_RIGHT, _JUDGED_WRONG = 0.97, 0.05
_LEAST = 1e-4
#: Log odds of a contradiction where nothing contradicts.
_NO_DOUBT = -3.0
#: Answers of so many content words at most are short.
_SHORT = 25
#: Supports at which the line may bend: below the threshold, below what is rather sure, below the surest.
_BENDS = (0.85, 2.2, 4.0)
_DIGITS = 9
_SHOWN_DIGITS = 4
#: What an explanation shows: part -> what it is made of.
_GROUPS = {
    "support": "the support of the claims, the weakest first",
    "coverage": "how much of the answer's wording stands in the sources",
    "contradictions": "what the sources contradict",
    "length": "how long the answer is, and how many claims it makes",
}

#: Name -> what it is, in words.
FEATURES: dict[str, str] = {
    "weakest": "log odds of the weakest claim's support",
    "second": "log odds of the second weakest claim's support",
    "mean": "log odds of the mean support",
    "mean_log_odds": "mean of the log odds of support",
    "coverage": "share of the answer's content words that some chunk holds",
    "own_coverage": "the same without the question's words",
    "pair_coverage": "share of neighbouring content words that stand so in a chunk",
    "length": "log of one plus the number of content words",
    "coverage_x_length": "coverage times length",
    "own_coverage_x_length": "own coverage times length",
    "pair_coverage_x_length": "pair coverage times length",
    "weakest_x_length": "weakest times length",
    "mean_x_length": "mean times length",
    "contradiction": "log odds of the strongest contradiction",
    "contradicted": "number of contradicted claims",
    "claims": "log of one plus the number of checked claims",
    "low_share": "share of claims below the threshold of support",
    "low_count": "number of claims below it",
    "declined": "whether a part of the answer declines",
    "lost_numbers": "numbers that no chunk holds",
    "lost_words": "content words that no chunk holds",
    "below_threshold": "how far the weakest is below the threshold",
    "below_sure": "how far it is below a support of 0.9",
    "below_surest": "how far it is below a support of 0.98",
    "doubt": "how far the strongest contradiction is above improbable",
    "strong_doubt": "how far it is above even odds",
    "is_doubted": "whether it is likely",
    "is_low": "whether the weakest is below the threshold",
    "short": "whether the answer has at most 25 content words",
    "short_below_threshold": "the same as below_threshold, of a short answer",
    "short_below_sure": "below_sure of a short answer",
    "short_below_surest": "below_surest of a short answer",
    "short_doubt": "doubt of a short answer",
    "short_strong_doubt": "strong_doubt of a short answer",
    "short_is_doubted": "is_doubted of a short answer",
    "short_is_low": "is_low of a short answer",
    "short_coverage": "coverage of a short answer",
    "short_pair_coverage": "pair coverage of a short answer",
    "short_lost_numbers": "numbers of a short answer that no chunk holds",
    "short_length": "length of a short answer",
    "per_claim": "one over one plus the number of checked claims",
    "weakest_per_claim": "weakest over one plus the number of checked claims",
    "lost_numbers_per_claim": "lost numbers over one plus the number of checked claims",
    "has_lost_number": "whether a number stands in no chunk",
}


@dataclass(frozen=True, slots=True)
class AnswerModel:
    """Weights of the line, in the order of `FEATURES`, and where each feature is cut off."""

    intercept: float
    weights: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    def cut(self, features: Sequence[float]) -> list[float]:
        """The features within the range in which the model knows them."""
        return [
            min(max(value, low), high) for value, low, high in zip(features, self.low, self.high, strict=True)
        ]


@lru_cache(maxsize=1)
def shipped_answer_model() -> AnswerModel:
    """The model that ships beside this module."""
    data = json.loads(Path(__file__).with_name("answer_model.json").read_text(encoding="utf-8"))
    rows = [data["features"][name] for name in FEATURES]
    return AnswerModel(
        float(data["intercept"]),
        tuple(float(row["weight"]) for row in rows),
        tuple(float(row["low"]) for row in rows),
        tuple(float(row["high"]) for row in rows),
    )


def features_of(supports: Sequence[float], doubts: Sequence[float], contradicted: int, declined: bool,
                coverage: Coverage) -> list[float]:  # fmt: skip
    """The numbers that the model sees of an answer, in the order of `FEATURES`.

    Args:
        supports: support of each checked claim that was scored, in [0, 1].
        doubts: log odds of the strongest contradiction of each claim that has one.
        contradicted: number of contradicted claims.
        declined: whether the answer declines.
        coverage: how much of it stands in the chunks.
    """
    ordered = sorted(supports) or [0.5]
    weakest, mean = _logit(ordered[0]), _logit(sum(ordered) / len(ordered))
    length, checked = math.log(coverage.words + 1), len(supports)
    low = sum(value < 0.7 for value in ordered)
    doubt = max(doubts, default=_NO_DOUBT)
    bends = [
        *(max(0.0, bend - weakest) for bend in _BENDS),
        max(0.0, doubt + 1.0),
        max(0.0, doubt),
        float(doubt >= 0.5),
        float(weakest < _BENDS[0]),
    ]
    short, each, lost = float(coverage.words <= _SHORT), 1.0 / (1 + checked), coverage.lost_numbers
    return [
        weakest,
        _logit(ordered[1]) if len(ordered) > 1 else weakest,
        mean,
        sum(map(_logit, ordered)) / len(ordered),
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
        math.log(1 + checked),
        low / len(ordered),
        float(low),
        float(declined),
        float(lost),
        (1 - coverage.held) * coverage.words,
        *bends,
        short,
        *[short * bend for bend in bends],
        short * coverage.held,
        short * coverage.pairs,
        short * min(lost, 2),
        short * coverage.words / _SHORT,
        each,
        each * weakest,
        each * min(lost, 3),
        float(min(lost, 1)),
    ]


def _logit(share: float) -> float:
    return math.log(max(share, _LEAST) / max(1.0 - share, _LEAST))


def learned(
    claims: Sequence[ClaimVerdict], coverage: Coverage, *, declined: bool
) -> ConfidenceBreakdown | None:
    """The learned confidence of an answer; None where no checked claim has a score.

    Args:
        claims: the verdicts on its claims; what a judge decided counts as the judge said.
        coverage: how much of the answer stands in the chunks.
        declined: whether the answer declines.

    Returns:
        The probability that every claim is right, in [0, 1], with the numbers that decided it most.
    """
    scored = [
        claim for claim in claims if claim.checked and claim.waived is None and claim.support is not None
    ]
    if not scored:
        return None
    supports = [_support(claim) for claim in scored]
    doubts = [
        conflict.log_odds or 0.0 for claim in scored if not _is_judged(claim) for conflict in claim.conflicts
    ]
    contradicted = sum(claim.status == "contradicted" for claim in scored)
    model = shipped_answer_model()
    features = model.cut(features_of(supports, doubts, contradicted, declined, coverage))
    terms = [weight * value for weight, value in zip(model.weights, features, strict=True)]
    value = round(1.0 / (1.0 + math.exp(-(model.intercept + math.fsum(terms)))), _DIGITS)
    added: dict[str, float] = dict.fromkeys(_GROUPS, 0.0)
    for name, term in zip(FEATURES, terms, strict=True):
        added[_group_of(name)] += term
    return ConfidenceBreakdown.built(
        model="learned",
        value=value,
        raw=value,
        terms=tuple(
            ConfidenceTerm.built(
                name=group, value=round(number, _SHOWN_DIGITS), weight=1.0, reason=_GROUPS[group]
            )
            for group, number in added.items()
        ),
        notes=("probability that every claim of the answer is right; the terms are log odds",),
    )


def _group_of(name: str) -> str:
    """The part of an explanation that a feature belongs to."""
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
