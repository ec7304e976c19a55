"""One transcript from end to end: validated, timed, held against what its author and a baseline expect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pytest_grounding import _observers
from pytest_grounding.engine.validation import validate
from pytest_grounding.gate.outcome import Known, Outcome, outcome_of
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.waivers import Waiver


def examine(
    transcript: Transcript,
    settings: Settings,
    *,
    waivers: Sequence[Waiver] = (),
    place: Mapping[str, Any] | None = None,
    known: Known | None = None,
) -> Outcome:
    """Validate a transcript and say what becomes of it.

    What the marks of the running test waive is waived, and what ``waivers`` say besides.

    Args:
        transcript: the transcript.
        settings: the settings in force for it.
        waivers: what people overrule, besides what stands in the file that ``waivers_file`` names.
        place: where it was recorded (``source`` and ``line``), for the verdict.
        known: what the baseline holds, where that alone may stand.

    Raises:
        InputError: the file of the waivers cannot be read.
        SettingsError: a setting is out of range.
        UnreadableCassetteError: the recorded judgements of a scorer or judge cannot be read.
    """
    observer = _observers.current()
    marked = observer.waivers() if observer is not None else ()
    started = perf_counter()
    verdict = validate(transcript, settings, waivers=(*marked, *waivers))
    elapsed_ms = (perf_counter() - started) * 1000
    if place:
        verdict = verdict.model_copy(update=dict(place))
    return outcome_of(verdict, settings, transcript=transcript, known=known, elapsed_ms=elapsed_ms)
