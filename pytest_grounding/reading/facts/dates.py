"""Read dates, years, decades, centuries, days of the week, and times of day."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import lines, ordered, table, whole_numbers
from pytest_grounding.lexicon import words as listed
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.reading.facts import measures as units
from pytest_grounding.reading.facts.fact import DateParts
from pytest_grounding.reading.facts.numerals import ORDINALS, SMALL, TENS, Read, Tokens

_THAI = ordered("dates", "months_thai")
_ROWS_OF_MONTHS = (*map(str.split, lines("dates", "months_elsewhere")), _THAI)
_MONTHS = {name: number for names in _ROWS_OF_MONTHS for number, name in enumerate(names, start=1)}
_OTHER_WORDS = listed("dates", "other_words")
_DAY_FIRST = plain("written_numbers", "month_after_day")
_YEAR_FIRST = plain("written_numbers", "year_first")
_MONTH_FIRST = lazy(r"(?P<month>\d{1,2})[ ]?[月월][ ]?(?P<day>\d{1,2})[ ]?[日号號일]")
_SIGNS = frozenset("年년月월")
_MONTH_NAMES = ordered("dates", "month_names")
MONTHS: dict[str, int] = {name: number for number, name in enumerate(_MONTH_NAMES, start=1)}
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
_WORD_MONTHS = listed("dates", "word_months")
WEEKDAYS = listed("dates", "weekdays")
_DATE_BEFORE = listed("dates", "date_before")
_DAY_BEFORE = listed("dates", "day_before")
_SURE_DAY_BEFORE = listed("dates", "sure_day_before")
_YEAR_BEFORE = listed("dates", "year_before") | {"(", "-", "©", "–", "—"} | frozenset(MONTHS)
_ERAS = whole_numbers("dates", "eras")
_SUFFIX = frozenset({"st", "nd", "rd", "th"})
DECADES = whole_numbers("dates", "decades")
_LAST_YEAR = 2199
_FIRST_YEAR = 1000
_PIVOT = 70  # two-digit years from here on belong to the last century
_QUARTER = 0.24  # nearly a quarter of a year: quarters do not touch
_SHORT_YEAR, _FISCAL = 2, "fy"
_UNTIL = frozenset("-–—/")
_QUARTERS = whole_numbers("dates", "quarters")
_CLOCK_MARKS = frozenset({"am", "pm", "a.m.", "p.m."})
_DOTTED = lazy(r"(?P<hour>\d{1,2})\.(?P<minute>[0-5]\d)", re.ASCII)
_AT_TIME = listed("dates", "at_time")
_BEHIND_TIME = listed("dates", "behind_time")
_SURE_BEHIND_TIME = _CLOCK_MARKS | {"o'clock", "uhr"}
_TO_TIME = listed("dates", "to_time")
_VALUED = listed("dates", "valued")
_NOON, _DAY = 720, 1440
_NAMED = {"noon": _NOON, "midday": _NOON, "midnight": 0}
_PARTS = {"half": 30, "quarter": 15}  # fractions of an hour, in minutes
_OF_DAY = table("dates", "parts_of_day")
_HOUR_BEFORE = listed("dates", "hour_before")
_DAWN = 6
_REACH = 8


def read_local_date(tokens: Tokens, index: int) -> Read[DateParts] | None:
    """The date that starts with the digits at a token, in the notation of other languages than English."""
    if index + 1 >= len(tokens):
        return None
    following = tokens.raw[index + 1]
    if following[0] in _SIGNS:
        return _read_signs(tokens, index)
    # Raised and circled digits ("10³", "②") are digits, but do not count days.
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
        # "1. April": a capitalised month after a full stop is German; "2 august bodies" is not a date.
        capital = match["dot"] is not None and match["month"][0].isupper()
        if name in _OTHER_WORDS and not capital:
            return None
        return Read(DateParts(None, month, day), _token_after(tokens, match.end("month")))
    year = int(match["year"])
    return Read(DateParts(year, month, day), _token_after(tokens, match.end()))


def _read_signs(tokens: Tokens, index: int) -> Read[DateParts] | None:
    """A date with the characters for year, month and day after the numbers."""
    start = tokens.starts[index]
    whole = _YEAR_FIRST.match(tokens.source, start)
    match = whole or _MONTH_FIRST.match(tokens.source, start)
    if match is None:
        return None
    month, day = int(match["month"]), int(match["day"]) if match["day"] else None
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    year = int(whole["year"]) if whole else None
    return Read(DateParts(year, month, day), _token_after(tokens, match.end()))


def _token_after(tokens: Tokens, end: int) -> int:
    """The first token after a position; a token that continues past it is not part of the date."""
    after = bisect_left(tokens.starts, end)
    return after - 1 if tokens.ends[after - 1] > end else after


class DateRead(NamedTuple):
    """A date or time as read: its parts, the span of years, and the token after it."""

    after: int
    parts: DateParts | None = None
    low: float | None = None
    high: float | None = None
    key: str = ""
    ambiguous: bool = False


def read_int(token: str, longest: int) -> int | None:
    """The number written by a token of at most this many digits, or None."""
    return int(token) if len(token) <= longest and token.isascii() and token.isdigit() else None


def _whole(
    year: int | None, month: int | None, day: int | None, after: int, *, ambiguous: bool = False
) -> DateRead:
    key = "-".join(
        (
            "????" if year is None else f"{year:04d}",
            "??" if month is None else f"{month:02d}",
            "??" if day is None else f"{day:02d}",
        )
    )
    low = None if year is None else float(year)
    return DateRead(after, DateParts(year, month, day), low, low, key, ambiguous)


def _span(low: int, high: int, after: int) -> DateRead:
    return DateRead(after, None, float(low), float(high), f"{low}..{high}")


def _year_at(tokens: Tokens, index: int) -> Read[int] | None:
    year = read_int(tokens.low[index], 4)
    if year is None or not _FIRST_YEAR <= year <= _LAST_YEAR or len(tokens.low[index]) != 4:
        return None
    return Read(year, index + 1)


def _full_year(year: int) -> int:
    return year + (2000 if year < _PIVOT else 1900)


def _short_year_at(tokens: Tokens, index: int) -> Read[int] | None:
    """A two-digit year after an apostrophe: "3 June '97"."""
    if tokens.low[index] not in {"'", "’", "‘"} or not tokens.glued(index) or len(tokens.low[index + 1]) != 2:
        return None
    year = read_int(tokens.low[index + 1], 2)
    return Read(_full_year(year), index + 2) if year is not None else None


def _day_at(tokens: Tokens, index: int) -> Read[int] | None:
    """A day of the month: "3", "3rd", "third"."""
    word = tokens.low[index]
    day = read_int(word, 2)
    if day is None and word in ORDINALS and 0 < ORDINALS[word] <= 31:
        return Read(ORDINALS[word], index + 1)
    if day is None or not 1 <= day <= 31:
        return None
    is_ordinal = tokens.glued(index) and tokens.low[index + 1] in _SUFFIX
    return Read(day, index + 2 if is_ordinal else index + 1)


def _skip(tokens: Tokens, index: int, words: tuple[str, ...]) -> int:
    return index + 1 if tokens.low[index] in words else index


def read_month_first(tokens: Tokens, index: int) -> DateRead | None:
    """A date that starts with its month: "Nov 3rd, 2021", "November 2021", "in March"."""
    word = tokens.low[index]
    month = MONTHS.get(word)
    if month is None or not tokens.raw[index][0].isupper():
        return None
    after = index + 1
    if len(word) <= 4 and word != "may" and tokens.low[after] == "." and tokens.glued(index):
        after += 1
    day = _day_at(tokens, after)
    if day is not None:
        number, at = day
        year = _year_at(tokens, _skip(tokens, at, (",",)))
        if year is not None:
            return _whole(year.what, month, number, year.after)
        if tokens.low[after].isdigit() or tokens.low[after] in ORDINALS:
            return _whole(None, month, number, at)
    year = _year_at(tokens, _skip(tokens, after, (",", "of")))
    if year is not None:
        return _whole(year.what, month, None, year.after)
    if (word in _WORD_MONTHS or len(word) <= 3) and tokens.low[index - 1] not in _DATE_BEFORE:
        return None
    return _whole(None, month, None, index + 1)


def read_digits_first(tokens: Tokens, index: int) -> DateRead | None:
    """A date that starts with digits: 2021-11-03, 3 November 2021, 11/3/2021, 1990s, 300 BC, 1998."""
    return (
        _read_iso(tokens, index)
        or _read_slashed(tokens, index)
        or _read_hyphened(tokens, index)
        or _read_day_and_month(tokens, index)
        or _read_day_first(tokens, index)
        or _read_local(tokens, index)
        or _read_era(tokens, index)
        or _read_decade(tokens, index)
        or _read_century(tokens, index)
        or _read_year(tokens, index)
    )


def _joined(tokens: Tokens, index: int, sign: str) -> bool:
    """Whether tokens index to index + 4 are number, sign, number, sign, number, without blanks."""
    return (
        index + 4 < len(tokens)
        and tokens.raw[index + 1] == sign
        and tokens.raw[index + 3] == sign
        and all(map(tokens.glued, range(index, index + 4)))
        and tokens.raw[index + 2].isdigit()
        and tokens.raw[index + 4].isdigit()
    )


def _read_iso(tokens: Tokens, index: int) -> DateRead | None:
    year = _year_at(tokens, index)
    if year is None:
        return None
    for sign in "-/":
        if _joined(tokens, index, sign):
            month, day = read_int(tokens.low[index + 2], 2), read_int(tokens.low[index + 4], 2)
            if month and day and month <= 12 and day <= 31:
                return _whole(year.what, month, day, index + 5)
    return None


def _read_slashed(tokens: Tokens, index: int) -> DateRead | None:
    sign = tokens.low[index + 1]
    if sign not in {"/", "-"} or not _joined(tokens, index, sign):
        return _read_dotted(tokens, index)
    first, second = read_int(tokens.low[index], 2), read_int(tokens.low[index + 2], 2)
    tail = tokens.low[index + 4]
    year = read_int(tail, 4)
    if not first or not second or year is None or len(tail) not in {2, 4}:
        return None
    if len(tail) == 2:
        if sign == "-":
            return None
        year = _full_year(year)
    return _month_and_day(year, first, second, index + 5)


def _month_and_day(year: int, first: int, second: int, after: int) -> DateRead | None:
    if max(first, second) > 31 or min(first, second) > 12:
        return None
    if first > 12:
        return _whole(year, second, first, after)
    return _whole(year, first, second, after, ambiguous=second <= 12 and first != second)


def _read_day_and_month(tokens: Tokens, index: int) -> DateRead | None:
    """A date without its year: "on 24/11", "Friday 24/10"; elsewhere it may be a fraction or a ratio."""
    if tokens.low[index + 1] != "/" or not (tokens.glued(index) and tokens.glued(index + 1)):
        return None
    first, second = read_int(tokens.low[index], 2), read_int(tokens.low[index + 2], 2)
    following = tokens.low[index + 3]
    if not first or not second or max(first, second) > 31 or min(first, second) > 12:
        return None
    if tokens.glued(index + 2) and following in {"/", "-", "%", "″", '"'}:
        return None
    before = tokens.low[index - 1]
    if before == ",":
        before = tokens.low[index - 2]
    if before not in WEEKDAYS:
        may_be_share = first <= second
        if before not in _DAY_BEFORE and (may_be_share or before not in _SURE_DAY_BEFORE):
            return None
        if may_be_share and (following == "of" or following in units.WORDS or following in units.SHORT):
            return None
    if first > 12:
        return _whole(None, second, first, index + 3)
    return _whole(None, first, second, index + 3, ambiguous=second <= 12 and first != second)


def _read_dotted(tokens: Tokens, index: int) -> DateRead | None:
    """# Dates with dots are one token; 03.11.2021 has the day first everywhere."""
    pieces = tokens.low[index].split(".")
    # "31.12.25" has two digits each: "1.2.25" may be a version.
    is_short = list(map(len, pieces)) == [2, 2, 2]
    if len(pieces) != 3 or not (len(pieces[2]) == 4 or is_short):
        return None
    day, month, year = read_int(pieces[0], 2), read_int(pieces[1], 2), read_int(pieces[2], 4)
    if not day or not month or year is None or day > 31 or month > 12:
        return None
    year = _full_year(year) if is_short else year
    return _whole(year, month, day, index + 1)


