"""What a run knows of itself, kept in ``config.stash`` and ``item.stash`` under typed keys.

Every run loads this module, so it holds what every run needs; `items` and `aggregate` hold the rest.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding import _observers
from pytest_grounding.plugin import declared
from pytest_grounding.plugin.extensions import answers

if TYPE_CHECKING:
    from pytest_grounding.audit.trail import Trail
    from pytest_grounding.importers.loading import KnownIds
    from pytest_grounding.model.run import RunReport
    from pytest_grounding.plugin.held import Found, HeldRow
    from pytest_grounding.plugin.items import Entry
    from pytest_grounding.plugin.options import Configured
    from pytest_grounding.plugin.progress import Progress

#: Report of a worker of xdist that died: it has no phase.
CRASHED = "???"
#: Loaded only where remote scorers were in use.
REMOTE = "pytest_grounding.scorers.remote"
_UNKNOWN_KEY = r"(?i)unknown config option: (grounding_\w+)"


class RunState:
    """The state of one run, in the process that it belongs to.

    Attributes:
        config: the configuration of pytest.
        wrong: settings in marks and ini keys that are wrong, one sentence each.
        held: node id -> id of the transcript that the test was given.
        found: data of the test reports that have arrived.
        outcomes: node id -> why its test may have left no verdict.
        promised: what in the tests promised transcripts, in words.
        deselected: how many tests on transcripts were deselected; left_out: how many, whatever they do.
        known: the ids of transcripts seen so far, once there are some.
        rows: file -> its rows; loaded once.
        marked: some test is marked with ``transcripts``.
        unused: goldens that no test used, or None where the run cannot tell.
        report: the decided report, once there is one.
        problem: why a file could not be written, or "".
        said: what else the summary says at its end; told: how many failures were told whole or in short.
        progress: tells how far a long run is, or None.
        ran: node ids of the tests on transcripts that ran.
        golden: what was decided on goldens, as data of the test reports.
        judgements: what the run used of cassettes: cassette, key, scorer, model, day and tokens of each.
        asked: the replies of judges that were asked for; spent: cassettes and runs of shared budgets.
        audit: what the run wrote to audit logs, once it has written to one.
        finished: node ids of the tests that came to their end; collected: how many there are under xdist.
        stopped: what stopped the run; crashed: in which tests a worker of xdist died; died: whether one did.
        waived: keys of the waivers that were needed; waived_marks: those that marks hold, and where.
        outer: whom the assertions saw before this run; outer_answers: whose extensions held before it.
        reading: the file of transcripts that is being read, or None.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self._configured: Configured | None = None
        # What a test changes of both is not what its user configured.
        self._began = dict(os.environ), Path.cwd()
        self.wrong: list[str] = []
        self.held: dict[str, str] = {}
        self.found: Found | None = None
        self.outcomes: dict[str, str] = {}
        self.promised: set[str] = set()
        self.deselected = 0
        self.known: KnownIds | None = None
        self.rows: dict[str, list[HeldRow]] = {}
        self.marked = False
        self.report: RunReport | None = None
        self.problem = ""
        self.said: list[str] = []
        self.told = 0
        self.progress: Progress | None = None
        self.ran: set[str] = set()
        self.golden: list[dict[str, Any]] = []
        self.left_out = 0
        self.unused: list[str] | None = None
        self.judgements: set[tuple[Any, ...]] = set()
        self.asked, self.spent = list[tuple[Any, ...]](), set[tuple[str, ...]]()
        self.audit: Trail | None = None
        self.finished: set[str] = set()
        self.collected = 0
        self.stopped: set[str] = set()
        self.crashed: set[str] = set()
        self.died = False
        self.waived: set[tuple[str, ...]] = set()
        self.waived_marks: list[list[str]] = []
        # A run inside of a test (pytester) is a run of its own: nobody listens until its tests begin.
        self.outer: _observers.Observer | None = _observers.observe(None)
        self.reading: Path | None = None
        self.outer_answers: _observers.Answers | None = _observers.answer_with(partial(answers, self))

    @property
    def configured(self) -> Configured:
        """What the user configured; read when somebody asks for it."""
        if self._configured is None:
            from pytest_grounding.plugin.options import read

            self._configured = read(self.config, *self._began)
        return self._configured

    @property
    def has_configured(self) -> bool:
        """Whether somebody asked for it: a run that says nothing of ours, and validates nothing, does not."""
        return self._configured is not None

    @property
    def files(self) -> Sequence[str]:
        """Name patterns of the no-code mode."""
        return self.configured.files if self.has_configured else declared.FILES

    @property
    def is_worker(self) -> bool:
        """This process is a worker of xdist."""
        return hasattr(self.config, "workerinput")

    @property
    def in_use(self) -> bool:
        """Transcripts were validated, held or promised, or a report was asked for."""
        if not self.has_configured:
            return bool(self.found or self.held or self.promised)
        configured = self.configured
        files = (configured.json_path, configured.baseline_path, configured.shard_path)
        asked = configured.promised or configured.reports or any(files)
        return bool(self.found or self.held or self.promised or asked)

    @property
    def has_summary(self) -> bool:
        """There is something to print at the end of the run."""
        return bool(self.report is not None or self.golden or self.audit)

    def refuse_wrong_settings(self) -> None:
        """Raise pytest.UsageError for the settings in marks and ini keys that are wrong."""
        # A worker that raises here would show its controller an internal error; there the test itself
        # fails, with the same sentence.
        if self.in_use and not self.is_worker:
            from pytest_grounding.plugin import options

            self.wrong.extend(options.unusable(self.configured.usable(held=bool(self.held))))
            if self.configured.stray and self.held and not declared.lists_only(self.config):
                self.wrong.append(self.configured.stray)
        if self.wrong and not self.is_worker:
            more = [f"... and {len(self.wrong) - 10} more"] if len(self.wrong) > 10 else []
            raise pytest.UsageError("\n".join(f"grounding: {text}" for text in [*self.wrong[:10], *more]))


