"""Baseline and shards in a test run."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_grounding._wording import counted
from pytest_grounding.baseline.ratchet import held_in_words, holds_findings
from pytest_grounding.baseline.renewal import renew
from pytest_grounding.baseline.shards import shard_of, write_shard
from pytest_grounding.baseline.store import read_baseline, write_baseline
from pytest_grounding.baseline.suite import decide
from pytest_grounding.errors import InputError
from pytest_grounding.model.comparison import Comparison
from pytest_grounding.model.run import RunReport
from pytest_grounding.plugin.files import refresh_command
from pytest_grounding.plugin.narrowing import cut_short, narrowed_by
from pytest_grounding.plugin.state import RunState

_SHARD = "a shard of the suite; pytest-grounding merge decides over all of them"


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
        return decide(found.model_copy(update={"run": facts}), undecided)
    if path is not None and configured.baseline_update:
        report = decide(found, settings, configured.baseline, refresh=refresh_command(path))
        _update(report, state, path)
        return report
    refresh = refresh_command(path) if path is not None else ""
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
    configured = state.configured
    allow_new = bool(state.config.getoption("grounding_baseline_allow_new"))
    since = ""
    try:
        found = renew(configured.baseline, report, configured.settings, allow_new=allow_new)
        if path.exists():
            since = _since(path, report, state)
        write_baseline(found.baseline, path)
    except InputError as error:
        state.problem = str(error)
    else:
        state.problem = found.refusal("--grounding-baseline-allow-new") or state.problem
        state.said.append(f"baseline written: {path.name}, {held_in_words(found.baseline)}{since}")


def _since(path: Path, report: RunReport, state: RunState) -> str:
    """What changes against the baseline that is replaced; nothing where that one cannot be read."""
    from pytest_grounding.baseline.compare import compare

    try:
        old = read_baseline(path)
    except InputError:
        return "; the old one could not be read"
    settings = state.configured.settings
    if settings.baseline_gate == "new" and not holds_findings(old):
        return "; the one before held no findings"
    return describe(compare(old, report, settings))


def describe(found: Comparison) -> str:
    """What changed against a baseline that is replaced, in a few words."""
    if found.ratchet is not None:
        vanished = f", {counted(len(found.vanished), 'transcript')} vanished" if found.vanished else ""
        return f"; against the one before: {found.ratchet.line}{vanished}"
    numbers = (
        (sum(item.is_worse for item in found.flipped), "flipped to the worse"),
        (sum(not item.is_worse for item in found.flipped), "flipped to the better"),
        (len(found.moved), "moved"),
        (len(found.added), "new"),
        (len(found.vanished), "gone"),
    )
    said = [f"{number} {word}" for number, word in numbers if number]
    return f"; against the one before: {', '.join(said) or 'nothing changed'}"
