"""The state of a run, kept in ``config.stash`` and ``item.stash``, and whether the run was complete."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding._io import listeners
from pytest_grounding.plugin import option_table

if TYPE_CHECKING:
    from pytest_grounding.audit.log import Trail
    from pytest_grounding.importers.load_files import KnownIds, Row
    from pytest_grounding.model.run_report import RunReport
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.plugin.items import Carried, ItemEntry
    from pytest_grounding.plugin.observer import ItemObserver
    from pytest_grounding.plugin.options import Configured

#: Report of a crashed xdist worker: it has no phase.
CRASHED = "???"
#: Loaded only if remote scorers were used.
REMOTE = "pytest_grounding.scorers.remote.scorer_factory"
ENTRIES: pytest.StashKey[list[ItemEntry]] = pytest.StashKey()
WRONG = pytest.StashKey[str]()
AUDITED: pytest.StashKey[set[tuple[str, str, str]]] = pytest.StashKey()
WAIVED = pytest.StashKey[set[tuple[str, ...]]]()
ATTEMPT = pytest.StashKey[int]()
GOLDENS = pytest.StashKey[list[dict[str, Any]]]()
#: The runs of this process, the innermost last: a test may run pytest within it (pytester). Some hooks
#: get no configuration that identifies their run; an object registered for each run would cost every
#: pytest run more than this list, because pytest checks each attribute of a plugin for fixtures.
RUNS: list[RunState] = []
#: Options that deselect tests, with the name under which pytest stores them.
_OPTIONS = (("-k", "keyword"), ("-m", "markexpr"), ("--deselect", "deselect"), ("--ignore", "ignore"))
#: Options that choose tests by what ran or changed before: their parts never make up a whole suite.
_CHOOSING = (("--lf", "lf"), ("--stepwise", "stepwise"), ("--testmon", "testmon"), ("--picked", "picked"))
_SWITCHES = (*_CHOOSING, ("--ignore-glob", "ignore_glob"), ("--testmon-forceselect", "testmon_forceselect"))
_WHOLE = {"picked": "first"}  # values with which an option of another plugin takes no test away


class Environ(dict[str, str]):
    """Environment variables, hidden from tracebacks: some of them are secrets."""

    def __repr__(self) -> str:
        return f"<{len(self)} environment variables>"


class RunState:
    """The state of one run in one process."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.configuration: Configured | None = None
        # Changes made by a test are not the user's configuration.
        self._began = Environ(os.environ), Path.cwd()
        self.wrong: list[str] = []
        self.held: dict[str, str] = {}
        self.found: dict[str, list[Carried]] = {}
        self.again: set[str] = set()
        self.attempts: dict[str, int] = {}
        self.outcomes: dict[str, str] = {}
        self.promised: set[str] = set()
        self.nameless = 0
        self.known: KnownIds | None = None
        self.rows: dict[str, list[Row]] = {}
        self.programs: dict[str, str] = {}
        self.marked = False
        self.report: RunReport | None = None
        self.transcripts: Mapping[str, Transcript] = {}
        self.problem = ""
        self.said: list[str] = []
        self.failures = 0
        self.ran: set[str] = set()
        self.golden: list[dict[str, Any]] = []
        self.left_out: set[str] = set()
        self.unused: list[str] | None = None
        self.judgements: set[tuple[Any, ...]] = set()
        self.audit: Trail | None = None
        self.finished: set[str] = set()
        self.collected = 0
        self.stopped: set[str] = set()
        self.crashed: set[str] = set()
        self.died = False
        self.waived: set[tuple[str, ...]] = set()
        self.waived_marks: list[list[str]] = []
        self.outer: ItemObserver | None = None
        self.outer_answers: listeners.Answers | None = None
        self.reading: Path | None = None
        self.folders: set[Path] = set()
        self.unread: list[Path] = []

    @property
    def configured(self) -> Configured:
        """The user's configuration, read on demand."""
        __tracebackhide__ = True
        if self.configuration is None:
            from pytest_grounding.plugin.options import read_options

            self.configuration = read_options(self.config, *self._began)
        return self.configuration

    @property
    def files(self) -> Sequence[str]:
        """Name patterns of transcript files."""
        return option_table.FILES if self.configuration is None else self.configuration.files

    @property
    def is_worker(self) -> bool:
        """This process is a worker of xdist."""
        return hasattr(self.config, "workerinput")

    @property
    def in_use(self) -> bool:
        """Transcripts were validated, collected or required, or a report was requested."""
        known, asked = self.configuration, False
        if known is not None:
            files = (known.json_path, known.baseline_path, known.shard_path)
            asked = bool(known.promised or known.reports or any(files))
        return asked or bool(self.found or self.held or self.promised)

    def refuse_wrong_settings(self) -> None:
        """Raise pytest.UsageError for wrong settings in marks and ini keys."""
        # A worker that raises here would show an internal error on its controller; the test itself
        # fails, with the same sentence.
        if self.in_use and not self.is_worker:
            from pytest_grounding.plugin import options

            self.wrong.extend(options.unusable(self.configured.usable(held=bool(self.held))))
            if self.configured.stray and self.held and not option_table.lists_only(self.config):
                self.wrong.append(self.configured.stray)
        if self.wrong and not self.is_worker:
            more = [f"... and {len(self.wrong) - 10} more"] if len(self.wrong) > 10 else []
            raise pytest.UsageError("\n".join(f"grounding: {text}" for text in [*self.wrong[:10], *more]))


