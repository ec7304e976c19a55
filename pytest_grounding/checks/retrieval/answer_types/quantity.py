"""Amounts of what was asked, in a unit that fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pytest_grounding._patterns import lazy
from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.lexicon import table, words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.scorers.lexical.tokens import tokenize
from pytest_grounding.text.facts import Fact

Fits = Callable[[Asked, Sentence, Fact], bool]

_CURRENCY = lazy(r"[A-Z]{3}(?:/|$)")
_TIMED = pattern("answers", "timed")
_RATED = pattern("answers", "rated")
_MULTIPLE = pattern("answers", "multiple")
_PRICED = pattern("answers", "priced")
_PAID = pattern("answers", "paid")
_DIMENSIONS = table("answers", "dimensions")
_WORD = lazy(r"\w+")
_HEADS = words("answers", "counted_heads")
_ENDS = words("answers", "count_ends")
_KNOWN_UNITS = words("answers", "units")
_YEAR_BEFORE = words("answers", "year_before")


def answers(asked: Asked, clause: Sentence) -> Iterator[str]:
    """An amount of what was asked, in a unit that fits."""
    measure = _MEASURES.get(asked.part.measure, _OTHERS)
    for name in measure.worded:
        yield from (match[0] for match in pattern("answers", name).finditer(clause.lower))
    if measure.name == "money":
        yield from _multiples(asked, clause)
    for fact in clause.facts:
        is_value = fact.kind not in {"negation", "name", "ordinal"}
        if is_value and fact.key not in asked.fact_keys and measure.fits(asked, clause, fact):
            yield fact.text


def _multiples(asked: Asked, clause: Sentence) -> Iterator[str]:
    """Half the normal price is an amount, unless it is the normal price that is asked for."""
    if _PRICED.search(clause.lower):
        for match in _MULTIPLE.finditer(clause.lower):
            following = clause.tokens_after(match.end(), 1)
            if following and following[0].stem not in asked.content:
                yield match[0]


def _is_money(asked: Asked, clause: Sentence, fact: Fact) -> bool:
    rated = asked.part.type == "what" or _RATED.search(asked.lower)
    if fact.kind == "percent" and rated and fact.text[:1].isdigit():
        # "The premium is 8 percent of the value."
        return True
    if fact.kind == "number" and _PAID.search(clause.lower) and _is_sum(clause, fact):
        # "It paid 2.4 million crowns."
        return True
    # A pound is read as a weight.
    return fact.kind == "money" or bool(_CURRENCY.match(fact.unit)) or "pound" in fact.text


def _is_sum(clause: Sentence, fact: Fact) -> bool:
    """Whether a number can count money: large, and with a word of its own behind it."""
    large = fact.value is not None and fact.value >= 1000
    return large and not _is_year(clause, fact) and bool(clause.words_after(fact.end, 1))


def _is_duration(asked: Asked, clause: Sentence, fact: Fact) -> bool:
    # "20 days a year" tells how many days.
    return fact.kind == "duration" or (fact.kind == "quantity" and fact.unit == "s/s")


def _is_extent(asked: Asked, clause: Sentence, fact: Fact) -> bool:
    return fact.kind == "duration" or fact.unit == "m"


def _is_share(asked: Asked, clause: Sentence, fact: Fact) -> bool:
    if fact.kind == "number":
        return clause.words_after(fact.end, 1)[:1] in (["in"], ["of"], ["out"])
    return fact.kind == "percent"


def _is_frequency(asked: Asked, clause: Sentence, fact: Fact) -> bool:
    return fact.kind == "duration" or (fact.unit == "times" and fact.kind not in {"date", "time"})


def _is_speed(asked: Asked, clause: Sentence, fact: Fact) -> bool:
    # A pump and a connection are fast by what they move in a second; "20 days a year" is how often.
    return fact.kind == "quantity" and fact.unit.endswith("/s") and fact.unit != "s/s"


def _in_units(*units: str) -> Fits:
    """What is measured in one of some units, or in one that is not known."""

    def fits(asked: Asked, clause: Sentence, fact: Fact) -> bool:
        if fact.kind == "number":
            # "A mass of about 4 million suns"
            return any(t.stem in asked.focus_stems for t in clause.tokens)
        return fact.kind == "quantity" and (fact.unit in units or fact.unit not in _KNOWN_UNITS)

    return fits


def _in_dimension(fits: Fits) -> Fits:
    """The same, where the clause does not measure the length when the depth is asked for."""

    def both(asked: Asked, clause: Sentence, fact: Fact) -> bool:
        wanted = _dimensions(asked.lower)
        said = _dimensions(clause.lower) if wanted else ()
        return (not said or not wanted.isdisjoint(said)) and fits(asked, clause, fact)

    return both


def _dimensions(lower: str) -> set[str]:
    """The dimensions that a text names: depth, length and so on."""
    return {_DIMENSIONS[word] for word in _WORD.findall(lower) if word in _DIMENSIONS}


def _is_size(asked: Asked, clause: Sentence, fact: Fact) -> bool:
    if fact.kind in {"date", "time", "duration", "money", "percent"} or _CURRENCY.match(fact.unit):
        return False
    return not _PRICED.search(clause.lower)


def _is_amount(asked: Asked, clause: Sentence, fact: Fact) -> bool:
    if fact.kind == "duration":
        return asked.part.type == "what" or _TIMED.search(asked.lower) is not None
    return fact.kind not in {"date", "time"}


def _counts(asked: Asked, clause: Sentence, fact: Fact) -> bool:
    """Whether a number counts what "how many" asks for, and not something beside it."""
    if fact.kind != "number" and (fact.kind != "quantity" or fact.unit != "times"):
        return False
    if fact.kind == "number" and fact.value is not None and _is_year(clause, fact):
        return False
    focus = asked.focus_stems
    if not focus:
        return True
    following = clause.words_after(fact.end, 2)
    if not following or not _HEADS.isdisjoint(following):
        return True
    before = [t.stem for word in clause.words_before(fact.start, 6) for t in tokenize(word)]
    if not focus.isdisjoint(before) or any(t.stem in focus for t in clause.tokens_after(fact.end, 3)):
        return True
    # "has 12 in all", "are 12, of which": no noun of its own follows.
    gap = clause.text[fact.end : fact.end + 2].strip()
    return gap[:1] in {",", ".", ";", ")", ":"} or following[0] in _ENDS


def _is_year(clause: Sentence, fact: Fact) -> bool:
    four = re.fullmatch(r"(?:1[5-9]|20)\d\d", fact.text) is not None
    return four and not _YEAR_BEFORE.isdisjoint(clause.words_before(fact.start, 1))


@dataclass(frozen=True, slots=True)
class Measure:
    """What a question for an amount measures.

    Attributes:
        name: as questions are read.
        fits: whether a fact of a clause is such an amount.
        worded: patterns of the lexicon for an amount without a number.
    """

    name: str
    fits: Fits
    worded: tuple[str, ...] = ()


_OF_TIME = ("length_of_time", "special_days")
#: Anything else is counted.
_COUNT = Measure("count", _counts, ("none_or_all",))
_OTHERS = Measure("", _counts)
_MEASURES = {
    row.name: row
    for row in (
        _COUNT,
        Measure("money", _is_money, ("nothing_to_pay",)),
        Measure("percent", _is_share),
        Measure("duration", _is_duration, _OF_TIME),
        Measure("frequency", _is_frequency, ("frequency",)),
        Measure("extent", _is_extent, _OF_TIME),
        Measure("distance", _in_dimension(_in_units("m"))),
        Measure("length", _in_dimension(_in_units("m"))),
        Measure("weight", _in_units("g", "ton")),
        Measure("temperature", _in_units("degC", "K")),
        Measure("speed", _is_speed),
        Measure("size", _is_size, ("none_or_all",)),
        Measure("amount", _is_amount, ("none_or_all",)),
    )
}