def _read_day_first(tokens: Tokens, index: int) -> DateRead | None:
    day = _day_at(tokens, index)
    if day is None:
        return None
    number, after = day
    after = _skip(tokens, after, ("of",))
    month = MONTHS.get(tokens.low[after])
    if month is None or not tokens.raw[after][0].isupper():
        return None
    after += 1
    if tokens.low[after] == "." and len(tokens.low[after - 1]) <= 4:
        after += 1
    at = _skip(tokens, after, (",",))
    year = _year_at(tokens, at) or _short_year_at(tokens, at)
    if year is not None:
        return _whole(year.what, month, number, year.after)
    return _whole(None, month, number, after)


def _read_hyphened(tokens: Tokens, index: int) -> DateRead | None:
    """A date with the month as a word between hyphens: "4-Mar-19", "04-March-2019"."""
    day, month = read_int(tokens.low[index], 2), MONTHS.get(tokens.low[index + 2])
    if not day or day > 31 or month is None or not all(map(tokens.glued, range(index, index + 4))):
        return None
    year, signs = tokens.low[index + 4], {tokens.low[index + 1], tokens.low[index + 3]}
    number = read_int(year, 4)
    if signs != {"-"} or number is None or len(year) not in {2, 4}:
        return None
    return _whole(number if len(year) == 4 else _full_year(number), month, day, index + 5)


