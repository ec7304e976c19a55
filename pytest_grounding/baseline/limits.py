"""One figure of the suite against its limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from pytest_grounding.baseline.stats import wilson
from pytest_grounding.model.run import Outcome, Threshold

Comparison = Literal[">=", ">", "<=", "<"]

#: Each reads "value <comparison> limit"; a NaN on either side is False, so it never passes.
COMPARE: dict[Comparison, Callable[[float, float], bool]] = {
    ">=": lambda value, limit: value >= limit,
    ">": lambda value, limit: value > limit,
    "<=": lambda value, limit: value <= limit,
    "<": lambda value, limit: value < limit,
}


def threshold(
    name: str, label: str, comparison: Comparison, limit: float, count: int, total: int
) -> Threshold:
    """A share of counts with its interval, held against a limit."""
    value = count / total if total else None
    interval = wilson(count, total)
    outcome: Outcome = "nothing"
    if value is not None:
        outcome = "pass" if COMPARE[comparison](value, limit) else "fail"
    return Threshold(
        name=name,
        label=label,
        value=value,
        comparison=comparison,
        limit=limit,
        count=count,
        total=total,
        low=interval[0] if interval else None,
        high=interval[1] if interval else None,
        outcome=outcome,
    )
