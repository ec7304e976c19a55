"""Units and currencies: how they are written, and what they are in the base unit of their dimension."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_grounding.lexicon import lines, ordered, table


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure: ``value in base = value * factor + shift``.

    Attributes:
        base: name of the base unit of its dimension.
        factor: how many base units one of it is.
        shift: added after multiplying (temperatures only).
    """

    base: str
    factor: float
    shift: float = 0.0


def _units(section: str) -> dict[str, Unit]:
    named = table("units", section)
    units = {}
    # Each once, however many names it has.
    for value in set(named.values()):
        base, *numbers = value.split()
        units[value] = Unit(base, *map(float, numbers))
    return {name: units[value] for name, value in named.items()}


#: Words, in lower case.
WORDS = _units("words")
#: Abbreviations whose case counts; read only right after digits.
SHORT = _units("short")
#: Symbols of currencies to codes.
CURRENCY_SIGNS = table("units", "signs")
#: Letters that may stand before a dollar sign: "US$5", "A$5".
DOLLAR_PREFIXES = table("units", "dollar_prefixes")
DOLLAR_PREFIXES |= {"s": "SGD", "r": "BRL", "u.s.": "USD"}
_CODES = ordered("units", "codes")
CURRENCY_CODES: dict[str, str] = {code: code.upper() for code in _CODES} | {"rs": "INR", "rmb": "CNY"}
CURRENCY_WORDS = _units("currencies")
#: Names of two words.
CURRENCY_NAMES = {
    f"{first} {word}": code
    for code, *firsts, noun in (line.replace(":", "").split() for line in lines("units", "currency_names"))
    for first in firsts
    for word in noun.split("/")
}

#: "Five business days": weekends are left out.
WORKING_DAY = Unit("bday", 1.0)

_POWERS = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency as a unit, and of how many words its name is."""

    unit: Unit
    words: int


def currency(first: str, second: str) -> Currency | None:
    """The currency that a word names, or that word and the next; None where none does."""
    low = first.lower()
    code = CURRENCY_NAMES.get(f"{low} {second}")
    if code is not None:
        return Currency(Unit(code, 1.0), 2)
    if low in CURRENCY_WORDS:
        return Currency(CURRENCY_WORDS[low], 1)
    is_code = low in CURRENCY_CODES and first.isupper()
    return Currency(Unit(CURRENCY_CODES[low], 1.0), 1) if is_code else None


def power(word: str, unit: Unit) -> Unit | None:
    """The unit after "square" or "cubic": "square feet" is in m2, "cubic metres" in litres."""
    exponent = _POWERS.get(word)
    if exponent is None or unit.base != "m":
        return None
    if exponent == 2:
        return Unit("m2", unit.factor**2)
    return Unit("l", unit.factor**3 * 1000.0)


def is_power_word(word: str) -> bool:
    """Whether a word makes the next unit one of area or volume."""
    return word in _POWERS


def per(top: Unit, bottom: Unit) -> Unit:
    """The unit of a rate: "kilometres per hour" in m/s."""
    return Unit(f"{top.base}/{bottom.base}", top.factor / bottom.factor)
