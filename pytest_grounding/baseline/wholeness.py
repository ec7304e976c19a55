"""Whether a run held what it should have held: transcripts that were promised, expected, or share an id."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding._wording import counted, listed
from pytest_grounding.model.run import Decision, RunReport, Summary
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings

#: Promises transcripts of the run at hand, also where that is a part of the suite.
PROMISE = "--grounding"


def cut_off(report: RunReport, settings: Settings) -> tuple[Decision, list[str], list[str]]:
    """The decision on a run that was not whole: undecided, or failed by what is known to be missing."""
    reasons = [f"the run was cut short: {'; '.join(report.run.interrupted)}"]
    notes: list[str] = []
    if report.run.missing:
        by_policy(settings.missing, missing_ones(report), reasons, notes)
    return ("fail" if len(reasons) > 1 else "undecided"), reasons, notes


def missing_ones(report: RunReport) -> str:
    """The transcripts that the run held and nothing validated, in words."""
    items = [f"{name} ({why})" for name, why in report.run.missing.items()]
    return f"{counted(len(items), 'transcript')} without a verdict: {listed(items)}"


def wholeness(report: RunReport, summary: Summary, settings: Settings) -> tuple[list[str], list[str]]:
    """Reasons and notes on what should have been there."""
    reasons: list[str] = []
    notes: list[str] = []
    reasons += shared_ids(report, notes)
    # What xfail left out was judged by nobody who would mind, so it is not what was expected to be there.
    unjudged = len({*report.run.expected} & {*report.run.left_out})
    seen = summary.transcripts + summary.expected_failures - unjudged
    if seen < settings.expect:
        reasons.append(f"{counted(seen, 'transcript')} validated, at least {settings.expect} expected")
    elif not (seen or unjudged or report.run.missing) and report.run.promised:
        by_policy(settings.missing, broken(report.run.promised), reasons, notes)
    if report.run.missing:
        by_policy(settings.missing, missing_ones(report), reasons, notes)
    return reasons, notes


def nothing_kept(report: RunReport, summary: Summary) -> bool:
    """Whether a part of the suite was said to validate transcripts, and validated none."""
    run = report.run
    found = summary.transcripts or run.expected or run.problems or run.missing
    return PROMISE in run.promised and not found


def broken(promises: Sequence[str]) -> str:
    """That nothing was found where something was promised, in words."""
    return f"no transcript was found where {'; '.join(promises)} promised some"


def by_policy(policy: str, text: str, reasons: list[str], notes: list[str]) -> None:
    """Put a text among the reasons (``fail``) or the notes (``warn``), or nowhere."""
    if not text:
        return
    if policy == "fail":
        reasons.append(text)
    elif policy == "warn":
        notes.append(text)


def shared_ids(report: RunReport, notes: list[str]) -> list[str]:
    """Different contents under one id: an error between files, a note between values made in code."""
    found: dict[str, list[Verdict]] = {}
    for verdict in report.transcripts:
        found.setdefault(verdict.id, []).append(verdict)
    reasons: list[str] = []
    for identifier, verdicts in found.items():
        if len(verdicts) == 1:
            continue
        places = [f"{item.source}:{item.line}" for item in verdicts if item.source]
        shown = ", ".join([*places, *(["a value made in code"] if len(places) < len(verdicts) else [])])
        text = f"{len(verdicts)} different transcripts share the id {identifier!r}: {shown}"
        (reasons if len(places) > 1 else notes).append(text)
    return reasons
