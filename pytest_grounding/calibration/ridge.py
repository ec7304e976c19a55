"""Logistic regression that is pulled towards weights that are known: by coordinate descent, without dice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

_SWEEPS = 400
_CLOSE = 1e-7
_NO_SPREAD = 1e-9


def fit_towards(
    features: Sequence[Sequence[float]],
    labels: Sequence[bool],
    known: Sequence[float],
    held: Sequence[float],
    *,
    ridge: float,
    signs: Sequence[int],
) -> tuple[float, tuple[float, ...]]:
    """Fit how intercept and weights differ from the known ones.

    Minimises the mean log loss plus ``ridge / 2`` times the squared length of the change, in log odds by
    standard deviation of the features (the intercept's change among it).

    Args:
        features: one row a case.
        labels: what each case is.
        known: the known weights.
        held: log odds of each case by the known intercept and weights.
        ridge: strength of the pull, above 0.
        signs: -1 or 1 where a weight can mean but one thing, else 0.

    Returns:
        The change of the intercept, and the new weights.
    """
    matrix = np.array(features, dtype=np.float64)
    spread = matrix.std(axis=0)
    mean = matrix.mean(axis=0)
    free = [column for column in range(matrix.shape[1]) if spread[column] > _NO_SPREAD]
    target = np.array(labels, dtype=np.float64)
    share = 1.0 / len(target)
    start = np.array(known, dtype=np.float64)
    columns = {column: (matrix[:, column] - mean[column]) / spread[column] for column in free}
    change = np.zeros(matrix.shape[1])
    bias = 0.0
    sums = np.array(held, dtype=np.float64)
    for _ in range(_SWEEPS):
        moved = 0.0
        for column in (-1, *free):
            values = columns.get(column)
            chance = 1.0 / (1.0 + np.exp(-np.clip(sums, -40.0, 40.0)))
            curve = share * chance * (1.0 - chance)
            error = share * (chance - target)
            if values is None:
                step = -(float(error.sum()) + ridge * bias) / (float(curve.sum()) + ridge)
                bias += step
                sums += step
            else:
                old = float(change[column])
                slope = float((error * values).sum()) + ridge * old
                bend = float((curve * values * values).sum()) + ridge
                new = _signed(old - slope / bend, float(start[column] * spread[column]), signs[column])
                step = new - old
                change[column] = new
                sums += step * values
            moved = max(moved, abs(step))
        if moved < _CLOSE:
            break
    raw = np.where(spread > _NO_SPREAD, change / np.where(spread > _NO_SPREAD, spread, 1.0), 0.0)
    return bias - float((raw * mean).sum()), tuple(float(value) for value in start + raw)


def _signed(change: float, known: float, sign: int) -> float:
    """The change, held where the weight would turn its meaning round."""
    return -known if sign and sign * (known + change) < 0 else change
