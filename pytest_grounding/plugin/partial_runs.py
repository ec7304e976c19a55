"""Whether the run was complete: what narrowed it, and what stopped it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from pytest_grounding.plugin.run_state import RunState

#: Options that deselect tests, with the name under which pytest stores them.
_OPTIONS = (("-k", "keyword"), ("-m", "markexpr"), ("--deselect", "deselect"), ("--ignore", "ignore"))
_SWITCHES = (("--lf", "lf"), ("--stepwise", "stepwise"), ("--ignore-glob", "ignore_glob"))


def narrowed_by(session: pytest.Session, state: RunState) -> list[str]:
    """Why the run is partial, in words; empty for a complete run."""
    config = session.config
    reasons = []
    for option, name in (*_OPTIONS, *_SWITCHES):
        # Parsed, so that it may come from the command line, addopts or a variable.
        if value := config.getoption(name, None):
            words = [] if value is True else [value] if isinstance(value, str) else map(str, value)
            reasons.append(" ".join([option, *words]))
    if state.deselected and not reasons:
        reasons.append(f"{state.deselected} deselected")
    reasons.extend(_narrower_paths(config))
    reasons.extend(_stopped(session))
    return reasons


def cut_short(session: pytest.Session) -> list[str]:
    """Why a shard did not run all of its part, in words."""
    chosen = [option for option, name in _SWITCHES[:2] if session.config.getoption(name, None)]
    return [*chosen, *_stopped(session)]


def _stopped(session: pytest.Session) -> list[str]:
    stopped = session.shouldfail or session.shouldstop
    return [str(stopped)] if stopped else []


def _narrower_paths(config: pytest.Config) -> list[str]:
    root = config.rootpath
    whole = [root / path for path in config.getini("testpaths")] or [root]
    source = config.args_source
    if source == pytest.Config.ArgsSource.TESTPATHS:
        return []
    here = config.invocation_params.dir
    given = [Path(here, argument) for argument in config.args if "::" not in argument]
    for path in whole:
        # A pattern in testpaths is covered if its first fixed folder is.
        if not any(_covers(one, path) for one in given):
            shown = "the folder it was started in" if source != pytest.Config.ArgsSource.ARGS else ""
            return [f"only {shown or ' '.join(config.args)}"]
    return []


def _covers(given: Path, path: Path) -> bool:
    try:
        return path.resolve().is_relative_to(given.resolve())
    except OSError:
        return False


def interruptions(session: pytest.Session, state: RunState) -> list[str]:
    """Why the run did not finish, in words; empty if it did."""
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
    here = collected(session)
    # A controller of xdist collects nothing: its workers report how many tests there are.
    count = len(here - state.finished) if here else max(0, state.collected - len(state.finished))
    total = len(here) or state.collected
    return [f"{count} of {total} tests did not run to their end"] if count else []
