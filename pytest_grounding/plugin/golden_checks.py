"""Goldens in a test run: transcript files without code, the summary, unused goldens."""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import escape, glob
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding._io.tables import rows_beside
from pytest_grounding._io.wording import listed
from pytest_grounding.gate import fails
from pytest_grounding.golden.golden_file import Golden, shown_path
from pytest_grounding.golden.golden_policy import settle_golden
from pytest_grounding.golden.golden_store import GoldenStore, find_stores, note_use
from pytest_grounding.plugin.assertions.golden_assertion import blocks, headline
from pytest_grounding.plugin.option_table import root_of
from pytest_grounding.plugin.run_state import GOLDENS, RunState, interruptions, narrowed_by, of
from pytest_grounding.reports.terminal import TerminalLine, safe
from pytest_grounding.settings import in_ci

if TYPE_CHECKING:
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.model.verdict import Verdict
    from pytest_grounding.settings import Settings

# Tests deselected by these may use goldens, also if addopts contains them.
_NARROWING = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf", "stepwise", "last_failed")
_STATES = rows_beside(__file__, "golden_states.tsv")  # state, words, tone
_LISTED = 10


def check_item(item: pytest.Item, transcript: Transcript, verdict: Verdict, settings: Settings) -> str:
    """Compare the recording of a transcript file; the reason for a failure, or ""."""
    store, policy = GoldenStore.beside(item.path.parent), of(item.config).configured.golden
    # A failing recording is never accepted by itself: as a candidate it waits for review.
    is_refused = policy == "new" and fails(verdict, settings) and store.golden(transcript.id) is None
    policy, candidate = "check" if is_refused else policy, Golden.of(transcript, verdict)
    outcome = settle_golden(store, candidate, settings, policy=policy, test=item.nodeid, ci=in_ci(os.environ))
    item.stash.setdefault(GOLDENS, []).append({**outcome.as_data(), "test": item.nodeid, "alone": True})
    if is_refused and not outcome.failed:
        accept = f"pytest-grounding review accept {verdict.id}"
        return f"no golden is made of an answer that fails; if it is right: {accept}"
    if not outcome.failed:
        return ""
    return "\n".join([headline(outcome), *(line for block in blocks(outcome) for line in ["", *block])])


def note_unused(session: pytest.Session, state: RunState) -> None:
    """Find the goldens that no test of a whole run used, and store them for ``review prune``."""
    whole = _is_whole_suite(session, state)
    used = {Path(item["golden"]) for item in state.golden}
    unused: list[str] = []
    undecided = False
    root, names = root_of(session.config), session.config.getini("testpaths")
    patterns = [str(Path(escape(str(root)), name)) for name in names]
    # Path.glob accepts neither an absolute pattern nor ".".
    roots = [Path(path) for one in patterns for path in sorted(glob(one, recursive=True))]  # noqa: PTH207
    for store in find_stores((roots or [root]) if whole else sorted({path.parent for path in used})):
        mine = [path for path in used if path.parent == store.folder.resolve()]
        decided = whole and not _unfinished(session.config, state, store)
        undecided = undecided or not decided
        unused += list(map(shown_path, note_use(store, mine, whole=decided)))
    state.unused = None if undecided and not unused else unused


def _is_whole_suite(session: pytest.Session, state: RunState) -> bool:
    config = session.config
    narrowed = state.left_out or any(config.getoption(name, None) for name in _NARROWING)
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    errors = reporter.stats.get("error", ()) if reporter is not None else ()
    broken = any(isinstance(report, pytest.CollectReport) for report in errors)
    return not (narrowed or broken or narrowed_by(session, state) or interruptions(session, state))


def _unfinished(config: pytest.Config, state: RunState, store: GoldenStore) -> bool:
    alone = {item["test"] for item in state.golden if item.get("alone")}
    beside = store.folder.resolve().parent
    for nodeid in state.outcomes:
        path = (config.rootpath / nodeid.partition("::")[0]).resolve()
        # A package or folder that could not be collected covers all below it.
        if nodeid not in alone and (path.parent == beside or beside.is_relative_to(path)):
            return True
    return False


def summary_lines(state: RunState) -> Iterator[TerminalLine]:
    """The results of the goldens, pending candidates, and unused goldens."""
    latest: dict[tuple[str, str], dict[str, Any]] = {}
    for item in state.golden:
        latest[item["test"], item["golden"]] = item  # of several runs of a test the last one counts
    outcomes = [latest[key] for key in sorted(latest)]
    yield TerminalLine(f"goldens: {len(outcomes)} checked")
    for name, words, tone in _STATES:
        if mine := [item for item in outcomes if item["state"] == name]:
            yield TerminalLine(f"  {len(mine)} {words}{'' if name == 'same' else f': {_names(mine)}'}", tone)
    if tools := [item for item in outcomes if item["only_tools"] and item["state"] == "changed"]:
        text = f"{len(tools)} of them only because the engine or the settings changed"
        yield TerminalLine(f"  {text}; accept these with: pytest-grounding review upgrade --yes", "warn")
    problems = {outcome["problem"] for outcome in outcomes if outcome["problem"]}
    yield from (TerminalLine(f"  {safe(text)}", "warn") for text in sorted(problems))
    waiting = ("changed", "pending", "missing", "reworded", "regressed", "rejected")
    if any(item["state"] in waiting and not item["problem"] for item in outcomes):
        yield TerminalLine("review with: pytest-grounding review")
    if state.unused:
        yield TerminalLine(f"unused goldens: {listed(map(safe, state.unused), _LISTED)}", "warn")
        yield TerminalLine("remove them with: pytest-grounding review prune --yes")


def _names(outcomes: list[dict[str, Any]]) -> str:
    return listed(dict.fromkeys(safe(item["id"]) for item in outcomes), _LISTED)
