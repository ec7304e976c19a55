"""Use people's labels of answers: fit the confidence, and choose settings."""

from pytest_grounding.calibration.fit import Calibration, expected_calibration_error, fit, isotonic
from pytest_grounding.calibration.labels import Label, read_labels
from pytest_grounding.calibration.tuning import Goal, Planted, tune

__all__ = [
    "Calibration",
    "Goal",
    "Label",
    "Planted",
    "expected_calibration_error",
    "fit",
    "isotonic",
    "read_labels",
    "tune",
]
