"""What the plugin finds by the entry point: the scorer ``local``, and the reports that are sent."""

from __future__ import annotations

from typing import Any

from pytest_grounding import Settings, hookimpl
from pytest_grounding.errors import SettingsError
from pytest_grounding.scorers import Scorer

LOCAL = "local"


@hookimpl
def pytest_grounding_scorers(settings: Settings) -> list[Scorer]:
    """The scorer ``local``, where the settings name it.

    Raises:
        SettingsError: the folder of the detector is not named.
    """
    if LOCAL not in [name.strip() for name in settings.scorer.split(",")]:
        return []
    if not settings.local_model:
        raise SettingsError("scorer = 'local' needs the setting local_model: the folder of a detector")
    # Imported here for cost: most runs have no detector.
    from pytest_grounding_extras.detectors import scorer_of

    return [scorer_of(settings)]


@hookimpl
def pytest_grounding_reports() -> dict[str, Any]:
    """The reports ``langfuse`` and ``otel``."""
    from pytest_grounding_extras.senders import langfuse, otel

    return {"langfuse": langfuse, "otel": otel}
