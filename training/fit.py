"""Logistic regression with signed weights, by coordinate descent: the same data gives the same numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_grounding.scorers.builtin.features import FEATURES

Vector = NDArray[np.float64]

#: Ridge penalty, in standard deviations of the features. Strong on purpose: with less, a left-out set loses
#: more than the other sets gain.
RIDGE = 0.3
#: The only plausible sign of a weight. Coverage never counts against a claim, and a missing word never for
#: it, whatever one corpus suggests. Features without an entry are free.
_SIGNS: dict[str, int] = {
    "window": 1,
    "fresh": 1,
    "near": 1,
    "pairs": 1,
    "runs_of_two": 1,
    "runs_of_three": 1,
    "runs_of_five": 1,
    "missing_run": -1,
    "second_missing": -1,
    "missing_number": -1,
    "missing_names": -1,
    "new_negation": -1,
    "lacks_noun": -1,
    "strange_part": -1,
    "strange_phrase": -1,
    "strange_end": -1,
}
_SWEEPS = 5000
_CLOSE = 1e-11
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Fitted:
    """A linear score: ``intercept + features @ weights``, rounded as it is stored."""

    intercept: float
    weights: tuple[float, ...]

    def scores(self, features: Vector) -> Vector:
        """The score of each row of a matrix."""
        scores: Vector = self.intercept + features @ np.array(self.weights)
        return scores


def balance(labels: Vector, share: float = 1.0, supported: float = 0.5) -> Vector:
    """Weights with the sum ``share``, of which the supported rows get the share ``supported``.

    If all rows have one label, they get what they would get beside the other.
    """
    weights = np.zeros(len(labels))
    for label, part in ((1.0, supported), (0.0, 1.0 - supported)):
        chosen = labels == label
        if chosen.any():
            weights[chosen] = share * part / chosen.sum()
    return weights


def fit(features: Vector, labels: Vector, weights: Vector, ridge: float = RIDGE) -> Fitted:
    """Fit signed weights to labels in {0, 1}.

    Minimises the weighted mean log loss plus ``ridge / 2`` times the squared length of the weights of the
    standardised features, under `_SIGNS`.
    """
    mean = features.mean(axis=0)
    spread = features.std(axis=0)
    spread[spread < 1e-9] = 1.0
    columns = np.ascontiguousarray(((features - mean) / spread).T)
    share = weights / weights.sum()
    signs = [_SIGNS.get(name, 0) for name in FEATURES]
    found = np.zeros(len(columns))
    bias = 0.0
    sums = np.zeros(len(labels))
    for _ in range(_SWEEPS):
        moved = 0.0
        for column in range(-1, len(columns)):
            chance = 1.0 / (1.0 + np.exp(-sums))
            curve = share * chance * (1.0 - chance)
            error = share * (chance - labels)
            if column < 0:
                step = -error.sum() / curve.sum()
                bias += step
                sums += step
            else:
                values = columns[column]
                slope = error @ values + ridge * found[column]
                bend = curve @ (values * values) + ridge
                target = found[column] - slope / bend
                if signs[column] * target < 0:
                    target = 0.0
                step = target - found[column]
                found[column] = target
                sums += step * values
            moved = max(moved, abs(step))
        if moved < _CLOSE:
            break
    raw = found / spread
    rounded = tuple(round(float(value), _DIGITS) + 0.0 for value in raw)
    return Fitted(round(float(bias - raw @ mean), _DIGITS), rounded)


def fit_map(scores: Vector, labels: Vector, weights: Vector) -> tuple[float, float]:
    """Slope and offset of the logistic map from scores to probabilities, by Newton's method.

    Labels are shrunk a little, as in Platt (1999), so that perfectly separated scores have a finite map too.
    """
    share = weights / weights.sum()
    good = float((labels == 1).sum())
    bad = len(labels) - good
    targets = np.where(labels == 1, (good + 1) / (good + 2), 1 / (bad + 2))
    design = np.stack([scores, np.ones(len(scores))])
    found = np.array([1.0, 0.0])
    for _ in range(_SWEEPS):
        chance = 1.0 / (1.0 + np.exp(-(found @ design)))
        gradient = design @ (share * (chance - targets))
        hessian = (design * (share * chance * (1.0 - chance))) @ design.T
        # Far from the minimum the curve is flat, and a whole step would overshoot.
        step = np.clip(np.linalg.solve(hessian + 1e-12 * np.eye(2), gradient), -0.5, 0.5)
        found = found - step
        if np.abs(step).max() < _CLOSE:
            break
    return round(float(found[0]), _DIGITS), round(float(found[1]), _DIGITS)


def named(weights: Sequence[float]) -> Mapping[str, float]:
    """Weights by the names of their features."""
    return dict(zip(FEATURES, weights, strict=True))
