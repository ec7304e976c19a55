"""Frequencies, as times per second: "daily", "every two weeks", "three times a year"."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from pytest_grounding.lexicon import whole_numbers
from pytest_grounding.lexicon import words as listed
from pytest_grounding.reading import read_once
from pytest_grounding.reading.facts import extract_facts
from pytest_grounding.reading.facts import measures as units
from pytest_grounding.reading.facts.dates import WEEKDAYS
from pytest_grounding.reading.facts.fact import Fact
from pytest_grounding.reading.facts.limits import limit_at
from pytest_grounding.reading.facts.numerals import Tokens, cut

_DAY, _WEEK = 86400.0, 604800.0
_SECONDS = {"s": 1.0, "mo": units.MONTH_SECONDS}
_EACH = listed("rates", "each")
_OTHERS = listed("rates", "others")
_PARTS = listed("rates", "parts")
_WORKING = listed("rates", "working")
_DAYS_BEFORE = listed("rates", "days_before")
_WORKING_DAYS = 5
_SHARE = 0.09  # "Every four weeks" is "every month", "twice a year" is "every six months"
_NEAR = 20  # characters between a period and its count: "daily it rings twice"
_OCCASIONS = frozenset({"time", "occasion", "occasions"})
_ANY = float("inf")
#: Every frequency begins or ends with one of these words: a cheap test.
_TELLING = frozenset(units.ADVERBS) | _EACH | _WORKING | frozenset(f"{day}s" for day in WEEKDAYS)
_COUNTING = listed("rates", "counting")
_DOSES = whole_numbers("rates", "doses")
DOSE_WORDS = frozenset(word.lower() for word in _DOSES)
_OPENING = _TELLING | _COUNTING | DOSE_WORDS


class Often(NamedTuple):
    """A frequency in a text."""

    start: int  # start offset
    end: int  # end offset, exclusive
    low: float  # times per second, lower end
    high: float  # upper end; infinite for "at least once a week"
    named: bool = False  # days of the week are named: "on Mondays" says nothing about other days


def agree(one: Often, other: Often) -> bool:
    """Whether both can hold at once. Symmetric."""
    if _ANY in (one.high, other.high) and one.high == other.high:
        return _are_rates_near(one.low, other.low)
    if one.low == other.low == 0.0:
        return _are_rates_near(one.high, other.high)
    return one.low <= other.high * (1 + _SHARE) and other.low <= one.high * (1 + _SHARE)


def agree_exactly(one: Often, other: Often) -> bool:
    """Whether both are equal, bounds included: "at least once a week" is not "weekly". Symmetric."""
    if one.named or other.named:
        return False
    is_open = one.high == _ANY
    has_same_end = is_open == (other.high == _ANY) and (is_open or _are_rates_near(one.high, other.high))
    return has_same_end and _are_rates_near(one.low, other.low)


def _are_rates_near(a: float, b: float) -> bool:
    return abs(a - b) <= _SHARE * max(a, b)


@read_once
def often_in(text: str) -> tuple[Often, ...]:
    """The frequencies of a text, in order; English only."""
    tokens = cut(text)
    if _OPENING.isdisjoint(tokens.low):
        return ()
    facts = [fact for fact in extract_facts(text) if fact.kind not in {"name", "negation", "date"}]
    found: list[Often] = []
    taken: set[int] = set()
    for number, fact in enumerate(facts):
        taken.update(range(_index_at(tokens, fact.start), _index_at(tokens, max(fact.end, fact.tail))))
        often = _of_fact(tokens, fact, facts[number + 1] if number + 1 < len(facts) else None)
        if often is not None:
            found.append(often)
            taken.update(range(_index_at(tokens, often.start), _index_at(tokens, often.end)))
    counts = [fact for fact in facts if _is_bare_count(tokens, fact)]
    for index, word in enumerate(tokens.low):
        dose = _DOSES.get(text[tokens.starts[index] : tokens.ends[index]]) if word in DOSE_WORDS else None
        if dose is not None:
            found.append(_rate(tokens, index, index, dose / _DAY))
        elif word in _TELLING and index not in taken:
            often = _at(tokens, index)
            if often is not None:
                found.append(_counted(often, counts))
                taken.update(range(index, _index_at(tokens, often.end)))
    return tuple(sorted(found, key=lambda often: often.start))


def _counted(often: Often, counts: list[Fact]) -> Often:
    """A period with the count near it: "daily it rings twice"."""
    for fact in counts:
        gap = max(fact.start - often.end, often.start - fact.end)
        if gap < _NEAR and fact.value and fact.high:
            return often._replace(low=often.low * fact.value, high=often.high * fact.high)
    return often


def _of_fact(tokens: Tokens, fact: Fact, following: Fact | None) -> Often | None:
    """The frequency of a value: "twice a day", "five days a week", "every 10 seconds"."""
    if not fact.value or not fact.high or fact.value < 0:
        return None
    if fact.kind == "number" and fact.per and tokens.low[_index_at(tokens, fact.end)] == "time":
        return _bounded(tokens, fact, 1 / fact.per, fact.tail)  # "One time a year"
    if fact.unit == "times":
        period, end = fact.per, fact.tail
        if not period and following is not None and _is_each(tokens, fact.end, following):
            # "Twice every three weeks"
            period, end = (following.value or 0.0) * _SECONDS.get(following.unit, 0.0), following.end
        return _bounded(tokens, fact, 1 / period, end) if period else None
    if fact.unit == "s/s" and -1 < fact.text.lower().find("day") < fact.text.lower().rfind("week"):
        return _bounded(tokens, fact, 1 / _DAY, fact.end)  # "Five days a week"
    before = _index_at(tokens, fact.start) - 1
    if fact.unit not in _SECONDS or tokens.low[before] not in _EACH:
        return None
    if tokens.low[before - 1] in _COUNTING:
        return None  # read together with the count before it
    scale = _SECONDS[fact.unit]
    return Often(tokens.starts[before], fact.end, 1 / (fact.high * scale), 1 / (fact.value * scale))


def _is_bare_count(tokens: Tokens, fact: Fact) -> bool:
    """Whether a value is a count of times without a period: "twice", "on two occasions"."""
    following = tokens.low[_index_at(tokens, fact.end)]
    return not fact.per and (fact.unit == "times" or (not fact.unit and following in _OCCASIONS))


def _is_each(tokens: Tokens, end: int, fact: Fact) -> bool:
    """Whether only "every" separates an offset and a value."""
    at = _index_at(tokens, end)
    return tokens.low[at] in _EACH and _index_at(tokens, fact.start) == at + 1


def _bounded(tokens: Tokens, fact: Fact, each: float, end: int) -> Often:
    """A count, as times of one, with its bounds: "at least once a week"."""
    low, high, bound = (fact.value or 0.0) * each, (fact.high or 0.0) * each, fact.bound
    if not bound:
        # "Once" and "twice" are read without limits.
        limit = limit_at(tokens, _index_at(tokens, fact.start), _index_at(tokens, fact.end))
        bound = limit.bound if limit is not None else ""
    if bound == "min":
        high = _ANY
    elif bound == "max":
        low = 0.0
    return Often(fact.start, end, low, high)


def _index_at(tokens: Tokens, offset: int) -> int:
    return bisect_left(tokens.starts, offset)


def _at(tokens: Tokens, index: int) -> Often | None:
    """The frequency of words without a value: "daily", "every other week", "on Mondays"."""
    word = tokens.low[index]
    if word in units.ADVERBS:
        return _rate(tokens, index, index, 1 / units.ADVERBS[word])
    if word in _WORKING:
        first = index - 1 if tokens.low[index - 1] in _EACH | _DAYS_BEFORE else index
        return _rate(tokens, first, index, _WORKING_DAYS / _WEEK, named=True)
    if word not in _EACH:
        # "On Mondays and Thursdays"; "Mondays" alone may be a heading.
        return _days(tokens, index - 1, index) if tokens.low[index - 1] in _DAYS_BEFORE else None
    skips = 1
    at = index + 1
    if tokens.low[at] in _OTHERS:
        skips, at = 2, at + 1
    following = tokens.low[at]
    if following in _PARTS:
        return _rate(tokens, index, at, 1 / (_DAY * skips))
    if following in WEEKDAYS:
        return _days(tokens, index, at, skips)
    unit = units.WORDS.get(following)
    if unit is None or unit.base not in _SECONDS:
        return None
    return _rate(tokens, index, at, 1 / (unit.factor * _SECONDS[unit.base] * skips))


def _days(tokens: Tokens, first: int, at: int, skips: int = 1) -> Often | None:
    """Days of the week from a token on: "Mondays", "Monday, Wednesday and Friday"."""
    count, last = 0, at
    while tokens.low[at].removesuffix("s") in WEEKDAYS:
        count, last, at = count + 1, at, at + 1
        while tokens.low[at] in {",", "and", "on", "every"}:
            at += 1
    return _rate(tokens, first, last, count / (_WEEK * skips), named=True) if count else None


def _rate(tokens: Tokens, first: int, last: int, often: float, *, named: bool = False) -> Often:
    return Often(tokens.starts[first], tokens.ends[last], often, often, named)
