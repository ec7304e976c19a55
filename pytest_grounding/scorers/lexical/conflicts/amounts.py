"""Amounts that can be calculated with, and how they stand to each other."""

from __future__ import annotations

from pytest_grounding.scorers.lexical.conflicts.sources import numbers_in
from pytest_grounding.text.facts import Fact
from pytest_grounding.text.facts.rates import MONTH_SECONDS

#: Rates are kept to twelve digits.
_ROUNDING = 1e-8
NO_AMOUNTS = frozenset({"date", "time", "ordinal", "name"})


def number_of(fact: Fact) -> float:
    """The value of an amount, 0 without one."""
    return fact.value or 0.0


def share_of(fact: Fact) -> float:
    """The part of a whole that a percentage or a fraction in words is; 0 for any other value."""
    if fact.unit == "%":
        return number_of(fact) / 100
    is_fraction = fact.kind == "number" and (fact.value or 1.0) < 1 and fact.text.isalpha()
    return number_of(fact) if is_fraction else 0.0


def unit_below(fact: Fact) -> str:
    """The unit that a rate has below the line where it is said of such an amount."""
    return "s" if fact.unit == "mo" else fact.unit


def in_base(fact: Fact) -> float:
    """The value of an amount, months in seconds."""
    return number_of(fact) * (MONTH_SECONDS if fact.unit == "mo" else 1.0)


def gives(other: Fact, operand: Fact) -> bool:
    """Whether a value of a chunk is the one that a claim calculates with."""
    if other.unit == operand.unit:
        return are_equal(number_of(other), operand.value)
    return not operand.unit and are_equal(as_written(other), operand.value)


def is_amount(fact: Fact) -> bool:
    """Whether a value is one positive number, and no date or place."""
    return (
        fact.value is not None and fact.value > 0 and fact.value == fact.high and fact.kind not in NO_AMOUNTS
    )


def in_unit_of(fact: Fact, other: Fact) -> float | None:
    """The amount of a value in the unit of another; None where they cannot be added.

    "€30 a month" and "€33" can, for prices rarely repeat their period.
    """
    if not is_amount(other) or other.per != fact.per:
        return None
    if other.unit == fact.unit:
        return other.value if other.unit or other.kind == fact.kind else None
    if other.unit == f"{fact.unit}/s" and fact.unit:
        return as_written(other)
    if fact.unit == f"{other.unit}/s" and other.unit:
        return number_of(other) * number_of(fact) / (as_written(fact) or 1.0)
    return None


def as_written(fact: Fact) -> float:
    """The number of a value as it is written, 28 of "28 days"; 0 for a unit in words."""
    number = numbers_in(fact.text)[0]
    if number.replace(".", "", 1).isdecimal():
        return float(number)
    return 0.0 if fact.unit else number_of(fact)


def are_equal(a: float, b: float | None) -> bool:
    """Whether two results are the same but for the dust of calculating."""
    return b is not None and abs(a - b) <= _ROUNDING * abs(b)