KEY = pytest.StashKey[RunState]()


def of(config: pytest.Config) -> RunState:
    """The state of the run."""
    return config.stash[KEY]


def narrowed_by(session: pytest.Session, state: RunState) -> list[str]:
    """Why the run is partial, in words; empty for a complete run."""
    config = session.config
    reasons = []
    for option, name in (*_OPTIONS, *_SWITCHES):
        # Parsed, so that it may come from the command line, addopts or a variable.
        if value := _option_value(config, name):
            words: Iterable[str] = () if value is True else map(str, value)
            if isinstance(value, str):
                words = [value]
            reasons.append(" ".join([option, *words]))
    number = len(state.left_out) + state.nameless
    if number and not reasons:
        reasons.append(f"{number} deselected")
    reasons.extend(_narrower_paths(config))
    reasons.extend(_stopped(session))
    return reasons


def _option_value(config: pytest.Config, name: str) -> Any:
    value = config.getoption(name, None)
    if name == "testmon" and config.getoption("testmon_noselect", None):
        return None  # it records, and runs all
    return None if value == _WHOLE.get(name) else value


def cut_short(session: pytest.Session, state: RunState) -> list[str]:
    """Why a shard did not run all of its part, in words."""
    chosen = [option for option, name in _CHOOSING if _option_value(session.config, name)]
    if state.nameless and not chosen:
        # The merge looks for a test that one shard left out by its name.
        chosen.append(f"{state.nameless} deselected without a name")
    return [*chosen, *_stopped(session)]


def _stopped(session: pytest.Session) -> list[str]:
    stopped = session.shouldfail or session.shouldstop
    return [str(stopped)] if stopped else []


def _narrower_paths(config: pytest.Config) -> list[str]:
    here = config.invocation_params.dir
    root = option_table.root_of(config)
    whole = [root / path for path in config.getini("testpaths")] or [root]
    if config.args_source == pytest.Config.ArgsSource.TESTPATHS:
        # Pytest takes what matches; a plugin (--picked) may since have put other arguments there.
        whole = [path for pattern in config.getini("testpaths") for path in _matching_paths(here, pattern)]
    # The arguments are all there is to look at: a plugin that replaces them leaves their source as it was.
    given = [Path(here, argument) for argument in config.args if "::" not in argument]
    for path in whole:
        # A pattern in testpaths is covered if its first fixed folder is.
        if not any(_path_covers(one, path) for one in given):
            is_here = list(map(Path, config.args)) == [here]
            shown = "the folder it was started in" if is_here else " ".join(config.args)
            return [f"only {shown or 'what a plugin chose: nothing'}"]
    return []


def _matching_paths(folder: Path, pattern: str) -> list[Path]:
    # Path.glob accepts neither an absolute pattern nor "..".
    return [folder / name for name in glob(pattern, root_dir=folder, recursive=True)]  # noqa: PTH207


def _path_covers(given: Path, path: Path) -> bool:
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
