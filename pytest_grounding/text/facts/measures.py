"""Reading numbers with what belongs to them: unit, currency, percentage, range, hedge, bound."""

from __future__ import annotations

from dataclasses import replace

from pytest_grounding._frozen import frozen
from pytest_grounding.text.facts import units
from pytest_grounding.text.facts.base import Bound, FactKind
from pytest_grounding.text.facts.numerals import MAGNITUDES, Numeral, read_number
from pytest_grounding.text.facts.tokens import Tokens, words

_PERCENT = frozenset({"%", "percent", "pct", "percentage", "per-cent"})
#: What may stand between a number and a span of time: "five business days".
_SORTS_OF_DAYS = frozenset({"business", "working", "calendar", "consecutive", "full"})
_DASHES = frozenset({"-", "–", "—", "‑", "−"})
_TENS = {"s": "duration", "mo": "duration"}
_APPROXIMATE = frozenset(
    words("about around approximately approx roughly nearly almost circa ca c some estimated ~ ≈ near")
)
_MIN_WORDS = frozenset({"over", "above", "exceeding", "exceeds", "exceed", "minimum", ">", "≥"})
_MAX_WORDS = frozenset({"under", "below", "within", "maximum", "max", "<", "≤"})
#: Units of one letter that are read after a blank too.
_SAFE_AFTER_BLANK = frozenset({"m", "g", "l", "s", "F", "C"})


@frozen
class Measure:
    """A number with its unit, as it was read."""

    start: int
    after: int
    value: float
    high: float
    unit: str
    kind: FactKind
    slack: float = 0.0
    approximate: bool = False
    bound: Bound = ""


def read_measure(tokens: Tokens, index: int) -> Measure | None:
    """The number that starts at a token (or at the currency sign there) with all that belongs to it."""
    start, currency, at = _currency_before(tokens, index)
    if at >= len(tokens):
        return None
    number = read_number(tokens, at)
    if number is None:
        return None
    share = _one_in_many(tokens, start, number) if not currency else None
    if share is not None:
        return _with_hedges(tokens, share)
    low = _with_unit(tokens, start, number, currency)
    if low is None:
        return None
    full = _with_range(tokens, low, number, currency)
    return _with_hedges(tokens, full)


def _one_in_many(tokens: Tokens, start: int, number: Numeral) -> Measure | None:
    """A share such as "3 in 10 women" or "two out of five", as a percentage."""
    at = number.after
    if tokens.word(at) == "out" and tokens.word(at + 1) == "of":
        at += 1
    elif tokens.word(at) != "in":
        return None
    whole = read_number(tokens, at + 1) if at + 1 < len(tokens) else None
    if whole is None or not 0 < number.value < whole.value or whole.plain:
        return None
    # "1 in 2019" and "5 in 24 hours" are no shares.
    if whole.value not in {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 20, 50, 100, 1000, 10000, 100000, 1000000}:
        return None
    if _unit_at(tokens, whole.after, whole) is not None or tokens.word(whole.after) in _PERCENT:
        return None
    share = 100 * number.value / whole.value
    return Measure(start, whole.after, share, share, "%", "percent")


def _currency_before(tokens: Tokens, index: int) -> tuple[int, str, int]:
    """Where the measure starts, its currency ("" without one) and where its number starts."""
    raw, low = tokens.raw[index], tokens.low[index]
    if raw in units.CURRENCY_SIGNS:
        code = units.CURRENCY_SIGNS[raw]
        start = index
        if (
            raw == "$"
            and index
            and tokens.glued(index - 1)
            and tokens.low[index - 1] in units.DOLLAR_PREFIXES
        ):
            code, start = units.DOLLAR_PREFIXES[tokens.low[index - 1]], index - 1
        return start, code, index + 1
    if low in units.CURRENCY_CODES and (tokens.raw[index].isupper() or low == "rs"):
        at = index + 1
        if low == "rs" and tokens.word(at) == ".":
            at += 1
        return index, units.CURRENCY_CODES[low], at
    return index, "", index


