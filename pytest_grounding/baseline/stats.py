"""How sure a share is."""

from __future__ import annotations

import math

#: Two-sided 95 % quantile of the standard normal distribution.
Z_95 = 1.959963984540054


def wilson(successes: int, trials: int, *, z: float = Z_95) -> tuple[float, float] | None:
    """Wilson score interval of a share (Wilson 1927, JASA 22:209-212).

    It stays inside [0, 1] and is honest for small suites and for shares near 0 or 1, where the usual
    normal interval has no width.

    Args:
        successes: how often it was so, from 0 to ``trials``.
        trials: how often it could have been so, at least 0.
        z: quantile of the standard normal distribution; the default gives 95 %.

    Returns:
        The lower and the upper end, both in [0, 1], or None when there were no trials.

    Raises:
        ValueError: the counts are no counts of a share, or ``z`` is not a positive number.
    """
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
