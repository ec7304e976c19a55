"""The audit log of a run: every process that validates appends to it by itself."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from pytest_grounding.audit.log import AuditLog
from pytest_grounding.audit.trail import Trail
from pytest_grounding.plugin.session import AUDITED, RunState, of

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_grounding.plugin.items import Entry
    from pytest_grounding.settings import Settings


def trail_of(state: RunState) -> Trail:
    """The logs of the run; the processes of one run share a session."""
    if state.audit is None:
        shared = getattr(state.config, "workerinput", {}).get("testrunuid")
        state.audit = Trail(state.config.invocation_params.dir, shared or uuid.uuid4().hex)
    return state.audit


def log(item: pytest.Item, entry: Entry, settings: Settings) -> None:
    """Log what a test validated; several assertions on one transcript of a test are one validation."""
    verdict = entry.verdict
    if verdict is None:
        return
    key = (verdict.id, verdict.transcript_hash, verdict.settings_hash)
    once = item.stash.setdefault(AUDITED, set())
    if key not in once:
        once.add(key)
        trail_of(of(item.config)).write(verdict, entry.transcript, settings, entry.elapsed_ms)


def refuse_closed_log(path: Path, settings: Settings) -> None:
    """Refuse a log that must be written and cannot be, before any test runs.

    Raises:
        pytest.UsageError: it cannot be written; says why.
    """
    problem = AuditLog(path, settings=settings).problem()
    if problem:
        raise pytest.UsageError(f"grounding: {problem}; audit_required is set")
