"""Statistics of suites: intervals, exact tests, and resampling."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

#: Two-sided 95 % quantile of the standard normal distribution.
Z_95 = 1.959963984540054

#: How often a drop of the detectable size is to be found.
POWER = 0.8

# What is rarer than this adds nothing to a sum of probabilities.
_NEGLIGIBLE = 1e-12
_BISECTIONS = 12
# If so many pairs cannot show the largest drop, more of them cannot either, and the sum is shorter.
_ENOUGH = 1_000
# Beyond so many standard deviations a binomial distribution holds next to nothing.
_DEVIATIONS = 8
# From so many flips on, the exact sums take long and change little.
_MANY_FLIPS = 200
_NORMAL = NormalDist()


def wilson(successes: int, trials: int, *, z: float = Z_95) -> tuple[float, float] | None:
    """Wilson score interval of a share (Wilson 1927, JASA 22:209-212)."""
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} of {trials} is not a share")
    if not 0 < z < math.inf:
        raise ValueError(f"z = {z} is not a positive number")
    if trials == 0:
        return None
    share = successes / trials
    spread = z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / trials + spread / (4 * trials))
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == trials else min(1.0, middle + half)
    return low, high


def mcnemar(worse: int, better: int, *, alternative: Literal["worse", "two-sided"] = "worse") -> float:
    """Exact McNemar test on pairs that flipped (McNemar 1947, Psychometrika 12:153-157)."""
    if worse < 0 or better < 0:
        raise ValueError(f"{worse} and {better} are no counts")
    total = worse + better
    if alternative == "worse":
        return _upper_tail(worse, total)
    return min(1.0, 2 * _upper_tail(max(worse, better), total))


def _upper_tail(least: int, trials: int) -> float:
    """Probability of at least so many heads in so many tosses of a fair coin."""
    if least <= 0:
        return 1.0
    return min(1.0, math.fsum(_binomial(count, trials, 0.5) for count in range(least, trials + 1)))


def _binomial(count: int, trials: int, share: float) -> float:
    if share <= 0.0 or share >= 1.0:
        return float(count == (trials if share >= 1.0 else 0))
    ways = math.lgamma(trials + 1) - math.lgamma(count + 1) - math.lgamma(trials - count + 1)
    return math.exp(ways + count * math.log(share) + (trials - count) * math.log1p(-share))


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


@lru_cache(maxsize=4096)
def detectable_drop(trials: int, better: float = 0.0, *, alpha: float = 0.05) -> float | None:
    """The smallest drop of a share that `mcnemar` finds in 4 of 5 cases (`POWER`)."""
    noise = min(max(better, 0.0), 0.49)
    high = 1.0 - 2 * noise
    if trials <= 0 or _power(min(trials, _ENOUGH), noise, high, alpha) < POWER:
        return None
    # From small drops upwards: the power of large ones in large suites costs the most.
    low, enough = 0.0, min(high, 1 / trials)
    while enough < high and _power(trials, noise, enough, alpha) < POWER:
        low, enough = enough, min(high, 2 * enough)
    for _ in range(_BISECTIONS):
        middle = (low + enough) / 2
        low, enough = (low, middle) if _power(trials, noise, middle, alpha) >= POWER else (middle, enough)
    return enough


def _power(trials: int, noise: float, drop: float, alpha: float) -> float:
    """How often the test finds a drop: exact over all numbers of flips, near enough where they are many."""
    flips = min(1.0, 2 * noise + drop)
    if trials * 2 * noise > _MANY_FLIPS:
        # Connor 1987, Biometrics 43:207-211, solved for the power.
        level = _NORMAL.inv_cdf(1 - alpha)
        spread = math.sqrt(max(flips - drop * drop, _NEGLIGIBLE))
        return _NORMAL.cdf((drop * math.sqrt(trials) - level * math.sqrt(flips)) / spread)
    to_worse = min(1.0, (noise + drop) / flips) if flips else 0.0
    found = 0.0
    for number in range(*_window(trials, flips)):
        chance = _binomial(number, trials, flips)
        if chance < _NEGLIGIBLE:
            continue
        needed = _needed(number, alpha)
        if needed <= number:
            found += chance * _at_least(needed, number, to_worse)
    return found


def _window(trials: int, share: float) -> tuple[int, int]:
    """The counts that a binomial distribution reaches at all likely: the first, and one past the last."""
    spread = _DEVIATIONS * math.sqrt(trials * share * (1 - share)) + _DEVIATIONS
    middle = trials * share
    return max(0, int(middle - spread)), min(trials, int(middle + spread)) + 1


def _at_least(needed: int, trials: int, share: float) -> float:
    """Probability of at least ``needed`` of ``trials``."""
    first, end = _window(trials, share)
    return math.fsum(_binomial(count, trials, share) for count in range(max(first, needed), end))


@lru_cache(maxsize=65_536)
def _needed(trials: int, alpha: float) -> int:
    """The fewest flips to the worse, of so many flips, that are significant; one more than all: none."""
    first, end = _window(trials, 0.5)
    tail = 0.0
    for count in range(end - 1, first - 1, -1):
        tail += _binomial(count, trials, 0.5)
        if tail > alpha:
            return count + 1
    return first


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
