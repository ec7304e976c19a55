"""Quantities with their units, currencies and rates, in a base unit."""

from __future__ import annotations

from typing import NamedTuple

from pytest_grounding.lexicon import lines, numbers, ordered, table
from pytest_grounding.lexicon import words as listed
from pytest_grounding.reading.facts.fact import Bound, FactKind
from pytest_grounding.reading.facts.limits import Limit, limit_at
from pytest_grounding.reading.facts.numerals import (
    MAGNITUDES,
    Numeral,
    Read,
    Tokens,
    part_after,
    read_number,
    rounded,
)

CURRENCY_SIGNS = table("units", "signs")  # symbols of currencies to codes
DOLLAR_PREFIXES = table("units", "dollar_prefixes")
DOLLAR_PREFIXES |= {"s": "SGD", "r": "BRL", "u.s.": "USD"}
_CODES = ordered("units", "codes")
CURRENCY_CODES: dict[str, str] = {code: code.upper() for code in _CODES} | {"rs": "INR", "rmb": "CNY"}
CURRENCY_NAMES: dict[str, str] = {}
for _line in lines("units", "currency_names"):
    _code, *_firsts, _noun = _line.replace(":", "").split()
    CURRENCY_NAMES |= {f"{first} {word}": _code for first in _firsts for word in _noun.split("/")}
_BEFORE_YEARS = listed("facts", "before_years")
_FIRST_YEAR, _LAST_YEAR = 1000, 2199
_POWERS = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}
_DAY = 86400.0
MONTH_SECONDS = 30.436875 * _DAY  # mean Gregorian month, in seconds
#: Words for frequencies, with the period in seconds.
ADVERBS = {word: months * MONTH_SECONDS for word, months in numbers("rates", "months").items()}
ADVERBS |= {word: days * _DAY for word, days in numbers("rates", "days").items()} | {"hourly": 3600.0}
_PER = frozenset({"per", "a", "an", "each", "every"})
_EACH = frozenset({"each", "every"})
_NO_RATE = listed("rates", "no_rate")
_NOUNS = 2  # nouns between a count and its period: "100 API requests per minute"
_ON = listed("rates", "behind spans")
_LASTING, _SINCE = listed("limits", "lasting"), listed("limits", "since")
_BASES = frozenset({"s", "mo", "bday"})
_PERCENT = frozenset({"%", "percent", "pct", "percentage", "per-cent"})
#: Words between a number and a unit of time: "five business days".
_SORTS_OF_DAYS = frozenset({"business", "working", "calendar", "consecutive", "full"})
_WORKING = frozenset({"business", "working"})  # those that exclude weekends
_THIRD_SLACK = 0.5  # percentages for thirds and sixths are rounded
_MILLE = frozenset({"mille", "mil", "thousand"})
_RESOLUTIONS = listed("numerals", "resolutions")
_DASHES = frozenset({"-", "–", "—", "‑", "−"})
_MINUS = frozenset({"-", "–", "−"})
#: What may directly precede a minus sign; after anything else it is a hyphen or a range.
_BEFORE_MINUS = frozenset("([{=:/<>≤≥~≈$€£\"'“‘|")
_LINE = 40  # words of a line that are searched for its ends
_SPANS = frozenset({"s", "mo", "bday"})
_CENTS, _CENTS_OF = listed("units", "cents"), listed("units", "cents of")  # "Ten US cents"
_TAXED = ("gross", "net")
_SAFE_AFTER_BLANK = frozenset({"m", "g", "l", "s", "F", "C", "V", "W", "A"})  # also read after a blank
_AMPERE = "A"  # also an article


class Unit(NamedTuple):
    """A unit of measure: ``value in base = value * factor + shift``."""

    base: str  # base unit of its dimension
    factor: float  # number of base units
    shift: float = 0.0  # added after multiplying (temperatures only)


def _units(section: str) -> dict[str, Unit]:
    named = table("units", section)
    units = {}
    # One row per unit, whatever its names.
    for value in set(named.values()):
        base, *numbers = value.split()
        units[value] = Unit(base, *map(float, numbers))
    return {name: units[value] for name, value in named.items()}


WORDS = _units("words")  # words, in lower case
SHORT = _units("short")  # abbreviations whose case counts; read only right after digits
CURRENCY_WORDS = _units("currencies")
WORKING_DAY = Unit("bday", 1.0)  # "Five business days": without weekends


