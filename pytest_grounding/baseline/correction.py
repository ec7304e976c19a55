"""The suite's gain of self-correction: how much more confidence the corrected answers have than the first."""

from __future__ import annotations

import math

from pytest_grounding.model.verdict import Verdict


def gain_of(verdict: Verdict) -> float | None:
    """The gain of an answer that was generated again, in [-1, 1]; one without a confidence has none."""
    gain = verdict.confidence_gain if len(verdict.attempts) > 1 else None
    return gain if gain is not None and math.isfinite(gain) else None
