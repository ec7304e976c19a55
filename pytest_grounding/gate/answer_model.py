"""The answer model: the probability that every claim of an answer is right.

Two logistic regressions over numbers of the whole answer. Of several claims, the weakest alone ranks long
answers badly, and the share of words found in the sources ranks short ones badly; together with the length
they rank both well. A single claim is ranked best by its own support. ``answer_model.json`` holds the
weights; ``python -m training.answers`` writes it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from pytest_grounding.model.verdict import ClaimVerdict, ConfidenceBreakdown, ConfidenceTerm
from pytest_grounding.scorers.builtin.features import Coverage

#: Support of a claim that a judge found right or wrong.
_JUDGED_RIGHT, _JUDGED_WRONG = 0.97, 0.05
_LEAST = 1e-4
#: Log odds of a contradiction if there is none.
_NO_DOUBT = -3.0
#: Most content words of a short answer.
_SHORT = 25
#: Log odds of the support threshold, and of a likely contradiction.
_THRESHOLD, _LIKELY = 0.85, 0.5
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
FEATURES: dict[str, str] = {
    "coverage": "share of the answer's content words found in some chunk",
    "own_coverage": "the same without the question's words",
    "pair_coverage": "share of neighbouring content words that are neighbours in a chunk",
    "length": "log of one plus the number of content words",
    "coverage_x_length": "coverage times length",
    "own_coverage_x_length": "own coverage times length",
    "pair_coverage_x_length": "pair coverage times length",
    "weakest_x_length": "log odds of the weakest support, times length",
    "mean_x_length": "log odds of the mean support, times length",
    "contradiction": "log odds of the strongest contradiction",
    "contradicted": "number of contradicted claims",
    "claims": "log of one plus the number of checked claims",
    "lost_words": "content words found in no chunk",
    "below_threshold": "how far the log odds of the weakest support are below the threshold",
    "is_doubted": "whether the strongest contradiction is likely",
    "short": "whether the answer has at most 25 content words",
    "short_is_doubted": "is_doubted of a short answer",
    "short_coverage": "coverage of a short answer",
    "short_pair_coverage": "pair coverage of a short answer",
    "short_length": "length of a short answer",
    "per_claim": "one over one plus the number of checked claims",
    "weakest_per_claim": "log odds of the weakest support over one plus the number of checked claims",
    "has_lost_number": "whether a number is in no chunk",
}
#: Numbers of an answer with a single claim.
SINGLE: dict[str, str] = {
    "weakest": "log odds of the claim's support",
    "maybe_contradicted": "whether a source may contradict the claim",
    "is_doubted": "whether that is likely",
    "contradicted": "whether the claim is contradicted",
}


class Line(NamedTuple):
    """A logistic regression: weights by feature, and the range to which each feature is clipped."""

    intercept: float
    names: tuple[str, ...]
    weights: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    def cut(self, features: Sequence[float]) -> list[float]:
        """The features, clipped to the range of the training data."""
        return [
            min(max(value, low), high) for value, low, high in zip(features, self.low, self.high, strict=True)
        ]


@lru_cache(maxsize=2)
def shipped_line(kind: Literal["several", "single"]) -> Line:
    """The line shipped beside this module, for answers with several claims or with one."""
    data = json.loads(Path(__file__).with_name("answer_model.json").read_text(encoding="utf-8"))[kind]
    names = FEATURES if kind == "several" else SINGLE
    rows = [data["features"][name] for name in names]
    return Line(
        float(data["intercept"]),
        tuple(names),
        tuple(float(row["weight"]) for row in rows),
        tuple(float(row["low"]) for row in rows),
        tuple(float(row["high"]) for row in rows),
    )


def features_of(
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
    if len(scored) == 1:
        line = shipped_line("single")
        features = line.cut(single_features_of(supports[0], doubts, contradicted))
    else:
        line = shipped_line("several")
        features = line.cut(features_of(supports, doubts, contradicted, coverage))
    terms = [weight * value for weight, value in zip(line.weights, features, strict=True)]
    # The middle of the range is the mean of the feature.
    typical = [w * (low + high) / 2 for w, low, high in zip(line.weights, line.low, line.high, strict=True)]
    value = round(1.0 / (1.0 + math.exp(-(line.intercept + math.fsum(terms)))), _DIGITS)
    added: dict[str, float] = {}
    for name, term, usual in zip(line.names, terms, typical, strict=True):
        group = _group_of(name)
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
