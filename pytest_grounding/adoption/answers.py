"""Recorded answers with what the engine says of them now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from pytest_grounding.adoption.labels import Labels
from pytest_grounding.engine import validate
from pytest_grounding.engine.examining import examine
from pytest_grounding.gate.outcome import fails
from pytest_grounding.importers.loading import Row
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.rules import by_status, having
from pytest_grounding.settings import Settings
from pytest_grounding.waivers import Waiver, overrulable, waiver_for

REASON = "the answer is right"

#: Rules about what the words mean. A citation of nothing, or a quote that stands nowhere, is a fault of a
#: right answer too: it stays known until it is mended.
_OF_MEANING = frozenset(having("meaning"))
_OF_CLAIMS = _OF_MEANING & set(by_status().values())


class SettingsFor(Protocol):
    """Gives the settings that a file would have with some values changed."""

    def __call__(self, values: Mapping[str, Any], path: str) -> Settings:
        """The settings for a file."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """One recorded answer."""

    transcript: Transcript
    path: str
    line: int
    verdict: Verdict
    failed: bool
    expected: bool = False
    correct: bool | None = None

    @property
    def is_doubtful(self) -> bool:
        """It fails, and nobody has said whether rightly."""
        return self.failed and not self.expected and self.correct is None


def judged(row: Row, transcript: Transcript, settings_for: SettingsFor) -> Answer:
    """Validate one answer with the settings in force for its file."""
    settings = settings_for({}, row.path)
    place = {"source": row.path, "line": row.line}
    found = examine(transcript, settings, place=place)
    has_wish = found.wanted is not None
    return Answer(transcript, row.path, row.line, found.verdict, found.is_failed, expected=has_wish)


def labelled(answers: Sequence[Answer], labels: Labels) -> list[Answer]:
    """The answers with what people said of them."""
    return [replace(item, correct=labels.of(item.transcript)) for item in answers]


def excuses(
    answers: Sequence[Answer], values: Mapping[str, Any], settings_for: SettingsFor, *, by: str
) -> list[Waiver]:
    """The waivers that right answers need with some settings."""
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