def _with_unit(tokens: Tokens, start: int, number: Numeral, currency: str) -> Measure | None:
    after, value, slack = number.after, number.value, number.slack
    if currency:
        # "$5m" is millions, as no length has a price sign.
        factor = {"m": 1e6, "b": 1e9, "t": 1e12}.get(tokens.word(after)) if tokens.glued(after - 1) else None
        if factor is not None:
            value, slack, after = (
                value * factor,
                min((slack or 0.5) * factor, 0.05 * value * factor),
                after + 1,
            )
        if tokens.word(after) in units.CURRENCY_WORDS or tokens.word(after).upper() == currency:
            after += 1
        unit = units.Unit(currency, 1.0)
        return _scaled(tokens, start, after, value, slack, unit, "money")
    if tokens.word(after) == "per" and tokens.word(after + 1) == "cent":
        return Measure(start, after + 2, value, value, "%", "percent", slack)
    if tokens.word(after) in _PERCENT:
        points = tokens.word(after) == "percentage" and tokens.word(after + 1) in {"points", "point"}
        if tokens.word(after) != "percentage" or points or not number.words:
            return Measure(start, after + 1 + points, value, value, "%", "percent", slack)
    found = _unit_at(tokens, after, number)
    if found is not None:
        unit, after, kind = found
        return _scaled(tokens, start, after, value, slack, unit, kind)
    if number.share and number.words:
        if tokens.word(after) in {"of", "the", "as"} or not tokens.word(after)[:1].isalpha():
            return Measure(start, after, 100 * value, 100 * value, "%", "percent", slack)
        return Measure(start, after, value, value, "", "number", slack)
    if number.comma:
        return None
    return Measure(start, after, value, value, "", "number", slack)


def _scaled(
    tokens: Tokens, start: int, after: int, value: float, slack: float, unit: units.Unit, kind: FactKind
) -> Measure:
    rate = _rate_at(tokens, after)
    if rate is not None and not unit.shift and unit.base != "times":
        unit, after, kind = units.per(unit, rate[0]), rate[1], "quantity"
    base = value * unit.factor + unit.shift
    # Powers of ten leave dust ("5.1 km"): rounded away far below any written precision.
    base = float(f"{base:.12g}")
    return Measure(start, after, base, base, unit.base, kind, slack * unit.factor)


def _unit_at(tokens: Tokens, after: int, number: Numeral) -> tuple[units.Unit, int, FactKind] | None:
    """The unit at a token, the token after it and the kind of fact that it makes."""
    at = after
    sign = tokens.word(at)
    if (sign == "+" or (sign in _DASHES and tokens.glued(at))) and tokens.glued(at - 1):
        at += tokens.word(at + 1)[:1].isalpha()
    if tokens.word(at) == "of" and number.share and tokens.word(at + 1) in {"a", "an"}:
        at += 2
    low = tokens.word(at)
    if low in _SORTS_OF_DAYS and tokens.word(at + 1) in units.WORDS:
        at += 1
        low = tokens.word(at)
    if not low:
        return None
    if low == "°":
        scale = units.SHORT.get(tokens.raw[at + 1]) if at + 1 < len(tokens) else None
        if scale is not None and scale.base == "degC":
            return scale, at + 2, "quantity"
        return units.WORDS["degrees"], at + 1, "quantity"
    if low in units.CURRENCY_SIGNS and at == after:
        return units.Unit(units.CURRENCY_SIGNS[low], 1.0), at + 1, "money"
    if low in units.CURRENCY_WORDS:
        code, factor = units.CURRENCY_WORDS[low]
        return units.Unit(code, factor), at + 1, "money"
    if low in units.CURRENCY_CODES and tokens.raw[at].isupper():
        return units.Unit(units.CURRENCY_CODES[low], 1.0), at + 1, "money"
    if units.is_power_word(low):
        unit = units.WORDS.get(tokens.word(at + 1)) or units.SHORT.get(tokens.word(at + 1))
        unit = units.power(low, unit) if unit else None
        return (unit, at + 2, "quantity") if unit else None
    return _plain_unit(tokens, at, number)


def _plain_unit(tokens: Tokens, at: int, number: Numeral) -> tuple[units.Unit, int, FactKind] | None:
    raw, low = tokens.raw[at], tokens.low[at]
    unit = units.SHORT.get(raw) if not number.words else None
    if unit is not None and len(raw) == 1 and not (tokens.glued(at - 1) or raw in _SAFE_AFTER_BLANK):
        unit = None
    unit = unit or units.WORDS.get(low) or units.WORDS.get(low.removesuffix("'s"))
    if unit is None:
        return None
    if low in {"degree", "degrees"} and at + 1 < len(tokens):
        scale = units.WORDS.get(tokens.low[at + 1]) or units.SHORT.get(tokens.raw[at + 1])
        if scale is not None and scale.base == "degC":
            return scale, at + 2, "quantity"
    if low in {"square", "second"} and number.words and number.value == 1:
        return None
    exponent = {"2": 2, "²": 2, "3": 3, "³": 3}.get(tokens.word(at + 1)) if tokens.glued(at) else None
    if exponent and unit.base == "m":
        area = units.power("square" if exponent == 2 else "cubic", unit)
        return (area, at + 2, "quantity") if area else None
    kind: FactKind = "duration" if unit.base in _TENS else "quantity"
    return unit, at + 1, kind