def read_quarter(tokens: Tokens, index: int) -> DateRead | None:
    """A quarter with its year: "Q2 2025", "second quarter of 2025"."""
    number, at = _QUARTERS.get(tokens.low[index], 0), index + 2
    if tokens.low[index] == "q" and tokens.glued(index):
        number = read_int(tokens.low[index + 1], 1) or 0
    elif number == 0 or tokens.low[index + 1] != "quarter":
        return None
    at = _skip(tokens, _skip(tokens, at, (",", "of", "/")), ("the",))
    year = _year_at(tokens, at)
    if year is None or not 1 <= number <= 4:
        return None
    low = year.what + (number - 1) / 4
    return DateRead(year.after, None, low, low + _QUARTER, f"{year.what}-Q{number}")


def _read_fiscal_year(tokens: Tokens, index: int) -> DateRead | None:
    """A fiscal year: "FY2024", "FY 24"."""
    year = _year_at(tokens, index + 1)
    if year is not None and (until := _until_year(tokens, index + 1, year.what)) is not None:
        return until
    if year is None and len(tokens.low[index + 1]) == _SHORT_YEAR:
        short = read_int(tokens.low[index + 1], _SHORT_YEAR)
        year = Read(_full_year(short), index + 2) if short is not None else None
    return _whole(year.what, None, None, year.after) if year is not None else None


