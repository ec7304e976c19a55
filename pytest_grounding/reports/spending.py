"""What judges took, in words: for the terminal and the pages."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_grounding.model.run import RunFacts
from pytest_grounding.model.spending import Spending, said, summed


def spending_lines(run: RunFacts) -> list[str]:
    """What this run asked for and what it cost, and what all that it relied on took when it was recorded."""
    lines = [f"asked in this run: {text}" for text in rows(run.asked)]
    return [*lines, *(f"judgements relied on: {text}" for text in rows(run.spending))]


def rows(items: Iterable[Spending]) -> list[str]:
    """One line a scorer and model."""
    return [f"{item.scorer} {item.model}, {said(item)}" for item in summed(items)]
