"""What the pipelines of a suite report of themselves: how many, and how far from what was computed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

from pytest_grounding.model.run import Summary
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings

_DIGITS = 9


def has_confidence(verdict: Verdict) -> bool:
    """Whether a confidence could be computed."""
    return verdict.confidence is not None and math.isfinite(verdict.confidence)


def reported_figures(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """The fields of a `Summary` on what the pipelines report of themselves.

    An answer that declines is in no difference, see `pytest_grounding.engine.reported`.
    """
    reported = [verdict for verdict in verdicts if verdict.reported_confidence is not None]
    differences = [
        verdict.reported_confidence - verdict.confidence
        for verdict in reported
        if verdict.reported_confidence is not None and has_confidence(verdict) and not verdict.declined
    ]
    mean = math.fsum(differences) / len(differences) if differences else None
    return {
        "answers_reporting": len(reported),
        "answers_with_both": sum(has_confidence(verdict) for verdict in reported),
        "answers_compared": len(differences),
        "confidence_difference": None if mean is None else round(mean, _DIGITS) + 0.0,
        "over_confident": sum(verdict.is_over_confident for verdict in reported),
        "missing_named": sum(bool(verdict.reported_missing) for verdict in verdicts),
    }


def over_confident(
    summary: Summary, settings: Settings
) -> list[tuple[str, str, Literal["<="], float, int, int]]:
    """Name, label, comparison, limit, count and total of the over-confident answers, where any report."""
    if not summary.answers_with_both:
        return []
    limit, label = settings.suite_max_over_confident, "answers that report too high a confidence"
    return [("over_confident", label, "<=", limit, summary.over_confident, summary.answers_with_both)]


def confidence_counts(summary: Summary, settings: Settings) -> tuple[int, int]:
    """How many answers have a confidence, and of how many; 0 of 0 where there is nothing to measure.

    Where a pipeline of the suite reports a confidence of its own, or the setting demands it, an answer has
    one when its pipeline reports it and one could be computed. Where none does, only an answer without a
    computed one is told.
    """
    answers, without = summary.transcripts, summary.answers_without_confidence
    if summary.answers_reporting or settings.suite_reported_confidence:
        return summary.answers_with_both, answers
    return (answers - without, answers) if without else (0, 0)
