"""Days and months between two others: Wednesday in "Monday to Friday", January in "December to February"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pytest_grounding.lexicon import ordered
from pytest_grounding.reading.facts import Fact

_WEEKDAYS = ordered("dates", "weekdays in order")
_WEEK, _YEAR = "week", "year"
#: Places of a month in the year: one for each of its days, and for the month as a whole.
_DAYS = 32
_BETWEEN, _AND = "between", "and"
#: What stands between the first and the last of some days.
_SPANNING = frozenset({"-", "–", "—", "through", "till", "to", "until"})


@dataclass(frozen=True)
class CalendarSpan:
    """The first and the last day of a text between which a day lies."""

    first: Fact
    last: Fact


@dataclass(frozen=True)
class _Days:
    """Where a day, or the days of a month, stand in the week or the year."""

    circle: str
    first: int
    last: int


def span_around(fact: Fact, values: Sequence[Fact], text: str) -> CalendarSpan | None:
    """The first span of a text that holds a day or month without a year."""
    own = _days_of(fact)
    for first, last in pairwise(values) if own is not None else ():
        low, high = _days_of(first), _days_of(last)
        if low is None or high is None or own is None or {low.circle, high.circle} != {own.circle}:
            continue
        if is_spanning(text[first.end : last.start].strip().lower(), text[: first.start]) and _holds(
            low, high, own
        ):
            return CalendarSpan(first, last)
    return None


def is_spanning(between: str, before: str) -> bool:
    """Whether what stands between two values makes them the first and the last one."""
    is_between = between == _AND and before.lower().rstrip().endswith(_BETWEEN)
    return is_between or between in _SPANNING


def _holds(low: _Days, high: _Days, own: _Days) -> bool:
    if low.first <= high.last:
        return low.first <= own.first and own.last <= high.last
    # From December to February.
    return own.first >= low.first or own.last <= high.last


def _days_of(fact: Fact) -> _Days | None:
    word = fact.text.lower().rstrip("s.")
    if word in _WEEKDAYS:
        place = _WEEKDAYS.index(word)
        return _Days(_WEEK, place, place)
    date = fact.date
    if date is None or date.year is not None or date.month is None:
        return None
    start = date.month * _DAYS
    return (
        _Days(_YEAR, start, start + _DAYS - 1)
        if date.day is None
        else _Days(_YEAR, start + date.day, start + date.day)
    )