class Currency(NamedTuple):
    """A currency as a unit, and the number of words in its name."""

    unit: Unit
    words: int


def currency(first: str, second: str) -> Currency | None:
    """The currency named by a word, or by that word and the next; None if neither."""
    low = first.lower()
    code = CURRENCY_NAMES.get(f"{low} {second}")
    if code is not None:
        return Currency(Unit(code, 1.0), 2)
    if low in _CENTS_OF and second in _CENTS:
        return Currency(CURRENCY_WORDS[second], 2)
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
    """Whether a word turns the next unit into one of area or volume."""
    return word in _POWERS


def per(top: Unit, bottom: Unit) -> Unit:
    """The unit of a rate: "kilometres per hour" in m/s."""
    return Unit(f"{top.base}/{bottom.base}", top.factor / bottom.factor)


def rate_at(tokens: Tokens, at: int) -> Read[Unit] | None:
    """The denominator of a rate: "per hour", "/h", "an hour", "a square foot", "daily"."""
    if tokens.low[at] == "for" and tokens.low[at + 1] in _EACH:
        at += 1
    word = tokens.low[at]
    if word in ADVERBS:
        return Read(Unit("s", ADVERBS[word]), at + 1)
    slash = word == "/" and (tokens.glued(at) or not tokens.glued(at - 1))
    if not slash and word not in _PER:
        return None
    low = tokens.low[at + 1]
    if low == "annum":
        return Read(Unit("s", 12 * MONTH_SECONDS), at + 2)
    if word in {"a", "an"} and tokens.low[at + 2] in _NO_RATE:
        return None
    if is_power_word(low) and tokens.low[at + 2] in WORDS:
        unit = power(low, WORDS[tokens.low[at + 2]])
        return Read(unit, at + 3) if unit else None
    unit = WORDS.get(low)
    # "per km", but not "per m", which may be a name or a million.
    may_be_short = slash or (word == "per" and len(low) > 1)
    if unit is None and may_be_short and at + 1 < len(tokens):
        unit = SHORT.get(tokens.raw[at + 1])
    if unit is not None:
        return Read(Unit("s", unit.factor * MONTH_SECONDS) if unit.base == "mo" else unit, at + 2)
    # "$50 per user per month", "$50/user/month"
    again = tokens.low[at + 2] if word in {"per", "/"} and low.isalpha() else ""
    return rate_at(tokens, at + 2) if again in {"per", "/", "each"} and again else None


def rate_after(tokens: Tokens, at: int) -> Read[Unit] | None:
    """The period after the thing that is measured: "45 litres of water per second"."""
    if tokens.low[at] != "of":
        return None
    for place in range(at + 2, at + 2 + _NOUNS):
        if not tokens.low[place - 1].isalpha():
            return None
        word = tokens.low[place]
        if word in _PER or word in ADVERBS:
            rate = rate_at(tokens, place)
            return rate if rate is not None and rate.what.base == "s" else None
    return None


def period_of_count(tokens: Tokens, after: int) -> Read[float] | None:
    """The period of a count in seconds, and the token after it."""
    low = tokens.low
    # "Twice-daily"
    if low[after] == "-" and low[after + 1] in ADVERBS:
        after += 1
    for at in range(after, min(after + 1 + _NOUNS, len(tokens))):
        word = low[at]
        if word in _PER or word in ADVERBS or word == "/":
            rate = rate_at(tokens, at)
            return Read(rate.what.factor, rate.after) if rate and rate.what.base == "s" else None
        if not word.isalpha():
            break
    return None


def around_the_clock(tokens: Tokens, index: int) -> int | None:
    """The token after "24/7", "24 hours a day, seven days a week" or "around the clock", or None."""
    word = tokens.low[index]
    if word in {"around", "round"}:
        step = 2 if tokens.low[index + 1] == "-" else 1
        is_clock = tokens.low[index + step] == "the" and tokens.low[index + 2 * step] == "clock"
        return _all_week(tokens, index + 2 * step + 1) if is_clock else None
    if word == "all":
        ahead = [tokens.low[index + step] for step in range(1, 5) if tokens.low[index + step] != ","]
        is_always = ahead[:3] == ["day", "every", "day"]
        return tokens.past(index + 2, (",",)) + 2 if is_always else None
    at = index + 1
    if word == "twenty" and tokens.low[at] == "-" and tokens.low[at + 1] == "four":
        at += 2
    elif word != "24":
        return None
    if tokens.low[at] in {"/", "x", "×"} and tokens.glued(index) and tokens.low[at + 1] == "7":
        return None if tokens.low[at + 2] in {"/", "."} and tokens.low[at + 3][:1].isdigit() else at + 2
    hours, per, day = tokens.low[at : at + 3]
    if hours not in {"hours", "hrs"} or per not in _PER or day != "day":
        return None
    return _all_week(tokens, at + 3)


