"""Values of a claim that follow from two others: sums, differences, products, shares, rates over a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.sentence_view import View, numbers_in
from pytest_grounding.evidence.value_readings import MEASURES
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import PatternFile, pattern
from pytest_grounding.reading.facts import Fact
from pytest_grounding.reading.facts.fact import are_cents
from pytest_grounding.reading.facts.measures import MONTH_SECONDS

_RISING, _FALLING = words("matching", "rising"), words("matching", "falling")
_COMPARING, _RATIOS = words("matching", "comparing"), words("matching", "ratios")
_KINDS = MEASURES | {"number", "time"}
_POINTS = frozenset({"pp", "bp"})
_DIGITS = lazy(r"\d+(?:,\d{3})*(?:\.(\d+))?")
_APART = 1  # two values of a pair are in one sentence or in neighbouring ones
_EXACT = 1e-9
_ROUNDING = 1e-8  # rates are kept to twelve digits
NO_AMOUNTS = frozenset({"date", "time", "ordinal", "name"})
#: Sentences that the two values of a sum may be apart, and digits that rule out chance.
_WINDOW = 3
_TELLING_DIGITS = 3
_MATCHING = PatternFile("matching")
DIFFERENCES = pattern("matching", "differences")
_SECONDS = {
    "hour": 3600.0,
    "day": 86400.0,
    "week": 7 * 86400.0,
    "month": MONTH_SECONDS,
    "quarter": 3 * MONTH_SECONDS,
    "year": 12 * MONTH_SECONDS,
}
_DOLLARS, _CENTS = "USD/", " cent"
MOST_PARTS = 24  # earlier values that are added to one, and values per claim
_NOUN_REACH = 3  # words behind a count that may name what is counted
_JOINING, _FAR = frozenset({"and", "but", "or"}), 100
_MOST_OPERANDS = 8  # values of a claim that are compared with each value of the chunks


class Result(NamedTuple):
    """A value of a claim derived from two others: the position of one of them, and both as written."""

    chunk: int
    at: int
    operands: tuple[str, ...]


class Pair(NamedTuple):
    """Two values of one unit with no other value of that unit between them, and the position of the first."""

    first: float
    second: float
    unit: str
    is_time: bool
    place: tuple[int, int]
    nouns: tuple[str, str]
    texts: tuple[str, ...]


def pairs_of(sources: Sequence[View]) -> Iterator[Pair]:
    """The neighbouring values of the chunks."""
    for chunk, view in enumerate(sources):
        before: dict[tuple[str, bool], tuple[Fact, int]] = {}
        for fact, at in zip(view.facts, view.fact_at, strict=True):
            if fact.kind not in _KINDS or fact.value is None or fact.high is None:
                continue
            is_time, noun = fact.kind == "time", _noun(view, fact, at)
            if fact.value != fact.high:
                yield Pair(fact.value, fact.high, fact.unit, is_time, (chunk, at), (noun, noun), (fact.text,))
                continue
            last = before.get((fact.unit, is_time))
            if last is not None and view.sentence_of[at] - view.sentence_of[last[1]] <= _APART:
                nouns = _noun(view, *last), noun
                texts = last[0].text, fact.text
                yield Pair(
                    last[0].value or 0.0, fact.value, fact.unit, is_time, (chunk, last[1]), nouns, texts
                )
            before[fact.unit, is_time] = fact, at


def _noun(view: View, fact: Fact, at: int) -> str:
    """The stem of the word after a value."""
    behind = view.end_of(fact, at) + 1
    is_inside = behind < len(view.stems) and view.sentence_of[behind] == view.sentence_of[at]
    return view.stems[behind] if is_inside else ""


def place_of_change(fact: Fact, claim: View, sources: Sequence[View], *, is_total: bool) -> Result | None:
    """Two neighbouring values from which a value of the claim follows, given a word for the change."""
    spoken = frozenset(claim.norms)
    tests = [test for told, test in _TESTS if told(spoken)]
    if not tests and not is_total:
        return None
    for pair in pairs_of(sources):
        low, high = sorted((pair.first, pair.second))
        if not (pair.unit or pair.is_time or pair.nouns[0] == pair.nouns[1] or "" in pair.nouns):
            # "8 tables and 5 chairs" are not compared; "2,400 members … 2,640" are.
            continue
        if low > 0 and high > low and any(test(fact, pair, low, high) for test in tests):
            return Result(*pair.place, pair.texts)
        if is_total and _is_sum(fact, claim, pair):
            return Result(*pair.place, pair.texts)
    return None


def _is_sum(fact: Fact, claim: View, pair: Pair) -> bool:
    is_of_one = bool(pair.unit) or pair.nouns[0] in claim.stems
    return (
        is_of_one
        and not pair.is_time
        and fact.unit == pair.unit
        and equals_rounded(fact, pair.first + pair.second)
    )


def equals_rounded(fact: Fact, result: float) -> bool:
    """Whether a result equals a value, rounded to the digits written."""
    value = fact.value or 0.0
    if abs(result - value) <= _EXACT * abs(value):
        return True
    written = _DIGITS.search(fact.text)
    if written is None:
        return False
    number = float(written[0].replace(",", ""))
    step = value / number * 10.0 ** -len(written[1] or "") if number else 0.0
    # A small number equals some rounded result too easily.
    return value / step >= 5 and abs(result - value) <= step / 2 if step else False


def _rises(fact: Fact, pair: Pair, low: float, high: float) -> bool:
    return _is_share(fact, pair) and equals_rounded(fact, 100 * (high - low) / low)


def _falls(fact: Fact, pair: Pair, low: float, high: float) -> bool:
    return _is_share(fact, pair) and equals_rounded(fact, 100 * (high - low) / high)


def _is_share(fact: Fact, pair: Pair) -> bool:
    return fact.unit == "%" and not fact.per and pair.unit != "%" and not pair.is_time


def _differs(fact: Fact, pair: Pair, low: float, high: float) -> bool:
    if pair.is_time:
        return fact.unit == "s" and equals_rounded(fact, (high - low) * 60.0)
    if pair.unit == "%":
        return fact.unit in _POINTS and equals_rounded(fact, high - low)
    return (
        fact.unit == pair.unit
        and fact.kind != "time"
        and abs(high - low - (fact.value or 0.0)) <= _EXACT * high
    )


def _is_ratio(fact: Fact, pair: Pair, low: float, high: float) -> bool:
    return (
        fact.unit in {"times", ""} and not pair.is_time and not fact.per and equals_rounded(fact, high / low)
    )


_TESTS: tuple[tuple[Callable[[frozenset[str]], bool], Callable[[Fact, Pair, float, float], bool]], ...] = (
    (lambda spoken: not spoken.isdisjoint(_RISING), _rises),
    (lambda spoken: not spoken.isdisjoint(_FALLING), _falls),
    (lambda spoken: not spoken.isdisjoint(_RISING | _FALLING | _COMPARING), _differs),
    (lambda spoken: not spoken.isdisjoint(_RATIOS), _is_ratio),
)


def number_of(fact: Fact) -> float:
    """The amount of a value, 0 without one."""
    return fact.value or 0.0


def share_of(fact: Fact) -> float:
    """The share that a percentage or a fraction in words stands for; 0 for any other value."""
    if fact.unit == "%":
        return number_of(fact) / 100
    is_fraction = fact.kind == "number" and (fact.value or 1.0) < 1 and fact.text.isalpha()
    return number_of(fact) if is_fraction else 0.0


def gives(other: Fact, operand: Fact) -> bool:
    """Whether a value of a chunk equals one that the claim calculates with."""
    if other.unit == operand.unit:
        return are_equal(number_of(other), operand.value)
    return not operand.unit and are_equal(as_written(other), operand.value)


def is_amount(fact: Fact) -> bool:
    """Whether a value is one positive number, and not a date or a position."""
    return (
        fact.value is not None and fact.value > 0 and fact.value == fact.high and fact.kind not in NO_AMOUNTS
    )


def in_unit_of(fact: Fact, other: Fact) -> float | None:
    """The amount of a value in the unit of another; None where they cannot be added."""
    if not is_amount(other) or other.per != fact.per:
        return None
    if other.unit == fact.unit:
        return other.value if other.unit or other.kind == fact.kind else None
    if are_cents(fact, other):
        return other.value
    if other.unit == f"{fact.unit}/s" and fact.unit:
        return as_written(other)
    if fact.unit == f"{other.unit}/s" and other.unit:
        return number_of(other) * number_of(fact) / (as_written(fact) or 1.0)
    return None


def as_written(fact: Fact) -> float:
    """The number of a value as written, 28 for "28 days"; 0 for a unit in words."""
    number = numbers_in(fact.text)[0]
    if number.replace(".", "", 1).isdecimal():
        return float(number)
    return 0.0 if fact.unit else number_of(fact)


def are_equal(a: float, b: float | None) -> bool:
    """Whether two results are equal apart from rounding errors."""
    return b is not None and abs(a - b) <= _ROUNDING * abs(b)


def noun_behind(view: View, fact: Fact, at: int) -> str:
    """The stem of what a number counts; "" where it stands alone: "Friday 1,800; Saturday …"."""
    behind = view.end_of(fact, at) + 1
    if behind >= len(view.tokens) or view.text[fact.end : view.tokens[behind].start] != " ":
        return ""
    return "" if view.tokens[behind].is_stop else view.stems[behind]


def says_total(text: str) -> bool:
    """Whether a text says that several values are taken together."""
    return _MATCHING.totals.search(text.lower()) is not None


def place_of_result(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """Two values from which a value of the claim follows by arithmetic."""
    value = fact.value
    if value is None or value <= 0 or value != fact.high or fact.kind in NO_AMOUNTS:
        return None
    if fact.bound and (fact.strict or fact.kind != "duration" or fact.bound != "min"):
        # "Over twelve months it comes to £108" means "in the course of".
        return None
    if len(claim.facts) > MOST_PARTS:
        return None
    text = claim.text.lower()
    is_total = says_total(text)
    place = _place_of_sum(fact, claim, sources, is_total=is_total) or place_of_change(
        fact, claim, sources, is_total=is_total
    )
    if place is not None:
        return place
    own = [other for other in claim.facts if other is not fact and is_amount(other)][:_MOST_OPERANDS]
    return _within_claim(fact, own, text, sources) or _across(fact, own, text, sources)


def _place_of_sum(fact: Fact, claim: View, sources: Sequence[View], *, is_total: bool) -> Result | None:
    """Two values with this value as their sum, and the position of the larger one."""
    value = number_of(fact)
    digits = sum(character.isdecimal() for character in fact.text.rstrip("0"))
    signs = (fact.unit != "", digits >= _TELLING_DIGITS)
    if not all(signs) and not is_total:
        return None
    said = [
        (in_unit_of(fact, other), other.text)
        for other in claim.facts
        if other is not fact and not other.bound
    ]
    parts = [(part, text) for part, text in said if part is not None]
    # Two distinct mentions: one part counted twice is not a sum.
    pairs = {
        part: (mine, text)
        for number, (one, mine) in enumerate(parts)
        for other, text in parts[number + 1 :]
        for part in (one, other)
        if are_equal(one + other, value)
    }
    for chunk, view in enumerate(sources):
        before: list[tuple[int, int, float, str]] = []
        for other, at in zip(view.facts, view.fact_at, strict=True):
            own = in_unit_of(fact, other) if not other.bound else None
            if own is None:
                continue
            if own in pairs and 2 * own >= value:
                return Result(chunk, at, pairs[own])
            if not any(signs):
                # A small sum counts only if the claim gives both parts.
                continue
            sentence = view.sentence_of[at]
            for where, place, part, text in reversed(before[-MOST_PARTS:]):
                if sentence - where >= (_WINDOW if is_total else 1):
                    break  # among many numbers, two always add up to it
                if are_equal(part + own, value):
                    return Result(chunk, place if part >= own else at, (text, other.text))
            before.append((sentence, at, own, other.text))
    return None


def _within_claim(fact: Fact, own: Sequence[Fact], text: str, sources: Sequence[View]) -> Result | None:
    """Two values of the claim from which another of its values follows, one of them in a chunk."""
    pairs: list[tuple[Fact, Fact]] = []
    is_count = not fact.unit and _MATCHING.more_than.match(text, fact.end) is not None
    for number, first in enumerate(own):
        for second in own[number + 1 :]:
            counts = is_count and first.unit != "%" and second.unit != "%"
            if (
                _follows(fact, first, second, text)
                or _is_factor(fact, first, second, text)
                or (counts and are_equal(abs(as_written(first) - as_written(second)), number_of(fact)))
            ):
                pairs.append((first, second))
    for chunk, at, other in amounts_in(sources) if pairs else ():
        for first, second in pairs:
            if gives(other, first) or gives(other, second):
                return Result(chunk, at, (first.text, second.text))
    return None


def _across(fact: Fact, own: Sequence[Fact], text: str, sources: Sequence[View]) -> Result | None:
    """A value of a chunk and one of the claim (or a whole) from which another of the claim follows."""
    if not fact.unit or fact.unit == "%":
        return None
    whole = _MATCHING.whole.search(text)
    seconds = _SECONDS[whole[1]] if whole is not None else 0.0
    rate = f"{fact.unit}/s" if seconds else ""
    for chunk, at, other in amounts_in(sources):
        if whole is not None and other.unit == rate and are_equal(number_of(other) * seconds, fact.value):
            return Result(chunk, at, (other.text, whole[0]))
        for mine in own:
            if _follows(fact, mine, other, text):
                return Result(chunk, at, (mine.text, other.text))
    return None


def amounts_in(sources: Sequence[View]) -> Iterator[tuple[int, int, Fact]]:
    """The amounts in the chunks, each with its chunk and position."""
    for chunk, view in enumerate(sources):
        for at, other in _amounts_of(view):
            yield chunk, at, other


@lru_cache(maxsize=16)
def _amounts_of(view: View) -> list[tuple[int, Fact]]:
    return [(at, other) for other, at in zip(view.facts, view.fact_at, strict=True) if is_amount(other)]


def _follows(fact: Fact, first: Fact, second: Fact, text: str) -> bool:
    """Whether a value follows from two others; a word for the operation is needed where units differ."""
    value = number_of(fact)
    a, b = in_unit_of(fact, first), in_unit_of(fact, second)
    if a is not None and b is not None and a != b:
        return are_equal(abs(a - b), value) and DIFFERENCES.search(text) is not None
    for one, other, whole in ((first, second, a), (second, first, b)):
        share = share_of(other)
        if share and fact.unit and fact.unit != "%" and whole is not None:
            if are_equal(whole * share, value):
                return True
            if are_equal(value * share, whole) and _MATCHING.supposes.search(text) is not None:
                # "If you put in €200, we add €40": the example belongs to the answer.
                return True
        is_factor = other.kind == "number" and fact.unit and whole is not None and number_of(other) > 1
        if (
            is_factor
            and are_equal((whole or 0.0) * number_of(other), value)
            and _MATCHING.products.search(text) is not None
        ):
            return True
        if _is_rate(fact, one, other):
            return True
    return False


def _is_rate(fact: Fact, rate: Fact, time: Fact) -> bool:
    if rate.unit.startswith(_DOLLARS) and _CENTS in rate.text:
        # Cents of which currency, the text does not say.
        rate = rate._replace(unit=rate.unit.replace(_DOLLARS, f"{fact.unit}/", 1))
    is_rate = bool(fact.unit) and rate.unit == f"{fact.unit}/{'s' if time.unit == 'mo' else time.unit}"
    return is_rate and are_equal(
        number_of(rate) * (number_of(time) * (MONTH_SECONDS if time.unit == "mo" else 1.0)), fact.value
    )


def _is_factor(fact: Fact, first: Fact, second: Fact, text: str) -> bool:
    """Whether a bare number is a factor of the claim's own product: the 2 in "2 × €40 = €80"."""
    if fact.kind != "number" or number_of(fact) <= 1 or not first.unit or first.unit != second.unit:
        return False
    low, high = sorted((number_of(first), number_of(second)))
    return are_equal(low * number_of(fact), high) and _MATCHING.products.search(text) is not None


