"""The state of a run, kept in ``config.stash`` and ``item.stash`` under typed keys."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding._io import observers as _observers
from pytest_grounding.plugin import option_table

if TYPE_CHECKING:
    from pytest_grounding.audit.log import Trail
    from pytest_grounding.importers.load_files import KnownIds, Row
    from pytest_grounding.model.run_report import RunReport
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.plugin.observer import ItemObserver
    from pytest_grounding.plugin.options import Configured
    from pytest_grounding.plugin.report_data import Carried, Entry


#: Report of a crashed xdist worker: it has no phase.
CRASHED = "???"
#: Loaded only if remote scorers were used.
REMOTE = "pytest_grounding.scorers.remote.scorer_factory"


class Environ(dict[str, str]):
    """Environment variables, hidden from tracebacks: some of them are secrets."""

    def __repr__(self) -> str:
        return f"<{len(self)} environment variables>"


class RunState:
    """The state of one run in one process."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self._configured: Configured | None = None
        # Changes made by a test are not the user's configuration.
        self._began = Environ(os.environ), Path.cwd()
        self.wrong: list[str] = []
        self.held: dict[str, str] = {}
        self.found: dict[str, list[Carried]] = {}
        self.again: set[str] = set()
        self.outcomes: dict[str, str] = {}
        self.promised: set[str] = set()
        self.deselected = 0
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
        self.outer_answers: _observers.Answers | None = None
        self.reading: Path | None = None
        self.folders: set[Path] = set()
        self.unread: list[Path] = []

    @property
    def configured(self) -> Configured:
        """The user's configuration, read on demand."""
        __tracebackhide__ = True
        if self._configured is None:
            from pytest_grounding.plugin.options import read

            self._configured = read(self.config, *self._began)
        return self._configured

    @property
    def has_configured(self) -> bool:
        """Whether it was requested: a run that does not use the plugin does not."""
        return self._configured is not None

    @property
    def files(self) -> Sequence[str]:
        """Name patterns of transcript files."""
        return self.configured.files if self.has_configured else option_table.FILES

    @property
    def is_worker(self) -> bool:
        """This process is a worker of xdist."""
        return hasattr(self.config, "workerinput")

    @property
    def in_use(self) -> bool:
        """Transcripts were validated, collected or required, or a report was requested."""
        if not self.has_configured:
            return bool(self.found or self.held or self.promised)
        configured = self.configured
        files = (configured.json_path, configured.baseline_path, configured.shard_path)
        asked = configured.promised or configured.reports or any(files)
        return bool(self.found or self.held or self.promised or asked)

    @property
    def has_summary(self) -> bool:
        """Whether there is something to print at the end of the run."""
        return bool(self.report is not None or self.golden or self.audit)

    def let_go_of_collection(self) -> None:
        """Drop what only collection needs; tests keep their rows themselves."""
        self.known = None
        self.rows.clear()

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
ENTRIES: pytest.StashKey[list[Entry]] = pytest.StashKey()
WRONG = pytest.StashKey[str]()
AUDITED: pytest.StashKey[set[tuple[str, str, str]]] = pytest.StashKey()
WAIVED = pytest.StashKey[set[tuple[str, ...]]]()
GOLDENS = pytest.StashKey[list[dict[str, Any]]]()

#: The runs of this process, the innermost last: a test may run pytest within it (pytester). Some hooks
#: get no configuration that identifies their run; an object registered for each run would cost every
#: pytest run more than this list, because pytest checks each attribute of a plugin for fixtures.
RUNS: list[RunState] = []


def of(config: pytest.Config) -> RunState:
    """The state of the run."""
    return config.stash[KEY]
