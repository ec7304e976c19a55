"""Facts, and when two facts are equal or compatible."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pytest_grounding._io.lazy_patterns import lazy

FactKind = Literal[
    "number", "percent", "money", "quantity", "duration", "date", "time", "ordinal", "name", "negation"
]
Bound = Literal["", "min", "max"]
ALWAYS = "around the clock"  # key of "24/7" and similar
_MONTH_DAYS = 30.436875  # of a mean Gregorian month: between units exact in seconds, and in months
_DAY_SECONDS = 86400.0
APPROXIMATE_SHARE = 0.12  # tolerance of "about 50" on either side, as a share of the value
_CALENDAR_SHARE = 0.05  # a month is not a whole number of days: "6 months" and "180 days" must be compatible
_TWO_YEARS = lazy(r"\D*\d{4}\W{1,3}\d")  # "FY2007-08"
_IN_MONTH, _TO_END = 0.01, 0.99  # fractions of a year: a day inside its month, and nearly all of a year
_EXACT = 1e-9
_APART = 1e-6  # far above the tolerances of `_EXACT` and of a key's nine digits
_WRITTEN = lazy(r"\d+(?:,\d{3})*(?:\.\d+)?")  # the first number of a fact as written
_PARTED = lazy(r"(?<=\d)[\s'’](?=\d{3})")  # a blank or an apostrophe between thousands
_ROUNDED = 0.05  # a value rounded to its digits differs by less than this share: "1" is not 1.4
_DOTTED = lazy(r"(?<![\d.,])[1-9]\d{0,2}\.\d{3}(?![.,]?\d)")
_NUMERIC = frozenset({"number", "percent", "money", "quantity", "duration"})
_WORKING_DAY_SECONDS = 7 / 5 * _DAY_SECONDS  # days of the week taken by five business days
_SPAN_SECONDS = {"s": 1.0, "mo": _MONTH_DAYS * _DAY_SECONDS, "bday": _WORKING_DAY_SECONDS}
_PER_POUND = 1 / 453.59237  # pounds in a gram
#: Units of one dimension that are not converted, and kinds that a year may be read as; in either order.
_BRIDGED = {(a, b) for a in _SPAN_SECONDS for b in _SPAN_SECONDS if a != b}
#: Basis points apply to percentages and to percentage points, which differ.
_BRIDGED |= {("bp", "%"), ("%", "bp"), ("bp", "pp"), ("pp", "bp")}
_BRIDGED |= {("g", "GBP"), ("GBP", "g"), ("deg", "degC"), ("degC", "deg")}
_YEARS = {("date", "number"), ("number", "date")}


class DateParts(NamedTuple):
    """A date; a part that is not given is None; years BC are negative."""

    year: int | None
    month: int | None
    day: int | None

    @property
    def swapped(self) -> DateParts:
        """The same with the month instead of the day."""
        return DateParts(self.year, self.day, self.month)


class Fact(NamedTuple):
    """One number, date, name or negation of a text, normalised."""

    kind: FactKind  # a number has no unit, a quantity has one; a time is one of day
    start: int  # start offset
    end: int  # end offset, exclusive
    text: str  # the slice between them, verbatim
    #: The number, in the base unit ("5 km" is 5000.0, "half" is 50 per cent); the lower end of a range; for a
    #: time the minutes after midnight; the year for a date. None for names and negations.
    value: float | None = None
    high: float | None = None  # the upper end of a range; equal to ``value`` without a range
    unit: str = ""  # base unit ("m", "g", "s", "mo", "USD", "%", "degC", "m/s"), or "" without one
    key: str = ""  # the whole fact as one normalised string; equal keys are equal facts
    approximate: bool = False  # hedged by "about", "nearly", "roughly", "~"
    bound: Bound = ""  # "min" for "at least 5", "max" for "at most 5", else ""
    strict: bool = False  # whether the bound excludes the number: "over 5", not "at least 5"
    slack: float = 0.0  # half a unit of the last digit of a rounded number ("1.2 million": 50000.0), else 0
    per: float = 0.0  # period of a count, in seconds ("three times a week": 604800); other rates are units
    lead: int = 0  # offset of the first word of its bound or hedge ("at least"); ``start`` without any
    tail: int = 0  # end of the last word of its bound or period ("or more", "per week"); ``end`` without any
    turned: tuple[int, ...] = ()  # offsets of negations that reversed its bound: "not below 5"
    date: DateParts | None = None  # the parts of a date; a range of years is in ``value`` and ``high``
    ambiguous: bool = False  # it has another reading: 3/4/2021 (day or month first), 10:30 (evening)
    initial: bool = False  # a name that starts its sentence, where a capital means little


def same(a: Fact, b: Fact) -> bool:
    """Whether two facts are equal after normalisation."""
    if a.key == b.key and a.kind == b.kind:
        return True
    if a.kind in _NUMERIC and b.kind in _NUMERIC:
        if a.unit != b.unit or a.bound != b.bound or a.approximate != b.approximate or a.per != b.per:
            return False
        return _equal(a.value, b.value) and _equal(a.high, b.high)
    if (a.kind, b.kind) in _YEARS:
        return _is_year(a) and _is_year(b) and _equal(a.value, b.value)
    return False


def compatible(a: Fact, b: Fact) -> bool:
    """Whether both facts can be true of the same thing at once."""
    if a.kind == "name" and b.kind == "name":
        return _names_meet(a.key, b.key)
    if _are_plainly_apart(a, b):
        return False
    if same(a, b):
        return True
    if not comparable(a, b):
        return False
    if a.kind == "time" and b.kind == "time":
        return _times_meet(a, b)
    if a.kind == "date" and b.kind == "date":
        return _dates_meet(a, b)
    if a.kind == "negation" or a.kind == "ordinal":
        return a.key == b.key
    return _values_meet(a, b) or meet_in_thousands(a, b) or rounds(a, b) or rounds(b, a)


def _are_plainly_apart(a: Fact, b: Fact) -> bool:
    """Whether two plain values of one unit differ, with no hedge, bound, range or rounding to consider."""
    x, y = a.value, b.value
    if x is None or y is None or a.unit != b.unit or a.kind not in _NUMERIC or b.kind not in _NUMERIC:
        return False
    if abs(x - y) <= _APART * (abs(x) + abs(y)) or a.unit == "degC" or x != a.high or y != b.high:
        return False
    if "." in a.text + b.text and (rounds(a, b) or rounds(b, a)):
        return False
    if a.approximate or b.approximate or a.bound or b.bound or a.slack or b.slack or (a.per and b.per):
        return False
    return not (_equal(x * 1000, y) or _equal(y * 1000, x))


def rounds(a: Fact, b: Fact) -> bool:
    """Whether a value is another one rounded to its own digits: "14 %" for 14.2 %, "21 km" for 20.9 km."""
    x, y = a.value, b.value
    if a.unit != b.unit or a.kind not in _NUMERIC or not x or not y or x != a.high or y != b.high:
        return False
    if _equal(x, y) or abs(x - y) > _ROUNDED * abs(y) or a.bound != b.bound:
        return False
    ours, theirs = (_WRITTEN.search(_PARTED.sub("", fact.text)) for fact in (a, b))
    digits = ours[0].replace(",", "") if ours else ""
    if not float(digits or 0) or theirs is None:
        return False
    step = abs(x) / float(digits) * 10.0 ** -len(digits.partition(".")[2])
    if step > abs(y) or "." not in theirs[0]:
        return False
    return abs(x - y) <= step / 2 * (1 + _APART)


def meet_in_thousands(a: Fact, b: Fact) -> bool:
    """Whether two values are equal if a dot separates the thousands: "1.200" and "1200". Symmetric."""
    are_numbers = a.kind in _NUMERIC and b.kind in _NUMERIC and a.value is not None and b.value is not None
    return (are_numbers and a.unit == b.unit) and any(
        _DOTTED.search(dotted.text) is not None
        and _equal((dotted.value or 0.0) * 1000, other.value)
        and _equal((dotted.high or 0.0) * 1000, other.high)
        for dotted, other in ((a, b), (b, a))
    )


def comparable(a: Fact, b: Fact) -> bool:
    """Whether two facts are of one dimension, so that they can be compared."""
    if a.kind in _NUMERIC and b.kind in _NUMERIC:
        return a.unit == b.unit or (a.unit, b.unit) in _BRIDGED or are_cents(a, b)
    if (a.kind, b.kind) in _YEARS:
        return _is_year(a) and _is_year(b)
    if a.kind != b.kind:
        return False
    if a.kind == "date":
        return _date_shape(a) & _date_shape(b) != 0
    return True


def bridge(a: Fact, b: Fact) -> tuple[float, float]:
    """Factors that convert the values of two facts to one unit: "3 months" and "90 days"."""
    if a.unit != b.unit and a.unit in _SPAN_SECONDS and b.unit in _SPAN_SECONDS:
        return _SPAN_SECONDS[a.unit], _SPAN_SECONDS[b.unit]
    if {a.unit, b.unit} == {"g", "GBP"}:
        # "£5" and "5 pounds": the word may mean weight or money.
        return (_PER_POUND, 1.0) if a.unit == "g" else (1.0, _PER_POUND)
    return 1.0, 1.0


def are_cents(a: Fact, b: Fact) -> bool:
    """Whether one is in cents (of euros or dollars) and the other in euros."""
    if a.unit[:3] == b.unit[:3] or a.unit[3:] != b.unit[3:]:
        return False
    cents, euros = (a, b) if a.unit[:3] == "USD" else (b, a)
    return cents.unit[:3] == "USD" and euros.unit[:3] == "EUR" and " cent" in cents.text


def _is_year(fact: Fact) -> bool:
    if fact.kind == "number":
        value = fact.value
        return fact.unit == "" and value is not None and 1000 <= value <= 2199 and value.is_integer()
    return fact.kind == "date" and fact.value is not None and (fact.date is None or fact.date.month is None)


def _date_shape(fact: Fact) -> int:
    """The given parts of a date, as bits: 1 year, 2 month, 4 day, 8 day of the week."""
    if fact.date is None:
        return 1 if fact.value is not None else 8
    return sum(bit for bit, part in zip((1, 2, 4), fact.date, strict=True) if part is not None)


def _equal(a: float | None, b: float | None) -> bool:
    if a is None or b is None:
        return a is b
    return abs(a - b) <= _EXACT * max(abs(a), abs(b), 1e-12)


class _Interval(NamedTuple):
    low: float
    high: float

    def meets(self, other: _Interval) -> bool:
        return self.low <= other.high and other.low <= self.high


def _interval(fact: Fact, scale: float) -> _Interval:
    low = (fact.value or 0.0) * scale
    high = (fact.high if fact.high is not None else fact.value or 0.0) * scale
    if low > high:
        low, high = high, low
    reach = fact.slack * scale
    if fact.approximate:
        reach = max(reach, APPROXIMATE_SHARE * max(abs(low), abs(high)))
    reach += _EXACT * max(abs(low), abs(high))
    low, high = low - reach, high + reach
    if fact.bound == "min":
        high = float("inf")
        low += fact.strict * _beyond(low)
    elif fact.bound == "max":
        low = float("-inf")
        high -= fact.strict * _beyond(high)
    return _Interval(low, high)


def _beyond(edge: float) -> float:
    """The distance from its edge at which a strict bound begins: more than rounding, on both sides."""
    return 3 * _EXACT * abs(edge) + _EXACT


def _values_meet(a: Fact, b: Fact) -> bool:
    scale_a = scale_b = 1.0
    share = 0.0
    if {a.unit, b.unit} == {"deg", "degC"}:
        # "350 degrees" leaves the scale open: either matches.
        bare, scaled = (a, b) if a.unit == "deg" else (b, a)
        return any(
            _values_meet(
                bare._replace(
                    unit="degC",
                    value=(bare.value or 0.0) * factor + shift,
                    high=(bare.high or 0.0) * factor + shift,
                ),
                scaled,
            )
            for factor, shift in ((1.0, 0.0), (5 / 9, -160 / 9))
        )
    if a.unit != b.unit:
        share = _CALENDAR_SHARE if a.unit in _SPAN_SECONDS else 0.0
        scale_a, scale_b = bridge(a, b)
    if (a.bound and a.bound == b.bound) or (_is_range(a) and _is_range(b)):
        # Both include the edge itself: the edges must be equal.
        a, b = a._replace(bound=""), b._replace(bound="")
        return all(_values_meet(_edge(a, side), _edge(b, side)) for side in ("low", "high"))
    if a.bound and b.bound and _equal((a.value or 0.0) * scale_a, (b.value or 0.0) * scale_b):
        return False  # "two or more" and "two or less" overlap in two, but contradict
    if a.per and b.per:
        share = _CALENDAR_SHARE if a.per != b.per else 0.0
        scale_a, scale_b = 1.0, a.per / b.per
    # The coarser of two rounded values decides: "1.23 million" is "1.2 million", "2.3 km" is not "2.4 km".
    if a.slack * scale_a < b.slack * scale_b:
        a = a._replace(slack=0.0)
    else:
        b = b._replace(slack=0.0)
    ours = _interval(a, scale_a)
    if share:
        ours = _Interval(ours.low * (1 - share), ours.high * (1 + share))
    if a.unit == b.unit == "degC":
        # Converted temperatures are rounded to whole degrees.
        ours = _Interval(ours.low - 0.6, ours.high + 0.6)
    return ours.meets(_interval(b, scale_b))


def _is_range(fact: Fact) -> bool:
    return fact.high is not None and fact.value is not None and fact.high != fact.value


def _edge(fact: Fact, side: str) -> Fact:
    value = fact.value if side == "low" else fact.high
    return fact._replace(value=value, high=value)


def _times_meet(a: Fact, b: Fact) -> bool:
    if a.value is None or b.value is None:
        return False
    if _equal(a.value, b.value):
        return True
    half_day = abs(abs(a.value - b.value) - 720.0) < 0.5
    return half_day and (a.ambiguous or b.ambiguous)


def _dates_meet(a: Fact, b: Fact) -> bool:
    if a.date is None or b.date is None or (_is_year(a) and _is_year(b)):
        if a.value is None or b.value is None:
            return False
        if _are_written_as_years(a, b):
            return (a.value, a.high) == (b.value, b.high)
        return _years_of(a).meets(_years_of(b))
    if _parts_meet(a.date, b.date) or (a.ambiguous and _parts_meet(a.date.swapped, b.date)):
        return True
    return b.ambiguous and _parts_meet(a.date, b.date.swapped)


def _are_written_as_years(a: Fact, b: Fact) -> bool:
    """Whether both are written with their first and last year: "2007-08", "2004-2009", not "the 1990s"."""
    return all(_is_range(fact) and not fact.bound and _TWO_YEARS.match(fact.text) for fact in (a, b))


def _years_of(fact: Fact) -> _Interval:
    low = fact.value or 0.0
    high = fact.high if fact.high is not None else low
    if fact.date is not None and fact.date.month is not None:
        low = high = low + (fact.date.month - 1) / 12 + _IN_MONTH
    elif high.is_integer():
        high += _TO_END  # a year extends to its end: a quarter lies within it
    reach = 0.0
    if fact.approximate:
        reach = 3.0 if abs(low) > 1000 else 25.0
    if fact.bound == "min":
        return _Interval(low - reach, float("inf"))
    if fact.bound == "max":
        return _Interval(float("-inf"), high + reach)
    return _Interval(low - reach, high + reach)


def _parts_meet(a: DateParts, b: DateParts) -> bool:
    return all(x is None or y is None or x == y for x, y in zip(a, b, strict=True))


def _names_meet(a: str, b: str) -> bool:
    if a == b:
        return True
    if " " not in a and " " not in b:
        return False
    words_a, words_b = a.split(), b.split()
    if set(words_a) <= set(words_b) or set(words_b) <= set(words_a):
        return True
    for short, long in ((a, words_b), (b, words_a)):
        if len(long) > 1 and " " not in short and short == "".join(word[0] for word in long):
            return True
    return False
