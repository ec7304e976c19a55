"""Local detectors by profile: models of others, asked and read exactly as their authors do."""

from pytest_grounding.scorers.detectors.folder import (
    DESCRIPTION,
    ModelFolder,
    Profile,
    named,
    opened,
    shipped,
)
from pytest_grounding.scorers.detectors.model import Detector, DetectorScorer, TokenShare

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
