"""Different transcripts of a run that bear one id."""

from __future__ import annotations

from pytest_grounding.model.run import RunReport
from pytest_grounding.model.verdict import Verdict


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
