"""Values of a claim that follow from two values which a source sets side by side: changes, ratios, sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pytest_grounding._patterns import lazy
from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.conflicts.readings import MEASURES
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.text.facts import Fact

_RISING, _FALLING = words("matching", "rising"), words("matching", "falling")
_COMPARING, _RATIOS = words("matching", "comparing"), words("matching", "ratios")
_KINDS = MEASURES | {"number", "time"}
_POINTS = frozenset({"pp", "bp"})
_DIGITS = lazy(r"\d+(?:,\d{3})*(?:\.(\d+))?")
_MINUTE = 60.0
#: Two values of a pair stand in one sentence or in neighbours.
_APART = 1
_EXACT = 1e-9


class Result(NamedTuple):
    """A value of a claim that follows from two others: where one of them stands, and both as written."""

    chunk: int
    at: int
    operands: tuple[str, ...]


class Pair(NamedTuple):
    """Two values of one unit of which nothing of that unit stands between, and where the first stands."""

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
    """The stem of the word behind a value."""
    behind = view.end_of(fact, at) + 1
    return view.stems[behind] if behind < len(view.stems) else ""


def place_of_change(fact: Fact, claim: View, sources: Sequence[View], *, says_total: bool) -> Result | None:
    """Two neighbouring values from which a value of a claim follows, in words that tell how."""
    spoken = frozenset(claim.norms)
    tests = [test for told, test in _TESTS if told(spoken)]
    if not tests and not says_total:
        return None
    for pair in pairs_of(sources):
        low, high = sorted((pair.first, pair.second))
        if not (pair.unit or pair.is_time or pair.nouns[0] == pair.nouns[1]):
            # "8 tables and 5 chairs" are not set side by side.
            continue
        if low > 0 and high > low and any(test(fact, pair, low, high) for test in tests):
            return Result(*pair.place, pair.texts)
        if says_total and _is_sum(fact, claim, pair):
            return Result(*pair.place, pair.texts)
    return None


def _is_sum(fact: Fact, claim: View, pair: Pair) -> bool:
    is_of_one = bool(pair.unit) or pair.nouns[0] in claim.stems
    return is_of_one and not pair.is_time and fact.unit == pair.unit and _is(fact, pair.first + pair.second)


def _is(fact: Fact, result: float) -> bool:
    """Whether a result is a value, rounded to the digits with which that is written."""
    value = fact.value or 0.0
    if abs(result - value) <= _EXACT * abs(value):
        return True
    written = _DIGITS.search(fact.text)
    if written is None:
        return False
    number = float(written[0].replace(",", ""))
    step = value / number * 10.0 ** -len(written[1] or "") if number else 0.0
    # A small number is a rounded result too easily.
    return value / step >= 5 and abs(result - value) <= step / 2 if step else False


def _rises(fact: Fact, pair: Pair, low: float, high: float) -> bool:
    return _is_share(fact, pair) and _is(fact, 100 * (high - low) / low)


def _falls(fact: Fact, pair: Pair, low: float, high: float) -> bool:
    return _is_share(fact, pair) and _is(fact, 100 * (high - low) / high)


def _is_share(fact: Fact, pair: Pair) -> bool:
    return fact.unit == "%" and not fact.per and pair.unit != "%" and not pair.is_time


def _differs(fact: Fact, pair: Pair, low: float, high: float) -> bool:
    if pair.is_time:
        return fact.unit == "s" and _is(fact, (high - low) * _MINUTE)
    if pair.unit == "%":
        return fact.unit in _POINTS and _is(fact, high - low)
    return (
        fact.unit == pair.unit
        and fact.kind != "time"
        and abs(high - low - (fact.value or 0.0)) <= _EXACT * high
    )


def _is_ratio(fact: Fact, pair: Pair, low: float, high: float) -> bool:
    return fact.unit in {"times", ""} and not pair.is_time and not fact.per and _is(fact, high / low)


_TESTS: tuple[tuple[Callable[[frozenset[str]], bool], Callable[[Fact, Pair, float, float], bool]], ...] = (
    (lambda spoken: not spoken.isdisjoint(_RISING), _rises),
    (lambda spoken: not spoken.isdisjoint(_FALLING), _falls),
    (lambda spoken: not spoken.isdisjoint(_RISING | _FALLING | _COMPARING), _differs),
    (lambda spoken: not spoken.isdisjoint(_RATIOS), _is_ratio),
)
