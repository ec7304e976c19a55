"""How a value of a claim relates to one of a source: agrees, contradicts, or of another sort."""

from __future__ import annotations

from typing import Literal

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.conflict_words import stem_of
from pytest_grounding.evidence.sentence_view import View, numbers_in
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.reading.facts import Fact, comparable, compatible
from pytest_grounding.reading.facts.fact import ALWAYS
from pytest_grounding.reading.facts.measures import MONTH_SECONDS
from pytest_grounding.reading.facts.numerals import is_numeral

#: "Ally" agrees, "rival" contradicts; "near" is the same number with a limit or period on one side only.
Stance = Literal["ally", "rival", "near"]
MEASURES = frozenset({"percent", "money", "quantity", "duration"})
_NUMBERS = MEASURES | {"number"}
_DIMENSION = {"mo": "s", "deg": "degC"}  # units of one dimension that are not converted
_WORD = lazy(r"[^\W\d_]+")
#: Values that differ by less than this share are equal after rounding.
_ROUNDED = 0.05
_ROUND = pattern("matching", "round")
_PERIODS = pattern("matching", "periods")
_PREPOSITIONS = words("conflicts", "behind values")
_ADMITTED = words("conflicts", "admitted")
_BE = words("conflicts", "helping")
_BEHIND = 3
#: Characters on either side of a number that are searched for a period.
_AROUND = 160
_ONLY = words("conflicts", "only")
_ONLY_REACH = 3
_BELOW, _BY = words("limits", "below zero"), (["by"], ["of"])


def stance(fact: Fact, claim: View, other: Fact, source: View, *, has_same_numbers: bool) -> Stance | None:
    """How a value of a claim relates to one of a source; None if they are of different sorts."""
    if comparable(fact, other):
        if compatible(fact, other):
            if fact.bound and other.bound and fact.bound != other.bound:
                # "Above 3" allows "below 7", but does not state it.
                return None
            is_rate = has_same_numbers and bool(fact.per) != bool(other.per)
            return "near" if is_rate and _adds_a_period(fact, claim, other, source) else "ally"
        if ALWAYS in (fact.key, other.key) and fact.key != ALWAYS:
            # "It opens at 8" is not contradicted by "24/7".
            return None
        return "ally" if is_told_below(fact, claim, other) else _edge(fact, other)
    if not has_same_numbers:
        return None
    if fact.unit and other.unit and fact.unit.partition("/")[0] == other.unit.partition("/")[0]:
        return "near" if _adds_a_period(fact, claim, other, source) else "ally"
    if fact.kind in MEASURES and other.kind in MEASURES:
        return "rival"
    # One side omits the unit.
    return "ally" if fact.kind in _NUMBERS and other.kind in _NUMBERS else None


def is_told_below(fact: Fact, claim: View, other: Fact) -> bool:
    """Whether a claim says in words that a value is below zero, as the source has it: "fell by 4.5 %"."""
    is_turned = fact.value is not None and other.value is not None and other.value == -fact.value < 0
    return is_turned and is_by_words_below(fact, claim.text)


def is_by_words_below(fact: Fact, text: str) -> bool:
    """Whether words before a value say that it is a loss or a fall: "fell by 4.5 %", but not "fell to"."""
    before = text[: fact.start].lower().split()
    return before[-1:] in _BY and not _BELOW.isdisjoint(before)


def _edge(fact: Fact, other: Fact) -> Stance:
    """Whether one of two disjoint values is the edge of the other: "over 12" and "12"."""
    if bool(fact.bound) == bool(other.bound) or fact.value != other.value or fact.high != other.high:
        return "rival"
    return "ally" if _ROUND.search(fact.text.lower()) is not None else "near"


def _adds_a_period(fact: Fact, claim: View, other: Fact, source: View) -> bool:
    """Whether one side has "per day" at a number, and the other has no period nearby."""
    is_ours = _has_period(fact)
    if is_ours == _has_period(other):
        return False
    bare, text = (other, source.text) if is_ours else (fact, claim.text)
    around = text[max(0, bare.start - _AROUND) : bare.end + _AROUND]
    return _PERIODS.search(around.lower()) is None


