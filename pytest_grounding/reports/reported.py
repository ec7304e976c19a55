"""What pipelines say of themselves, in words, the same in every output."""

from __future__ import annotations

from pytest_grounding.model.run import Summary
from pytest_grounding.model.verdict import Verdict


def said_by_pipeline(verdict: Verdict) -> list[tuple[str, str]]:
    """What the pipeline says of one answer: a name and the words, which may hold its own text."""
    found = []
    reported = verdict.reported_confidence
    if reported is not None:
        words = f"{reported:.2f}"
        if not verdict.declined and verdict.confidence is not None:
            difference = round(reported - verdict.confidence, 9)
            words += f" ({_compared(difference)})" if difference == difference else ""
        found.append(("confidence by the pipeline", words))
    if verdict.reported_missing is not None:
        words = "; ".join(verdict.reported_missing) or "nothing"
        found.append(("missing, says the pipeline", words))
    return found


def said_by_pipelines(summary: Summary | None) -> list[tuple[str, str]]:
    """What the pipelines of a run say of themselves: a name and the figure; empty where none does."""
    found: list[tuple[str, str]] = []
    if summary is None:
        return found
    if summary.answers_reporting:
        words = f"{summary.answers_reporting} of {summary.transcripts} answers"
        if summary.confidence_difference is not None:
            words += f", on average {_compared(summary.confidence_difference)}"
        if summary.over_confident:
            words += f"; {summary.answers_over_confident} too high ({summary.over_confident:.0%})"
        found.append(("confidence by the pipeline", words))
    if summary.missing_named:
        found.append(("answers that say what is missing", f"{summary.missing_named}"))
    return found


def _compared(difference: float) -> str:
    """How far a reported confidence is from the computed one."""
    shown = f"{abs(difference):.2f}"
    if shown == "0.00":
        return "as computed"
    return f"{shown} {'above' if difference > 0 else 'below'} the computed one"
