"""What a number is per: "12 euros a day", "100 requests per minute", "three times weekly", "24/7"."""

from __future__ import annotations

from pytest_grounding.lexicon import numbers
from pytest_grounding.lexicon import words as listed
from pytest_grounding.text.facts import units
from pytest_grounding.text.facts.tokens import Read, Tokens

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


def rate_at(tokens: Tokens, at: int) -> Read[units.Unit] | None:
    """The unit below the line of a rate: "per hour", "/h", "an hour", "a square foot", "daily"."""
    if tokens.word(at) == "-" and tokens.word(at + 1) in _PER and tokens.word(at + 2) == "-":
        # "£100,000-a-week"
        unit = units.WORDS.get(tokens.word(at + 3))
        return Read(_in_seconds(unit), at + 4) if unit is not None else None
    at += tokens.word(at) == "for" and tokens.word(at + 1) in _EACH
    word = tokens.word(at)
    if word in ADVERBS:
        return Read(units.Unit("s", ADVERBS[word]), at + 1)
    slash = word == "/" and (tokens.glued(at) or not tokens.glued(at - 1))
    if not slash and word not in _PER:
        return None
    low = tokens.word(at + 1)
    if low == "annum":
        return Read(units.Unit("s", 12 * MONTH_SECONDS), at + 2)
    if word in {"a", "an"} and tokens.word(at + 2) in _NO_RATE:
        return None
    if low == "calendar":
        at, low = at + 1, tokens.word(at + 2)
    if units.is_power_word(low) and tokens.word(at + 2) in units.WORDS:
        unit = units.power(low, units.WORDS[tokens.word(at + 2)])
        return Read(unit, at + 3) if unit else None
    unit = units.WORDS.get(low)
    # "per km", but not "per m", which may be a name or a million.
    may_be_short = slash or (word == "per" and len(low) > 1)
    if unit is None and may_be_short and at + 1 < len(tokens):
        unit = units.SHORT.get(tokens.raw[at + 1])
    if unit is not None:
        return Read(_in_seconds(unit), at + 2)
    # "$50 per user per month", "$50/user/month"
    again = tokens.word(at + 2) if word in {"per", "/"} and low.isalpha() else ""
    return rate_at(tokens, at + 2) if again in {"per", "/", "each"} and again else None


def rate_behind(tokens: Tokens, at: int) -> Read[units.Unit] | None:
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


def _in_seconds(unit: units.Unit) -> units.Unit:
    """A unit of time below the line in seconds, so that "per month" and "per day" can be set side by side."""
    return units.Unit("s", unit.factor * MONTH_SECONDS) if unit.base == "mo" else unit


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
