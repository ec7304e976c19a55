"""Functions that hear what was validated, for metrics and audit logs of services."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_grounding.plugin.observer import ItemObserver

Layers = list[tuple[str, Mapping[str, Any]]]
#: What the ``conftest.py`` files of a run answer to a hook of this package, by its name and arguments.
Answers = Callable[[str, Mapping[str, Any]], list[Any]]

_current: ItemObserver | None = None
_answers: Answers | None = None


def current() -> ItemObserver | None:
    """The observer of the running test, or None outside of one."""
    return _current


def observe(observer: ItemObserver | None) -> ItemObserver | None:
    """Put an observer in place, and return the one before it."""
    global _current  # one test runs at a time in a process
    before, _current = _current, observer
    return before


def answers(hook: str, arguments: Mapping[str, Any]) -> list[Any]:
    """What the extensions in ``conftest.py`` files say to a hook; nothing outside of a run of pytest."""
    return _answers(hook, arguments) if _answers is not None else []


def answer_with(given: Answers | None) -> Answers | None:
    """Put the extensions of a run in place, and return those before them."""
    global _answers  # runs of one process stand inside of one another
    before, _answers = _answers, given
    return before