def _read_local(tokens: Tokens, index: int) -> DateRead | None:
    found = read_local_date(tokens, index)
    return _whole(*found.what, found.after) if found is not None else None


def _read_era(tokens: Tokens, index: int) -> DateRead | None:
    year = read_int(tokens.low[index], 4)
    at = index + 2 if tokens.low[index + 1] == "years" else index + 1
    era = _ERAS.get(tokens.low[at])
    if year and tokens.low[at] == "before" and tokens.low[at + 1] == "christ":
        return _whole(-year, None, None, at + 2)
    if not year or era is None or not tokens.raw[at][0].isupper():
        return None
    return _whole(era * year, None, None, at + 1)


def _read_decade(tokens: Tokens, index: int) -> DateRead | None:
    plural = tokens.low[index + 1] == "s" and tokens.glued(index)
    apostrophe = tokens.low[index + 1] in {"'", "’"} and tokens.low[index + 2] == "s" and tokens.glued(index)
    if not plural and not apostrophe:
        return None
    after = index + 2 if plural else index + 3
    year = read_int(tokens.low[index], 4)
    if year is None or year % 10:
        return None
    if len(tokens.raw[index]) == 4 and _FIRST_YEAR <= year <= _LAST_YEAR:
        return _span(year, year + (99 if year % 100 == 0 else 9), after)
    if len(tokens.raw[index]) == 2 and tokens.low[index - 1] in {"the", "'", "’", "‘"}:
        return _span(1900 + year, 1909 + year, after)
    return None


