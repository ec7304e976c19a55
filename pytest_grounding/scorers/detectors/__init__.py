"""Local detectors by profile: models of others, asked and read exactly as their authors do."""

from pytest_grounding.scorers.detectors.folder import DESCRIPTION, ModelFolder, opened
from pytest_grounding.scorers.detectors.model import Detector, TokenShare
from pytest_grounding.scorers.detectors.profile import Profile, named, shipped
from pytest_grounding.scorers.detectors.scorer import DetectorScorer

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
