"""Local detectors by profile: third-party models, called and read as their authors do."""

from pytest_grounding.scorers.remote.detectors.detector import Detector as Detector
from pytest_grounding.scorers.remote.detectors.detector import DetectorScorer as DetectorScorer
from pytest_grounding.scorers.remote.detectors.detector import TokenShare as TokenShare
from pytest_grounding.scorers.remote.detectors.folder import DESCRIPTION as DESCRIPTION
from pytest_grounding.scorers.remote.detectors.folder import ModelFolder as ModelFolder
from pytest_grounding.scorers.remote.detectors.folder import Profile as Profile
from pytest_grounding.scorers.remote.detectors.folder import named as named
from pytest_grounding.scorers.remote.detectors.folder import opened as opened
from pytest_grounding.scorers.remote.detectors.folder import shipped as shipped
