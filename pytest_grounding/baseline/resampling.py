"""Two sides of a suite compared by resampling: seeded, so that equal input gives equal results."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

#: Resamples of the bootstrap, and random swaps of the test.
RESAMPLES = 2_000
SWAPS = 4_999
SEED = 20_240_601

#: Up to so many questions that changed, every way to swap their sides is tried: the test is exact.
_ALL_SWAPS = 12
# Cells of the largest array that is held at once.
_CELLS = 2_000_000
# Sums in another order differ in their last digits; such a difference is none.
_EQUAL = 1e-9

Array = npt.NDArray[np.float64]
#: One recording: what is counted, and what it is counted in.
Part = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Question:
    """One question on both sides, with one part for each of its repeats; neither side is empty."""

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
    error: float | None = None
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
    if np.array_equal(means[:, :2], means[:, 2:]) and not any(_repeated(item) for item in questions):
        return Change(before, after, rise, 0.0, 0.0, 0.0, 1.0, 1.0)
    whole = _bootstrap(means, generator, resamples)
    rises = whole
    if any(_repeated(item) for item in questions):
        rises = _hierarchical(questions, generator, resamples)
    ends = np.quantile(rises, [0.025, 0.975]) if len(rises) else (rise, rise)
    swapped = _swapped(means, generator)
    p_higher = max(_share(whole <= _EQUAL), _share(swapped >= rise - _EQUAL))
    p_lower = max(_share(whole >= -_EQUAL), _share(swapped <= rise + _EQUAL))
    error = float(np.std(whole)) if len(whole) else 0.0
    return Change(before, after, rise, float(ends[0]), float(ends[1]), error, p_higher, p_lower)


def _mean(parts: tuple[Part, ...]) -> Part:
    return (
        math.fsum(part[0] for part in parts) / len(parts),
        math.fsum(part[1] for part in parts) / len(parts),
    )


def _repeated(item: Question) -> bool:
    return len(item.before) > 1 or len(item.after) > 1


def _ratio(count: Any, total: Any) -> float | None:
    return float(count) / float(total) if total > 0 else None


def _share(hits: npt.NDArray[np.bool_]) -> float:
    """Share of resamples, the observed one among them, so that it is never 0."""
    return float((1 + int(hits.sum())) / (1 + len(hits)))


def _rises(sums: Array) -> Array:
    """The rises of resampled sums; a resample in which a side counted nothing has none."""
    usable = sums[(sums[:, 1] > 0) & (sums[:, 3] > 0)]
    rises: Array = usable[:, 2] / usable[:, 3] - usable[:, 0] / usable[:, 1]
    return rises


def _bootstrap(means: Array, generator: np.random.Generator, resamples: int) -> Array:
    """Rises over resampled questions."""
    size = len(means)
    sums = [_counted(_drawn(generator, number, size), size) @ means for number in _batches(resamples, size)]
    return _rises(np.vstack(sums))


def _hierarchical(questions: Sequence[Question], generator: np.random.Generator, resamples: int) -> Array:
    """Rises over resampled questions, and over resampled repeats of each."""
    size = len(questions)
    most = max(max(len(item.before), len(item.after)) for item in questions)
    sides = _padded(questions, most)
    sums = []
    for number in _batches(resamples, size * most):
        drawn = _drawn(generator, number, size)
        sums.append(np.hstack([_repeat_sums(drawn, values, lengths, generator) for values, lengths in sides]))
    return _rises(np.vstack(sums))


def _batches(total: int, cells: int) -> Iterator[int]:
    """Numbers of resamples that fit into memory, and add up to all."""
    step = max(1, _CELLS // cells)
    for start in range(0, total, step):
        yield min(step, total - start)


def _drawn(generator: np.random.Generator, number: int, size: int) -> npt.NDArray[np.intp]:
    """Questions drawn with replacement, one row a resample."""
    found: npt.NDArray[np.intp] = (generator.random((number, size)) * size).astype(np.intp)
    return found


def _counted(drawn: npt.NDArray[np.intp], size: int) -> Array:
    """How often each question was drawn, one row a resample."""
    rows = len(drawn)
    flat = (drawn + np.arange(rows)[:, None] * size).ravel()
    counted: Array = np.bincount(flat, minlength=rows * size).reshape(rows, size).astype(np.float64)
    return counted


def _padded(questions: Sequence[Question], most: int) -> list[tuple[Array, npt.NDArray[np.intp]]]:
    """For each side the parts as one array (questions, repeats, 2), and how many repeats there are."""
    sides = []
    for side in ([item.before for item in questions], [item.after for item in questions]):
        values = np.zeros((len(side), most, 2))
        for number, parts in enumerate(side):
            values[number, : len(parts)] = parts
        sides.append((values, np.array([len(parts) for parts in side], dtype=np.intp)))
    return sides


def _repeat_sums(
    drawn: npt.NDArray[np.intp], values: Array, lengths: npt.NDArray[np.intp], generator: np.random.Generator
) -> Array:
    """Sums over the drawn questions of the means over repeats that are drawn for each."""
    most = values.shape[1]
    sizes = lengths[drawn]
    chosen = (generator.random((*drawn.shape, most)) * sizes[:, :, None]).astype(np.intp)
    picked = values[drawn[:, :, None], chosen]
    counted = np.arange(most)[None, None, :, None] < sizes[:, :, None, None]
    means = np.where(counted, picked, 0.0).sum(axis=2) / sizes[:, :, None]
    sums: Array = means.sum(axis=1)
    return sums


def _swapped(means: Array, generator: np.random.Generator) -> Array:
    """Rises with the two sides of some questions swapped: what chance alone would give."""
    changed = means[np.any(means[:, :2] != means[:, 2:], axis=1)]
    differences = changed[:, 2:] - changed[:, :2]
    number = len(changed)
    if number <= _ALL_SWAPS:
        swaps = ((np.arange(2**number)[:, None] >> np.arange(number)) & 1).astype(np.float64)
        # The observed one is among them, and is counted by itself.
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
