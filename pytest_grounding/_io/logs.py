"""Log records: stable events with stable fields, below the logger ``pytest_grounding``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import logging

ROOT = "pytest_grounding"
#: Levels of `logging`.
DEBUG, INFO, WARNING = 10, 20, 30


class Channel:
    """A logger that is asked only where the program has `logging`: where it has not, nobody listens."""

    def __init__(self, name: str) -> None:
        self.name = name

    def is_heard(self, level: int) -> bool:
        """Whether records of a level are wanted."""
        if "logging" not in sys.modules:
            return False
        # Deferred for cost: a start of a program without it is a fiftieth quicker.
        import logging

        _be_silent()
        logger = logging.getLogger(self.name)
        return logger.isEnabledFor(level) and _has_listener(logger)


def log(channel: Channel, level: int, event: str, message: str, *args: Any, **fields: Any) -> None:
    """Log one event; a fault in a handler, filter or formatter of the host changes no validation."""
    if not channel.is_heard(level):
        return
    import logging

    extra = {f"grounding_{name}": value for name, value in fields.items()}
    extra["grounding_event"] = event
    try:
        logging.getLogger(channel.name).log(level, message, *args, extra=extra, stacklevel=2)
    except Exception:
        # As logging itself does with the errors that it catches.
        if logging.raiseExceptions and sys.stderr:
            import traceback

            traceback.print_exc(file=sys.stderr)


def _has_listener(logger: logging.Logger) -> bool:
    """Whether somebody takes the records of a logger: to make one for nobody costs more than a claim."""
    import logging

    at: logging.Logger | None = logger
    while at is not None:
        if at.filters or any(type(handler) is not logging.NullHandler for handler in at.handlers):
            return True
        at = at.parent if at.propagate else None
    return False


def _be_silent() -> None:
    """A library stays silent where nobody listens, instead of writing to standard error."""
    import logging

    root = logging.getLogger(ROOT)
    if not any(isinstance(handler, logging.NullHandler) for handler in root.handlers):
        root.addHandler(logging.NullHandler())


if "logging" in sys.modules:
    _be_silent()