#: The runs of this process, the innermost last: a test may run pytest inside of it (pytester). Some hooks
#: are given no configuration to find their run by; an object registered for each run would cost every
#: run of pytest more than this list, because pytest looks at each attribute of a plugin for fixtures.
_RUNS: list[RunState] = []


def innermost() -> RunState | None:
    """The run that this process is in, or None before it is configured."""
    return _RUNS[-1] if _RUNS else None


def pytest_warning_recorded(warning_message: Any, when: str) -> None:
    """Take note of a misspelt ini key: pytest only warns of it, and the gate would stay loose."""
    if when == "config" and _RUNS and (found := re.search(_UNKNOWN_KEY, str(warning_message.message))):
        from pytest_grounding.plugin import options

        _RUNS[-1].wrong.append(options.unknown_key(found[1]))


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Count the tests on transcripts that do not run."""
    state = _RUNS[-1]
    state.deselected += sum(held_by(item) is not None for item in items)
    for item in items:
        # What a plugin leaves out after the marks were looked at is not held by this run either.
        state.held.pop(item.nodeid, None)
    _RUNS[-1].left_out += len(items)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect what the reports carry, in the process that sees them all."""
    state = _RUNS[-1]
    if state.is_worker:
        return
    if report.when == "teardown":
        state.finished.add(report.nodeid)
    state.golden.extend(getattr(report, "grounding_golden", ()))
    if (waived := getattr(report, "grounding_waived", None)) is not None:
        state.waived.update(map(tuple, waived["used"]))
        state.waived_marks.extend(waived["marks"])
    data = getattr(report, "grounding", None)
    if data is not None:
        from pytest_grounding.plugin.held import take

        take(state, data, report)
    if not report.passed:
        from pytest_grounding.plugin.items import why_without_verdict

        state.outcomes.setdefault(report.nodeid, why_without_verdict(report))
    elif report.when == "call":
        state.outcomes.pop(report.nodeid, None)  # it failed first, and passed when it was run again
    if report.when == CRASHED:
        state.crashed.add(report.nodeid)
        # No worker may have lived to tell what it held; the node id of a test without code still does.
        path, _, name = report.nodeid.partition("::")
        if declared.matches(path.rsplit("/", 1)[-1], state.files):
            state.held.setdefault(report.nodeid, name)


KEY = pytest.StashKey[RunState]()
ENTRIES: pytest.StashKey[list[Entry]] = pytest.StashKey()
HELD = pytest.StashKey[str]()
WRONG = pytest.StashKey[str]()
AUDITED: pytest.StashKey[set[tuple[str, str, str]]] = pytest.StashKey()
WAIVED = pytest.StashKey[set[tuple[str, ...]]]()
GOLDENS = pytest.StashKey[list[dict[str, Any]]]()


def start(config: pytest.Config) -> None:
    """Make the state of the run."""
    state = RunState(config)
    if declared.says_something(config):
        # What is wrong with it ends the run here.
        _ = state.configured
    config.stash[KEY] = state
    _RUNS.append(state)
    if config.getoption("xmlpath", None):
        from pytest_grounding.plugin.reports import register

        register(config)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave nothing behind in the process."""
    state = config.stash.get(KEY, None)
    if state in _RUNS:
        _RUNS.remove(state)
        _observers.observe(state.outer)
        _observers.answer_with(state.outer_answers)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Read what a worker of xdist knew as a whole."""
    from pytest_grounding.plugin.ending import add_worker

    add_worker(of(node.config), node)


