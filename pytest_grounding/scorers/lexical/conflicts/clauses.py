"""Clauses: what a sentence says side by side, parted by signs and small words, with a verb each or without.

"Towels are changed daily, bed linen once a week" has two clauses, and only the first one a verb. *Halves* are
parted by a semicolon or a word that sets two things against each other ("while"); they may hold clauses.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pytest_grounding._named import NamedTuple
from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.conflicts.marks import FINITE, QUANTIFIES, TURNS
from pytest_grounding.scorers.lexical.conflicts.view import View

JOINTS = words("conflicts", "joints")
_AGAINST = words("conflicts", "setting against")
_SIGNS = frozenset(",;\n")
#: Modal words are small words, but they may be all that two clauses differ in.
_TELLING = words("conflicts", "duties") | words("conflicts", "choices") | words("conflicts", "bans")
#: A sentence of more words is a list or a table.
_LONGEST = 80
_MOST_CLAUSES = 8


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


def cut_of(view: View, low: int, high: int) -> Cut | None:
    """Cut a sentence, or None where it is empty, a row of a table or too long.

    Args:
        view: the text.
        low: number of its first word.
        high: number of the first word after it.
    """
    if not 0 < high - low <= _LONGEST or "|" in view.text[view.tokens[low].start : view.tokens[high - 1].end]:
        return None
    cuts = list(joints(view, low, high))
    whole = _whole(view, low, high)
    if not cuts:
        return Cut(whole, (whole,), (whole,))
    parts = tuple(_between(view, whole, [low, *cuts, high]))[:_MOST_CLAUSES]
    strong = [number for number in cuts if _is_strong(view, number)]
    halves = tuple(_between(view, whole, [low, *strong, high])) if strong else (whole,)
    return Cut(whole, halves or (whole,), parts or (whole,))


def joints(view: View, low: int, high: int) -> Iterator[int]:
    """Numbers of the words with which a clause may begin."""
    for number in range(low + 1, high):
        if view.norms[number - 1] in JOINTS:
            yield number
        elif view.norms[number] not in JOINTS:
            if view.tokens[number].is_number and view.tokens[number - 1].is_number:
                # "September 21, 1974"
                continue
            between = view.text[view.tokens[number - 1].end : view.tokens[number].start]
            if not _SIGNS.isdisjoint(between):
                yield number


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
        own = tuple(_within(whole.words, low, high))
        if own:
            yield _clause(view, low, high, own)


def _whole(view: View, low: int, high: int) -> Clause:
    tokens, norms = view.tokens, view.norms
    small = {*_within(view.with_mark(TURNS), low, high), *_within(view.with_mark(QUANTIFIES), low, high)}
    small.update([n for n in range(low, high) if norms[n] in _TELLING])
    return _clause(
        view, low, high, tuple([n for n in range(low, high) if n in small or not tokens[n].is_stop])
    )


def _clause(view: View, low: int, high: int, own: tuple[int, ...]) -> Clause:
    stems = view.stems
    verbs = _within(view.with_mark(FINITE), low, high)
    opening = [stems[n] for n in own if n < verbs[0]] if verbs else ()
    turning = _within(view.with_mark(TURNS), low, high)
    return Clause(
        low,
        high,
        own,
        frozenset([stems[n] for n in own]),
        frozenset(opening),
        len(turning) % 2 == 1,
        bool(verbs),
    )


def _within(numbers: Sequence[int], low: int, high: int) -> Sequence[int]:
    return numbers[bisect_left(numbers, low) : bisect_left(numbers, high)]
