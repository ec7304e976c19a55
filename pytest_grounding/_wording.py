"""Numbers, kinds and lists as messages say them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

#: Names that a message tells before it says how many more there are.
LISTED = 5
_STATUSES = {
    "reject": "rejected",
    "review": "to review",
    "pass": "passed by the gate",
    "": "without a verdict",
}


def by_status(statuses: Mapping[str, int]) -> str:
    """How many transcripts have which status: "15 rejected, 1 to review"; none has no words."""
    return ", ".join(f"{statuses[name]} {word}" for name, word in _STATUSES.items() if statuses.get(name))


def measured(value: float | None) -> float | None:
    """The value, or None for one that is no number: the JSON of somebody may hold a NaN."""
    return value if value is not None and math.isfinite(value) else None


def decimals(value: float | None) -> str:
    """A share with two digits, or "none"."""
    known = measured(value)
    return "none" if known is None else f"{known:.2f}"


def signed(value: float | None) -> str:
    """A difference with its sign and two digits, or "none"."""
    known = measured(value)
    return "none" if known is None else f"{known:+.2f}"


def a_kind(value: object) -> str:
    """The type of a value with its article: ``a str``, ``an int``."""
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 claim``, ``2 claims``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def listed(names: Iterable[str], most: int = LISTED) -> str:
    """The first names, and how many more there are: ``a, b and 3 more``."""
    names = list(names)
    return listed_of(len(names), names[:most])


def listed_of(number: int, first: Sequence[str]) -> str:
    """The first of so many names, and how many more there are."""
    rest = number - len(first)
    return ", ".join(first) + (f" and {rest} more" if rest > 0 else "")
