"""Fit a monotone map from confidence to the share of right answers, and measure how good it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounding.calibration.labels import Label, fold_of, refuse_thin
from pytest_grounding.errors import InputError
from pytest_grounding.gate.confidence import interpolate

#: Fewer labels, or fewer of the rarer kind, reflect chance more than the engine.
MIN_LABELS = 50
MIN_OF_EACH = 10
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
        names = ("input", "labels", "correct", "ece_before", "ece_after", "log_loss")
        return {
            "schema_version": 1,
            "kind": "isotonic",
            "x": list(self.x),
            "y": list(self.y),
            **{name: getattr(self, name) for name in names},
        }


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
        ece_before=_rounded_number(expected_calibration_error([label.confidence for label in labels], truth)),
        ece_after=_rounded_number(expected_calibration_error(predicted, truth)),
        log_loss=_rounded_number(log_loss(predicted, truth)),
    )


def cross_validated(labels: Sequence[Label]) -> list[float]:
    """For each label the prediction of a map fitted without its fold (by group; there are two or more)."""
    folds = [fold_of(label.group) for label in labels]
    predicted = [0.0] * len(labels)
    for fold in set(folds):
        rest = [label for label, own in zip(labels, folds, strict=True) if own != fold]
        x, y = isotonic(rest)
        for index, own in enumerate(folds):
            if own == fold:
                predicted[index] = interpolate(x, y, labels[index].confidence)
    return predicted


def isotonic(labels: Sequence[Label]) -> Points:
    """Isotonic regression by pool adjacent violators (Ayer et al. 1955), as points with rising x."""
    blocks: list[list[float]] = []  # right, all, first x, last x
    counts: dict[float, list[int]] = {}
    for label in labels:
        pair = counts.setdefault(round(label.confidence, _DIGITS), [0, 0])
        pair[0] += label.correct
        pair[1] += 1
    for x, (right, count) in sorted(counts.items()):
        blocks.append([float(right), float(count), x, x])
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
    unique = {_rounded_number(x): _rounded_number(min(max(y, _EPSILON), 1.0 - _EPSILON)) for x, y in points}
    if len(unique) == 1:
        ((_, y),) = unique.items()
        unique = {0.0: y, 1.0: y}
    return tuple(unique), tuple(unique.values())


def expected_calibration_error(
    predicted: Sequence[float], truth: Sequence[bool], *, bins: int = BINS
) -> float:
    """Expected calibration error (Naeini et al. 2015) over equally wide bins, in [0, 1]."""
    sums = [[0.0, 0.0, 0.0] for _ in range(bins)]
    for value, right in zip(predicted, truth, strict=True):
        own = sums[min(int(value * bins), bins - 1)]
        own[0] += value
        own[1] += right
        own[2] += 1
    total = sum(own[2] for own in sums)
    return sum(abs(own[0] - own[1]) for own in sums) / total if total else 0.0


def log_loss(predicted: Sequence[float], truth: Sequence[bool]) -> float:
    """Mean negative log likelihood; values are limited to [1e-6, 1 - 1e-6]."""
    total = 0.0
    for value, right in zip(predicted, truth, strict=True):
        held = min(max(value, _EPSILON), 1 - _EPSILON)
        total -= math.log(held if right else 1 - held)
    return total / len(truth)


def _rounded_number(value: float) -> float:
    return round(value, _DIGITS)
