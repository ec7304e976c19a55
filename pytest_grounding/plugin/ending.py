"""Did the run come to its end: what stopped it, which worker died, and what was never run."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from pytest_grounding.plugin.state import RunState


def note_stop(state: RunState, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    """Take note of ``pytest.exit``, whatever exit status it asks for; Ctrl-C has one of its own."""
    if isinstance(excinfo.value, pytest.exit.Exception):
        state.stopped.add(f"pytest.exit: {excinfo.value.msg or 'no reason given'}")


def interruptions(session: pytest.Session, state: RunState) -> list[str]:
    """Why the run did not come to its end, in words; empty for one that did."""
    reasons = sorted(state.stopped)
    if session.exitstatus == pytest.ExitCode.INTERRUPTED and not reasons:
        reasons.append("interrupted")
    if session.exitstatus == pytest.ExitCode.INTERNAL_ERROR:
        reasons.append("an internal error of pytest")
    reasons += [f"a worker died in {nodeid}" for nodeid in sorted(state.crashed)]
    if state.died and not state.crashed:
        reasons.append("a worker died")
    if not reasons and not (session.shouldstop or session.shouldfail):
        reasons += _never_run(session, state)
    return reasons


def collected(session: pytest.Session) -> set[str]:
    """The node ids of the tests that this process collected."""
    items: Iterable[pytest.Item] = getattr(session, "items", ())
    return {item.nodeid for item in items}


def _never_run(session: pytest.Session, state: RunState) -> list[str]:
    """That tests were collected and did not come to their end, without anything that says why."""
    here = collected(session)
    # A controller of xdist collects nothing: its workers say how many tests there are.
    count = len(here - state.finished) if here else max(0, state.collected - len(state.finished))
    total = len(here) or state.collected
    return [f"{count} of {total} tests did not run to their end"] if count else []
