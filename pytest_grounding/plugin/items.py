"""One test: its settings, what it found, and what of that travels on its report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding import _observers
from pytest_grounding.errors import SettingsError
from pytest_grounding.plugin.declared import MARK_NAME_WAIVE, MARKS
from pytest_grounding.plugin.layers import PATHS
from pytest_grounding.plugin.session import CRASHED, ENTRIES, RunState, of
from pytest_grounding.settings import Settings, resolve

if TYPE_CHECKING:
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.model.verdict import Verdict

XFAIL = "xfail"
DIED = "its worker crashed"
SKIPPED = "skipped"


@dataclass(slots=True)
class Entry:
    """One thing that a test found: a verdict, or a row that could not be read.

    Attributes:
        verdict: the verdict, or None.
        failed: an assertion on it failed.
        expected: its author expected it to be bad.
        transcript: what the verdict was made on, or None where it is not known.
        elapsed_ms: how long validation took, in milliseconds, or None where it is not known.
        place: where the row stands.
        message: why it could not be read.
    """

    verdict: Verdict | None = None
    failed: bool = False
    expected: bool = False
    transcript: Transcript | None = None
    elapsed_ms: float | None = None
    place: str = ""
    message: str = ""


def note(item: pytest.Item, entry: Entry) -> None:
    """Keep something that a test found until its report is made."""
    item.stash.setdefault(ENTRIES, []).append(entry)
    audited(item, entry)


def audited(item: pytest.Item, entry: Entry) -> None:
    """Write a verdict to the audit log, where the settings of the test name one."""
    settings = settings_of(item, of(item.config))
    if entry.verdict is not None and settings.audit and settings.enabled:
        from pytest_grounding.plugin.audit import log

        log(item, entry, settings)
    if entry.verdict is not None and entry.verdict.waived_number:
        from pytest_grounding.plugin.waivers import keep

        keep(item, entry.verdict, settings)


def as_data(item: pytest.Item, report: pytest.TestReport) -> list[dict[str, Any]]:
    """What a test found as plain JSON data, each verdict once.

    A verdict on which an assertion failed while the test passed was expected to be bad (the assertion
    stood in ``pytest.raises``), and so was everything in a test marked ``xfail``: such a verdict counts
    for no figure.
    """
    from pytest_grounding.plugin.reports import wants_transcripts

    carried = wants_transcripts(item.config)
    entries = item.stash[ENTRIES]
    xfailed = hasattr(report, "wasxfail")
    blamed = any(entry.failed for entry in entries)
    data: list[dict[str, Any]] = []
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        if entry.verdict is None:
            data.append({"place": entry.place, "message": entry.message})
        else:
            groups.setdefault((entry.verdict.id, entry.verdict.transcript_hash), []).append(entry)
    for group in groups.values():
        failed = any(entry.failed for entry in group)
        expected = xfailed or any(entry.expected for entry in group) or (failed and report.passed)
        role = XFAIL if xfailed else "expected" if expected else "counted"
        own = report.failed and (failed or not blamed) and not expected
        once = {entry.verdict.settings_hash: entry.verdict for entry in group if entry.verdict}
        shown = next((entry.transcript for entry in group if entry.transcript is not None), None)
        more = {"transcript": shown.model_dump(mode="json")} if shown is not None and carried else {}
        data.extend(
            {"verdict": verdict.as_dict(), "role": role, "failed": own, **more} for verdict in once.values()
        )
    return data


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


def layers_of(item: pytest.Item, state: RunState) -> _observers.Layers:
    """The settings of a test by source: those of the run and its folder, then those of its marks."""
    layers = state.configured.layers_for(item.path)
    for name in ("grounding", "transcripts"):
        marks = [mark.kwargs for mark in item.iter_markers(name) if mark.kwargs]
        layers.extend(("marker", _placed(item, kwargs)) for kwargs in reversed(marks))
    return layers


def _placed(item: pytest.Item, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings of a mark, with paths as they lead from the current folder."""
    if not {*PATHS, "glossary"} & values.keys():
        return values
    from pytest_grounding.plugin.places import of_marks

    return of_marks(item, values)


def settings_of(item: pytest.Item, state: RunState) -> Settings:
    """The settings in force for a test, without those of call arguments."""
    layers = layers_of(item, state)
    # Where a variable is wrong, what is resolved here says so: the test validates something.
    if len(layers) == len(state.configured.layers) and not state.configured.stray:
        return state.configured.settings
    return resolve(layers, profiles=state.configured.profiles)[0]


def counts(item: pytest.Item, state: RunState) -> bool:
    """Does the test count for the suite: a mark of its own may say ``suite="off"``."""
    if state.configured.stray:
        return True
    # Where the whole run is off, its figures are still shown, and the gate says that it is off.
    return settings_of(item, state).suite == "on" or state.configured.settings.suite == "off"


def check_marks(state: RunState, item: pytest.Item) -> list[str]:
    """What is wrong with the marks of a test, one sentence each."""
    wrong = []
    for name in MARKS:
        for mark in item.iter_markers(name):
            problem = _problem_of(state, item, mark)
            if problem:
                wrong.append(f"{item.nodeid}: {problem}")
    return wrong


def _shown(arguments: tuple[object, ...]) -> str:
    """Arguments of a mark as they were written."""
    return ", ".join(map(repr, arguments))


def _problem_of(state: RunState, item: pytest.Item, mark: pytest.Mark) -> str:
    if mark.name == "grounding" and mark.args:
        return f"grounding({_shown(mark.args)}): name the settings, as in grounding(suite='off')"
    if mark.name == MARK_NAME_WAIVE:
        from pytest_grounding.plugin.waivers import problem_of

        return problem_of(mark)
    if mark.name == "transcripts":
        if "transcript" not in getattr(item, "fixturenames", ()):
            return "marked with transcripts, but takes no argument named transcript; add it"
        if not mark.args or not all(isinstance(pattern, str) for pattern in mark.args):
            return f"transcripts({_shown(mark.args)}): name at least one pattern, as text"
    try:
        layers = state.configured.own_layers if state.configured.stray else state.configured.layers
        resolve([*layers, ("marker", mark.kwargs)], profiles=state.configured.profiles)
        if {*PATHS, "glossary"} & mark.kwargs.keys():
            from pytest_grounding.plugin.places import refuse_nowhere_in_mark

            refuse_nowhere_in_mark(item, mark.kwargs)
    except SettingsError as error:
        return str(error)
    return ""
