"""Two rows of words laid against each other."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(left: Sequence[str], right: Sequence[str], least: float = 0.0) -> list[tuple[int, int]]:
    """The most pairs of equal words that stand in the same order: a longest common subsequence.

    Args:
        left: words of the one row.
        right: words of the other.
        least: fewer pairs than so many are none.

    Returns:
        Places in both, ascending. Time grows with the product of the lengths, by a machine word of places at
        once.
    """
    rows = _rows(left, right)
    if _zeros(rows[0], len(left)) < least:
        return []
    pairs, a, b = [], 0, 0
    while a < len(left) and b < len(right):
        if left[a] == right[b]:
            pairs.append((a, b))
            a, b = a + 1, b + 1
        elif _zeros(rows[b], len(left) - a - 1) >= _zeros(rows[b + 1], len(left) - a):
            a += 1
        else:
            b += 1
    return pairs


def _rows(left: Sequence[str], right: Sequence[str]) -> list[int]:
    """For each end of the right row bits whose zeros count its pairs with the ends of the left one.

    The last so many words of the left row have as many pairs with it as the lowest so many bits have zeros
    (Hyyrö 2004, "Bit-parallel LCS-length computation revisited").
    """
    places: dict[str, int] = {}
    for number, word in enumerate(reversed(left)):
        places[word] = places.get(word, 0) | 1 << number
    full = (1 << len(left)) - 1
    rows = [full]
    for word in reversed(right):
        row = rows[-1]
        met = row & places.get(word, 0)
        rows.append((row + met | row - met) & full)
    return rows[::-1]


def _zeros(row: int, length: int) -> int:
    """How many zeros the lowest bits of a row have."""
    return length - (row & (1 << length) - 1).bit_count()
