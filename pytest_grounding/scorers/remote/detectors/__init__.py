"""Local detectors by profile: models of others, asked and read exactly as their authors do."""

from pytest_grounding.scorers.remote.detectors.detector import Detector, DetectorScorer, TokenShare
from pytest_grounding.scorers.remote.detectors.folder import (
    DESCRIPTION,
    ModelFolder,
    Profile,
    named,
    opened,
    shipped,
)

__all__ = [
    "DESCRIPTION",
    "Detector",
    "DetectorScorer",
    "ModelFolder",
    "Profile",
    "TokenShare",
    "named",
    "opened",
    "shipped",
]
