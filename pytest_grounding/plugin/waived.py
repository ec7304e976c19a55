"""Waivers in a test run: those of marks, which of all were in need, and which excuse nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding.engine.waiving import waivers_of, wrong_rule
from pytest_grounding.errors import InputError
from pytest_grounding.gate.waivers import NEVER_WAIVED, Waiver, Waivers, hash_of, is_day, today
from pytest_grounding.plugin.declared import MARK_NAME_WAIVE
from pytest_grounding.plugin.ending import interruptions, narrowed_by
from pytest_grounding.plugin.state import WAIVED, RunState
from pytest_grounding.reading.normalize import fingerprint
from pytest_grounding.suite.tally import shown, shown_mark, used_by

if TYPE_CHECKING:
    from pytest_grounding.model.verdict import Verdict
    from pytest_grounding.settings import Settings

_TAKES = 'grounding_waive("RULE", claim="WORDS", reason="WHY")'
_OPTIONAL = ("evidence", "by", "expires")


def problem_of(mark: pytest.Mark) -> str:
    """What is wrong with a mark, in one sentence, or ""."""
    if len(mark.args) != 1 or not isinstance(mark.args[0], str) or not mark.args[0].strip():
        given = ", ".join(map(repr, mark.args))
        return f"grounding_waive({given}): name one rule; write {_TAKES}"
    rule = mark.args[0]
    if rule in NEVER_WAIVED:
        return f"grounding_waive({rule!r}): this cannot be waived: something was not checked at all"
    if problem := wrong_rule(rule):
        return f"grounding_waive({rule!r}): {problem}"
    for name in ("claim", "reason"):
        value = mark.kwargs.get(name)
        if not isinstance(value, str) or not value.strip():
            return f"grounding_waive({rule!r}): {name} is missing; write {_TAKES}"
    for name, value in mark.kwargs.items():
        if name not in ("claim", "reason", *_OPTIONAL):
            known = f"claim, reason, {', '.join(_OPTIONAL)}"
            return f"grounding_waive({rule!r}): {name} is not known; known are {known}"
        if not isinstance(value, str):
            return f"grounding_waive({rule!r}): {name} = {value!r} is no text"
    expires = mark.kwargs.get("expires", "")
    if expires and not is_day(expires):
        return f"grounding_waive({rule!r}): expires = {expires!r} is no date; write it as 2026-12-31"
    return ""


def of_marks(item: pytest.Item) -> tuple[Waiver, ...]:
    """The waivers that the marks of a test, its class and its module hold."""
    return tuple(_of_mark(mark) for mark in item.iter_markers(MARK_NAME_WAIVE) if not problem_of(mark))


def _of_mark(mark: pytest.Mark) -> Waiver:
    given = mark.kwargs
    evidence = given.get("evidence", "")
    # Without its quote it holds whatever the evidence is: no line of a file may say that.
    return Waiver.model_construct(
        rule=mark.args[0],
        transcript="",
        claim=given["claim"],
        claim_hash=hash_of(given["claim"]),
        evidence_hash=fingerprint(evidence) if evidence else "",
        reason=given["reason"],
        by=given.get("by", ""),
        day="",
        expires=given.get("expires", ""),
    )


def keep(item: pytest.Item, verdict: Verdict, settings: Settings) -> None:
    """Note which waivers a verdict was in need of, until the report of the test is made."""
    used: set[tuple[str, ...]] = item.stash.setdefault(WAIVED, set())
    if settings.waivers_file:
        used |= used_by(verdict, waivers_of(settings.waivers_file))
    marks = of_marks(item)
    if marks:
        used |= used_by(verdict, Waivers(marks))


def as_data(item: pytest.Item) -> dict[str, Any]:
    """What a test used of waivers, and the marks that it bears, as plain data."""
    marks = [[*waiver.key, shown_mark(waiver, item.nodeid)] for waiver in of_marks(item)]
    used = item.stash.setdefault(WAIVED, set())
    return {"used": sorted(map(list, used)), "marks": marks}


def idle(session: pytest.Session, state: RunState) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The waivers of a whole run that are unused, and those that have expired, in words."""
    settings = state.configured.settings
    marks: dict[tuple[str, ...], str] = {}
    for *key, text in state.waived_marks:
        marks[tuple(key)] = min(text, marks.get(tuple(key), text))
    if settings.waivers == "off" or not (settings.waivers_file or marks) or not _is_whole(session, state):
        return (), ()
    try:
        held = waivers_of(settings.waivers_file).all if settings.waivers_file else ()
    except InputError:
        return (), ()  # the sentence has been said, by each test or before all of them
    day = today()
    expired = [item for item in held if item.is_expired(day)]
    unused = [item for item in held if item.key not in state.waived and item not in expired]
    said = [shown(item) for item in unused]
    said += [text for key, text in marks.items() if key not in state.waived]
    return tuple(sorted(said)), tuple(sorted(shown(item, today=day) for item in expired))


def _is_whole(session: pytest.Session, state: RunState) -> bool:
    unfinished: Iterable[str] = (nodeid for nodeid in state.outcomes if nodeid not in state.ran)
    narrowed = state.configured.shard_path is not None or state.left_out or narrowed_by(session, state)
    return not (narrowed or interruptions(session, state) or any(unfinished))
