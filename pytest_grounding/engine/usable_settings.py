"""Whether the settings can be used at all: found out before the first transcript, not at each of them."""

from __future__ import annotations

from pytest_grounding.engine import registry
from pytest_grounding.errors import SettingsError
from pytest_grounding.gate.confidence import NEEDS_MAP, load_calibration
from pytest_grounding.settings import Settings


def refuse_unusable(settings: Settings) -> None:
    """Refuse settings with which no transcript could be validated."""
    if not settings.enabled:
        return
    registry.scorers(settings)
    registry.judge(settings)
    if settings.waivers_file and settings.waivers != "off":
        from pytest_grounding.engine.waiving import waivers_of

        waivers_of(settings.waivers_file)
    if settings.calibration:
        load_calibration(settings.calibration)
    elif settings.confidence_model == "calibrated":
        raise SettingsError(NEEDS_MAP)
