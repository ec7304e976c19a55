"""Two rows of words laid against each other."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """The most pairs of equal words that stand in the same order: a longest common subsequence.

    Args:
        left: words of the one row.
        right: words of the other.

    Returns:
        Places in both, ascending. Time grows with the product of the lengths.
    """
    best = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for a in range(len(left) - 1, -1, -1):
        row, below, word = best[a], best[a + 1], left[a]
        for b in range(len(right) - 1, -1, -1):
            row[b] = below[b + 1] + 1 if word == right[b] else max(below[b], row[b + 1])
    pairs, a, b = [], 0, 0
    while a < len(left) and b < len(right):
        if left[a] == right[b]:
            pairs.append((a, b))
            a, b = a + 1, b + 1
        elif best[a + 1][b] >= best[a][b + 1]:
            a += 1
        else:
            b += 1
    return pairs
