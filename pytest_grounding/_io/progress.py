"""How far long work has come, on standard error."""

from __future__ import annotations

import contextlib
import sys
import time

from pytest_grounding._io.wording import counted

_EACH_S, _EACH_LINE_S = 0.5, 60.0  # seconds between two states: on a terminal, and elsewhere
_MINUTE = 60


class Progress:
    """What is done of long work."""

    def __init__(self) -> None:
        self._start = self._shown = time.monotonic()
        self._is_open = False

    def show(self, rows: int, failed: int, share: float | None = None) -> None:
        """Show it, if the last time is old enough; ``share`` is how much of all is done, above 0."""
        now, is_live = time.monotonic(), sys.stderr is not None and sys.stderr.isatty()
        if now - self._shown < (_EACH_S if is_live else _EACH_LINE_S):
            return
        self._shown, spent = now, now - self._start
        text = f"{counted(rows, 'row')}, {rows / spent:.0f} a second, {failed} failed so far"
        if share:
            left = spent / share - spent
            text += f", {left / _MINUTE:.0f} min left" if left > _MINUTE else f", {left:.0f} s left"
        self._write(f"\r\x1b[K{text}" if is_live else f"{text}\n")
        self._is_open = is_live

    def end(self) -> None:
        """Clear the line of a terminal."""
        if self._is_open:
            self._write("\r\x1b[K")
            self._is_open = False

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            print(text, end="", file=sys.stderr, flush=True)
