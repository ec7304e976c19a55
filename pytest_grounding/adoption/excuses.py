"""Waivers for answers that a person found right, although the engine holds them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_grounding.adoption.answers import Answer, SettingsFor
from pytest_grounding.engine import validate
from pytest_grounding.gate.outcome import fails
from pytest_grounding.rules import by_status, having
from pytest_grounding.settings import Settings
from pytest_grounding.waivers import Waiver, overrulable, waiver_for

REASON = "the answer is right"

#: Rules about what the words mean. A citation of nothing, or a quote that stands nowhere, is a fault of a
#: right answer too: it stays known until it is mended.
_OF_MEANING = frozenset(having("meaning"))
_OF_CLAIMS = _OF_MEANING & set(by_status().values())


def excuses(
    answers: Sequence[Answer], values: Mapping[str, Any], settings_for: SettingsFor, *, by: str
) -> list[Waiver]:
    """The waivers that right answers need with some settings.

    Args:
        answers: answers that a person found right.
        values: the settings that were chosen.
        settings_for: the settings of a file with values changed.
        by: who found them right.
    """
    return [waiver for item in answers for waiver in _of(item, settings_for(values, item.path), by)]


def _of(answer: Answer, settings: Settings, by: str) -> list[Waiver]:
    """What an answer needs, and no more: what follows from a claim is waived with it."""
    found: list[Waiver] = []
    for rules in (_OF_CLAIMS, _OF_MEANING, _OF_MEANING):
        verdict = validate(answer.transcript, settings, waivers=found)
        if not fails(verdict, settings):
            break
        held = [finding for finding in overrulable(verdict) if finding.rule in rules]
        found += [waiver_for(finding, verdict, reason=REASON, by=by) for finding in held]
    return found
