"""How sure a share is, and whether a change of one could be chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Literal

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