def _read_century(tokens: Tokens, index: int) -> DateRead | None:
    word = tokens.low[index]
    if word in ORDINALS:
        number, after = ORDINALS[word], index + 1
    else:
        digits = read_int(word, 2)
        if not digits or not tokens.glued(index) or tokens.low[index + 1] not in _SUFFIX:
            return None
        number, after = digits, index + 2
    after = _skip(tokens, after, ("-", "–"))
    if tokens.low[after] not in {"century", "centuries"} or number == 0:
        return None
    after += 1
    if _ERAS.get(tokens.low[after], 1) < 0:
        return _span(-100 * number, -100 * number + 99, after + 1)
    return _span(100 * number - 99, 100 * number, tokens.past(after, _ERAS))


def _read_year(tokens: Tokens, index: int) -> DateRead | None:
    year = _year_at(tokens, index)
    if year is None or (
        tokens.low[index + 1] == "." and tokens.glued(index) and read_int(tokens.low[index + 2], 9)
    ):
        return None
    following, before = tokens.low[index + 1], tokens.low[index - 1]
    if before in {"$", "€", "£", "#", "/", "."} or following in {"%", "°"}:
        return None
    until = _until_year(tokens, index, year.what)
    if until is not None:
        return until
    if following == "/":
        return None
    if before in _YEAR_BEFORE and (not following[:1].isalpha() or not following.endswith("s")):
        return _whole(year.what, None, None, year.after)
    if following[:1].isalpha() and following not in _DATE_BEFORE and year.what % 100 == 0:
        return None
    is_plural = following.endswith("s") and following not in {"was", "is", "has", "as", "its"}
    if following[:1].isalpha() and is_plural:
        return None
    return _whole(year.what, None, None, year.after)


def _until_year(tokens: Tokens, index: int, first: int) -> DateRead | None:
    """The end of "1990-1995" or "1990–95", and of a season or business year, "2007/08"."""
    last = read_int(tokens.low[index + 2], 4)
    if tokens.low[index + 1] not in _UNTIL or last is None or len(tokens.low[index + 2]) not in {2, 4}:
        return None
    if len(tokens.low[index + 2]) == 2:
        last += first - first % 100
    if tokens.low[index + 1] == "/" and last != first + 1:
        return None
    return _span(first, last, index + 3) if first < last <= _LAST_YEAR else None


