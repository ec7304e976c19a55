"""Recorded answers with what the engine says of them now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from pytest_grounding.adoption.labels import Labels
from pytest_grounding.engine.examining import examine
from pytest_grounding.importers.loading import Row
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings


class SettingsFor(Protocol):
    """Gives the settings that a file would have with some values changed."""

    def __call__(self, values: Mapping[str, Any], path: str) -> Settings:
        """The settings for a file."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """One recorded answer.

    Attributes:
        transcript: the recording.
        path: its file.
        line: 1-based line in that file.
        verdict: what the engine says of it with the settings in force.
        failed: it fails on its own now.
        expected: its author says in its metadata what it is to be, so nobody is asked about it.
        correct: what a person said of it, or None.
    """

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

    @property
    def counts_as_right(self) -> bool:
        """A person found it right, or it passes and nobody said otherwise."""
        return self.correct if self.correct is not None else not self.failed and not self.expected


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
