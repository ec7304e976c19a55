"""Counts of a claim that follow from two amounts of a sentence, where both texts tell how.

"7,000 more than the year before" from "38,000, against 31,000", "the other 42" from "48 seats, 6 of them",
"600 of them" from "50 % of the 1,200 people".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.scorers.lexical.conflicts.amounts import are_equal, is_amount, number_of, share_of
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.text.facts import Fact

_MORE = pattern("matching", "more_behind")
_LESS = pattern("matching", "less_behind")
_RISING = pattern("matching", "rising_by")
_FALLING = pattern("matching", "falling_by")
_OTHERS = pattern("matching", "the_others")
_OF_THESE = pattern("matching", "of_these")
_OLD_BEHIND = pattern("matching", "old_behind")
_NEW_BEHIND = pattern("matching", "new_behind")
#: Characters between two amounts that one word joins.
_NEAR = 60


def place_of_told(
    fact: Fact, own: Sequence[Fact], text: str, sources: Sequence[View]
) -> tuple[int, int] | None:
    """Where the amounts of a chunk stand from which a value of a claim follows in words.

    Args:
        fact: the value.
        own: the other amounts of the claim.
        text: the claim, in lower case.
        sources: the chunks.

    Returns:
        The numbers of the chunk and of the word, or None.
    """
    return (
        _place_of_change(fact, text, sources)
        or _place_of_rest(fact, text, sources)
        or _place_of_share(fact, own, text, sources)
    )


def _place_of_change(fact: Fact, text: str, sources: Sequence[View]) -> tuple[int, int] | None:
    """Where an amount stands beside an older one that is so much smaller or larger as the claim says."""
    before = text[: fact.start]
    if _MORE.match(text, fact.end) is not None or _RISING.search(before) is not None:
        sign = 1
    elif _LESS.match(text, fact.end) is not None or _FALLING.search(before) is not None:
        sign = -1
    else:
        return None
    for chunk, view, first, second, at in _neighbours(sources):
        if first.unit != fact.unit or second.unit != fact.unit:
            continue
        between = view.text[first.end : second.start].lower()
        change = number_of(first) - number_of(second)
        if _is_from(view, first) and _NEW_BEHIND.search(between) is not None:
            change = -change
        elif _OLD_BEHIND.search(between) is None:
            continue
        if are_equal(sign * change, fact.value):
            return chunk, at
    for chunk, view in enumerate(sources):
        for other, at in zip(view.facts, view.fact_at, strict=True):
            if other.kind == fact.kind and other.unit == fact.unit and _is_from(view, other):
                # "It rose from 140 to 165" is read as a range.
                change = (other.high or 0.0) - (other.value or 0.0)
                if change and are_equal(sign * change, fact.value):
                    return chunk, at
    return None


def _is_from(view: View, fact: Fact) -> bool:
    """Whether "from" stands before a value."""
    return view.text[max(0, fact.start - len(" from ")) : fact.start].lower() == " from "


def _place_of_rest(fact: Fact, text: str, sources: Sequence[View]) -> tuple[int, int] | None:
    """Where a whole and a part of it stand of which a count is the rest."""
    if fact.unit or _OTHERS.search(text[: fact.start]) is None:
        return None
    for chunk, view, whole, part, at in _neighbours(sources):
        if whole.unit or part.unit or not are_equal(number_of(whole) - number_of(part), fact.value):
            continue
        if _OF_THESE.match(view.text.lower(), part.end) is not None:
            return chunk, at
    return None


def _place_of_share(
    fact: Fact, own: Sequence[Fact], text: str, sources: Sequence[View]
) -> tuple[int, int] | None:
    """Where a share stands of a whole that the claim gives, of which a count is that share."""
    if fact.unit or _OF_THESE.match(text, fact.end) is None:
        return None
    wholes = {number_of(one) for one in own if not one.unit and number_of(one) > number_of(fact)}
    if not wholes:
        return None
    for chunk, view in enumerate(sources):
        given: list[tuple[int, float]] = []
        shares: list[tuple[int, float, int]] = []
        for other, at in zip(view.facts, view.fact_at, strict=True):
            if not is_amount(other):
                continue
            if share_of(other):
                shares.append((view.sentence_of[at], share_of(other), at))
            elif not other.unit and number_of(other) in wholes:
                given.append((view.sentence_of[at], number_of(other)))
        for sentence, share, at in shares:
            if any(
                abs(sentence - where) <= 1 and are_equal(round(share * whole, 6), fact.value)
                for where, whole in given
            ):
                return chunk, at
    return None


def _neighbours(sources: Sequence[View]) -> Iterator[tuple[int, View, Fact, Fact, int]]:
    """Amounts that follow each other closely in a sentence, with the number of the chunk and of the word."""
    for chunk, view in enumerate(sources):
        amounts = [(fact, at) for fact, at in zip(view.facts, view.fact_at, strict=True) if is_amount(fact)]
        for (first, at), (second, behind) in pairwise(amounts):
            is_near = second.start - first.end <= _NEAR and first.bound == second.bound == ""
            if is_near and view.sentence_of[at] == view.sentence_of[behind]:
                yield chunk, view, first, second, at
