"""What the pipelines of a suite report of themselves: how many, and how far from what was computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pytest_grounding._wording import measured
from pytest_grounding.model.run import Summary
from pytest_grounding.model.verdict import Verdict


def reported_figures(counts: Mapping[str, int], mean: float | None) -> dict[str, Any]:
    """The fields of a `Summary` on what the pipelines report of themselves."""
    both, over = counts["reported_both"], counts["over_confident"]
    count, total = _with_confidence(counts["asked"], counts["asked_without"], counts["reporting"], both)
    return {
        "answers_reporting": counts["reporting"],
        "answers_with_both": both,
        "with_confidence": count / total if total else None,
        "answers_compared": counts["compared"],
        "confidence_difference": mean,
        "answers_over_confident": over,
        "over_confident": over / both if both else None,
        "missing_named": counts["missing_named"],
    }


def difference_of(verdict: Verdict) -> float | None:
    """The reported less the computed confidence; None where one of them is not there."""
    reported, computed = measured(verdict.reported_confidence), measured(verdict.confidence)
    return None if reported is None or computed is None else reported - computed


def over_confident(summary: Summary) -> list[tuple[str, str, Literal["<="], float, int, int]]:
    """Name, label, comparison, limit, count and total of the over-confident answers, where any report."""
    if not summary.answers_with_both:
        return []
    limit, label = 1.0, "answers that report too high a confidence"
    return [("over_confident", label, "<=", limit, summary.answers_over_confident, summary.answers_with_both)]


def confidence_counts(summary: Summary) -> tuple[int, int]:
    """How many answers have a confidence, and of how many; 0 of 0 where there is nothing to measure."""
    return _with_confidence(
        summary.answers_asked_for_confidence,
        summary.answers_without_confidence,
        summary.answers_reporting,
        summary.answers_with_both,
    )


def _with_confidence(asked: int, without: int, reporting: int, both: int) -> tuple[int, int]:
    if reporting:
        # An answer that no scorer could score, where the policy lets that pass, may report one all the same.
        return both, max(asked, both)
    return (asked - without, asked) if without else (0, 0)
