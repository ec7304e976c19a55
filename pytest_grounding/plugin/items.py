"""One test: its settings, its results, and their way to the report of the run."""

from __future__ import annotations

import base64
import json
import uuid
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding._io import listeners
from pytest_grounding.errors import SettingsError
from pytest_grounding.plugin.option_table import MARK_NAME_EXPECTS, MARK_NAME_WAIVE, MARKS, PATHS, root_of
from pytest_grounding.plugin.run_state import ATTEMPT, AUDITED, CRASHED, ENTRIES, RunState, of
from pytest_grounding.settings import Settings, resolve
from pytest_grounding.settings._declare import TEXTS

if TYPE_CHECKING:
    from pytest_grounding.audit.log import Trail
    from pytest_grounding.gate import GateOutcome
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.model.verdict import Verdict

_LEVEL = 1  # the fastest compression level; a higher one takes twice as long to save a tenth more
XFAIL = "xfail"
DIED = "its worker crashed"
SKIPPED = "skipped"
#: One result on a test report: facts as JSON, and its verdict and
#: transcript, each packed or "". Text, because it travels between processes of xdist, and because others
#: write reports as JSON.
Carried = tuple[str, str, str]


@dataclass(slots=True)
class ItemEntry:
    """One result of a test: a verdict, or an unreadable row."""

    verdict: Verdict | None = None
    failed: bool = False
    expected: bool = False
    transcript: Transcript | None = None
    elapsed_ms: float | None = None
    place: str = ""
    message: str = ""

    @classmethod
    def of(cls, outcome: GateOutcome, *, blamed: bool = False) -> ItemEntry:
        """The outcome of a transcript that is itself a test; ``blamed``: it fails for another reason."""
        failed = outcome.is_failed or blamed
        return cls(outcome.verdict, failed, outcome.is_expected, outcome.transcript, outcome.elapsed_ms)


def carried_entries(item: pytest.Item, report: pytest.TestReport) -> list[Carried]:
    """The results of a test, each verdict once, in the form carried by its report."""
    is_shown = of(item.config).configured.shows_transcripts
    entries = item.stash[ENTRIES]
    xfailed = hasattr(report, "wasxfail")
    # A retry within the report of the first attempt leaves its results to the teardown, which passes.
    is_late = report.when == "teardown" and item.stash.get(ATTEMPT, 1) > 1
    blamed = any(entry.failed and not entry.expected for entry in entries)
    found: list[Carried] = []
    groups: dict[tuple[str, str], list[ItemEntry]] = {}
    for entry in entries:
        if entry.verdict is None:
            found.append((json.dumps({"place": entry.place, "message": entry.message}), "", ""))
        else:
            groups.setdefault((entry.verdict.id, entry.verdict.transcript_hash), []).append(entry)
    for (name, _), group in groups.items():
        failed = any(entry.failed for entry in group)
        expected = xfailed or any(entry.expected for entry in group)
        role = "expected" if expected else "counted"
        role = XFAIL if xfailed else role
        is_own = failed or (report.failed and not blamed)
        own = is_own and (report.failed or is_late) and not expected
        elapsed = next((entry.elapsed_ms for entry in group if entry.elapsed_ms is not None), None)
        told = json.dumps({"id": name, "role": role, "failed": own, "ms": elapsed})
        once = {entry.verdict.settings_hash: entry.verdict for entry in group if entry.verdict}
        shown = next((entry.transcript for entry in group if entry.transcript is not None), None)
        packed = _packed_entry(shown) if shown is not None and is_shown else ""
        found += [(told, _packed_entry(item), packed) for item in once.values()]
    return found


def _packed_entry(value: Verdict | Transcript) -> str:
    return base64.b64encode(zlib.compress(value.model_dump_json().encode(), _LEVEL)).decode("ascii")


def unpacked(text: str) -> bytes:
    """The JSON of a value that `carried` packed."""
    return zlib.decompress(base64.b64decode(text))


def why_without_verdict(report: pytest.TestReport) -> str:
    """Why a test that did not pass may have left no verdict, in words."""
    if report.when == CRASHED:
        return DIED
    if report.failed:
        return "its test failed first"
    if hasattr(report, "wasxfail"):
        return XFAIL
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
    return f"{SKIPPED}: {reason.removeprefix('Skipped: ')}" if reason else SKIPPED


def take(state: RunState, data: Iterable[Carried], report: pytest.TestReport) -> None:
    """Take the results off a report; pytest keeps every report to the end of the run."""
    state.found.setdefault(report.nodeid, []).extend(data)
    del report.grounding
    state.ran.add(report.nodeid)