def read_word_date(tokens: Tokens, index: int) -> DateRead | None:
    """Days of the week, "AD 70", "the nineties", ordinals before a month or "century"."""
    word = tokens.low[index]
    quarter = read_quarter(tokens, index)
    if quarter is not None:
        return quarter
    if word == _FISCAL:
        return _read_fiscal_year(tokens, index)
    if word in WEEKDAYS and tokens.raw[index][0].isupper():
        return DateRead(index + 1, None, None, None, word)
    if word.rstrip("s") in WEEKDAYS and tokens.raw[index][0].isupper():
        return DateRead(index + 1, None, None, None, word.rstrip("s"))
    if word in {"ad", "a.d."} and tokens.raw[index][0].isupper():
        year = read_int(tokens.low[index + 1], 4)
        return _whole(year, None, None, index + 2) if year else None
    if word in DECADES and tokens.low[index - 1] == "the":
        return _span(1900 + DECADES[word], 1909 + DECADES[word], index + 1)
    if word in ORDINALS:
        ahead = [tokens.low[index + step] for step in range(1, 5)]
        if ahead == ["month", "of", "the", "year"] and 1 <= ORDINALS[word] <= 12:
            return _whole(None, ORDINALS[word], None, index + 5)
        return _read_century(tokens, index) or _read_day_first(tokens, index)
    return None


