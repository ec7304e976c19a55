"""Clauses: what a sentence says side by side, parted by signs and small words, with a verb each or without.

"Towels are changed daily, bed linen once a week" has two clauses, and only the first one a verb. *Halves* are
parted by a semicolon or a word that sets two things against each other ("while"); they may hold clauses.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.conflicts.marks import FINITE, QUANTIFIES, TURNS
from pytest_grounding.scorers.lexical.conflicts.view import View, within

JOINTS = words("conflicts", "joints")
_AGAINST = words("conflicts", "setting against")
_SIGNS = frozenset(",;\n")
#: Modal words are small words, but they may be all that two clauses differ in.
_TELLING = words("conflicts", "duties") | words("conflicts", "choices") | words("conflicts", "bans")
#: A sentence of more words is a list or a table.
_LONGEST = 80
_MOST_CLAUSES = 8
#: Pairs of halves of a sentence; clauses that stand farther apart are not laid side by side.
_MOST_HALVES = 8
_FAR = 2
#: Words of a sentence that is laid against the next.
_LONGEST_BESIDE = 30
_NOTHING: frozenset[str] = frozenset()


class Clause(NamedTuple):
    """A stretch of a sentence that may say something of its own.

    Attributes:
        low: number of its first word.
        high: number of the first word after it.
        words: numbers of its words that tell something: content words, words of duty, amount and denial.
        stems: the stems of these.
        opening: stems of those before its verb; empty where it begins with one, or has none.
        denies: whether a word of it denies.
        has_verb: whether a word of it may be a finite verb.
    """

    low: int
    high: int
    words: tuple[int, ...]
    stems: frozenset[str]
    opening: frozenset[str]
    denies: bool
    has_verb: bool


class Cut(NamedTuple):
    """A sentence cut into what it says side by side.

    Attributes:
        whole: all of it.
        halves: its halves, itself where it has none.
        parts: its clauses, itself where it has but one.
    """

    whole: Clause
    halves: tuple[Clause, ...]
    parts: tuple[Clause, ...]


class Pair(NamedTuple):
    """Two clauses side by side.

    Attributes:
        first: the sentence of the first one.
        one: the first one.
        second: the sentence of the other one.
        other: the other one.
        rest: stems of their sentences.
        is_half: whether they are two halves of a sentence.
        is_far: whether another one stands between them.
    """

    first: tuple[int, int]
    one: Clause
    second: tuple[int, int]
    other: Clause
    rest: frozenset[str]
    is_half: bool = False
    is_far: bool = False


def cut_of(view: View, low: int, high: int) -> Cut | None:
    """Cut a sentence, or None where it is empty, a row of a table or too long.

    Args:
        view: the text.
        low: number of its first word.
        high: number of the first word after it.
    """
    whole = whole_of(view, low, high)
    return cut_up(view, whole) if whole is not None else None


def whole_of(view: View, low: int, high: int) -> Clause | None:
    """All of a sentence, uncut; None where `cut_of` is."""
    if not 0 < high - low <= _LONGEST or "|" in view.text[view.tokens[low].start : view.tokens[high - 1].end]:
        return None
    tokens, norms = view.tokens, view.norms
    small = {
        *within(view.with_mark(TURNS), low, high - 1),
        *within(view.with_mark(QUANTIFIES), low, high - 1),
    }
    small.update([n for n in range(low, high) if norms[n] in _TELLING])
    return _clause(
        view, low, high, tuple([n for n in range(low, high) if n in small or not tokens[n].is_stop])
    )


def cut_up(view: View, whole: Clause) -> Cut:
    """Cut a sentence that `whole_of` gave."""
    low, high = whole.low, whole.high
    cuts = list(joints(view, low, high))
    if not cuts:
        return Cut(whole, (whole,), (whole,))
    parts = tuple(_between(view, whole, [low, *cuts, high]))[:_MOST_CLAUSES]
    strong = [number for number in cuts if _is_strong(view, number)]
    halves = tuple(_between(view, whole, [low, *strong, high])) if strong else (whole,)
    return Cut(whole, halves or (whole,), parts or (whole,))


def pairs_within(spot: tuple[int, int], cut: Cut) -> Iterator[Pair]:
    """The clauses of one sentence, two by two.

    Args:
        spot: numbers of its chunk and of itself.
        cut: what it says side by side.
    """
    rest = cut.whole.stems
    for number, (one, other) in enumerate(combinations(cut.halves, 2)):
        if number < _MOST_HALVES:
            yield Pair(spot, one, spot, other, rest, is_half=True, is_far=one.high < other.low - 1)
    parts = [part for part in cut.parts if part not in cut.halves]
    for number, one in enumerate(parts):
        for other in parts[number + 1 : number + 1 + _FAR]:
            yield Pair(spot, one, spot, other, rest, is_far=other is not parts[number + 1])


def pairs_between(first: tuple[int, int], one: Cut, second: tuple[int, int], other: Cut) -> Iterator[Pair]:
    """Two sentences that follow each other, and what stands next to each other of them."""
    if not one.whole.words or not other.whole.words:
        return
    if max(one.whole.high - one.whole.low, other.whole.high - other.whole.low) <= _LONGEST_BESIDE:
        yield Pair(first, one.whole, second, other.whole, _NOTHING)
    if len(one.halves) > 1 or len(other.halves) > 1:
        rest = one.whole.stems | other.whole.stems
        yield Pair(first, one.halves[-1], second, other.halves[0], rest)


def joints(view: View, low: int, high: int) -> Iterator[int]:
    """Numbers of the words with which a clause may begin."""
    norms = view.norms
    signs = {n for n in within(view.apart, low + 1, high - 1) if not _SIGNS.isdisjoint(view.gap(n))}
    for number in range(low + 1, high):
        goes_on = number not in signs or norms[number] in JOINTS or _is_date(view, number)
        if norms[number - 1] in JOINTS or not goes_on:
            yield number


def _is_date(view: View, number: int) -> bool:
    """Whether a word goes on from the number before it: "September 21, 1974"."""
    return view.tokens[number].is_number and view.tokens[number - 1].is_number


def _is_strong(view: View, number: int) -> bool:
    before = view.tokens[number - 1]
    if view.norms[number - 1] in _AGAINST:
        return True
    if view.norms[number - 1] in JOINTS and number > 1:
        before, number = view.tokens[number - 2], number - 1
    return ";" in view.text[before.end : view.tokens[number].start]


def _between(view: View, whole: Clause, cuts: list[int]) -> Iterator[Clause]:
    """The stretches between cuts that tell something."""
    for low, high in pairwise(cuts):
        own = tuple(within(whole.words, low, high - 1))
        if own:
            yield _clause(view, low, high, own)


def _clause(view: View, low: int, high: int, own: tuple[int, ...]) -> Clause:
    stems = view.stems
    verbs = within(view.with_mark(FINITE), low, high - 1)
    opening = [stems[n] for n in own if n < verbs[0]] if verbs else ()
    turning = within(view.with_mark(TURNS), low, high - 1)
    return Clause(
        low,
        high,
        own,
        frozenset([stems[n] for n in own]),
        frozenset(opening),
        len(turning) % 2 == 1,
        bool(verbs),
    )