def add_properties(item: pytest.Item, report: pytest.TestReport) -> None:
    """Put the figures of a test on its reports, where ``--junitxml`` and others look for them."""
    from pytest_grounding.reports.junit import item_properties

    once: dict[tuple[str, str, str], Any] = {}
    for entry in item.stash[ENTRIES]:
        if entry.verdict is not None:
            key = (entry.verdict.id, entry.verdict.transcript_hash, entry.verdict.settings_hash)
            once.setdefault(key, entry.verdict)
    found = item_properties(list(once.values()))
    # The report of the teardown, which is made later, takes them from the item.
    report.user_properties.extend(found)
    item.user_properties.extend(found)


def note(item: pytest.Item, entry: ItemEntry) -> None:
    """Store a result of a test until its report is made."""
    item.stash.setdefault(ENTRIES, []).append(entry)
    audited(item, entry)


def audited(item: pytest.Item, entry: ItemEntry) -> None:
    """Write a verdict to the audit log of the test's settings."""
    verdict = entry.verdict
    if verdict is None:
        return
    settings = settings_of_item(item, of(item.config))
    if settings.audit and settings.enabled:
        # Several assertions on one transcript in a test are one validation.
        key = (verdict.id, verdict.transcript_hash, verdict.settings_hash)
        once = item.stash.setdefault(AUDITED, set())
        if key not in once:
            once.add(key)
            trail_of(of(item.config)).write(verdict, entry.transcript, settings, entry.elapsed_ms)
    if verdict.waived_number:
        from pytest_grounding.plugin.waiver_marks import keep

        keep(item, verdict, settings)


def trail_of(state: RunState) -> Trail:
    """The audit logs of the run; its processes share a session."""
    if state.audit is None:
        from pytest_grounding.audit.log import Trail

        shared = getattr(state.config, "workerinput", {}).get("testrunuid")
        state.audit = Trail(state.config.invocation_params.dir, shared or uuid.uuid4().hex)
    return state.audit


def layers_of(item: pytest.Item, state: RunState) -> listeners.Layers:
    """The settings of a test by source: those of the run and its folder, then those of its marks."""
    layers = state.configured.layers_for(item.path)
    for name in ("grounding", "transcripts"):
        marks = [mark.kwargs for mark in item.iter_markers(name) if mark.kwargs]
        layers.extend(("marker", _with_places(item, kwargs)) for kwargs in reversed(marks))
    return layers


def _with_places(item: pytest.Item, values: Mapping[str, Any]) -> Mapping[str, Any]:
    if not {*PATHS, *TEXTS} & values.keys():
        return values
    from pytest_grounding.plugin.files import folders_of, settle_paths

    return settle_paths(values, folders_of(root_of(item.config), item.path.parent))


def settings_of_item(item: pytest.Item, state: RunState) -> Settings:
    """The settings of a test, without those of call arguments."""
    layers = layers_of(item, state)
    # A wrong variable is reported here: the test validates something.
    if len(layers) == len(state.configured.layers) and not state.configured.stray:
        return state.configured.settings
    return resolve(layers, profiles=state.configured.profiles)[0]


def counts(item: pytest.Item, state: RunState) -> bool:
    """Whether the test counts for the suite: one of its marks may set ``suite="off"``."""
    if state.configured.stray:
        return True
    # If the whole run is off, its figures are still shown, and the gate reports that it is off.
    return settings_of_item(item, state).suite == "on" or state.configured.settings.suite == "off"


def check_marks(state: RunState, item: pytest.Item) -> list[str]:
    """Problems with the marks of a test, one sentence each."""
    marks = (mark for name in MARKS for mark in item.iter_markers(name))
    problems = (_problem_of_mark(state, item, mark) for mark in marks)
    return [f"{item.nodeid}: {problem}" for problem in problems if problem]


def _problem_of_mark(state: RunState, item: pytest.Item, mark: pytest.Mark) -> str:
    given = ", ".join(map(repr, mark.args))
    if mark.name == "grounding" and mark.args:
        return f"grounding({given}): name the settings, as in grounding(suite='off')"
    if mark.name == MARK_NAME_WAIVE:
        from pytest_grounding.plugin.waiver_marks import problem_of

        return problem_of(mark)
    if mark.name == MARK_NAME_EXPECTS:
        from pytest_grounding.plugin.waiver_marks import expectation_problem

        return expectation_problem(mark)
    if mark.name == "transcripts":
        if "transcript" not in getattr(item, "fixturenames", ()):
            return "marked with transcripts, but takes no argument named transcript; add it"
        if not mark.args or not all(isinstance(pattern, str) for pattern in mark.args):
            return f"transcripts({given}): name at least one pattern, as text"
    try:
        layers = state.configured.own_layers if state.configured.stray else state.configured.layers
        resolve([*layers, ("marker", mark.kwargs)], profiles=state.configured.profiles)
        if {*PATHS, *TEXTS} & mark.kwargs.keys():
            from pytest_grounding.plugin.files import folders_of, refuse_nowhere

            refuse_nowhere(mark.kwargs, folders_of(root_of(item.config), item.path.parent), "marker")
    except SettingsError as error:
        return str(error)
    return ""