def _rate_at(tokens: Tokens, at: int) -> tuple[units.Unit, int] | None:
    """The unit below the line of a rate: "per hour", "/h", "an hour", "a square foot"."""
    word = tokens.word(at)
    slash = word == "/" and tokens.glued(at)
    if not slash and word not in {"per", "a", "an", "each"}:
        return None
    low = tokens.word(at + 1)
    if units.is_power_word(low) and tokens.word(at + 2) in units.WORDS:
        unit = units.power(low, units.WORDS[tokens.word(at + 2)])
        return (unit, at + 3) if unit else None
    unit = units.WORDS.get(low)
    if unit is None and slash and at + 1 < len(tokens):
        unit = units.SHORT.get(tokens.raw[at + 1])
    return (unit, at + 2) if unit is not None else None


def _with_range(tokens: Tokens, low: Measure, first: Numeral, currency: str) -> Measure:
    """Join "10" with "–20 km", "to 20 km", "and 20 km" (after "between")."""
    link = tokens.word(low.after)
    between = link == "and" and tokens.word(low.start - 1) == "between"
    if link not in _DASHES and link != "to" and not between:
        return low
    if link in _DASHES and low.unit and tokens.word(low.after + 1)[:1].isalpha():
        return low
    at = low.after + 1
    if at >= len(tokens):
        return low
    start, code, at = _currency_before(tokens, at)
    second = read_number(tokens, at) if at < len(tokens) else None
    if second is None or (second.words and not first.words) or (currency and code and code != currency):
        return low
    high = _with_unit(tokens, start, second, code or currency)
    if high is None:
        return low
    value = low.value
    if low.unit != high.unit:
        if low.unit and low.unit != high.unit.partition("/")[0]:
            return low
        own = _with_unit(tokens, low.start, replace(first, after=second.after), currency or code)
        if own is None or own.unit != high.unit:
            return low
        value = own.value
    magnitude = MAGNITUDES.get(tokens.word(second.after - 1))
    if magnitude is not None and first.after == low.after and first.value < second.value / magnitude:
        # "5-10 million": the magnitude belongs to both.
        value = high.value * first.value * magnitude / second.value
    if first.plain and second.plain and link in _DASHES:
        return low
    if value > high.value and not high.unit:
        return low
    return replace(
        low, after=high.after, value=value, high=high.value, unit=high.unit, kind=high.kind, slack=0.0
    )


def _with_hedges(tokens: Tokens, measure: Measure) -> Measure:
    """Look at the words before and after a measure: "about", "at least", "or more", "20+"."""
    at = measure.start - 1
    before, earlier = tokens.word(at), tokens.word(at - 1)
    if before == "a" and earlier in _APPROXIMATE:
        before, earlier = earlier, tokens.word(at - 2)
    bound: Bound = ""
    if before == "than":
        negated = tokens.word(at - 2) in {"no", "not"}
        if earlier in {"more", "greater", "larger", "longer", "higher", "older", "better"}:
            bound = "max" if negated else "min"
        elif earlier in {"less", "fewer", "smaller", "shorter", "lower", "younger"}:
            bound = "min" if negated else "max"
    elif before == "least" and earlier == "at":
        bound = "min"
    elif (before == "most" and earlier == "at") or (before == "to" and earlier == "up"):
        bound = "max"
    elif before in _MIN_WORDS or (before == "of" and earlier == "minimum"):
        bound = "min"
    elif before in _MAX_WORDS or (before == "of" and earlier == "maximum"):
        bound = "max"
    approximate = before in _APPROXIMATE or (before == "to" and earlier == "close")
    after = tokens.word(measure.after)
    following = tokens.word(measure.after + 1)
    plus = after == "+" and tokens.glued(measure.after - 1)
    more = after == "or" and following in {"more", "above", "older", "greater", "over", "longer", "higher"}
    if plus or more or "+" in tokens.raw[measure.start : measure.after]:
        bound = "min"
    elif after == "or" and following in {"less", "fewer", "below", "younger", "under", "shorter", "lower"}:
        bound = "max"
    elif after == "or" and following == "so":
        approximate = True
    if not bound and not approximate:
        return measure
    return replace(measure, bound=bound or measure.bound, approximate=approximate)
