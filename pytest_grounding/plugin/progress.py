"""How far a long run is, now and then on a line of its own; only on a terminal."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

import pytest

from pytest_grounding._io.wording import counted

if TYPE_CHECKING:
    from pytest_grounding.plugin.state import RunState

#: Seconds between two lines.
PAUSE_S = 10.0


class Progress:
    """Says how many transcripts are done, how many a second, how long the rest takes, and how many failed."""

    def __init__(self, state: RunState, reporter: pytest.TerminalReporter) -> None:
        self._state = state
        self._reporter = reporter
        self._before = len(state.ran)
        self._started = self._said = monotonic()

    def show(self) -> None:
        """Write a line, where the last one is old enough."""
        now = monotonic()
        if now - self._said < PAUSE_S:
            return
        self._said = now
        self._reporter.ensure_newline()
        self._reporter.write_line(f"grounding: {self.text(now - self._started)}")

    def text(self, seconds: float) -> str:
        """How far the run is."""
        state = self._state
        done, total = len(state.ran), len(state.held)
        rate = (done - self._before) / seconds
        words = [f"{done:,} of {total:,} transcripts" if total >= done else f"{done:,} transcripts"]
        words.append(f"{rate:,.0f} a second")
        if total >= done and rate:
            minutes, rest = divmod(round((total - done) / rate), 60)
            words.append(f"{minutes}:{rest:02d} min left")
        words.append(f"{counted(len(state.ran & state.outcomes.keys()), 'test')} not passed")
        return ", ".join(words)


def begin(state: RunState) -> Progress | None:
    """Who tells how far the run is; nobody where no one watches, or each test has a line already."""
    reporter = state.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not reporter.isatty or reporter.verbosity > 0:
        return None
    return Progress(state, reporter)
