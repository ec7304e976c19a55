"""The suite's gain of self-correction: how much more confidence the corrected answers have than the first."""

from __future__ import annotations

import math

from pytest_grounding.model.run import Summary, Threshold
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings


def gain_of(verdict: Verdict) -> float | None:
    """The gain of an answer that was generated again, in [-1, 1]; one without a confidence has none."""
    gain = verdict.confidence_gain if len(verdict.attempts) > 1 else None
    return gain if gain is not None and math.isfinite(gain) else None


def threshold_of(summary: Summary, settings: Settings) -> list[Threshold]:
    """The figure with its limit, where one is set: what a pipeline can gain depends on its first answers."""
    limit, value = settings.suite_min_correction_gain, summary.correction_gain
    if not limit:
        return []
    return [
        Threshold(
            name="correction_gain",
            label="mean gain of self-correction",
            value=value,
            comparison=">=",
            limit=limit,
            count=summary.corrected_gained,
            total=summary.corrected,
            low=None,
            high=None,
            outcome="nothing" if value is None else "pass" if value >= limit else "fail",
        )
    ]
