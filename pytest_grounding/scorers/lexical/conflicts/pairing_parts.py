"""Parts of a sentence, their values and names, and what a claim takes from two of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from pytest_grounding.scorers.lexical.conflicts.sources import VALUES, Bounds, Sentence
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.text.facts import Fact, comparable

#: Words of a stretch: each stem with the number of the first word that has it.
Words = dict[str, int]


class Part(NamedTuple):
    """A part of a sentence.

    Attributes:
        low: number of its first word.
        high: number of the first word after it.
        own: its content words.
        has_verb: whether a word of it may be a finite verb.
    """

    low: int
    high: int
    own: Words
    has_verb: bool


class Crossing(NamedTuple):
    """What a claim takes of two parts of a sentence, and what it leaves out of them.

    Attributes:
        spot: the sentence.
        one: the part of which it takes the front.
        other: the part of which it takes the back.
        said: what the claim, or a part of it, says.
        front: the words that it takes of the first part.
        left: those that the source says behind them.
        back: the words that it takes of the other part.
        lost: those that the source says before them.
        is_next: whether no part stands between the two.
        parts: how many parts the sentence has.
    """

    spot: Sentence
    one: Part
    other: Part
    said: frozenset[str]
    front: Words
    left: Words
    back: Words
    lost: Words
    is_next: bool
    parts: int = 2


def facts_between(view: View, low: int, high: int) -> list[tuple[Fact, Bounds]]:
    """The values and names that begin in a stretch, each with the numbers of its first and last word."""
    first, last = bisect_left(view.fact_at, low), bisect_left(view.fact_at, high)
    return [
        (view.facts[n], (view.fact_at[n], view.end_of(view.facts[n], view.fact_at[n])))
        for n in range(first, last)
    ]


def values_of(view: View, one: Part, other: Part) -> Iterator[tuple[Bounds, Bounds]]:
    """The words of the values and names that are the only ones of their sort in both of two parts."""
    ours, theirs = (facts_between(view, part.low, part.high) for part in (one, other))
    for fact, place in ours:
        alike = [at for there, at in theirs if _is_alike(there, fact)]
        if len(alike) == 1 and sum(_is_alike(here, fact) for here, _ in ours) == 1:
            yield place, alike[0]


def _is_alike(one: Fact, other: Fact) -> bool:
    """Whether two facts are of one sort; a number may leave out the unit that was said before."""
    if one.kind == "name" or other.kind == "name":
        return one.kind == other.kind
    if one.kind not in VALUES or other.kind not in VALUES:
        return False
    return comparable(one, other) or "number" in (one.kind, other.kind)
