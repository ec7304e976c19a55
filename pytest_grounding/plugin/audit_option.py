"""The audit log of a run: every process that validates appends to it by itself."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from pytest_grounding.audit.log import Trail
from pytest_grounding.plugin.state import AUDITED, RunState, of

if TYPE_CHECKING:
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.model.verdict import Verdict
    from pytest_grounding.settings import Settings


def trail_of(state: RunState) -> Trail:
    """The logs of the run; the processes of one run share a session."""
    if state.audit is None:
        shared = getattr(state.config, "workerinput", {}).get("testrunuid")
        state.audit = Trail(state.config.invocation_params.dir, shared or uuid.uuid4().hex)
    return state.audit


def log(
    item: pytest.Item,
    verdict: Verdict,
    transcript: Transcript | None,
    settings: Settings,
    elapsed_ms: float | None,
) -> None:
    """Log what a test validated; several assertions on one transcript of a test are one validation."""
    key = (verdict.id, verdict.transcript_hash, verdict.settings_hash)
    once = item.stash.setdefault(AUDITED, set())
    if key not in once:
        once.add(key)
        trail_of(of(item.config)).write(verdict, transcript, settings, elapsed_ms)
