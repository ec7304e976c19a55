"""Spans of time that are told in two units: "a year and two months", "1 hour 30 minutes"."""

from __future__ import annotations

from pytest_grounding.text.facts import units
from pytest_grounding.text.facts.numerals import read_number
from pytest_grounding.text.facts.rates import rate_at
from pytest_grounding.text.facts.tokens import Read, Tokens


def smaller_span(tokens: Tokens, at: int, unit: units.Unit) -> Read[float] | None:
    """The rest of a span in a smaller unit, as a part of the larger: "two months" behind "a year and"."""
    at += tokens.word(at) == "and"
    number = read_number(tokens, at) if at < len(tokens) else None
    smaller = units.WORDS.get(tokens.word(number.after)) if number is not None else None
    if number is None or smaller is None or smaller.base != unit.base:
        return None
    part = number.value * smaller.factor / unit.factor
    is_rest = 0 < part < 1 and rate_at(tokens, number.after + 1) is None
    return Read(part, number.after + 1) if is_rest else None
