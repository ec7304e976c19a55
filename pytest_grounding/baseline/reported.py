"""What the pipelines of a suite report of themselves: how many, and how far from what was computed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

from pytest_grounding._wording import measured
from pytest_grounding.baseline.confident import Confident
from pytest_grounding.model.run import Summary
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings

_DIGITS = 9


def reported_figures(verdicts: Sequence[Verdict], known: Confident, settings: Settings) -> dict[str, Any]:
    """The fields of a `Summary` on what the pipelines report of themselves.

    An answer that declines is in no difference, see `pytest_grounding.engine.reported`.

    Args:
        verdicts: those that count.
        known: the same by their computed confidence.
        settings: what the suite demands.
    """
    asked = [verdict for verdict in verdicts if not verdict.switched_off]
    reporting = sum(verdict.reported_confidence is not None for verdict in asked)
    both = [(verdict, difference) for verdict in asked if (difference := _difference(verdict)) is not None]
    differences = [difference for verdict, difference in both if not verdict.declined]
    over = sum(verdict.is_over_confident for verdict, _ in both)
    count, total = _with_confidence(known.asked, known.without, reporting, len(both), settings)
    mean = math.fsum(differences) / len(differences) if differences else None
    return {
        "answers_reporting": reporting,
        "answers_with_both": len(both),
        "with_confidence": count / total if total else None,
        "answers_compared": len(differences),
        "confidence_difference": None if mean is None else round(mean, _DIGITS) + 0.0,
        "answers_over_confident": over,
        "over_confident": over / len(both) if both else None,
        "missing_named": sum(bool(verdict.reported_missing) for verdict in asked),
    }


def _difference(verdict: Verdict) -> float | None:
    """The reported less the computed confidence; None where one of them is not there."""
    computed = measured(verdict.confidence)
    if verdict.reported_confidence is None or computed is None:
        return None
    return verdict.reported_confidence - computed


def over_confident(
    summary: Summary, settings: Settings
) -> list[tuple[str, str, Literal["<="], float, int, int]]:
    """Name, label, comparison, limit, count and total of the over-confident answers, where any report."""
    if not summary.answers_with_both:
        return []
    limit, label = settings.suite_max_over_confident, "answers that report too high a confidence"
    return [("over_confident", label, "<=", limit, summary.answers_over_confident, summary.answers_with_both)]


def confidence_counts(summary: Summary, settings: Settings) -> tuple[int, int]:
    """How many answers have a confidence, and of how many; 0 of 0 where there is nothing to measure.

    Where a pipeline of the suite reports a confidence of its own, or the setting demands it, an answer has
    one when its pipeline reports it and one could be computed. Where none does, only an answer without a
    computed one is told. What is switched off was asked for none.
    """
    return _with_confidence(
        summary.answers_asked_for_confidence,
        summary.answers_without_confidence,
        summary.answers_reporting,
        summary.answers_with_both,
        settings,
    )


def _with_confidence(
    asked: int, without: int, reporting: int, both: int, settings: Settings
) -> tuple[int, int]:
    if reporting or settings.suite_reported_confidence:
        # An answer that no scorer could score, where the policy lets that pass, may report one all the same.
        return both, max(asked, both)
    return (asked - without, asked) if without else (0, 0)
