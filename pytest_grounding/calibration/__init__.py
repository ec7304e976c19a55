"""What people said of answers, put to use: a fitted confidence, settings chosen together, weights."""

from pytest_grounding.calibration.fit import (
    Calibration,
    Threshold,
    expected_calibration_error,
    fit,
    isotonic,
    logistic,
    threshold_for_catch,
    threshold_for_false_rejection,
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
    "Threshold",
    "Tuning",
    "expected_calibration_error",
    "fit",
    "isotonic",
    "logistic",
    "read_labels",
    "threshold_for_catch",
    "threshold_for_false_rejection",
    "tune",
]
