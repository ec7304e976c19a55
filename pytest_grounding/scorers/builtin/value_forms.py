"""Values that the chunks give in another form: frequencies, time spans, years of a century."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from pytest_grounding.reading.facts import Fact, compatible
from pytest_grounding.reading.facts.often import Often, agree_exactly, often_in
from pytest_grounding.scorers.builtin.conflicts.sentence_view import View

_NUMBERING = frozenset({"number", "ordinal"})
_POINTS = frozenset({"date", "time"})
#: Dates and times of a claim that may end a span, and of the chunks that are compared.
_MOST_ANCHORS = 6
_MOST_POINTS = 200
_HALF_DAY, _DAY = 720, 1440
_DAY_SECONDS = 86400.0
#: A non-leap year, for dates without a year.
_SOME_YEAR = 2001


def place_of_often(often: Often, views: Sequence[View]) -> tuple[int, int] | None:
    """Find a frequency of a claim in the chunks."""
    for chunk, view in enumerate(views):
        for other in often_in(view.text):
            if agree_exactly(often, other):
                word = _word_in(view, other.start, other.end)
                if word is not None:
                    return chunk, word
    return None


def place_of_worded(fact: Fact, own: View, views: Sequence[View]) -> tuple[int, int] | None:
    """Find a value of a claim in the chunks in another form; returns the indices of chunk and word."""
    if fact.kind in {"duration", "quantity", "number"}:
        for often in often_in(own.text):
            if often.start <= fact.start and fact.end <= often.end:
                place = place_of_often(often, views)
                if place is not None:
                    return place
    if fact.kind in _NUMBERING:
        place = _place_of_numbered(fact, own, views)
        if place is not None:
            return place
    if fact.kind == "duration" and fact.value == fact.high and not fact.bound:
        return _place_of_span(fact, own, views)
    if fact.kind == "date":
        return _place_inside(fact, views)
    return None


def _place_of_numbered(fact: Fact, own: View, views: Sequence[View]) -> tuple[int, int] | None:
    """Find the thing with the claim's number: "floor 3", "the third floor"."""
    thing = _numbered_by(fact, own)
    if thing is None:
        return None
    for chunk, view in enumerate(views):
        for other, at in zip(view.facts, view.fact_at, strict=True):
            is_other_form = other.kind in _NUMBERING and other.kind != fact.kind
            if is_other_form and other.value == fact.value and _numbered_by(other, view) == thing:
                return chunk, at
    return None


def _numbered_by(fact: Fact, view: View) -> str | None:
    """Stem of the thing that a number after it, or an ordinal before it, identifies."""
    if fact.value != fact.high or fact.bound or fact.approximate:
        return None
    first, last = view.words_between(fact.start, fact.end)
    at = last + 1 if fact.kind == "ordinal" else first - 1
    if not 0 <= at < len(view.tokens) or view.tokens[at].is_stop or view.tokens[at].is_number:
        return None
    token = view.tokens[at]
    between = (
        view.text[fact.end : token.start] if fact.kind == "ordinal" else view.text[token.end : fact.start]
    )
    return token.stem if between.isspace() else None


def _word_in(view: View, start: int, end: int) -> int | None:
    """The first content word of a chunk between two offsets."""
    inside = [number for number, token in enumerate(view.tokens) if start <= token.start < end]
    telling = [number for number in inside if not view.tokens[number].is_stop]
    return next(iter(telling or inside), None)


def _place_of_span(fact: Fact, own: View, views: Sequence[View]) -> tuple[int, int] | None:
    """Find a date or time at the claim's distance from a date or time of the claim."""
    anchors = [other for other in own.facts if other.kind in _POINTS][:_MOST_ANCHORS]
    if not anchors:
        return None
    known: list[tuple[int, int, int, Fact]] = []
    for chunk, view in enumerate(views):
        points = [
            (view.sentence_of[at], at, other)
            for other, at in zip(view.facts, view.fact_at, strict=True)
            if other.kind in _POINTS and (other.date is not None or other.kind == "time")
        ][:_MOST_POINTS]
        ends = [point for point in points if any(compatible(point[2], anchor) for anchor in anchors)]
        for sentence, at, end in ends:
            for where, _, start in points:
                if abs(where - sentence) <= 1 and _is_span(fact, start, end):
                    return chunk, at
            for *_, start in known:
                if _is_span(fact, start, end):
                    return chunk, at
            known.append((chunk, sentence, at, end))
    return None


def _is_span(fact: Fact, one: Fact, other: Fact) -> bool:
    """Whether a duration is the time between two dates or two times of day."""
    value = fact.value or 0.0
    if one.kind == other.kind == "time":
        if fact.unit != "s" or one.value is None or other.value is None:
            return False
        gap = abs(one.value - other.value)
        gaps = {gap, _DAY - gap, abs(gap - _HALF_DAY) if one.ambiguous or other.ambiguous else gap}
        return any(abs(60 * minutes - value) < 1 for minutes in gaps)
    if one.date is None or other.date is None or (one.date.day is None) != (other.date.day is None):
        return False
    if one.date.month is None or other.date.month is None:
        is_years = one.date.month is other.date.month and one.value is not None and other.value is not None
        return is_years and fact.unit == "mo" and value == 12 * abs((one.value or 0.0) - (other.value or 0.0))
    years = [point.date.year for point in (one, other) if point.date is not None]
    known = next((year for year in years if year is not None), _SOME_YEAR)
    first, last = sorted(
        (point.year or known, point.month or 1, point.day or 1) for point in (one.date, other.date)
    )
    months = 12 * (last[0] - first[0]) + last[1] - first[1]
    if one.date.day is None:
        return fact.unit == "mo" and months == value
    try:
        start, end = date(*first), date(*last)
    except ValueError:
        return False
    if fact.unit == "mo":
        # A lease from 1 March to 28 February lasts whole years.
        after = date.fromordinal(end.toordinal() + 1)
        whole = 12 * (after.year - start.year) + after.month - start.month
        return value > 0 and (
            (end.day == start.day and months == value) or (after.day == start.day and whole == value)
        )
    days = (end - start).days
    return fact.unit == "s" and days > 0 and value in {days * _DAY_SECONDS, (days + 1) * _DAY_SECONDS}


def _place_inside(fact: Fact, views: Sequence[View]) -> tuple[int, int] | None:
    """Find a year of a century or decade."""
    low, high = fact.value, fact.high
    if low is None or high is None or high - low not in {9, 99}:
        return None
    for chunk, view in enumerate(views):
        for other, at in zip(view.facts, view.fact_at, strict=True):
            is_year = other.kind == "date" and other.value is not None and other.value == other.high
            if is_year and low <= (other.value or 0.0) <= high:
                return chunk, at
    return None
