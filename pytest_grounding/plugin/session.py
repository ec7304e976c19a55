"""The hooks of a run: at its start, for its items and reports, and at its end."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pytest

from pytest_grounding import hookspecs
from pytest_grounding._io import listeners
from pytest_grounding.plugin import option_table
from pytest_grounding.plugin.run_state import (
    ATTEMPT,
    AUDITED,
    CRASHED,
    ENTRIES,
    GOLDENS,
    KEY,
    REMOTE,
    RUNS,
    WAIVED,
    WRONG,
    RunState,
    collected,
    of,
)


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Count the deselected tests: any of them makes the run a part."""
    state = RUNS[-1]
    for item in items:
        nodeid = getattr(item, "nodeid", None)
        if nodeid is None:  # a placeholder of testmon
            state.nameless += 1
        else:
            leave_out(state, nodeid)


def leave_out(state: RunState, nodeid: str) -> None:
    """Take a test off the run, whether its marks were checked before or not."""
    state.held.pop(nodeid, None)
    state.left_out.add(nodeid)


def note_removed(state: RunState, before: Sequence[pytest.Item], items: Sequence[pytest.Item]) -> None:
    """Find the tests that a plugin has taken away without a word, as pytest-shard does."""
    if list(before) == list(items):
        return
    kept = {item.nodeid for item in items}
    for item in before:
        if item.nodeid not in kept:
            leave_out(state, item.nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect the results from the reports, in the process that sees them all."""
    state = RUNS[-1]
    if state.is_worker:
        return
    attempt = getattr(report, "grounding_attempt", 1)
    if attempt > state.attempts.get(report.nodeid, 1):
        _begin_again(state, report.nodeid, attempt)
    if report.when == "teardown":
        state.finished.add(report.nodeid)
    state.golden.extend(getattr(report, "grounding_golden", ()))
    if (waived := getattr(report, "grounding_waived", None)) is not None:
        state.waived.update(map(tuple, waived["used"]))
        state.waived_marks.extend(waived["marks"])
    data = getattr(report, "grounding", None)
    if data is not None:
        # Imported while the workers of xdist are busy, because the end of the run needs it.
        from pytest_grounding.plugin import aggregate  # noqa: F401
        from pytest_grounding.plugin.items import take

        take(state, data, report)
    if not report.passed:
        from pytest_grounding.plugin.items import why_without_verdict

        state.outcomes.setdefault(report.nodeid, why_without_verdict(report))
    elif report.when == "call":
        state.outcomes.pop(report.nodeid, None)  # it failed first, and passed when rerun
    if report.when == CRASHED:
        state.crashed.add(report.nodeid)
        # A dead worker reports nothing; the node id of a transcript test is enough.
        path, _, name = report.nodeid.partition("::")
        if option_table.matches(path.rsplit("/", 1)[-1], state.files):
            state.held.setdefault(report.nodeid, name)


def _begin_again(state: RunState, nodeid: str, attempt: int) -> None:
    """The last attempt counts; it is written on the reports, as rerunfailures reports subtests first."""
    state.attempts[nodeid] = attempt
    if state.found.pop(nodeid, None) is not None:
        state.again.add(nodeid)
    state.golden = [data for data in state.golden if data["test"] != nodeid]


def start(config: pytest.Config) -> None:
    """Create the state of the run."""
    state = config.stash[KEY] = RunState(config)
    RUNS.append(state)
    # A run within a test (pytester) is separate: log observers are silent until its tests begin.
    state.outer = listeners.observe(None)
    state.outer_answers = listeners.answer_with(partial(_answers, state))
    # Pytest at most warns of a misspelled key, and the gate would stay loose.
    if unknown := option_table.unknown_keys(config):
        from pytest_grounding.plugin import options

        state.wrong.extend(map(options.unknown_key, unknown))
    if option_table.says_something(config):
        # A wrong value ends the run here.
        _ = state.configured


def pytest_unconfigure(config: pytest.Config) -> None:
    """Clean up the process."""
    state = config.stash.get(KEY, None)
    if state in RUNS:
        RUNS.remove(state)
        listeners.observe(state.outer)
        listeners.answer_with(state.outer_answers)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Read the final data of an xdist worker."""
    state, output = of(node.config), getattr(node, "workeroutput", None)
    if output is None:
        state.died = True  # it has left nothing else
        return
    known = output.get("grounding", {})
    state.held.update(known.get("held", {}))
    state.promised.update(known.get("promised", ()))
    state.nameless = max(state.nameless, known.get("nameless", 0))
    state.left_out.update(known.get("left_out", ()))
    state.judgements.update(map(tuple, known.get("judgements", ())))
    state.stopped.update(known.get("stopped", ()))
    state.collected = max(state.collected, known.get("collected", 0))
    if known.get("audit"):
        from pytest_grounding.plugin.items import trail_of

        trail_of(state).add(known["audit"])


def pytest_keyboard_interrupt(excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    """Record ``pytest.exit``, whatever its exit status; Ctrl-C has its own status."""
    if isinstance(excinfo.value, pytest.exit.Exception):
        RUNS[-1].stopped.add(f"pytest.exit: {excinfo.value.msg or 'no reason given'}")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Mark the run's report files as unfinished."""
    configured = of(session.config).configuration
    if configured is not None and (configured.json_path or configured.shard_path):
        from pytest_grounding.plugin.aggregate import mark_begun

        mark_begun(session)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Refuse a wrong setting before any test runs."""
    state = of(session.config)
    state.refuse_wrong_settings()
    # Only collection needs these; tests keep their rows themselves.
    state.known = None
    state.rows.clear()


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Header lines with the settings; none if nothing is set."""
    configured = of(config).configuration
    if configured is None or not configured.in_use:
        return []
    changed = configured.effective()
    lines = [f"grounding: {', '.join(changed)}" if changed else "grounding: default settings"]
    off = [name for name in ("enabled", "hallucination_detection") if not getattr(configured.settings, name)]
    if off:
        lines.append(f"grounding: switched off: {', '.join(off)}")
    return lines


def look_at_items(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    """Check the settings in all marks, and record which test has which transcript."""
    state = of(config)
    for path in state.unread:
        if str(path) not in state.rows:
            why = f"tests are {' and '.join(state.files)}" if path.exists() else "a link that leads nowhere"
            warning = pytest.PytestWarning(f"grounding: {path.name} is not read: {why}")
            config.issue_config_time_warning(warning, stacklevel=2)
    for item in items:
        if not any(map(item.get_closest_marker, option_table.MARKS)):
            continue
        from pytest_grounding.plugin.items import check_marks

        if wrong := check_marks(state, item):
            item.stash[WRONG] = wrong[0]
            state.wrong.extend(wrong)
    for item in items:
        identifier = transcript_id_of(item) if state.marked or hasattr(item, "held_id") else None
        if identifier is not None:
            from pytest_grounding.plugin.items import counts

            if not state.wrong and counts(item, state):
                state.held[item.nodeid] = identifier


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Count the attempt, and fail a test whose mark is wrong; without xdist the run has already ended."""
    __tracebackhide__ = True
    attempt = item.stash[ATTEMPT] = item.stash.get(ATTEMPT, 0) + 1
    if attempt > 1:
        # A plugin that retries within the report of an attempt leaves its results on the item.
        keys: tuple[pytest.StashKey[Any], ...] = (ENTRIES, GOLDENS, AUDITED)
        for key in keys:
            if key in item.stash:
                del item.stash[key]
    if WRONG in item.stash:
        pytest.fail(item.stash[WRONG], pytrace=False)


def transcript_id_of(item: pytest.Item) -> str | None:
    """Id of the transcript of a test, or None."""
    if hasattr(item, "held_id"):
        own: str | None = item.held_id
        return own
    value = getattr(getattr(item, "callspec", None), "params", {}).get("transcript")
    identifier = getattr(value, "id", None)
    return identifier if isinstance(identifier, str) and hasattr(value, "chunks") else None


def attach(item: pytest.Item, report: pytest.TestReport) -> None:
    """Move the results of a test onto its report, as plain data."""
    attempt = item.stash.get(ATTEMPT, 1)
    if attempt > 1:
        report.grounding_attempt = attempt  # type: ignore[attr-defined]
    if GOLDENS in item.stash:
        report.grounding_golden = item.stash[GOLDENS]  # type: ignore[attr-defined]
        del item.stash[GOLDENS]
    if AUDITED in item.stash and (report.when != "setup" or not report.passed):
        del item.stash[AUDITED]
    is_waiving = WAIVED in item.stash or item.get_closest_marker(option_table.MARK_NAME_WAIVE)
    if report.when == "call" and is_waiving:
        from pytest_grounding.plugin import waiver_marks as waivers

        report.grounding_waived = waivers.as_data(item)  # type: ignore[attr-defined]
    if ENTRIES not in item.stash or (report.when == "setup" and report.passed):
        return
    report.sections = [part for part in map(_without_own_lines, report.sections) if part[1]]
    from pytest_grounding.plugin.items import counts

    if counts(item, of(item.config)):
        _fail_swallowed(item, report)
        from pytest_grounding.plugin.items import add_properties, carried_entries

        report.grounding = carried_entries(item, report)  # type: ignore[attr-defined]
        add_properties(item, report)
    del item.stash[ENTRIES]


def _fail_swallowed(item: pytest.Item, report: pytest.TestReport) -> None:
    swallowed = [entry for entry in item.stash[ENTRIES] if entry.failed and not entry.expected]
    if swallowed and report.when == "call" and report.passed and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        names = ", ".join(dict.fromkeys(str(entry.verdict.id) for entry in swallowed if entry.verdict))
        problem = f"a failed assertion on {names} was caught, so that the test passed in spite of it"
        report.longrepr = f"{problem}; let it fail, or expect it with pytest.raises(AssertionError)"


def _without_own_lines(section: tuple[str, str]) -> tuple[str, str]:
    name, text = section
    if not name.startswith("Captured log"):
        return section
    lines = text.splitlines(keepends=True)
    return name, "".join(line for line in lines if "pytest_grounding." not in line)


def finish(session: pytest.Session) -> None:
    """Decide on the suite at the end of the run; only an exit status of 0 is changed."""
    state = of(session.config)
    if state.is_worker:
        session.config.workeroutput["grounding"] = _known_of_worker(session, state)  # type: ignore[attr-defined]
        return
    quiet = option_table.runs_nothing(session)
    if not quiet and state.golden:
        from pytest_grounding.plugin.golden_checks import note_unused

        note_unused(session, state)
    is_remote = state.judgements or REMOTE in sys.modules or session.config.getoption("grounding_used")
    if is_remote and not quiet:
        from pytest_grounding.plugin import inspection as recording

        recording.finish_judging(session, state)
    if state.audit is not None and state.audit.failed and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    if quiet or not state.in_use:
        return
    from pytest_grounding.plugin.aggregate import decide_and_write

    if not decide_and_write(session, state) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _known_of_worker(session: pytest.Session, state: RunState) -> dict[str, Any]:

    judgements: list[list[Any]] = []
    if REMOTE in sys.modules:
        from pytest_grounding.plugin.inspection import merged, used_here

        merged()
        judgements = list(map(list, used_here()))
    return {
        "held": state.held,
        "promised": sorted(state.promised),
        "nameless": state.nameless,
        "left_out": sorted(state.left_out),
        "judgements": judgements,
        "audit": state.audit.as_data() if state.audit is not None else None,
        "stopped": sorted(state.stopped),
        "collected": len(collected(session)),
    }


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Let a ``conftest.py`` define hooks of the plugin, for the tests below its folder."""
    pluginmanager.add_hookspecs(hookspecs)


def _answers(state: RunState, hook: str, arguments: Mapping[str, Any]) -> list[Any]:
    """The results of a hook in the ``conftest.py`` files above the current test; without one, of all."""
    item = getattr(listeners.current(), "item", None)
    session = state.config.pluginmanager.get_plugin("session")
    path = item.path if item is not None else state.reading
    relay = state.config.hook if path is None or session is None else session.gethookproxy(path)
    found: list[Any] = getattr(relay, hook)(**arguments)
    return found
