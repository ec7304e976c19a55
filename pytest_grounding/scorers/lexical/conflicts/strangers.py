"""Values that no source gives: another unit beside the same number, a part of a date that stands nowhere."""

from __future__ import annotations

from pytest_grounding._patterns import lazy
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.lexicon import stem_of
from pytest_grounding.scorers.lexical.conflicts.sources import Place, numbers_in
from pytest_grounding.text.facts import Fact
from pytest_grounding.text.facts.dates import MONTHS

_WORD = lazy(r"[^\W\d_]+")
MEASURES = frozenset({"percent", "money", "quantity", "duration"})
_MONTH_SECONDS = 2629746.0
#: Values that differ by less than this share are one value, rounded.
_ROUNDED = 0.05
_DIMENSION = {"mo": "s", "deg": "degC"}


def is_twin(fact: Fact, numbers: tuple[str, ...], other: Fact, theirs: tuple[str, ...]) -> bool:
    """Whether a source's measure has the numbers of the claim's, and another unit of the same dimension.

    Args:
        fact: a measure of the claim.
        numbers: its numbers, as `numbers_in` gives them.
        other: a measure of a source.
        theirs: its numbers.
    """
    if not set(numbers).issubset(theirs) or has_equal_value(fact, other):
        return False
    if fact.kind == other.kind == "money":
        alike = fact.unit != other.unit
    else:
        ours, theirs = (one.unit.partition("/") for one in (fact, other))
        # "$30 per square foot" and "€30 per square foot"; "1200 mg" may be 1200 mg a day.
        alike = ours[2] == theirs[2] and (
            _DIMENSION.get(ours[0], ours[0]) == _DIMENSION.get(theirs[0], theirs[0])
            or _are_currencies(ours[0], theirs[0])
        )
    return alike and _is_other_unit(fact, other)


def _are_currencies(a: str, b: str) -> bool:
    return len(a) == len(b) == 3 and a.isupper() and b.isupper()


def _is_other_unit(fact: Fact, other: Fact) -> bool:
    """Whether the units are written differently: the same unit with the same digits is the same value."""
    if "deg" in {fact.unit, other.unit}:
        return False
    words = [{stem_of(word.lower()) for word in _WORD.findall(one.text)} for one in (fact, other)]
    return fact.unit != other.unit or not words[0] & words[1]


def has_equal_value(fact: Fact, other: Fact) -> bool:
    """Whether an end of one value is an end of the other, but for rounding."""
    if fact.kind == other.kind == "money" and fact.unit != other.unit:
        return False
    ours, theirs = _ends(fact), _ends(other)
    return any(abs(a - b) <= _ROUNDED * max(abs(a), abs(b)) for a in ours for b in theirs)


def _ends(fact: Fact) -> tuple[float, ...]:
    scale = _MONTH_SECONDS if fact.unit == "mo" else 1.0
    return tuple(scale * value for value in (fact.value, fact.high) if value is not None)


def strange_parts(contest: Contest, fact: Fact) -> bool:
    """Whether a date has a year, month or weekday that stands nowhere in the chunks."""
    if fact.date is None:
        if fact.value is not None:
            return not any(_says(contest, part) for part in numbers_in(fact.text))
        # A day of the week.
        word = fact.text.lower().removesuffix("s")
        return not any(_says(contest, form) for form in (word, word + "s", word[:3]))
    year, month, _ = fact.date
    dates = [other.date for view in contest.chunks for other in view.facts if other.date is not None]
    if year is not None and not any(date[0] == year for date in dates) and not _says(contest, str(abs(year))):
        return True
    # "3/5" is the third of May as well.
    if month is None or any(month in date[1:] for date in dates):
        return False
    return not any(_says(contest, name) for name, number in MONTHS.items() if number == month)


def _says(contest: Contest, word: str) -> bool:
    stem = word if word[0].isdigit() else stem_of(word)
    return contest.sources.holds(stem)


def nearest_date(contest: Contest, fact: Fact, words: tuple[int, int]) -> tuple[float, Place, Fact] | None:
    """The date or time of the chunks that shares a part with the claim's, best bound first."""
    best: tuple[float, Place, Fact] | None = None
    for number, view in enumerate(contest.chunks):
        for other, word in view.facts_of((fact.kind,)):
            if not _shares_a_part(fact, other):
                continue
            strength = contest.bind(*words, Place(number, word))
            if best is None or strength > best[0]:
                best = strength, Place(number, word), other
    return best


def _shares_a_part(fact: Fact, other: Fact) -> bool:
    if fact.date is None or other.date is None:
        return False
    return any(a is not None and a == b for a, b in zip(fact.date, other.date, strict=True))