def _all_week(tokens: Tokens, at: int) -> int:
    """The token after "seven days a week" or "every day of the week", or the given token."""
    start = tokens.past(tokens.past(at, (",",)), ("and",))
    ahead = [tokens.low[start + step] for step in range(5)]
    if ahead[0] in {"7", "seven"} and ahead[1] == "days" and ahead[2] in _PER and ahead[3] == "week":
        return start + 4
    if ahead[:2] == ["every", "day"]:
        return start + (5 if ahead[2:] == ["of", "the", "week"] else 2)
    return at


def unit_of_time(tokens: Tokens, at: int) -> Unit | None:
    """The unit of time at a token, long or short: "hours", "h"."""
    unit = WORDS.get(tokens.low[at])
    if unit is None and at < len(tokens):
        unit = SHORT.get(tokens.raw[at])
    return unit if unit is not None and unit.base in _BASES else None


def smaller_span(tokens: Tokens, at: int, unit: Unit, *, is_in_words: bool) -> Read[float] | None:
    """The rest of a span in a smaller unit, as a fraction of the larger: "two months" after "a year and"."""
    is_joined = tokens.low[at] == "and"
    at = tokens.past(at, ("and",))
    number = read_number(tokens, at) if at < len(tokens) else None
    smaller = unit_of_time(tokens, number.after) if number is not None else None
    if number is None or smaller is None or smaller.base != unit.base:
        return None
    is_one_style = is_in_words == number.words or is_joined
    if not is_one_style or tokens.low[number.after + 1] in _ON:
        # "A break after nine hours 45 minutes", "six hours and 45 minutes after nine hours" are two values.
        return None
    part = number.value * smaller.factor / unit.factor
    is_rest = 0 < part < 1 and rate_at(tokens, number.after + 1) is None
    return Read(part, number.after + 1) if is_rest else None


class Measure(NamedTuple):
    """A number with its unit, as read."""

    start: int  # first token; `after` is the token after its unit
    after: int
    value: float  # in the base unit, as `high`, the upper end of a range, and `slack`
    high: float
    unit: str
    kind: FactKind
    slack: float = 0.0
    approximate: bool = False
    bound: Bound = ""
    strict: bool = False  # whether the bound excludes the number itself
    per: float = 0.0  # period of a count, in seconds; 0 without one
    behind: int = 0  # the token after that period; 0 without one
    limit: Limit | None = None  # the words around it that bound it


class _Currency(NamedTuple):
    """The first token of a measure, its currency or "", and the index of its number."""

    start: int
    code: str
    at: int


class _UnitRead(NamedTuple):
    unit: Unit
    after: int
    kind: FactKind


def read_measure(tokens: Tokens, index: int) -> Measure | None:
    """The number that starts at a token (or at the currency sign there) with all that belongs to it."""
    span = _span_and_part(tokens, index, 1.0) if tokens.low[index] in {"a", "an"} else None
    if span is not None:
        return _with_hedges(tokens, span)
    money = _currency_before(tokens, index)
    signed = _signed_number(tokens, money)
    if signed is None:
        return None
    (number, start), currency = signed, money.code
    share = _one_in_many(tokens, start, number) if not currency else None
    if share is not None:
        return _with_hedges(tokens, share)
    low = _with_unit(tokens, start, number, currency)
    if low is None:
        return None
    # The "h" of "1 h 30 min" is known as a unit from what follows.
    behind = {"duration": number.after + 1, "number": number.after}
    if low.after == behind.get(low.kind):
        low = _span_and_part(tokens, start, number.value, number.after) or low
    full = _with_range(tokens, low, number, currency)
    return _with_hedges(tokens, full)