def pytest_keyboard_interrupt(excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    """Take note of what stops the run."""
    from pytest_grounding.plugin.ending import note_stop

    note_stop(_RUNS[-1], excinfo)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let the files that the run is to leave say that it has not ended."""
    state = of(session.config)
    if not state.has_configured:
        return
    configured = state.configured
    if configured.json_path or configured.shard_path:
        from pytest_grounding.plugin.ending import mark_begun

        mark_begun(session)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Refuse a wrong setting before any test runs."""
    of(session.config).refuse_wrong_settings()


def of(config: pytest.Config) -> RunState:
    """The state of the run."""
    return config.stash[KEY]


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Lines on the settings in force; none where nobody set anything."""
    state = of(config)
    if not state.has_configured or not state.configured.in_use:
        return []
    configured = state.configured
    changed = configured.effective()
    lines = [f"grounding: {', '.join(changed)}" if changed else "grounding: default settings"]
    off = [name for name in ("enabled", "hallucination_detection") if not getattr(configured.settings, name)]
    if off:
        lines.append(f"grounding: switched off: {', '.join(off)}")
    return lines


def look_at_items(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    """Check the settings in all marks, and remember which test holds which transcript.

    Only a test with a mark of ours costs more than a look at it, so that a run without pays next to
    nothing.
    """
    state = of(config)
    unmarked: set[int] = set()
    for item in items:
        if not declared.is_marked(item, unmarked):
            continue
        from pytest_grounding.plugin.items import check_marks

        wrong = check_marks(state, item)
        if wrong:
            item.stash[WRONG] = wrong[0]
            state.wrong.extend(wrong)
    for item in items:
        identifier = held_by(item) if state.marked or HELD in item.stash else None
        if identifier is not None:
            from pytest_grounding.plugin.items import counts

            if not state.wrong and counts(item, state):
                state.held[item.nodeid] = identifier


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail a test whose mark is wrong; without xdist the run has ended before this."""
    __tracebackhide__ = True
    if WRONG in item.stash:
        pytest.fail(item.stash[WRONG], pytrace=False)


def held_by(item: pytest.Item) -> str | None:
    """Id of the transcript that a test was given, or None."""
    own = item.stash.get(HELD, None)
    if own is not None:
        return own
    params = getattr(getattr(item, "callspec", None), "params", {})
    value = params.get("transcript")
    identifier = getattr(value, "id", None)
    is_transcript = hasattr(value, "chunks") or hasattr(value, "unpacked")
    return identifier if isinstance(identifier, str) and is_transcript else None


def attach(item: pytest.Item, report: pytest.TestReport) -> None:
    """Move what a test found onto its report, as plain data."""
    if GOLDENS in item.stash:
        report.grounding_golden = item.stash[GOLDENS]  # type: ignore[attr-defined]
        del item.stash[GOLDENS]
    if AUDITED in item.stash and (report.when != "setup" or not report.passed):
        del item.stash[AUDITED]
    if report.when == "call" and (WAIVED in item.stash or item.get_closest_marker(declared.MARK_NAME_WAIVE)):
        from pytest_grounding.plugin import waivers

        report.grounding_waived = waivers.as_data(item)  # type: ignore[attr-defined]
    if ENTRIES not in item.stash or (report.when == "setup" and report.passed):
        return
    from pytest_grounding.plugin.items import as_data, counts

    if counts(item, of(item.config)):
        from pytest_grounding.plugin.held import carried
        from pytest_grounding.plugin.reports import add_properties

        report.grounding = carried(as_data(item, report))  # type: ignore[attr-defined]
        add_properties(item, report)
    del item.stash[ENTRIES]


def finish(session: pytest.Session) -> None:
    """Decide on the suite at the end of the run; only an exit status of 0 is ever changed."""
    state = of(session.config)
    if state.is_worker:
        from pytest_grounding.plugin.ending import known_of

        session.config.workeroutput["grounding"] = known_of(session, state)  # type: ignore[attr-defined]
        return
    quiet = declared.runs_nothing(session)
    if not quiet and state.golden:
        from pytest_grounding.plugin.goldens import note_unused

        note_unused(session, state)
    if not quiet and (
        state.judgements or REMOTE in sys.modules or session.config.getoption("grounding_used")
    ):
        from pytest_grounding.plugin import recording

        recording.finish(session, state)
    if state.audit is not None and state.audit.failed and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    if quiet or not state.in_use:
        return
    from pytest_grounding.plugin.aggregate import decide_and_write

    if not decide_and_write(session, state) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
