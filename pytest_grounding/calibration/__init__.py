"""What people said of answers, put to use: a fitted confidence, settings chosen together, weights."""

from pytest_grounding.calibration.fit import (
    Calibration,
    expected_calibration_error,
    fit,
    isotonic,
)
from pytest_grounding.calibration.labels import ClaimLabel, Label, read_labels
from pytest_grounding.calibration.tuning import Figures, Goal, Planted, Tuning, tune

__all__ = [
    "Calibration",
    "ClaimLabel",
    "Figures",
    "Goal",
    "Label",
    "Planted",
    "Tuning",
    "expected_calibration_error",
    "fit",
    "isotonic",
    "read_labels",
    "tune",
]
