"""Log records: stable events with stable fields, below the logger ``pytest_grounding``.

Each record carries ``grounding_event`` and the event's fields, all of them named ``grounding_...``, so that a
structured formatter finds them and none can hide a field of the host. ``docs/metrics.md`` lists them.
"""

from __future__ import annotations

import logging
import sys
import traceback
from typing import Any

ROOT = "pytest_grounding"

# A library stays silent where nobody listens, instead of writing to standard error.
logging.getLogger(ROOT).addHandler(logging.NullHandler())


def log(logger: logging.Logger, level: int, event: str, message: str, *args: Any, **fields: Any) -> None:
    """Log one event; a fault in a handler, filter or formatter of the host changes no validation.

    Args:
        logger: where it belongs.
        level: level of `logging`.
        event: name of the event, for machines.
        message: sentence with ``%`` placeholders, for people; text of strangers in it is escaped already.
        args: what the placeholders stand for.
        fields: further facts, as plain data; each becomes the attribute ``grounding_<name>``.
    """
    if not logger.isEnabledFor(level) or not _is_heard(logger):
        return
    extra = {f"grounding_{name}": value for name, value in fields.items()}
    try:
        logger.log(level, message, *args, extra={"grounding_event": event, **extra}, stacklevel=2)
    except Exception:
        # As logging itself does with the errors that it catches.
        if logging.raiseExceptions and sys.stderr:
            traceback.print_exc(file=sys.stderr)


def _is_heard(logger: logging.Logger) -> bool:
    """Whether somebody takes the records of a logger: to make one for nobody costs more than a claim."""
    at: logging.Logger | None = logger
    while at is not None:
        if at.filters or any(type(handler) is not logging.NullHandler for handler in at.handlers):
            return True
        at = at.parent if at.propagate else None
    return False
