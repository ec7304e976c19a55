"""Units, currencies and rates: how they are written, and what they are in a base unit."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_grounding.lexicon import lines, numbers, ordered, table
from pytest_grounding.lexicon import words as listed
from pytest_grounding.reading.facts.tokens import Read, Tokens


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure: ``value in base = value * factor + shift``."""

    base: str  # name of the base unit of its dimension
    factor: float  # how many base units one of it is
    shift: float = 0.0  # added after multiplying (temperatures only)


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


_DAY = 86400.0
#: Mean Gregorian month, in seconds.
MONTH_SECONDS = 30.436875 * _DAY
#: Words that say how often, with the period in seconds.
ADVERBS = {word: months * MONTH_SECONDS for word, months in numbers("rates", "months").items()}
ADVERBS |= {word: days * _DAY for word, days in numbers("rates", "days").items()} | {"hourly": 3600.0}
_PER = frozenset({"per", "a", "an", "each", "every"})
_EACH = frozenset({"each", "every"})
_NO_RATE = listed("rates", "no_rate")
#: Nouns between a count and its period: "100 API requests per minute".
_NOUNS = 2


def rate_at(tokens: Tokens, at: int) -> Read[Unit] | None:
    """The unit below the line of a rate: "per hour", "/h", "an hour", "a square foot", "daily"."""
    if tokens.word(at) == "-" and tokens.word(at + 1) in _PER and tokens.word(at + 2) == "-":
        # "£100,000-a-week"
        unit = WORDS.get(tokens.word(at + 3))
        return Read(_in_seconds(unit), at + 4) if unit is not None else None
    at += tokens.word(at) == "for" and tokens.word(at + 1) in _EACH
    word = tokens.word(at)
    if word in ADVERBS:
        return Read(Unit("s", ADVERBS[word]), at + 1)
    slash = word == "/" and (tokens.glued(at) or not tokens.glued(at - 1))
    if not slash and word not in _PER:
        return None
    low = tokens.word(at + 1)
    if low == "annum":
        return Read(Unit("s", 12 * MONTH_SECONDS), at + 2)
    if word in {"a", "an"} and tokens.word(at + 2) in _NO_RATE:
        return None
    if low == "calendar":
        at, low = at + 1, tokens.word(at + 2)
    if is_power_word(low) and tokens.word(at + 2) in WORDS:
        unit = power(low, WORDS[tokens.word(at + 2)])
        return Read(unit, at + 3) if unit else None
    unit = WORDS.get(low)
    # "per km", but not "per m", which may be a name or a million.
    may_be_short = slash or (word == "per" and len(low) > 1)
    if unit is None and may_be_short and at + 1 < len(tokens):
        unit = SHORT.get(tokens.raw[at + 1])
    if unit is not None:
        return Read(_in_seconds(unit), at + 2)
    # "$50 per user per month", "$50/user/month"
    again = tokens.word(at + 2) if word in {"per", "/"} and low.isalpha() else ""
    return rate_at(tokens, at + 2) if again in {"per", "/", "each"} and again else None


def rate_behind(tokens: Tokens, at: int) -> Read[Unit] | None:
    """The period behind what a measure is of: "45 litres of water per second"."""
    if tokens.word(at) != "of":
        return None
    for place in range(at + 2, at + 2 + _NOUNS):
        if not tokens.word(place - 1).isalpha():
            return None
        word = tokens.word(place)
        if word in _PER or word in ADVERBS:
            rate = rate_at(tokens, place)
            return rate if rate is not None and rate.what.base == "s" else None
    return None


def _in_seconds(unit: Unit) -> Unit:
    """A unit of time below the line in seconds, so that "per month" and "per day" can be set side by side."""
    return Unit("s", unit.factor * MONTH_SECONDS) if unit.base == "mo" else unit


def period_of_count(tokens: Tokens, after: int) -> Read[float] | None:
    """The period that a count of things is said of, in seconds, and the token behind it."""
    low = tokens.low
    # "Twice-daily"
    after += after < len(low) and low[after] == "-" and tokens.word(after + 1) in ADVERBS
    for at in range(after, min(after + 1 + _NOUNS, len(low))):
        word = low[at]
        if word in _PER or word in ADVERBS or word == "/":
            rate = rate_at(tokens, at)
            return Read(rate.what.factor, rate.after) if rate and rate.what.base == "s" else None
        if not word.isalpha():
            break
    return None


def around_the_clock(tokens: Tokens, index: int) -> int | None:
    """The token behind "24/7", "24 hours a day, seven days a week" or "around the clock", or None."""
    word = tokens.low[index]
    if word in {"around", "round"}:
        step = 2 if tokens.word(index + 1) == "-" else 1
        is_clock = tokens.word(index + step) == "the" and tokens.word(index + 2 * step) == "clock"
        return _all_week(tokens, index + 2 * step + 1) if is_clock else None
    if word == "all":
        ahead = [tokens.word(index + step) for step in range(1, 5) if tokens.word(index + step) != ","]
        is_always = ahead[:3] == ["day", "every", "day"]
        return index + 4 + (tokens.word(index + 2) == ",") if is_always else None
    at = index + 1
    if word == "twenty" and tokens.word(at) == "-" and tokens.word(at + 1) == "four":
        at += 2
    elif word != "24":
        return None
    if tokens.word(at) in {"/", "x", "×"} and tokens.glued(index) and tokens.word(at + 1) == "7":
        return None if tokens.word(at + 2) in {"/", "."} and tokens.word(at + 3)[:1].isdigit() else at + 2
    if (
        tokens.word(at) not in {"hours", "hrs"}
        or tokens.word(at + 1) not in _PER
        or tokens.word(at + 2) != "day"
    ):
        return None
    return _all_week(tokens, at + 3)


def _all_week(tokens: Tokens, at: int) -> int:
    """The token behind "seven days a week" or "every day of the week" at a token, or that token itself."""
    start = at + (tokens.word(at) == ",")
    start += tokens.word(start) == "and"
    ahead = [tokens.word(start + step) for step in range(5)]
    if ahead[0] in {"7", "seven"} and ahead[1] == "days" and ahead[2] in _PER and ahead[3] == "week":
        return start + 4
    if ahead[:2] == ["every", "day"]:
        return start + (5 if ahead[2:] == ["of", "the", "week"] else 2)
    return at
