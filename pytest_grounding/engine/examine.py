"""Validate one transcript, time it, and compare the verdict with the expected one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pytest_grounding._io import observers as _observers
from pytest_grounding.engine import registry
from pytest_grounding.engine.validation import validate
from pytest_grounding.errors import SettingsError
from pytest_grounding.gate.confidence import NEEDS_MAP, load_calibration
from pytest_grounding.gate.outcome import Outcome, outcome_of
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.gate.waivers import Waiver
    from pytest_grounding.suite.known_findings import KnownFindings


def examine(
    transcript: Transcript,
    settings: Settings,
    *,
    waivers: Sequence[Waiver] = (),
    place: Mapping[str, Any] | None = None,
    known: KnownFindings | None = None,
) -> Outcome:
    """Validate a transcript and determine its outcome."""
    marked = observer.waivers() if (observer := _observers.current()) is not None else ()
    started = perf_counter()
    verdict = validate(transcript, settings, waivers=(*marked, *waivers))
    elapsed_ms = (perf_counter() - started) * 1000
    if place:
        verdict = verdict.model_copy(update=dict(place))
    return outcome_of(verdict, settings, transcript=transcript, known=known, elapsed_ms=elapsed_ms)


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
