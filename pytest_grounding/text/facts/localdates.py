"""Dates as other languages than English write them: "3. November 2021", "2021年11月3日"."""

from __future__ import annotations

from bisect import bisect_left

from pytest_grounding._patterns import lazy
from pytest_grounding.lexicon import lines, ordered
from pytest_grounding.lexicon import words as listed
from pytest_grounding.text.facts.base import DateParts
from pytest_grounding.text.facts.tokens import Read, Tokens

_THAI = ordered("dates", "months_thai")
_MONTHS = {
    name: number
    for names in (*map(str.split, lines("dates", "months_elsewhere")), _THAI)
    for number, name in enumerate(names, start=1)
}
_BUDDHIST_MONTHS = frozenset(_THAI)
#: The Thai calendar counts from the death of the Buddha.
_BUDDHIST_ERA = 543
_OTHER_WORDS = listed("dates", "other_words")

_DAY_FIRST = lazy(
    r"(?P<dot>\.)?[ \u00a0]?(?:de[ ])?(?P<month>[^\s\d.,;:()\[\]]{3,14})"
    r"(?:(?:[ \u00a0]|,[ ])(?:del?[ ])?(?P<year>\d{4})(?!\d))?"
)
_YEAR_FIRST = lazy(
    r"(?P<year>\d{4})[ ]?[年년][ ]?(?P<month>\d{1,2})[ ]?[月월](?:[ ]?(?P<day>\d{1,2})[ ]?[日号號일])?"
)
_MONTH_FIRST = lazy(r"(?P<month>\d{1,2})[ ]?[月월][ ]?(?P<day>\d{1,2})[ ]?[日号號일]")
_SIGNS = frozenset("年년月월")


def read_local_date(tokens: Tokens, index: int) -> Read[DateParts] | None:
    """The date that starts with the digits at a token, written as in another language than English."""
    if index + 1 >= len(tokens):
        return None
    following = tokens.raw[index + 1]
    if following[0] in _SIGNS:
        return _read_signs(tokens, index)
    # Raised and circled digits ("10³", "②") are digits, and count no days.
    if len(tokens.raw[index]) > 2 or not tokens.low[index].isdecimal():
        return None
    if not (following == "." or following[0].isalpha()):
        return None
    match = _DAY_FIRST.match(tokens.source, tokens.ends[index])
    if match is None:
        return None
    name = match["month"].lower()
    month = _MONTHS.get(name)
    if month is None or not 1 <= (day := int(tokens.low[index])) <= 31:
        return None
    if match["year"] is None:
        # "1. April": a month with a capital and a full stop before it is German; "2 august bodies" is not.
        capital = match["dot"] is not None and match["month"][0].isupper()
        if name in _OTHER_WORDS and not capital:
            return None
        return Read(DateParts(None, month, day), _after(tokens, match.end("month")))
    year = int(match["year"])
    if name in _BUDDHIST_MONTHS and year > 2400:
        year -= _BUDDHIST_ERA
    return Read(DateParts(year, month, day), _after(tokens, match.end()))


def _read_signs(tokens: Tokens, index: int) -> Read[DateParts] | None:
    """A date with the signs for year, month and day behind the numbers."""
    start = tokens.starts[index]
    whole = _YEAR_FIRST.match(tokens.source, start)
    match = whole or _MONTH_FIRST.match(tokens.source, start)
    if match is None:
        return None
    month, day = int(match["month"]), int(match["day"]) if match["day"] else None
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    year = int(whole["year"]) if whole else None
    return Read(DateParts(year, month, day), _after(tokens, match.end()))


def _after(tokens: Tokens, end: int) -> int:
    """The first token behind a place; one that goes on behind it is not part of the date."""
    after = bisect_left(tokens.starts, end)
    return after - 1 if tokens.ends[after - 1] > end else after
