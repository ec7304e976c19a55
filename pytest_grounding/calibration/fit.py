"""Fit a monotone map from confidence to the share of right answers, and measure how good it is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pytest_grounding.calibration.labels import Label, fold_of, refuse_thin
from pytest_grounding.errors import InputError
from pytest_grounding.gate.confidence import interpolate

MIN_LABELS, MIN_OF_EACH = 50, 10  # fewer labels, or fewer of the rarer kind, reflect chance
BINS = 10
_DIGITS = 6
_EPSILON = 1e-6
Points = tuple[tuple[float, ...], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Calibration:
    """A fitted map and its figures."""

    input: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    labels: int
    correct: int
    ece_before: float
    ece_after: float
    log_loss: float

    @property
    def log_loss_of_share(self) -> float:
        """The log loss of predicting the share of right answers for all, whatever their confidence."""
        share = self.correct / self.labels
        return -(share * math.log(share) + (1 - share) * math.log(1 - share))

    @property
    def separates(self) -> bool:
        """Whether the map predicts unseen answers better than the share of right ones."""
        return self.log_loss < self.log_loss_of_share

    def as_dict(self) -> dict[str, Any]:
        """The content of the calibration file."""
        return {"schema_version": 1, "kind": "isotonic", **asdict(self)}


def fit(labels: Sequence[Label], *, model: str = "learned") -> Calibration:
    """Fit the map, and measure it on answers that it was not fitted on."""
    correct = sum(label.correct for label in labels)
    refuse_thin(correct, len(labels) - correct, MIN_LABELS, MIN_OF_EACH, to="calibrate")
    if len({fold_of(label.group) for label in labels}) < 2:
        problem = "the labels are of too few questions to hold some back for measuring"
        hint = "label answers to more questions, or give them groups of their own"
        raise InputError(problem, field="group", hint=hint)
    predicted = cross_validated(labels)
    truth = [label.correct for label in labels]
    x, y = isotonic(labels)
    return Calibration(
        input=model,
        x=x,
        y=y,
        labels=len(labels),
        correct=correct,
        ece_before=round(expected_calibration_error([label.confidence for label in labels], truth), _DIGITS),
        ece_after=round(expected_calibration_error(predicted, truth), _DIGITS),
        log_loss=round(log_loss(predicted, truth), _DIGITS),
    )


def cross_validated(labels: Sequence[Label]) -> list[float]:
    """For each label the prediction of a map fitted without its fold (by group; there are two or more)."""
    folds = [fold_of(label.group) for label in labels]
    maps = {}
    for fold in set(folds):
        maps[fold] = isotonic([label for label, own in zip(labels, folds, strict=True) if own != fold])
    return [interpolate(*maps[fold], label.confidence) for label, fold in zip(labels, folds, strict=True)]


def isotonic(labels: Sequence[Label]) -> Points:
    """Isotonic regression by pool adjacent violators (Ayer et al. 1955), as points with rising x."""
    blocks: list[list[float]] = []  # right, all, first x, last x
    counts = Counter((round(label.confidence, _DIGITS), label.correct) for label in labels)
    for x in sorted({x for x, _ in counts}):
        right = counts[x, True]
        blocks.append([float(right), float(right + counts[x, False]), x, x])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] >= blocks[-1][0] / blocks[-1][1]:
            violator = blocks.pop()
            blocks[-1][0] += violator[0]
            blocks[-1][1] += violator[1]
            blocks[-1][3] = violator[3]
    points: list[tuple[float, float]] = []
    highest = 0.0
    for inside, size, first, last in blocks:
        highest = max(highest, (inside + 1.0) / (size + 2.0))
        points.extend((x, highest) for x in dict.fromkeys((first, last)))
    # Rounded points with strictly rising x; at least two, flat if there was one.
    unique = {x: round(min(max(y, _EPSILON), 1.0 - _EPSILON), _DIGITS) for x, y in points}
    if len(unique) == 1:
        ((_, y),) = unique.items()
        unique = {0.0: y, 1.0: y}
    return tuple(unique), tuple(unique.values())


def expected_calibration_error(
    predicted: Sequence[float], truth: Sequence[bool], *, bins: int = BINS
) -> float:
    """Expected calibration error (Naeini et al. 2015) over equally wide bins, in [0, 1]."""
    if not predicted:
        return 0.0
    values = np.array(predicted)
    numbers = np.minimum((values * bins).astype(int), bins - 1)
    gaps = np.bincount(numbers, weights=values - np.array(truth, dtype=float))
    return float(np.abs(gaps).sum()) / len(predicted)


def log_loss(predicted: Sequence[float], truth: Sequence[bool]) -> float:
    """Mean negative log likelihood; values are limited to [1e-6, 1 - 1e-6]."""
    held = np.clip(predicted, _EPSILON, 1 - _EPSILON)
    return float(-np.log(np.where(truth, held, 1 - held)).mean())
