"""What the workers of xdist tell their controller at their end."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from pytest_grounding.plugin.ending import collected
from pytest_grounding.plugin.state import REMOTE, RunState


def known_of(session: pytest.Session, state: RunState) -> dict[str, Any]:
    """What a worker of xdist tells its controller at its end, as plain data."""
    judgements: list[list[Any]] = []
    if REMOTE in sys.modules:
        from pytest_grounding.plugin.recorder import merged, used_here

        merged()
        judgements = [list(use) for use in used_here()]
    return {
        "held": state.held,
        "promised": sorted(state.promised),
        "deselected": state.deselected,
        "left_out": sorted(state.left_out),
        "judgements": judgements,
        "audit": state.audit.as_data() if state.audit is not None else None,
        "stopped": sorted(state.stopped),
        "collected": len(collected(session)),
    }


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
    state.left_out.update(known.get("left_out", ()))
    state.judgements.update(map(tuple, known.get("judgements", ())))
    state.stopped.update(known.get("stopped", ()))
    state.collected = max(state.collected, known.get("collected", 0))
    if known.get("audit"):
        from pytest_grounding.plugin.audit_option import trail_of

        trail_of(state).add(known["audit"])
