"""Functions that hear what was validated, for metrics and audit logs of services."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, Protocol

Layers = list[tuple[str, Mapping[str, Any]]]


class Observer(Protocol):
    """What an assertion may ask of the test run that it stands in."""

    def layers(self) -> Layers:
        """The settings in force for the running test, weakest source first, call arguments excepted."""
        ...

    def profiles(self) -> Mapping[str, Mapping[str, Any]]:
        """Further profiles by name."""
        ...

    def record(
        self, verdict: Any, *, failed: bool, transcript: Any = None, elapsed_ms: float | None = None
    ) -> None:
        """Take note of a verdict: did its assertion fail, what was it made on, how long did that take."""
        ...

    def golden_site(self) -> tuple[Path, str, str]:
        """Folder of the running test, the policy for goldens, and the name of the test."""
        ...

    def record_golden(self, data: Mapping[str, Any]) -> None:
        """Take note of what was decided on a golden, as plain data."""
        ...

    def place(self, path: str | os.PathLike[str], *, is_new: bool = False) -> str:
        """Where a path that the running test names leads; InputError where that is nowhere."""
        ...

    def given(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """Settings that a call of the running test gives, with paths as they lead from the current folder."""
        ...

    def waivers(self) -> Sequence[Any]:
        """What the marks of the running test waive."""
        ...

    def skip(self, reason: str) -> NoReturn:
        """Leave the running test as skipped."""
        ...


#: What the ``conftest.py`` files of a run answer to a hook of this package, by its name and arguments.
Answers = Callable[[str, Mapping[str, Any]], list[Any]]

_current: Observer | None = None


def current() -> Observer | None:
    """The observer of the running test, or None outside of one."""
    return _current


def observe(observer: Observer | None) -> Observer | None:
    """Put an observer in place, and return the one before it."""
    global _current  # one test runs at a time in a process
    before, _current = _current, observer
    return before


_answers: Answers | None = None


def answers(hook: str, arguments: Mapping[str, Any]) -> list[Any]:
    """What the extensions in ``conftest.py`` files say to a hook; nothing outside of a run of pytest."""
    return _answers(hook, arguments) if _answers is not None else []


def answer_with(given: Answers | None) -> Answers | None:
    """Put the extensions of a run in place, and return those before them."""
    global _answers  # runs of one process stand inside of one another
    before, _answers = _answers, given
    return before
