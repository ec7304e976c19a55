"""Local detectors by profile: third-party models, called and read as their authors do."""

from functools import lru_cache

from pytest_grounding import Settings
from pytest_grounding.engine import registry
from pytest_grounding.scorers.remote.cassette_file import Tape
from pytest_grounding.scorers.remote.scorer_factory import tape
from pytest_grounding_extras.detectors.detector import Detector as Detector
from pytest_grounding_extras.detectors.detector import DetectorScorer as DetectorScorer
from pytest_grounding_extras.detectors.detector import TokenShare as TokenShare
from pytest_grounding_extras.detectors.folder import DESCRIPTION as DESCRIPTION
from pytest_grounding_extras.detectors.folder import ModelFolder as ModelFolder
from pytest_grounding_extras.detectors.folder import Profile as Profile
from pytest_grounding_extras.detectors.folder import named as named
from pytest_grounding_extras.detectors.folder import opened as opened
from pytest_grounding_extras.detectors.folder import shipped as shipped


def scorer_of(settings: Settings) -> DetectorScorer:
    """The scorer of the detector that the settings name; one for each folder and cassette."""
    recorded = tape(settings, registry.redactors())
    # Called at each validation: checks the file's date and size only.
    recorded.store.refresh()
    return _scorer(settings.local_model, recorded)


@lru_cache(maxsize=8)
def _scorer(folder: str, recorded: Tape) -> DetectorScorer:
    return DetectorScorer(Detector(opened(folder)), recorded, registry.builtin_scorer())
