"""Did the run come to its end: what stopped it, which worker died, and what was never run."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import pytest

from pytest_grounding.plugin.declared import runs_nothing
from pytest_grounding.plugin.session import REMOTE, RunState, of

#: What stands in the files of a run that has begun, until it ends: one that is killed leaves it there.
_RUNNING = "it was started and has not come to its end"


def note_stop(state: RunState, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    """Take note of ``pytest.exit``, whatever exit status it asks for; Ctrl-C has one of its own."""
    if isinstance(excinfo.value, pytest.exit.Exception):
        state.stopped.add(f"pytest.exit: {excinfo.value.msg or 'no reason given'}")


def known_of(session: pytest.Session, state: RunState) -> dict[str, Any]:
    """What a worker of xdist tells its controller at its end, as plain data."""
    judgements: list[list[Any]] = []
    asked: list[list[Any]] = []
    if REMOTE in sys.modules:
        from pytest_grounding.plugin.recording import asked_here, merged, used_here

        merged()
        judgements = [list(use) for use in used_here()]
        asked = [list(reply) for reply in asked_here()]
    return {
        "held": state.held,
        "promised": sorted(state.promised),
        "deselected": state.deselected,
        "left_out": state.left_out,
        "judgements": judgements,
        "asked": asked,
        "spent": _shared_budgets(),
        "audit": state.audit.as_data() if state.audit is not None else None,
        "stopped": sorted(state.stopped),
        "collected": len(_collected(session)),
    }


def _shared_budgets() -> list[list[str]]:
    """The files by which the workers of this run share a budget, each with the run's name in it."""
    bounds = sys.modules.get("pytest_grounding.scorers.bounds")
    return [list(pair) for pair in bounds.shared_budgets()] if bounds is not None else []


def add_worker(state: RunState, node: Any) -> None:
    """Take what a worker knew at its end; one that died has left nothing but that."""
    output = getattr(node, "workeroutput", None)
    if output is None:
        state.died = True
        return
    known = output.get("grounding", {})
    state.held.update(known.get("held", {}))
    state.promised.update(known.get("promised", ()))
    state.deselected = max(state.deselected, known.get("deselected", 0))
    state.left_out = max(state.left_out, known.get("left_out", 0))
    state.judgements.update(map(tuple, known.get("judgements", ())))
    state.asked += map(tuple, known.get("asked", ()))
    state.spent.update(map(tuple, known.get("spent", ())))
    state.stopped.update(known.get("stopped", ()))
    state.collected = max(state.collected, known.get("collected", 0))
    if known.get("audit"):
        from pytest_grounding.plugin.audit import trail_of

        trail_of(state).add(known["audit"])


def interruptions(session: pytest.Session, state: RunState) -> list[str]:
    """Why the run did not come to its end, in words; empty for one that did.

    The exit status alone does not tell: whoever stops a run may choose it.
    """
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


def _collected(session: pytest.Session) -> set[str]:
    items: Iterable[pytest.Item] = getattr(session, "items", ())
    return {item.nodeid for item in items}


def _never_run(session: pytest.Session, state: RunState) -> list[str]:
    """That tests were collected and did not come to their end, without anything that says why."""
    here = _collected(session)
    # A controller of xdist collects nothing: its workers say how many tests there are.
    count = len(here - state.finished) if here else max(0, state.collected - len(state.finished))
    total = len(here) or state.collected
    return [f"{count} of {total} tests did not run to their end"] if count else []


def mark_begun(session: pytest.Session) -> None:
    """Write files that say that the run has not ended, where it is to leave its report for other programs.

    A run that is killed writes nothing more, and a report of the run before must not stand for it.
    """
    state = of(session.config)
    if state.is_worker or runs_nothing(session):
        return
    from pytest_grounding.baseline.shards import shard_of, write_shard
    from pytest_grounding.baseline.suite import decide
    from pytest_grounding.model.run import RunFacts, RunReport
    from pytest_grounding.reports.write import write_run

    configured = state.configured
    report = RunReport.of((), RunFacts(interrupted=(_RUNNING,)))
    try:
        if configured.json_path is not None:
            write_run(decide(report, configured.settings), configured.json_path)
        if configured.shard_path is not None:
            path = configured.shard_path
            write_shard(shard_of(report, configured.settings, name=path.stem), path)
    except OSError:
        pass  # the end of the run says that the file cannot be written
