"""Assertion against the accepted recording (golden): by claim and citation, not by text."""

from __future__ import annotations

import os
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_grounding._io import listeners
from pytest_grounding.errors import InputError
from pytest_grounding.plugin.assertions.case import Case, examine_case, judge
from pytest_grounding.settings import in_ci

if TYPE_CHECKING:
    from pytest_grounding.golden.golden_policy import GoldenOutcome
    from pytest_grounding.model.verdict import Verdict
    from pytest_grounding.plugin.assertions.case import Given, GivenSettings


_SHOWN = ("regression", "reworded")  # grades of the changes that are shown in full


def assert_matches_golden(
    t: Given, *, name: str = "", folder: str | os.PathLike[str] | None = None, settings: GivenSettings = None
) -> Verdict:
    """Assert that a recording is no worse than the accepted one.

    Claims are compared by facts, limiting words and content words, so synonyms and another order do not
    fail. A fact or limiting word that is gone, new or exchanged does, and so does a claim that lost its
    support, a citation that is gone or broken, a worse retrieval, and a claim whose content words changed.
    Changes wait for ``pytest-grounding review``. ``--grounding-golden`` chooses the policy within a test.

    Args:
        t: a Transcript, a mapping, or a path to a file with one transcript.
        name: name of the golden; by default the id of the transcript.
        folder: the parent of ``__golden__``; by default that of the running test.
        settings: values that take precedence over all other sources.

    Returns:
        The verdict on the new recording.

    Raises:
        AssertionError: there is a regression or a reworded claim; this recording was rejected; the golden is
            missing and ``CI`` is set; the golden is damaged or was edited by hand.
        TypeError: a Verdict was given, which has no recording.
        ValueError: no folder is given outside of a test.
    """
    __tracebackhide__ = True
    case = examine_case(t, settings, needs="hallucination detection")
    known = _accepted(case, name, folder)
    outcome = _compare_with_golden(case, name, folder)
    case = replace(case, verdict=known)
    observer = listeners.current()
    if observer is not None:
        observer.record_golden(outcome.as_data())
    if outcome.failed:
        case.fail(headline(outcome), blocks(outcome))
    return case.passed()


def _accepted(case: Case, name: str, folder: str | os.PathLike[str] | None) -> Verdict:
    """The verdict with the golden's own findings waived: a person accepted them."""
    from pytest_grounding.golden.golden_store import GoldenStore, accepted_golden

    observer, transcript = listeners.current(), case.transcript
    beside = observer.golden_site()[0] if observer is not None and folder is None else folder
    if transcript is None or beside is None:
        return case.verdict
    try:
        held = accepted_golden(GoldenStore.beside(Path(beside)), name or transcript.id, transcript.id)
    except InputError:
        return case.verdict  # the comparison reports what is wrong
    return judge(transcript, case.settings, waivers=held).verdict if held else case.verdict


def _compare_with_golden(case: Case, name: str, folder: str | os.PathLike[str] | None) -> GoldenOutcome:
    __tracebackhide__ = True
    from pytest_grounding.golden.golden_file import Golden
    from pytest_grounding.golden.golden_policy import settle_golden
    from pytest_grounding.golden.golden_store import GoldenStore

    if case.transcript is None:
        raise TypeError("a Verdict contains no recording to compare; pass the transcript")
    observer = listeners.current()
    policy, test = "check", ""
    if observer is not None:
        beside, policy, test = observer.golden_site()
        folder = beside if folder is None else observer.place(folder, is_new=True)
    if folder is None:
        raise ValueError("name the folder that holds __golden__: outside of a test there is no default")
    candidate = Golden.of(case.transcript, case.verdict, name)
    store, ci = GoldenStore.beside(Path(folder)), in_ci(os.environ)
    try:
        return settle_golden(store, candidate, case.settings, policy=policy, ci=ci, test=test)
    except InputError as error:
        problem = str(error)
    # Outside of the except block: else the error would be shown above the failure.
    case.fail(f"its golden cannot be used: {problem}")


def headline(outcome: GoldenOutcome) -> str:
    """Describe a recording that failed against its golden."""
    from pytest_grounding.golden.golden_file import shown_path

    if outcome.state in ("regressed", "reworded"):
        return f"{outcome.reason} {shown_path(outcome.path)}"
    if outcome.state == "missing":
        return f"{shown_path(outcome.path)} is missing: the transcript {outcome.reason}"
    return outcome.reason


def blocks(outcome: GoldenOutcome) -> list[list[str]]:
    """The changes in full, regressions first, each with its evidence; then the advice."""
    from pytest_grounding.reports.review_text import change_lines, commands, count_words

    record = outcome.record
    shown = [item for item in record.changes if item.grade in _SHOWN]
    found = [list(map(attrgetter("text"), change_lines(item))) for item in shown]
    if others := [item for item in record.changes if item.grade not in _SHOWN]:
        found.append([f"besides: {count_words(others)}"])
    steps = [f"{verb} it: {command}" for verb, command in commands(record).items()]
    found.append([outcome.problem] if outcome.problem else ["look at it: pytest-grounding review", *steps])
    return found
