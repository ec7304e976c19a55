"""Marks that waive findings (and which waivers were needed), and marks with expectations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding.engine.waiving import waivers_of, wrong_rule
from pytest_grounding.errors import InputError
from pytest_grounding.gate.waivers import Waiver, Waivers, from_given, today
from pytest_grounding.model.base import list_or_one
from pytest_grounding.plugin.option_table import MARK_NAME_EXPECTS, MARK_NAME_WAIVE
from pytest_grounding.plugin.run_state import WAIVED, RunState, interruptions, narrowed_by
from pytest_grounding.suite.tally import idle_of, shown_mark, used_by

if TYPE_CHECKING:
    from pytest_grounding.model.verdict import Verdict
    from pytest_grounding.settings import Settings

_TAKES = 'grounding_waive("RULE", claim="WORDS", reason="WHY")'
_KNOWN = ("claim", "reason", "evidence", "by", "expires")
_EXPECTS = (
    'grounding_expects("14 days", ["by post", "by mail"], forbidden=["30 days"], sources=["refunds.md"])'
)
_FIELDS = {"forbidden": "forbidden", "sources": "expected_sources"}


def problem_of(mark: pytest.Mark) -> str:
    """The problem with a mark, in one sentence, or ""."""
    if len(mark.args) != 1 or not isinstance(mark.args[0], str) or not mark.args[0].strip():
        given = ", ".join(map(repr, mark.args))
        return f"grounding_waive({given}): name one rule; write {_TAKES}"
    start = f"grounding_waive({mark.args[0]!r})"
    if unknown := [name for name in mark.kwargs if name not in _KNOWN]:
        return f"{start}: {unknown[0]} is not known; known are {', '.join(_KNOWN)}"
    try:
        _of_mark(mark)
    except InputError as error:
        name = (error.field or "").partition(".")[2]
        value = f" = {mark.kwargs[name]!r}" if name in mark.kwargs and error.problem != "is missing" else ""
        about = error.problem if name == "rule" else f"{name}{value} {error.problem}"
        hint = f"write {_TAKES}" if error.problem == "is missing" else error.hint
        return f"{start}: {about}{f'; {hint}' if hint else ''}"
    return ""


def of_marks(item: pytest.Item) -> tuple[Waiver, ...]:
    """The waivers in the marks of a test, its class and its module."""
    return tuple(_of_mark(mark) for mark in item.iter_markers(MARK_NAME_WAIVE) if not problem_of(mark))


def _of_mark(mark: pytest.Mark) -> Waiver:
    return from_given([{"rule": mark.args[0], **mark.kwargs}], wrong_rule)[0]


def keep(item: pytest.Item, verdict: Verdict, settings: Settings) -> None:
    """Record which waivers a verdict needed, until the report of the test is made."""
    used: set[tuple[str, ...]] = item.stash.setdefault(WAIVED, set())
    if settings.waivers_file:
        used |= used_by(verdict, waivers_of(settings.waivers_file))
    if marks := of_marks(item):
        used |= used_by(verdict, Waivers(marks))


def as_data(item: pytest.Item) -> dict[str, Any]:
    """The waivers used by a test, and those of its marks, as plain data."""
    marks = [[*waiver.key, shown_mark(waiver, item.nodeid)] for waiver in of_marks(item)]
    used = item.stash.setdefault(WAIVED, set())
    return {"used": sorted(map(list, used)), "marks": marks}


def idle_marks(session: pytest.Session, state: RunState) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The unused and the expired waivers of a whole run, in words."""
    settings = state.configured.settings
    marks: dict[tuple[str, ...], str] = {}
    for *key, text in state.waived_marks:
        marks[tuple(key)] = min(text, marks.get(tuple(key), text))
    if settings.waivers == "off" or not (settings.waivers_file or marks) or not _is_whole_run(session, state):
        return (), ()
    try:
        held = waivers_of(settings.waivers_file).all if settings.waivers_file else ()
    except InputError:
        return (), ()  # already reported by each test or before all of them
    unused, expired = idle_of(held, state.waived, today())
    unused_marks = (text for key, text in marks.items() if key not in state.waived)
    return tuple(sorted([*unused, *unused_marks])), expired


def _is_whole_run(session: pytest.Session, state: RunState) -> bool:
    unfinished: Iterable[str] = (nodeid for nodeid in state.outcomes if nodeid not in state.ran)
    narrowed = state.configured.shard_path is not None or state.left_out or narrowed_by(session, state)
    return not (narrowed or interruptions(session, state) or any(unfinished))


def expectations_of(item: pytest.Item) -> Mapping[str, tuple[Any, ...]]:
    """Transcript fields extended by the marks of a test, its class and its module."""
    found: dict[str, tuple[Any, ...]] = {}
    for mark in item.iter_markers(MARK_NAME_EXPECTS):
        given = {"expected": mark.args, **{_FIELDS[name]: mark.kwargs[name] for name in mark.kwargs}}
        for name, values in given.items():
            plain = tuple(tuple(value) if isinstance(value, list) else value for value in values)
            found[name] = (*found.get(name, ()), *plain)
    return {name: values for name, values in found.items() if values}


def expectation_problem(mark: pytest.Mark) -> str:
    """The problem with a mark, in one sentence, or ""."""
    if unknown := [name for name in mark.kwargs if name not in _FIELDS]:
        return f"grounding_expects: {unknown[0]} is not known; known are {', '.join(_FIELDS)}"
    facts = [form for fact in mark.args for form in list_or_one(fact)]
    for name, values in (("facts", facts), *mark.kwargs.items()):
        is_listed = isinstance(values, (list, tuple))
        if not is_listed or not all(isinstance(value, str) and value.strip() for value in values):
            return f"grounding_expects: {name} are not texts; write {_EXPECTS}"
    if not facts and not any(mark.kwargs.values()):
        return f"grounding_expects(): nothing is expected; write {_EXPECTS}"
    return ""
