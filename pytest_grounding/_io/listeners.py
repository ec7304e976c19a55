"""Log records with stable fields, and callbacks for validated transcripts."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_grounding.plugin.observer import ItemObserver

DEBUG, INFO, WARNING = logging.DEBUG, logging.INFO, logging.WARNING
# A library is silent without a handler, instead of writing to standard error.
logging.getLogger("pytest_grounding").addHandler(logging.NullHandler())

Layers = list[tuple[str, Mapping[str, Any]]]
#: Results of the run's ``conftest.py`` files for a hook of this package, by name and arguments.
Answers = Callable[[str, Mapping[str, Any]], list[Any]]
_current: ItemObserver | None = None
_answers: Answers | None = None


def log(logger: logging.Logger, level: int, event: str, message: str, *args: Any, **fields: Any) -> None:
    """Log one event; an error in the host's handler, filter or formatter affects no validation."""
    extra = {f"grounding_{name}": value for name, value in fields.items()}
    extra["grounding_event"] = event
    try:
        logger.log(level, message, *args, extra=extra, stacklevel=2)
    except Exception:
        # As logging itself does with errors it catches.
        if logging.raiseExceptions and sys.stderr:
            traceback.print_exc(file=sys.stderr)


def current() -> ItemObserver | None:
    """The observer of the running test, or None outside of one."""
    return _current


def observe(observer: ItemObserver | None) -> ItemObserver | None:
    """Set the observer, and return the previous one."""
    global _current  # one test runs at a time in a process
    before, _current = _current, observer
    return before


def answers(hook: str, arguments: Mapping[str, Any]) -> list[Any]:
    """The results of the ``conftest.py`` extensions for a hook; empty outside of a pytest run."""
    return _answers(hook, arguments) if _answers is not None else []


def answer_with(given: Answers | None) -> Answers | None:
    """Set the extensions of a run, and return the previous ones."""
    global _answers  # runs in one process may be nested
    before, _answers = _answers, given
    return before