def _span_and_part(tokens: Tokens, start: int, count: float, at: int = -1) -> Measure | None:
    """A span of time with a fraction after it: "an hour and a quarter", "two years and a half"."""
    at = start + 1 if at < 0 else at
    unit = unit_of_time(tokens, at)
    is_denominator = tokens.low[start] == "a" and tokens.low[start - 1][:1].isdecimal()
    if unit is None or is_denominator:
        return None  # "60 a year and a half ticket 35"
    is_in_words = not tokens.low[start][0].isdecimal()
    part = part_after(tokens, at + 1) or smaller_span(tokens, at + 1, unit, is_in_words=is_in_words)
    if part is None or tokens.low[part.after] == "of":
        return None
    value = float(f"{(count + part.what) * unit.factor:.12g}")
    return Measure(start, part.after, value, value, unit.base, "duration")


def _signed_number(tokens: Tokens, money: _Currency) -> tuple[Numeral, int] | None:
    """The number after an optional currency, negative if a minus precedes either, and the first token."""
    # "€-12"
    inner = money.at > money.start and tokens.low[money.at] in _MINUS and tokens.glued(money.at)
    at = money.at + 1 if inner else money.at
    number = read_number(tokens, at) if at < len(tokens) else None
    if number is None:
        return None
    if inner:
        return number._replace(value=-number.value), money.start
    if _is_minus(tokens, money.start - 1):
        return number._replace(value=-number.value), money.start - 1
    return number, money.start


def _is_minus(tokens: Tokens, at: int) -> bool:
    """Whether a token makes the next number negative: "−12", "-12", "minus 12"; not "10-12", "A-12"."""
    sign = tokens.low[at] if at >= 0 else ""
    if sign in {"minus", "negative"}:
        return not tokens.low[at - 1][:1].isdecimal()
    if sign not in _MINUS or not tokens.glued(at):
        return False
    before = tokens.low[at - 1]
    if at == 0 or before == "\n":
        # At the start of a line a hyphen is a bullet, if another line begins with one.
        return sign == "−" or (at > 0 and not _is_in_list(tokens, at))
    if before[:1].isdecimal():
        return False
    return not tokens.glued(at - 1) or before in _BEFORE_MINUS


def _is_in_list(tokens: Tokens, at: int) -> bool:
    """Whether a line that begins with a hyphen has no line beside it, or one that begins so too."""
    ends = range(at, min(at + _LINE, len(tokens) - 1))
    starts = range(at - 2, max(-1, at - 2 - _LINE), -1)
    below = next((place + 1 for place in ends if tokens.low[place] == "\n"), at)
    above = next((place + 1 for place in starts if tokens.low[place] == "\n"), 0)
    is_alone = below == at and tokens.low[above] == "\n"
    return is_alone or (below > at and tokens.low[below] in _MINUS) or tokens.low[above] in _MINUS


def _one_in_many(tokens: Tokens, start: int, number: Numeral) -> Measure | None:
    """A share such as "3 in 10 women" or "two out of five", as a percentage."""
    at = number.after
    if tokens.low[at] == "out" and tokens.low[at + 1] == "of":
        at += 1
    elif tokens.low[at] != "in":
        return None
    whole = read_number(tokens, at + 1) if at + 1 < len(tokens) else None
    if whole is None or not 0 < number.value < whole.value or whole.plain:
        return None
    # "1 in 2019" and "5 in 24 hours" are not shares.
    if whole.value not in {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 20, 50, 100, 1000, 10000, 100000, 1000000}:
        return None
    if _unit_at(tokens, whole.after, whole) is not None or tokens.low[whole.after] in _PERCENT:
        return None
    share = 100 * number.value / whole.value
    return Measure(start, whole.after, share, share, "%", "percent")


def _currency_before(tokens: Tokens, index: int) -> _Currency:
    raw, low = tokens.raw[index], tokens.low[index]
    if raw in CURRENCY_SIGNS:
        code = CURRENCY_SIGNS[raw]
        start = index
        if raw == "$" and index and tokens.glued(index - 1) and tokens.low[index - 1] in DOLLAR_PREFIXES:
            code, start = DOLLAR_PREFIXES[tokens.low[index - 1]], index - 1
        return _Currency(start, code, index + 1)
    if low in CURRENCY_CODES and (tokens.raw[index].isupper() or low == "rs"):
        at = index + 1
        if low == "rs" and tokens.low[at] == ".":
            at += 1
        return _Currency(index, CURRENCY_CODES[low], at)
    return _Currency(index, "", index)