def read_time(tokens: Tokens, index: int) -> DateRead | None:
    """The time of day that starts at a token. ``low`` is in minutes after midnight."""
    word = tokens.low[index]
    if word in _NAMED:
        return _clock(_NAMED[word] // 60, 0, index + 1, ambiguous=False)
    if not (word[0].isdecimal() or word in SMALL or word in TENS or word in _PARTS or word == "a"):
        return None
    return _past_the_hour(tokens, index) or _plain_time(tokens, index)


def _plain_time(tokens: Tokens, index: int) -> DateRead | None:
    """A time that starts with its hour: "10:30", "5 p.m.", "five o'clock", "at seven in the morning"."""
    word = tokens.low[index]
    hour = SMALL.get(word, read_int(word, 2))
    minute, after = 0, index + 1
    dotted = _DOTTED.fullmatch(word) if hour is None and _is_clock(tokens, index) else None
    if dotted is not None:
        hour, minute = int(dotted["hour"]), int(dotted["minute"])
    if hour is None:
        return None
    colon = tokens.low[after] == ":" and tokens.glued(index) and tokens.glued(after)
    if colon:
        minutes_read = read_int(tokens.low[after + 1], 2)
        if minutes_read is None or len(tokens.low[after + 1]) != 2 or minutes_read > 59:
            return None
        minute, after = minutes_read, after + 2
        if tokens.low[after] == ":" and tokens.glued(after - 1) and tokens.glued(after):
            return None
    mark = tokens.low[after]
    if mark in _CLOCK_MARKS and 1 <= hour <= 12 and word[0].isdecimal():
        hour = hour % 12 + (12 if mark[0] == "p" else 0)
        return _clock(hour, minute, after + 1, ambiguous=False)
    if mark == "o'clock" and 1 <= hour <= 12:
        return _of_day(tokens, _clock(hour, minute, after + 1, ambiguous=True))
    if (colon or dotted is not None) and hour <= 24:
        is_ambiguous = 1 <= hour <= 12 and word[0] != "0"
        found = _of_day(tokens, _clock(hour, minute, after, ambiguous=is_ambiguous))
        # Midnight as 12:00 is always marked as such.
        return found._replace(ambiguous=found.ambiguous and hour != 12)
    if not 1 <= hour <= 12 or _part_of_day(tokens, after) is None or not _is_when(tokens, index):
        return None
    return _of_day(tokens, _clock(hour, 0, after, ambiguous=True))


def _is_clock(tokens: Tokens, index: int) -> bool:
    """Whether the words beside a number with a full stop make it a time: "7.30 am", "at 7.30 on Mondays"."""
    following = tokens.low[index + 1]
    if following in _SURE_BEHIND_TIME:
        return True
    if following in _TO_TIME and tokens.low[index + 3] in _SURE_BEHIND_TIME:
        return _DOTTED.fullmatch(tokens.low[index + 2]) is not None
    is_at = tokens.low[index - 1] in _AT_TIME and tokens.low[index - 2] not in _VALUED
    return is_at and (index + 1 == len(tokens) or following in _BEHIND_TIME)


def _past_the_hour(tokens: Tokens, index: int) -> DateRead | None:
    """A time with the minutes before the hour: "half past one", "a quarter to nine"."""
    part = _minutes(tokens, index)
    if part is None:
        return None
    link, at = tokens.low[part.after], part.after + 1
    if link not in {"past", "to"} or (link == "to" and part.what == _PARTS["half"]):
        return None
    hour = SMALL.get(tokens.low[at], read_int(tokens.low[at], 2) or 0)
    named = _NAMED.get(tokens.low[at])
    if named is None and not 1 <= hour <= 12:
        return None
    whole = named if named is not None else 60 * hour
    after = tokens.past(at + 1, ("o'clock",))
    minutes = (whole + (part.what if link == "past" else -part.what)) % _DAY
    found = _clock(minutes // 60, minutes % 60, after, ambiguous=named is None)
    is_sure = tokens.low[part.after - 1] in {"minutes", "quarter"} or after > at + 1
    if link == "to" and not (is_sure or _part_of_day(tokens, after) is not None):
        return None  # "Five to ten people"
    return _of_day(tokens, found)


def _minutes(tokens: Tokens, index: int) -> Read[int] | None:
    """The minutes before "past" or "to": "half", "a quarter", "ten", "twenty-five minutes"."""
    word, after = tokens.low[index], index + 1
    if word == "a":
        is_quarter = tokens.low[after] == "quarter"
        return Read(_PARTS["quarter"], after + 1) if is_quarter else None
    if word in _PARTS:
        return Read(_PARTS[word], after)
    minutes = SMALL.get(word, TENS.get(word, read_int(word, 2) or 0))
    if word in TENS and tokens.low[after] == "-" and 0 < SMALL.get(tokens.low[after + 1], 0) < 10:
        minutes, after = minutes + SMALL[tokens.low[after + 1]], after + 2
    after = tokens.past(after, ("minute", "minutes"))
    return Read(minutes, after) if 0 < minutes < 60 else None


def _part_of_day(tokens: Tokens, at: int) -> Read[str] | None:
    """The part of the day in "in the evening" or "at night", and the token after it."""
    if tokens.low[at] == "at" and tokens.low[at + 1] == "night":
        return Read("night", at + 2)
    part = _OF_DAY.get(tokens.low[at + 2]) if tokens.low[at] == "in" and tokens.low[at + 1] == "the" else None
    return Read(part, at + 3) if part is not None else None


def _of_day(tokens: Tokens, time: DateRead) -> DateRead:
    part = _part_of_day(tokens, time.after) if time.ambiguous else None
    if part is None:
        return time
    minutes = int(time.low or 0) % _NOON
    if part.what == "night" and minutes // 60 == _DAWN:
        return time  # "Six at night" may be either
    is_late = part.what == "pm" or (part.what == "night" and minutes > _DAWN * 60)
    minutes += _NOON * is_late
    return _clock(minutes // 60, minutes % 60, part.after, ambiguous=False)


def _is_when(tokens: Tokens, index: int) -> bool:
    """Whether the words before a number call for a time: "at", "from", "between ten in the morning and"."""
    before = tokens.low[index - 1]
    if before == "and":
        return "between" in tokens.low[max(0, index - _REACH) : index]
    return before in _HOUR_BEFORE


def _clock(hour: int, minute: int, after: int, *, ambiguous: bool) -> DateRead:
    total = float(hour * 60 + minute)
    return DateRead(after, None, total, total, f"{hour:02d}:{minute:02d}", ambiguous)
