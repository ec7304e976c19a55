"""What the answers of a suite give of what was asked: complete ones, and the cells of abstention."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_grounding.baseline.limits import threshold
from pytest_grounding.baseline.stats import wilson
from pytest_grounding.model.answering import CELLS, Rate
from pytest_grounding.model.run import Summary, Threshold

#: Cell -> the same in words, and the cells that it is a share of.
_RATES: dict[str, tuple[str, tuple[str, ...]]] = {
    "over_refusal": ("declined though the sources hold the answer", ("over_refusal", "answered")),
    "rightly_declined": ("declined rightly", ("rightly_declined", "answered_absent")),
    "answered_absent": (
        "answered though the sources do not hold the answer",
        ("rightly_declined", "answered_absent"),
    ),
    "half_declined": ("half-declined", CELLS),
}


def answering(counts: Mapping[str, int]) -> dict[str, Any]:
    """The fields of the summary on completeness and abstention."""
    cells = {name: counts[f"abstention.{name}"] for name in (*CELLS, "untold")}
    in_parts, complete = counts["in_parts"], counts["complete"]
    return {
        "questions_in_parts": in_parts,
        "answers_complete": complete,
        "completeness": complete / in_parts if in_parts else None,
        "abstention": cells,
        "abstention_rates": tuple(_rate(name, cells) for name in _RATES),
    }


def _rate(name: str, cells: Mapping[str, int]) -> Rate:
    label, among = _RATES[name]
    count, total = cells[name], sum(cells[cell] for cell in among)
    interval = wilson(count, total)
    return Rate(
        name=name,
        label=label,
        count=count,
        total=total,
        value=count / total if total else None,
        low=interval[0] if interval else None,
        high=interval[1] if interval else None,
    )


def completeness_limit(summary: Summary) -> list[Threshold]:
    """The share of complete answers where some question has parts; any share passes."""
    if not summary.questions_in_parts:
        return []
    label = "complete answers to questions of several parts"
    count, total = summary.answers_complete, summary.questions_in_parts
    return [threshold("completeness", label, ">=", 0.0, count, total)]
