"""Spans of time that are told in two units: "a year and two months", "1 hour 30 minutes"."""

from __future__ import annotations

from pytest_grounding.lexicon import words as listed
from pytest_grounding.text.facts import units
from pytest_grounding.text.facts.numerals import read_number
from pytest_grounding.text.facts.rates import rate_at
from pytest_grounding.text.facts.tokens import Read, Tokens

#: Behind the second of two spans these show that it is said of something else.
_ON = listed("rates", "behind spans")
_BASES = frozenset({"s", "mo", "bday"})


def unit_of_time(tokens: Tokens, at: int) -> units.Unit | None:
    """The unit of time at a token, in words or short: "hours", "h"."""
    unit = units.WORDS.get(tokens.word(at))
    if unit is None and at < len(tokens):
        unit = units.SHORT.get(tokens.raw[at])
    return unit if unit is not None and unit.base in _BASES else None


def smaller_span(tokens: Tokens, at: int, unit: units.Unit, *, is_in_words: bool) -> Read[float] | None:
    """The rest of a span in a smaller unit, as a part of the larger: "two months" behind "a year and"."""
    at += tokens.word(at) == "and"
    number = read_number(tokens, at) if at < len(tokens) else None
    smaller = unit_of_time(tokens, number.after) if number is not None else None
    if number is None or smaller is None or smaller.base != unit.base:
        return None
    if is_in_words != number.words or tokens.word(number.after + 1) in _ON:
        # "A break after nine hours 45 minutes", "six hours and 45 minutes after nine hours" are two values.
        return None
    part = number.value * smaller.factor / unit.factor
    is_rest = 0 < part < 1 and rate_at(tokens, number.after + 1) is None
    return Read(part, number.after + 1) if is_rest else None
