"""Spellings of numbers that the readers do not know, written as they know them, letter for letter as long."""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_grounding._patterns import lazy
from pytest_grounding.lexicon import words

_MAY_HOLD = lazy(r"\d(?:['’ \u00a0\u2009\u202f]\d{3}|T\d)|\\frac|\d,\d|\$[^$\n]{1,80}[\\^]|\d/\d")
#: "1'250", and "23 417" with a blank that keeps the groups together.
_SURE_GROUPS = lazy(
    r"(?<![\w'’.,])\d{1,3}(?:(?:['’]\d{3}){1,6}|(?:[\u00a0\u2009\u202f]\d{3}){1,6})(?!['’]?\w)"
)
#: "12 000" with a plain blank: no row of numbers, and no "2 400 g tins".
_GROUPS = lazy(
    r"(?<![\w'’.,/+–-])(?<!\d )\d{1,3}(?: \d{3}){1,2}(?![\w/-]|[.,]\d| \d)(?! ?(?:g|ml|mg|mm|cm|grams?|x)\b)"
)
_SEPARATORS = str.maketrans(dict.fromkeys("'’ \u00a0\u2009\u202f", ","))
_LIST = lazy(r"(?<![\w.,$€£])\d{1,5}(?:,\d{1,5}){1,60}(?![\w%°]|[.,]\d)")
_CLAUSE = lazy(r"[^.;!?\n\d]{0,40}\Z")
_WORD = lazy(r"[^\W\d_]+")
_LABELS = words("numerals", "listed")
_NO_GROUP_BEFORE = words("numerals", "before single numbers")
_BEFORE = 40
_STAMP = lazy(
    r"(?<=\d)T(?P<time>\d\d:\d\d)(?P<rest>(?::\d\d(?:\.\d{1,9})?)?)(?P<zone>Z|[+-]00:?00)?(?![\d:])"
)
_MATHS = lazy(r"\$([^$\n]{0,80}[\\^][^$\n]{0,80})\$")
_FRACTION = lazy(r"\\d?frac\{\s?(\d{1,6})\s?\}\{\s?(\d{1,6})\s?\}")
_SLASHED = lazy(r"(?<![\d/.])(?P<one>\d{1,2})/(?P<two>\d{1,2})/(?P<year>\d{4}|(?<=\d\d/\d\d/)\d\d)(?![\d/])")
#: English is written with the day first outside of these regions; without a region nobody knows.
_MONTH_FIRST = frozenset({"us", "ph", "ca"})
#: Months are twelve.
_MONTHS = 12


@lru_cache(maxsize=2048)
def as_spelled(text: str) -> str:
    """The text with its numbers as the readers know them, of the same length."""
    if _MAY_HOLD.search(text) is None:
        return text
    if "\\" in text or "^" in text:
        text = _MATHS.sub(r" \1 ", text)
        text = _FRACTION.sub(_divided, text)
    text = _STAMP.sub(_stamp, text)
    text = _SURE_GROUPS.sub(lambda found: found[0].translate(_SEPARATORS), text)
    # Groups first: the numbers of a list must not become one again.
    return _LIST.sub(_listed, _GROUPS.sub(_grouped, text))


def _divided(found: re.Match[str]) -> str:
    before = " " * (found.start(1) - found.start())
    return f"{before}{found[1]}/{found[2]}".ljust(len(found[0]))


def _stamp(found: re.Match[str]) -> str:
    zone = " UTC" if found["zone"] else ""
    written = f" {found['time']}{zone}"
    return written.ljust(len(found[0])) if len(written) <= len(found[0]) else f" {found[0][1:]}"


def _words_before(found: re.Match[str]) -> list[str]:
    """The words of the clause before a number, in lower case."""
    clause = _CLAUSE.search(found.string, max(0, found.start() - _BEFORE), found.start())
    return [word.lower() for word in _WORD.findall(clause[0])] if clause is not None else []


def _grouped(found: re.Match[str]) -> str:
    before = _words_before(found)[-1:]
    # "Table 2 300 patients" has two numbers, and "the lines 12 145" have been a list.
    is_single = bool(before) and (before[0] in _NO_GROUP_BEFORE or before[0] in _LABELS)
    return found[0] if is_single else found[0].translate(_SEPARATORS)


def _listed(found: re.Match[str]) -> str:
    """Numbers behind the word for things that bear numbers: "ports 80,443", "Open ports: 80,443"."""
    before = _words_before(found)
    is_list = bool(before) and (
        before[-1] in _LABELS
        or (found.string[: found.start()].rstrip().endswith((":", "=")) and not _LABELS.isdisjoint(before))
    )
    return found[0].replace(",", " ") if is_list else found[0]


def with_plain_dates(text: str, tag: str = "") -> str:
    """The text with its slashed dates as day.month.year where only one reading is left, of the same length.

    Args:
        text: any text.
        tag: BCP 47 tag that tells the order; the other dates of the text tell it for plain English.
    """
    if "/" not in text:
        return text
    order = order_of_dates(text, tag)
    if not order:
        return text

    def rewritten(found: re.Match[str]) -> str:
        one, two = found["one"], found["two"]
        day, month = (one, two) if order == "day" else (two, one)
        return f"{day}.{month}.{found['year']}" if 0 < int(month) <= _MONTHS else found[0]

    return _SLASHED.sub(rewritten, text)


def order_of_dates(text: str, tag: str = "") -> str:
    """What stands first in slashed dates: "day", "month", or "" where both may."""
    language, _, region = tag.lower().replace("_", "-").partition("-")
    if language not in {"", "en", "und"}:
        return "day"
    if language == "en" and region:
        return "month" if region in _MONTH_FIRST else "day"
    pairs = [(int(found["one"]), int(found["two"])) for found in _SLASHED.finditer(text)]
    orders = {"day" if one > _MONTHS else "month" for one, two in pairs if max(one, two) > _MONTHS}
    return orders.pop() if len(orders) == 1 else ""