def _with_unit(tokens: Tokens, start: int, number: Numeral, currency: str) -> Measure | None:
    after, value, slack = number.after, number.value, number.slack
    if currency:
        # "$5m" is millions, since lengths have no currency sign; so is "$ 5 m", with blanks everywhere.
        joined = tokens.glued(after - 1) or not tokens.glued(start)
        factor = {"m": 1e6, "b": 1e9, "t": 1e12}.get(tokens.low[after]) if joined else None
        if factor is not None:
            value, slack, after = value * factor, rounded(value, slack, factor), after + 1
        unit = Unit(currency, 1.0)
        return _scaled(tokens, start, after, value, slack, unit, "money")
    points = _points(tokens, after, number)
    if points is not None:
        base, factor, end = points
        value = float(f"{value * factor:.12g}")
        return Measure(start, end, value, value, base, "percent", slack * factor)
    if tokens.low[after] == "per" and tokens.low[after + 1] == "cent":
        return _percentage(tokens, start, after + 2, value, slack)
    mille = tokens.past(after, ("per",))
    if tokens.low[after] == "‰" or (mille > after and tokens.low[mille] in _MILLE):
        end = mille + 1
        return _percentage(tokens, start, end, float(f"{value / 10:.12g}"), slack / 10)
    if tokens.low[after] in _PERCENT and not (tokens.low[after] == "percentage" and number.words):
        return _percentage(tokens, start, after + 1, value, slack)
    height = _feet_and_inches(tokens, after, number)
    if height is not None:
        return Measure(start, height.after, height.what, height.what, "m", "quantity")
    found = _unit_at(tokens, after, number)
    if found is not None:
        return _scaled(tokens, start, found.after, value, slack, found.unit, found.kind)
    if number.share and (number.words or tokens.low[after] == "of"):
        is_of_all = tokens.low[after] in {"of", "the", "as"} or not tokens.low[after][:1].isalpha()
        if is_of_all or tokens.low[start - 1] == "by":
            # "Two thirds" are 67 %.
            if not slack and round(100 * value, 6) % 1 > 0:
                slack = _THIRD_SLACK
            return Measure(start, after, 100 * value, 100 * value, "%", "percent", slack)
        return Measure(start, after, value, value, "", "number", slack)
    if number.comma:
        return None
    per, behind = period_of_count(tokens, after) or (0.0, 0)
    return Measure(start, after, value, value, "", "number", slack, per=per, behind=behind)


def _points(tokens: Tokens, after: int, number: Numeral) -> tuple[str, float, int] | None:
    """The unit, factor and end of percentage points and basis points, which are not percentages."""
    if number.share:
        after = tokens.past(tokens.past(after, ("of",)), ("a", "an"))
    word, following = tokens.low[after], tokens.low[after + 1]
    if word in {"percentage", "percent", "%"} and following in {"points", "point"}:
        return "pp", 1.0, after + 2
    after = tokens.past(after, ("-",))
    if word == "basis" and following in {"points", "point"}:
        return "bp", 0.01, after + 2
    if word in {"bps", "bp"} and not number.words:
        return "bp", 0.01, after + 1
    return ("pp", 1.0, after + 1) if word == "pp" and not number.words else None


def _percentage(tokens: Tokens, start: int, after: int, value: float, slack: float) -> Measure:
    """A percentage, with its period: "3 % a year"."""
    rate = rate_at(tokens, after)
    if rate is None or rate.what.base != "s":
        return Measure(start, after, value, value, "%", "percent", slack)
    per, behind = rate.what.factor, rate.after
    return Measure(start, after, value, value, "%", "percent", slack, per=per, behind=behind)


def _feet_and_inches(tokens: Tokens, after: int, number: Numeral) -> Read[float] | None:
    """A height such as 5'9" in metres."""
    if tokens.low[after] not in {"'", "’", "′"} or not (tokens.glued(after - 1) and tokens.glued(after)):
        return None
    inches = tokens.low[after + 1]
    if len(inches) > 2 or not inches.isdecimal() or not 2 < number.value < 9 or int(inches) > 11:
        return None
    metres = round(0.3048 * number.value + 0.0254 * int(inches), 4)
    return Read(metres, tokens.past(after + 2, ('"', "”", "″")))


