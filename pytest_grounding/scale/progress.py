"""One line on standard error that says how far a run in parts is."""

from __future__ import annotations

import json
import sys
from time import monotonic
from typing import Literal, TextIO

from pytest_grounding.scale.ledger import Ledger

Mode = Literal["auto", "json", "off"]

_PAUSE_S = {"auto": 0.5, "json": 1.0}
_ERASE = "\r\x1b[K"


class Progress:
    """Says how far a ledger is: to a terminal as one line that is written over, or as JSON Lines.

    Args:
        mode: ``auto`` is silent where standard error is no terminal.
        stream: where it is said; None is standard error.
    """

    def __init__(self, mode: Mode, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._mode = "off" if mode == "auto" and not self._stream.isatty() else mode
        self._started = monotonic()
        self._said_at = float("-inf")
        self._is_shown = False

    def show(self, ledger: Ledger, *, last: bool = False) -> None:
        """Say how far it is, where the last word is old enough."""
        if self._mode == "off":
            return
        now = monotonic()
        if not last and now - self._said_at < _PAUSE_S[self._mode]:
            return
        self._said_at = now
        facts = figures(ledger, now - self._started)
        if self._mode == "json":
            self._write(json.dumps(facts) + "\n")
        else:
            self._write(f"{_ERASE}{progress_line(facts)}")
            self._is_shown = True

    def clear(self) -> None:
        """Take the line away, so that something else can be printed."""
        if self._is_shown:
            self._write(_ERASE)
            self._is_shown = False

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            # Nobody reads it; the run goes on.
            self._mode = "off"


def figures(ledger: Ledger, elapsed_s: float) -> dict[str, int | float | None]:
    """How far a ledger is.

    Args:
        ledger: the parts.
        elapsed_s: seconds since this run began.

    Returns:
        Parts and those done, rows done, those of this run a second, seconds left (None: not known yet), and
        rows that failed so far. What an earlier run finished counts as done, and as failed.
    """
    total, done = len(ledger.plan.parts), len(ledger.results)
    here = done - ledger.resumed
    left = elapsed_s / here * (total - done) if here else None
    return {
        "parts": total,
        "parts_done": done,
        "parts_resumed": ledger.resumed,
        "parts_not_scored": len(ledger.unscored),
        "rows": ledger.rows_before + ledger.rows,
        "rows_per_second": round(ledger.rows / elapsed_s, 1) if elapsed_s > 0 else 0.0,
        "seconds_left": None if left is None else round(left, 1),
        "failed": ledger.failed,
    }


def progress_line(facts: dict[str, int | float | None]) -> str:
    """The same as one line for people."""
    left = facts["seconds_left"]
    words = [
        f"{facts['parts_done']}/{facts['parts']} parts",
        f"{facts['rows']:,} rows",
        f"{facts['rows_per_second']:,.0f} rows/s",
        "time left unknown" if left is None else f"{_clock(left)} left",
        f"{facts['failed']:,} failed",
    ]
    if facts["parts_not_scored"]:
        words.append(f"{facts['parts_not_scored']} parts not scored")
    return ", ".join(words)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
