"""Numbers and lists as messages say them."""

from __future__ import annotations

from collections.abc import Iterable

#: Names that a message tells before it says how many more there are.
LISTED = 5


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 claim``, ``2 claims``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def listed(names: Iterable[str], most: int = LISTED) -> str:
    """The first names, and how many more there are: ``a, b and 3 more``."""
    names = list(names)
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")
