"""The tables of ``make bench-verdicts``: shares with intervals by bootstrap over groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.verdicts.outcomes import Outcome, by_group

_DRAWS = 1000
_SEED = 20261122


class Share(NamedTuple):
    """A share with its 95 % interval; ``total`` is 0 without data."""

    value: float
    low: float
    high: float
    total: int

    def __str__(self) -> str:
        if not self.total:
            return "–"
        digits = 2 if self.value < 0.02 else 1
        return f"{100 * self.value:.{digits}f} ({100 * self.low:.1f}–{100 * self.high:.1f})"


def share(groups: Sequence[Counter[str]], part: str, whole: str) -> Share:
    """The share of one count in another over all groups; whole groups are resampled."""
    parts = np.array([group[part] for group in groups], dtype=float)
    wholes = np.array([group[whole] for group in groups], dtype=float)
    kept = wholes > 0
    parts, wholes = parts[kept], wholes[kept]
    if not len(wholes):
        return Share(float("nan"), float("nan"), float("nan"), 0)
    dice = np.random.default_rng(_SEED)
    draws = dice.integers(0, len(wholes), size=(_DRAWS, len(wholes)))
    values = parts[draws].sum(axis=1) / wholes[draws].sum(axis=1)
    low, high = np.percentile(values, [2.5, 97.5])
    return Share(float(parts.sum() / wholes.sum()), float(low), float(high), int(wholes.sum()))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def both(found: Sequence[Outcome], sets: Sequence[str], part: str, whole: str) -> list[str]:
    """A share on tune rows and on locked rows of some sets."""
    cells = []
    for side in ("tune", "locked"):
        groups = by_group(found, lambda item, side=side: item.side == side and item.dataset in sets)
        cells.append(str(share(groups, part, whole)))
    return cells


def strict_precision(found: Sequence[Outcome], side: str, without: str = "") -> Share:
    """Share of true contradictions among claims called contradicted, in sets with three labels.

    Args:
        found: the outcomes.
        side: tune or locked.
        without: a set to leave out.
    """
    groups = by_group(found, lambda item: item.side == side and item.dataset != without)
    for group in groups:
        group["three"] = sum(group[f"three:{label}"] for label in ("supported", "neutral", "contradiction"))
    return share(groups, "three:contradiction", "three")