def _has_period(fact: Fact) -> bool:
    return bool(fact.per) or fact.unit.endswith("/s")


def is_twin(fact: Fact, numbers: tuple[str, ...], other: Fact, theirs: tuple[str, ...]) -> bool:
    """Whether a source has the claim's number with another unit of the same dimension."""
    if not set(numbers).issubset(theirs) or has_equal_value(fact, other):
        return False
    if fact.kind == other.kind == "money":
        alike = fact.unit != other.unit
    else:
        ours, theirs = (one.unit.partition("/") for one in (fact, other))
        # "1200 mg" may be 1200 mg a day.
        alike = ours[2] == theirs[2] and (
            _DIMENSION.get(ours[0], ours[0]) == _DIMENSION.get(theirs[0], theirs[0])
        )
    return alike and _is_other_unit(fact, other)


def _is_other_unit(fact: Fact, other: Fact) -> bool:
    """Whether the units are spelled differently: the same digits with the same unit are equal."""
    if "deg" in {fact.unit, other.unit}:
        return False
    return fact.unit != other.unit or _stems_of_value(fact.text).isdisjoint(_stems_of_value(other.text))


def _stems_of_value(text: str) -> set[str]:
    return {stem_of(word.lower()) for word in _WORD.findall(text)}


def has_equal_value(fact: Fact, other: Fact) -> bool:
    """Whether an end of one value is an end of the other, apart from rounding."""
    if fact.kind == other.kind == "money" and fact.unit != other.unit:
        return False
    ours, theirs = _ends(fact), _ends(other)
    return any(abs(a - b) <= _ROUNDED * max(abs(a), abs(b)) for a in ours for b in theirs)


def _ends(fact: Fact) -> tuple[float, ...]:
    scale = MONTH_SECONDS if fact.unit == "mo" else 1.0
    return tuple(scale * value for value in (fact.value, fact.high) if value is not None)


def is_denied(view: View, fact: Fact, at: int) -> bool:
    """Whether a text denies a value itself: "does not support 5 GHz", "5 GHz are not supported"."""
    if not view.negations or fact.kind not in MEASURES:
        return False
    which = view.denied.get(at)
    if which is not None:
        first = view.negation_at[which]
        return _PREPOSITIONS.isdisjoint(view.norms[first:at])
    own, last = view.sentence_of[at], view.end_of(fact, at)
    for number in range(last + 1, min(len(view.tokens), last + 1 + _BEHIND)):
        between = view.gap(number)
        if view.sentence_of[number] != own or between.strip():
            return False
        if number in view.negated_at:
            verb = view.norms[number + 1] if number + 1 < len(view.norms) else ""
            return verb in _ADMITTED
        if view.norms[number] not in _BE and number > last + 1:
            return False
    return False


def is_the_only(view: View, fact: Fact, at: int) -> bool:
    """Whether a text makes a value the only one: "only 2.4 GHz", "2.4 GHz only"."""
    last = view.end_of(fact, at)
    before = view.norms[max(0, at - _ONLY_REACH) : at]
    return not _ONLY.isdisjoint(before) or not _ONLY.isdisjoint(view.norms[last + 1 : last + 2])


def kind_of(fact: Fact, other: Fact, numbers: tuple[str, ...]) -> str:
    """Kind of conflict between two values."""
    if comparable(fact, other) and compatible(fact, other):
        # Both have the value, and one denies it.
        return "negation"
    if fact.kind in {"date", "time"}:
        return "date"
    if fact.kind not in MEASURES or numbers_in(other.text) != numbers:
        return "number"
    if fact.unit == other.unit and fact.per == other.per:
        # The same digits in one unit: a minus, an exponent or a limit differs.
        is_other = ((fact.value or 0.0) < 0) != ((other.value or 0.0) < 0) or fact.value == other.value
        return "number" if is_other or any(map(is_numeral, fact.text + other.text)) else "unit"
    return "unit"
