"""Baseline and shards in a test run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_grounding.baseline.shards import shard_of, write_shard
from pytest_grounding.baseline.store import baseline_of, read_baseline, write_baseline
from pytest_grounding.baseline.suite import decide
from pytest_grounding.errors import InputError
from pytest_grounding.model.baseline import Baseline
from pytest_grounding.model.comparison import Comparison
from pytest_grounding.model.run import RunReport
from pytest_grounding.plugin.narrowing import cut_short, narrowed_by
from pytest_grounding.plugin.session import RunState

_SHARD = "a shard of the suite; pytest-grounding merge decides over all of them"


def load(path: Path) -> Baseline:
    """Read the baseline before any test runs.

    Raises:
        pytest.UsageError: it is not there or cannot be used; says how to write it.
    """
    if not path.exists():
        raise pytest.UsageError(
            f"grounding: there is no baseline {path.name}; write it with: {_refresh(path)}"
        )
    try:
        return read_baseline(path)
    except InputError as error:
        raise pytest.UsageError(f"grounding: {error}") from None


def _refresh(path: Path) -> str:
    try:
        shown = os.path.relpath(path)
    except ValueError:  # another drive of Windows
        shown = str(path)
    return f"pytest --grounding-baseline={shown.replace(os.sep, '/')} --grounding-baseline-update"


def narrowing(session: pytest.Session, state: RunState) -> list[str]:
    """Why the run is not a whole one; how a suite is cut into shards does not count."""
    return narrowed_by(session, state) if state.configured.shard_path is None else cut_short(session)


def decide_run(found: RunReport, state: RunState) -> RunReport:
    """Decide on a run that has a baseline or is a shard, and write what was asked for.

    Args:
        found: verdicts and facts, not decided.
        state: takes what is to be said of it, and what went wrong.
    """
    configured = state.configured
    settings, path = configured.settings, configured.baseline_path
    if configured.shard_path is not None:
        _write_shard(found, state, configured.shard_path)
        facts = found.run.model_copy(update={"narrowed": (*found.run.narrowed, _SHARD)})
        undecided = settings.with_values({"partial_runs": "undecided"})
        return decide(RunReport.of(found.transcripts, facts), undecided)
    if path is not None and configured.baseline_update:
        report = decide(found, settings)
        _update(report, state, path)
        return report
    refresh = _refresh(path) if path is not None else ""
    return decide(found, settings, configured.baseline, refresh=refresh)


def _write_shard(found: RunReport, state: RunState, path: Path) -> None:
    shard = shard_of(found, state.configured.settings, name=path.stem, tests=state.ran)
    try:
        write_shard(shard, path)
    except OSError as error:
        state.problem = f"{path}: cannot be written ({error.strerror or error})"
    else:
        state.said.append(f"shard written: {path.name}")


def _update(report: RunReport, state: RunState, path: Path) -> None:
    """Write the baseline anew, and say what that changes."""
    settings = state.configured.settings
    since = ""
    try:
        new = baseline_of(report, settings)
        if path.exists():
            since = _since(path, report, state)
        write_baseline(new, path)
    except InputError as error:
        state.problem = str(error)
    else:
        state.said.append(f"baseline written: {path.name}, {len(new.transcripts)} transcripts{since}")


def _since(path: Path, report: RunReport, state: RunState) -> str:
    """What changes against the baseline that is replaced; nothing where that one cannot be read."""
    from pytest_grounding.baseline.compare import compare

    try:
        old = read_baseline(path)
    except InputError:
        return "; the old one could not be read"
    return describe(compare(old, report, state.configured.settings))


def describe(found: Comparison) -> str:
    """What changed against a baseline that is replaced, in a few words."""
    numbers = (
        (sum(item.is_worse for item in found.flipped), "flipped to the worse"),
        (sum(not item.is_worse for item in found.flipped), "flipped to the better"),
        (len(found.moved), "moved"),
        (len(found.added), "new"),
        (len(found.vanished), "gone"),
    )
    said = [f"{number} {word}" for number, word in numbers if number]
    return f"; against the one before: {', '.join(said) or 'nothing changed'}"