def _scaled(
    tokens: Tokens, start: int, after: int, value: float, slack: float, unit: Unit, kind: FactKind
) -> Measure:
    # "640 dollars net a month"
    rate = rate_at(tokens, tokens.past(after, _TAXED)) or rate_after(tokens, after)
    if unit.base == "times":
        # Counts keep their number, so that "twice" can be compared with "twice a day".
        period = rate.what.factor if rate is not None and rate.what.base == "s" else 0.0
        end = rate.after if rate is not None and period else 0
        return Measure(start, after, value, value, unit.base, kind, slack, per=period, behind=end)
    if rate is not None and not unit.shift:
        unit, after, kind = per(unit, rate.what), rate.after, "quantity"
    base = value * unit.factor + unit.shift
    # Powers of ten leave float errors ("5.1 km"): rounded away far below any written precision.
    base = float(f"{base:.12g}")
    return Measure(start, after, base, base, unit.base, kind, slack * unit.factor)


def _unit_at(tokens: Tokens, after: int, number: Numeral) -> _UnitRead | None:
    at = after
    is_plus = tokens.low[at] == "+"
    is_hyphen = tokens.low[at] in _DASHES and tokens.glued(at)
    if (is_plus or is_hyphen) and tokens.glued(at - 1):
        at += tokens.low[at + 1][:1].isalpha()
    if tokens.low[at] == "of" and number.share and tokens.low[at + 1] in {"a", "an"}:
        at += 2
    low = tokens.low[at]
    if low in _SORTS_OF_DAYS and tokens.low[at + 1] in WORDS:
        if low in _WORKING and tokens.low[at + 1] in {"day", "days"}:
            return _UnitRead(WORKING_DAY, at + 2, "duration")
        at += 1
        low = tokens.low[at]
    if not low:
        return None
    if low == "°":
        scale = SHORT.get(tokens.raw[at + 1]) if at + 1 < len(tokens) else None
        if scale is not None and scale.base == "degC":
            return _UnitRead(scale, at + 2, "quantity")
        return _UnitRead(WORDS["degrees"], at + 1, "quantity")
    # "In 2021 €4m": the sign belongs to the next number.
    is_next = tokens.glued(at) and tokens.low[at + 1][:1].isdecimal()
    if low in CURRENCY_SIGNS and at == after and not is_next:
        return _UnitRead(Unit(CURRENCY_SIGNS[low], 1.0), at + 1, "money")
    found = currency(tokens.raw[at], tokens.low[at + 1])
    if found is not None:
        return _UnitRead(found.unit, at + found.words, "money")
    if is_power_word(low):
        unit = WORDS.get(tokens.low[at + 1]) or SHORT.get(tokens.low[at + 1])
        unit = power(low, unit) if unit else None
        return _UnitRead(unit, at + 2, "quantity") if unit else None
    return _plain_unit(tokens, at, number)


def _plain_unit(tokens: Tokens, at: int, number: Numeral) -> _UnitRead | None:
    raw, low = tokens.raw[at], tokens.low[at]
    if raw == "p" and tokens.glued(at - 1) and not number.words:
        # "1080p" is a resolution.
        goes_on = tokens.glued(at) and tokens.low[at + 1][:1].isalnum()
        is_picture = tokens.raw[at - 1] in _RESOLUTIONS or goes_on
        return None if is_picture else _UnitRead(Unit("GBP", 0.01), at + 1, "money")
    unit = SHORT.get(raw) if not number.words else None
    if unit is not None and len(raw) == 1 and not (tokens.glued(at - 1) or raw in _SAFE_AFTER_BLANK):
        unit = None
    if raw == _AMPERE and tokens.low[at + 1].isalpha():
        # "Since 2016 A new rule …"
        unit = None
    unit = unit or WORDS.get(low) or WORDS.get(low.removesuffix("'s"))
    if unit is None:
        return None
    if low in {"degree", "degrees"} and at + 1 < len(tokens):
        scale = WORDS.get(tokens.low[at + 1]) or SHORT.get(tokens.raw[at + 1])
        if scale is not None and scale.base == "degC":
            return _UnitRead(scale, at + 2, "quantity")
    if low in {"square", "second"} and number.words and number.value == 1:
        return None
    exponent = {"2": 2, "²": 2, "3": 3, "³": 3}.get(tokens.low[at + 1]) if tokens.glued(at) else None
    if exponent and unit.base == "m":
        area = power("square" if exponent == 2 else "cubic", unit)
        return _UnitRead(area, at + 2, "quantity") if area else None
    is_span = unit.base in _SPANS
    if is_span and number.words and number.value > 1 and _names_a_sort(tokens, at):
        return None
    return _UnitRead(unit, at + 1, "duration" if is_span else "quantity")


