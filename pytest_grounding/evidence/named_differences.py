"""How much more one thing has than another: "North sold 90 more bikes than South in June"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from pytest_grounding.evidence.arithmetic import Result, in_unit_of, is_amount, number_of
from pytest_grounding.evidence.sentence_view import View
from pytest_grounding.reading.facts import Fact

_THAN = "than"


@dataclass(frozen=True)
class Difference:
    """A difference that the sources give, with the two values it is of."""

    amount: float
    result: Result


@dataclass(frozen=True)
class _Sentence:
    chunk: int
    view: View
    number: int
    stems: Set[str]


def named_difference(fact: Fact, claim: View, sources: Sequence[View]) -> Difference | None:
    """The difference of the values of the two things around "than"; None without a single value of each."""
    if _THAN not in claim.norms or not is_amount(fact):
        return None
    than = claim.norms.index(_THAN)
    if claim.tokens[than].start < fact.end:
        return None
    content = [(token.start, token.stem) for token in claim.tokens if not (token.is_stop or token.is_number)]
    left = {stem for start, stem in content if start < fact.start}
    right = {stem for start, stem in content if start > claim.tokens[than].start}
    sentences = list(_sentences(fact, sources))
    common = _common(sentences)
    first = [sentence for sentence in sentences if (left - common) & sentence.stems]
    second = [sentence for sentence in sentences if (right - common) & sentence.stems]
    if len(first) != 1 or len(second) != 1 or first == second:
        return None
    shared = (left | right) & first[0].stems & second[0].stems
    minuend = _value_beside(shared, fact, first[0])
    subtrahend = _value_beside(shared, fact, second[0])
    if minuend is None or subtrahend is None:
        return None
    whole, less = _amount_of(minuend, fact), _amount_of(subtrahend, fact)
    if whole is None or less is None:
        return None
    at = first[0].view.fact_at[first[0].view.facts.index(minuend)]
    result = Result(first[0].chunk, at, (minuend.text, subtrahend.text))
    return Difference(abs(whole - less), result)


def _amount_of(value: Fact, fact: Fact) -> float | None:
    return in_unit_of(fact, value) if fact.unit else number_of(value)


def _sentences(fact: Fact, sources: Sequence[View]) -> Iterator[_Sentence]:
    for chunk, view in enumerate(sources):
        numbers = {
            view.sentence_of[at]
            for other, at in zip(view.facts, view.fact_at, strict=True)
            if is_amount(other) and other.unit == fact.unit
        }
        stems: dict[int, set[str]] = {number: set() for number in sorted(numbers)}
        for stem, number in zip(view.stems, view.sentence_of, strict=True):
            if number in stems:
                stems[number].add(stem)
        for number, own in stems.items():
            yield _Sentence(chunk, view, number, own)


def _common(sentences: Sequence[_Sentence]) -> Set[str]:
    """Stems that more than one of the sentences has: "June"."""
    seen = Counter(stem for sentence in sentences for stem in sentence.stems)
    return {stem for stem, count in seen.items() if count > 1}


def _value_beside(shared: Set[str], fact: Fact, sentence: _Sentence) -> Fact | None:
    """The only value of a kind in a sentence, or the one nearest to what both sentences name."""
    view = sentence.view
    values = [
        (at, other)
        for other, at in zip(view.facts, view.fact_at, strict=True)
        if view.sentence_of[at] == sentence.number and is_amount(other) and other.unit == fact.unit
    ]
    if len(values) == 1:
        return values[0][1]
    # Of "300 in March and 410 in April" the value right before what both sentences name.
    bounds = pairwise([*(at for at, _ in values), len(view.stems)])
    behind = [shared & set(view.stems[at + 1 : end]) for at, end in bounds]
    often = Counter(stem for stems in behind for stem in stems)
    once = {stem for stem, times in often.items() if times == 1}
    told = [number for number, stems in enumerate(behind) if once & stems]
    return values[told[0]][1] if len(told) == 1 else None
