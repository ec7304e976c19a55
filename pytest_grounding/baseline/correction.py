"""The suite's gain of self-correction: how much more confidence the corrected answers have than the first."""

from __future__ import annotations

import math
from collections.abc import Iterable

from pytest_grounding.model.run import Summary, Threshold
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings

_DIGITS = 9


def gains(verdicts: Iterable[Verdict]) -> list[float]:
    """The gain of each answer that was generated again, in [-1, 1]; one without a confidence has none."""
    corrected = (verdict.confidence_gain for verdict in verdicts if len(verdict.attempts) > 1)
    return [gain for gain in corrected if gain is not None and math.isfinite(gain)]


def mean_gain(found: list[float]) -> float | None:
    """The mean, or None where no answer was corrected."""
    return round(math.fsum(found) / len(found), _DIGITS) if found else None


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
