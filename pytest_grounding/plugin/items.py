"""One test: its settings, and the storage of its results."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding._io import observers as _observers
from pytest_grounding.errors import SettingsError
from pytest_grounding.plugin.option_table import MARK_NAME_EXPECTS, MARK_NAME_WAIVE, MARKS, PATHS
from pytest_grounding.plugin.report_data import Entry
from pytest_grounding.plugin.run_state import AUDITED, ENTRIES, RunState, of
from pytest_grounding.settings import Settings, resolve

if TYPE_CHECKING:
    from pytest_grounding.audit.log import Trail


def note(item: pytest.Item, entry: Entry) -> None:
    """Store a result of a test until its report is made."""
    item.stash.setdefault(ENTRIES, []).append(entry)
    audited(item, entry)


def audited(item: pytest.Item, entry: Entry) -> None:
    """Write a verdict to the audit log of the test's settings."""
    verdict = entry.verdict
    if verdict is None:
        return
    settings = settings_of(item, of(item.config))
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


def layers_of(item: pytest.Item, state: RunState) -> _observers.Layers:
    """The settings of a test by source: those of the run and its folder, then those of its marks."""
    layers = state.configured.layers_for(item.path)
    for name in ("grounding", "transcripts"):
        marks = [mark.kwargs for mark in item.iter_markers(name) if mark.kwargs]
        layers.extend(("marker", _placed(item, kwargs)) for kwargs in reversed(marks))
    return layers


def _placed(item: pytest.Item, values: Mapping[str, Any]) -> Mapping[str, Any]:
    if not {*PATHS, "glossary"} & values.keys():
        return values
    from pytest_grounding.plugin.paths import folders_of, settle

    return settle(values, folders_of(item.config.rootpath, item.path.parent))


def settings_of(item: pytest.Item, state: RunState) -> Settings:
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
    return settings_of(item, state).suite == "on" or state.configured.settings.suite == "off"


def check_marks(state: RunState, item: pytest.Item) -> list[str]:
    """Problems with the marks of a test, one sentence each."""
    wrong = []
    for name in MARKS:
        for mark in item.iter_markers(name):
            problem = _problem_of(state, item, mark)
            if problem:
                wrong.append(f"{item.nodeid}: {problem}")
    return wrong


def _problem_of(state: RunState, item: pytest.Item, mark: pytest.Mark) -> str:
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
        if {*PATHS, "glossary"} & mark.kwargs.keys():
            from pytest_grounding.plugin.paths import folders_of, refuse_nowhere

            refuse_nowhere(mark.kwargs, folders_of(item.config.rootpath, item.path.parent), "marker")
    except SettingsError as error:
        return str(error)
    return ""
