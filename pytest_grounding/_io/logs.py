"""Log records: stable events with stable fields, below the logger ``pytest_grounding``."""

from __future__ import annotations

import logging
import sys
import traceback
from typing import Any

DEBUG, INFO, WARNING = logging.DEBUG, logging.INFO, logging.WARNING
# A library is silent without a handler, instead of writing to standard error.
logging.getLogger("pytest_grounding").addHandler(logging.NullHandler())


class Channel:
    """A logger that makes records only if a handler wants them."""

    def __init__(self, name: str) -> None:
        self.logger = logging.getLogger(name)

    def is_heard(self, level: int) -> bool:
        """Whether records of a level are wanted: making an unwanted one costs more than a claim."""
        at: logging.Logger | None = self.logger if self.logger.isEnabledFor(level) else None
        while at is not None:
            if at.filters or any(type(handler) is not logging.NullHandler for handler in at.handlers):
                return True
            at = at.parent if at.propagate else None
        return False


def log(channel: Channel, level: int, event: str, message: str, *args: Any, **fields: Any) -> None:
    """Log one event; an error in the host's handler, filter or formatter affects no validation."""
    if not channel.is_heard(level):
        return
    extra = {f"grounding_{name}": value for name, value in fields.items()}
    extra["grounding_event"] = event
    try:
        channel.logger.log(level, message, *args, extra=extra, stacklevel=2)
    except Exception:
        # As logging itself does with errors it catches.
        if logging.raiseExceptions and sys.stderr:
            traceback.print_exc(file=sys.stderr)