def nouns_behind(claim: View, at: int) -> list[str]:
    """Stems of what a count counts: "ten single swims"; nothing where another number follows."""
    nouns: list[str] = []
    for token in claim.tokens[at + 1 : at + 1 + _NOUN_REACH]:
        if token.is_number or token.is_stop:
            break
        nouns.append(token.stem)
    return nouns


def is_nearest(place: int, noun: str, view: View) -> bool:
    """Whether a word stands beside a value in its sentence, and beside no other value of that unit."""
    sentence = view.sentence_of[place]
    here = [at for at, stem in enumerate(view.stems) if stem == noun and view.sentence_of[at] == sentence]
    if not here:
        return False
    values = dict(zip(view.fact_at, view.facts, strict=True))
    unit = values[place].unit
    rivals = [at for at, other in values.items() if other.unit == unit and view.sentence_of[at] == sentence]
    return any(min(rivals, key=lambda at: distance(at, word, view)) == place for word in here)


def distance(value: int, word: int, view: View) -> int:
    """Words between a value and a word; more where a joining word stands between them."""
    low, high = sorted((value, word))
    between = view.text[view.tokens[low].end : view.tokens[high].start]
    is_joined = "," in between or not _JOINING.isdisjoint(view.norms[low:high])
    return high - low + (_FAR if is_joined else 0)