def _names_a_sort(tokens: Tokens, at: int) -> bool:
    """Whether a unit of time stands before what is counted: "two day tickets"."""
    word, following = tokens.low[at], tokens.low[at + 1]
    is_apart = not word.endswith("s") and not tokens.glued(at - 1)
    return is_apart and following.isalpha() and following.endswith("s") and following not in WORDS


def _is_year_named(tokens: Tokens, low: Measure) -> bool:
    """Whether a number is a year and no end of a range: "from 60 million in 2020 to 48 million in 2021"."""
    is_year = not low.unit and low.value.is_integer() and _FIRST_YEAR <= low.value <= _LAST_YEAR
    return is_year and not _BEFORE_YEARS.isdisjoint(tokens.low[max(0, low.start - 2) : low.start])


def _with_range(tokens: Tokens, low: Measure, first: Numeral, currency: str) -> Measure:
    """Join "10" with "–20 km", "to 20 km", "and 20 km" (after "between")."""
    link = tokens.low[low.after]
    between = link == "and" and tokens.low[low.start - 1] == "between"
    if link not in _DASHES and link != "to" and not between:
        return low
    if link in _DASHES and low.unit and tokens.low[low.after + 1][:1].isalpha():
        return low
    if low.after + 1 >= len(tokens) or _is_year_named(tokens, low):
        return low
    money = _currency_before(tokens, low.after + 1)
    code, at = money.code, money.at
    negative = tokens.low[at] in _MINUS and tokens.glued(at)
    second = read_number(tokens, at + negative) if at + negative < len(tokens) else None
    if second is not None and negative:
        second = second._replace(value=-second.value)
    is_other_currency = bool(currency and code) and code != currency
    if second is None or is_other_currency or (second.words and not first.words):
        return low
    high = _with_unit(tokens, money.start, second, code or currency)
    if high is None:
        return low
    value = low.value
    if low.unit != high.unit:
        if low.unit and low.unit != high.unit.partition("/")[0]:
            return low
        own = _with_unit(tokens, low.start, first._replace(after=second.after), currency or code)
        if own is None or own.unit != high.unit:
            return low
        value = own.value
    magnitude = MAGNITUDES.get(tokens.low[second.after - 1])
    if magnitude is not None and first.after == low.after and first.value < second.value / magnitude:
        # "5-10 million": the magnitude applies to both.
        value = high.value * first.value * magnitude / second.value
    if first.plain and second.plain and link in _DASHES:
        return low
    if value > high.value and not high.unit:
        return low
    if value > high.value and high.value < 0:
        value, high = high.value, high._replace(value=value)  # "Between -18 and -30 °C"
    return low._replace(
        after=high.after,
        value=value,
        high=high.value,
        unit=high.unit,
        kind=high.kind,
        slack=0.0,
        per=high.per,
        behind=high.behind,
    )


def _with_hedges(tokens: Tokens, measure: Measure) -> Measure:
    """Read the words before and after a measure: "about", "at least", "or more", "20+"."""
    limit = limit_at(tokens, measure.start, measure.after)
    if "+" in tokens.raw[measure.start : measure.after]:
        limit = limit or Limit("", False, False, measure.start, measure.after)
        limit = limit._replace(bound="min", strict=False)
    if limit is None:
        return measure
    bound, strict = limit.bound, limit.strict
    if measure.kind == "duration" and tokens.low[limit.first] == "over":
        # "Over two years" may also mean "in the course of two years".
        bound, strict = bound if _is_lasting(tokens, limit) else "", False
    return measure._replace(bound=bound, strict=strict, approximate=limit.approximate, limit=limit)


def _is_lasting(tokens: Tokens, limit: Limit) -> bool:
    """Whether "over" a time means more than it: "for over two years", "over two years ago"."""
    is_opening = limit.first == 0
    return is_opening or tokens.low[limit.first - 1] in _LASTING or tokens.low[limit.after] in _SINCE
