"""Values reckoned from several of the sources: a recipe for more people, a family's tickets, an average."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_grounding.evidence.arithmetic import (
    Result,
    amounts_in,
    are_equal,
    as_written,
    is_nearest,
    nouns_behind,
    number_of,
)
from pytest_grounding.evidence.sentence_view import View
from pytest_grounding.lexicon import words
from pytest_grounding.reading.facts import Fact

_FOR = words("matching", "for so many")
_AVERAGE, _AGE = words("matching", "averages"), words("matching", "of age")
_TAKEN_OFF = words("matching", "deducted")
_MONTHS, _FEWEST = 12, 3  # of a year; values of an average
#: Values that one result is reckoned from, and sentences between two of them, at most.
_MOST, _APART = 24, 1


def combined_result(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """The values of the sources from which a value follows by two steps, or without a word of the claim."""
    if fact.value is None or fact.value != fact.high or fact.value <= 0:
        return None
    return (
        _for_another_number(fact, claim, sources)
        or _for_several(fact, claim, sources)
        or _rate_times_amount(fact, sources)
        or _years_apart(fact, claim, sources)
        or _average(fact, claim, sources)
        or _deducted(fact, claim, sources)
    )


def _amounts(view: View) -> list[tuple[int, Fact]]:
    return [(at, fact) for _, at, fact in amounts_in([view])][:_MOST]


def _for_another_number(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """A value for so many, of which the sources have that for another number: "serves 4"."""
    if not fact.unit:
        return None
    wanted = [number_of(count) for count in _counts_for(claim)]
    for chunk, view in enumerate(sources) if wanted else ():
        for count in _counts_for(view):
            for at, other in _amounts(view):
                if other.unit != fact.unit:
                    continue
                scaled = (number_of(other) / number_of(count) * number for number in wanted)
                if any(are_equal(result, fact.value) for result in scaled):
                    return Result(chunk, at, (other.text, count.text))
    return None


def _counts_for(view: View) -> Iterator[Fact]:
    """Bare numbers behind "for" or "serves"."""
    for fact, at in zip(view.facts, view.fact_at, strict=True):
        is_count = fact.kind == "number" and not fact.unit and number_of(fact) > 0
        if is_count and at and view.norms[at - 1] in _FOR:
            yield fact


def _for_several(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """The sum for several sorts, of which each has a price: "two adults and three children"."""
    counted = [
        (count, nouns_behind(claim, at))
        for count, at in zip(claim.facts, claim.fact_at, strict=True)
        if count.kind == "number" and not count.unit and count is not fact
    ]
    if len(counted) < 2 or not fact.unit:
        return None
    for chunk, view in enumerate(sources):
        prices = [(at, other) for at, other in _amounts(view) if other.unit == fact.unit]
        total, texts = 0.0, []
        for count, nouns in counted:
            price = next((other for at, other in prices if _is_told_of(nouns, at, view)), None)
            if price is not None:
                total += number_of(count) * number_of(price)
                texts += [count.text, price.text]
        if len(texts) == 2 * len(counted) and are_equal(total, fact.value):
            return Result(chunk, prices[0][0], tuple(texts))
    return None


def _is_told_of(nouns: Sequence[str], at: int, view: View) -> bool:
    return any(is_nearest(at, noun, view) for noun in nouns)


def _rate_times_amount(fact: Fact, sources: Sequence[View]) -> Result | None:
    """A rate of a source times what it is told for: tonnes per hectare and hectares."""
    if not fact.unit:
        return None
    for chunk, view in enumerate(sources):
        amounts = _amounts(view)
        for at, rate in amounts:
            base, _, unit = rate.unit.partition("/")
            if base != fact.unit or not unit:
                continue
            for place, other in amounts:
                is_near = abs(view.sentence_of[at] - view.sentence_of[place]) <= _APART
                product = number_of(rate) * number_of(other)
                if is_near and other.unit == unit and are_equal(product, fact.value):
                    return Result(chunk, at, (rate.text, other.text))
    return None


def _years_apart(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """The years between two years that stand near each other, or from one to a year of the claim."""
    is_age = not fact.unit and not _AGE.isdisjoint(claim.norms)
    if not is_age and (fact.unit != "mo" or number_of(fact) % _MONTHS):
        return None
    years = number_of(fact) if is_age else number_of(fact) / _MONTHS
    # Before its birthday somebody is a year younger.
    allowed = (years, years + 1) if is_age else (years,)
    said = _years_in(claim)
    for chunk, view in enumerate(sources):
        dated = _years_in(view)
        for first, at, one in dated:
            near = [item for item in dated if abs(view.sentence_of[at] - view.sentence_of[item[1]]) <= _APART]
            for other_year, _, other in (*near, *said):
                if abs(other_year - first) in allowed:
                    return Result(chunk, at, (one.text, other.text))
    return None


def _years_in(view: View) -> list[tuple[int, int, Fact]]:
    """The years of a text, each with the place of its word."""
    return [
        (fact.date.year, at, fact)
        for fact, at in zip(view.facts, view.fact_at, strict=True)
        if fact.date is not None and fact.date.year
    ][:_MOST]


def _average(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """The mean of some values that stand in a row."""
    if _AVERAGE.isdisjoint(claim.norms):
        return None
    base = fact.unit.partition("/")[0]
    for chunk, view in enumerate(sources):
        row = [(at, other) for at, other in _amounts(view) if other.unit in ("", base)]
        for first in range(len(row)):
            for end in range(first + _FEWEST, len(row) + 1):
                values = [as_written(other) for _, other in row[first:end]]
                if are_equal(sum(values) / len(values), as_written(fact)):
                    return Result(chunk, row[first][0], tuple(other.text for _, other in row[first:end]))
    return None


def _deducted(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """What one saves, or what is left of one amount after another one of the sources is taken off."""
    if not fact.unit or _TAKEN_OFF.isdisjoint(claim.norms):
        return None
    # "5 euros less" beside two prices a month.
    units = (fact.unit, f"{fact.unit}/s")
    amounts = [(chunk, at, other) for chunk, at, other in amounts_in(sources) if other.unit in units][:_MOST]
    for chunk, at, whole in amounts:
        for _, _, part in amounts:
            if whole.unit != part.unit:
                continue
            is_written = whole.unit != fact.unit
            left = as_written(whole) - as_written(part) if is_written else number_of(whole) - number_of(part)
            if are_equal(left, as_written(fact) if is_written else fact.value):
                return Result(chunk, at, (whole.text, part.text))
    return None
