"""Statistics of suites: intervals, exact tests, and resampling."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


def mcnemar(worse: int, better: int) -> float:
    """Exact one-sided McNemar test on pairs that changed (McNemar 1947, Psychometrika 12:153-157)."""
    total = worse + better
    # The probability of at least this many heads in as many tosses of a fair coin.
    ways = math.fsum(
        math.exp(_log_ways(total, count) - total * math.log(2)) for count in range(worse, total + 1)
    )
    return min(1.0, ways)


def _log_ways(total: int, count: int) -> float:
    return math.lgamma(total + 1) - math.lgamma(count + 1) - math.lgamma(total - count + 1)


def holm(p_values: Sequence[float], alpha: float) -> list[bool]:
    """Which of several tests are significant together (Holm 1979, Scand. J. Stat. 6:65-70)."""
    order = sorted(
        range(len(p_values)), key=lambda i: p_values[i] if p_values[i] == p_values[i] else math.inf
    )
    found = [False] * len(p_values)
    for place, index in enumerate(order):
        if not p_values[index] <= alpha / (len(p_values) - place):
            break
        found[index] = True
    return found


#: Resamples of the bootstrap, and random swaps of the test.
RESAMPLES = 2_000
SWAPS = 4_999
SEED = 20_240_601

#: Up to this many changed questions, every way to swap their sides is tried: the test is exact.
_ALL_SWAPS = 12
# Cells of the largest array in memory.
_CELLS = 2_000_000
# Sums in another order differ in their last digits; such differences do not count.
_EQUAL = 1e-9

Array = npt.NDArray[np.float64]
#: One recording: numerator and denominator.
Part = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Question:
    """One question on both sides, with a part for each repetition; neither side is empty."""

    before: tuple[Part, ...]
    after: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """How a ratio of sums changed."""

    before: float | None
    after: float | None
    rise: float | None = None
    low: float | None = None
    high: float | None = None
    p_higher: float | None = None
    p_lower: float | None = None


def ratio_change(questions: Sequence[Question], *, seed: int = SEED, resamples: int = RESAMPLES) -> Change:
    """Compare a ratio of sums, such as the hallucination rate, before and after."""
    means = np.array([[*_mean(item.before), *_mean(item.after)] for item in questions], dtype=np.float64)
    means = means.reshape(len(questions), 4)
    totals = means.sum(axis=0)
    before, after = _ratio(totals[0], totals[1]), _ratio(totals[2], totals[3])
    if before is None or after is None:
        return Change(before, after)
    rise = after - before
    generator = np.random.Generator(np.random.PCG64(seed))
    if np.array_equal(means[:, :2], means[:, 2:]):
        return Change(before, after, rise, 0.0, 0.0, 1.0, 1.0)
    whole = _bootstrap(means, generator, resamples)
    ends = np.quantile(whole, [0.025, 0.975]) if len(whole) else (rise, rise)
    swapped = _swapped(means, generator)
    p_higher = max(_share(whole <= _EQUAL), _share(swapped >= rise - _EQUAL))
    p_lower = max(_share(whole >= -_EQUAL), _share(swapped <= rise + _EQUAL))
    return Change(before, after, rise, float(ends[0]), float(ends[1]), p_higher, p_lower)


def _mean(parts: tuple[Part, ...]) -> Part:
    return (
        math.fsum(part[0] for part in parts) / len(parts),
        math.fsum(part[1] for part in parts) / len(parts),
    )


def _ratio(count: Any, total: Any) -> float | None:
    return float(count) / float(total) if total > 0 else None


def _share(hits: npt.NDArray[np.bool_]) -> float:
    """Share of resamples, including the observed one, so that it is never 0."""
    return float((1 + int(hits.sum())) / (1 + len(hits)))


def _rises(sums: Array) -> Array:
    """The rises of resampled sums, without resamples in which a denominator is 0."""
    usable = sums[(sums[:, 1] > 0) & (sums[:, 3] > 0)]
    rises: Array = usable[:, 2] / usable[:, 3] - usable[:, 0] / usable[:, 1]
    return rises


def _bootstrap(means: Array, generator: np.random.Generator, resamples: int) -> Array:
    size = len(means)
    sums = [
        _counted((generator.random((number, size)) * size).astype(np.intp), size) @ means
        for number in _batches(resamples, size)
    ]
    return _rises(np.vstack(sums))


def _batches(total: int, cells: int) -> Iterator[int]:
    """Batch sizes that fit into memory, and add up to the total."""
    step = max(1, _CELLS // cells)
    for start in range(0, total, step):
        yield min(step, total - start)


def _counted(drawn: npt.NDArray[np.intp], size: int) -> Array:
    rows = len(drawn)
    flat = (drawn + np.arange(rows)[:, None] * size).ravel()
    counted: Array = np.bincount(flat, minlength=rows * size).reshape(rows, size).astype(np.float64)
    return counted


def _swapped(means: Array, generator: np.random.Generator) -> Array:
    """Rises with the two sides of some questions swapped: the distribution under chance alone."""
    changed = means[np.any(means[:, :2] != means[:, 2:], axis=1)]
    differences = changed[:, 2:] - changed[:, :2]
    number = len(changed)
    if number <= _ALL_SWAPS:
        swaps = ((np.arange(2**number)[:, None] >> np.arange(number)) & 1).astype(np.float64)
        # The observed one is among them, and is counted separately.
        return _after_swaps(means, differences, swaps[1:])
    found = [
        _after_swaps(means, differences, (generator.random((rows, number)) < 0.5).astype(np.float64))
        for rows in _batches(SWAPS, number)
    ]
    return np.concatenate(found)


def _after_swaps(means: Array, differences: Array, swaps: Array) -> Array:
    totals = means.sum(axis=0)
    moved = swaps @ differences
    return _rises(np.hstack([totals[:2] + moved, totals[2:] - moved]))
