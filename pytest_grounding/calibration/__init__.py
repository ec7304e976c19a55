"""Confidence fitted on labelled feedback: read labels, fit a map, choose thresholds."""

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
from pytest_grounding.calibration.labels import Label, read_labels

__all__ = [
    "Calibration",
    "Label",
    "Threshold",
    "expected_calibration_error",
    "fit",
    "isotonic",
    "logistic",
    "read_labels",
    "threshold_for_catch",
    "threshold_for_false_rejection",
]
