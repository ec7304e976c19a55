"""Figures of a detector, and their intervals by bootstrap over groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

RESAMPLES = 400
_SEED = 20240229


@dataclass(frozen=True, slots=True)
class Scored:
    """Labelled things with their scores.

    Attributes:
        scores: higher is better supported.
        supported: labels, 1 or 0.
        groups: name of the group of each; groups are never split.
    """

    scores: Vector
    supported: Vector
    groups: tuple[str, ...]

    def take(self, rows: NDArray[np.int64]) -> Scored:
        """Some of the rows, repeats included; their groups are not kept."""
        return Scored(self.scores[rows], self.supported[rows], ())


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


Measure = Callable[[Scored], float]


def auroc(scored: Scored) -> float:
    """Chance that a supported thing scores above an unsupported one; ties count half."""
    good, bad = scored.scores[scored.supported == 1], scored.scores[scored.supported == 0]
    if not len(good) or not len(bad):
        return float("nan")
    ordered = np.sort(bad)
    below = np.searchsorted(ordered, good, "left")
    not_above = np.searchsorted(ordered, good, "right")
    return float((below + not_above).sum() / 2 / len(good) / len(bad))


def recall_at(rejected: float) -> Measure:
    """Share of unsupported things below the score under which this share of supported ones lies."""

    def measure(scored: Scored) -> float:
        good, bad = scored.scores[scored.supported == 1], scored.scores[scored.supported == 0]
        if not len(good) or not len(bad):
            return float("nan")
        return float((bad < np.quantile(good, rejected)).mean())

    return measure


def false_rejection(threshold: float) -> Measure:
    """Share of supported things below a threshold."""

    def measure(scored: Scored) -> float:
        good = scored.scores[scored.supported == 1]
        return float((good < threshold).mean()) if len(good) else float("nan")

    return measure


def balanced_accuracy(threshold: float) -> Measure:
    """Mean of the shares of supported and of unsupported things on their side of a threshold."""

    def measure(scored: Scored) -> float:
        good, bad = scored.scores[scored.supported == 1], scored.scores[scored.supported == 0]
        if not len(good) or not len(bad):
            return float("nan")
        return float(((good >= threshold).mean() + (bad < threshold).mean()) / 2)

    return measure


def precision_recall_f1(scored: Scored, threshold: float) -> tuple[float, float, float]:
    """Of the unsupported things, as what is looked for: those below the threshold are reported."""
    found = scored.scores < threshold
    wrong = scored.supported == 0
    hits = float((found & wrong).sum())
    precision = hits / found.sum() if found.any() else 0.0
    recall = hits / wrong.sum() if wrong.any() else 0.0
    return precision, recall, f1(scored.supported, found)


def f1(supported: Vector, found: NDArray[np.bool_]) -> float:
    """Harmonic mean of precision and recall of what was reported."""
    wrong = supported == 0
    both = found.sum() + wrong.sum()
    return float(2 * (found & wrong).sum() / both) if both else float("nan")


def best_threshold(scored: Scored) -> float:
    """The threshold with the highest F1 on these rows."""
    candidates = np.unique(scored.scores)
    values = [f1(scored.supported, scored.scores < candidate) for candidate in candidates]
    return float(candidates[int(np.argmax(values))])


def nested_reports(scored: Scored, folds: Sequence[int]) -> NDArray[np.bool_]:
    """What is reported when each fold is judged by the threshold that is best on the other folds."""
    number = np.array(folds)
    found = np.zeros(len(number), dtype=bool)
    for fold in sorted(set(folds)):
        rest = scored.take(np.flatnonzero(number != fold))
        inside = number == fold
        found[inside] = scored.scores[inside] < best_threshold(rest)
    return found


def interval(scored: Scored, measure: Measure, resamples: int = RESAMPLES) -> Figure:
    """A figure with its percentile interval; whole groups are drawn with replacement (Efron 1979)."""
    members: dict[str, list[int]] = {}
    for row, group in enumerate(scored.groups):
        members.setdefault(group, []).append(row)
    lists = [np.array(rows, dtype=np.int64) for rows in members.values()]
    draw = np.random.default_rng(_SEED)
    values = []
    for _ in range(resamples):
        chosen = draw.integers(0, len(lists), len(lists))
        value = measure(scored.take(np.concatenate([lists[index] for index in chosen])))
        if not np.isnan(value):
            values.append(value)
    low, high = np.percentile(values, [2.5, 97.5]) if values else (float("nan"), float("nan"))
    return Figure(measure(scored), float(low), float(high))
