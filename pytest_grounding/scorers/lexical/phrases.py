"""One added phrase in a claim that is otherwise held: "for an hour", "at a lower rate than red cells".

A weighted sum over a whole claim averages it away. A phrase is strange by itself alone, so that another chunk
can only make it less so. English only.
"""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.scorers.lexical.align import Alignment
from pytest_grounding.scorers.lexical.background import light_stems
from pytest_grounding.scorers.lexical.tokens import Token

_OPENS = frozenset(
    "for at in on by with from to into onto of as than instead without within during after before until "
    "through between per under over about around because due when while if unless which who that where and "
    "or but so since using including such".split()
)
_PUNCTUATION = frozenset(",;:()—–")
#: Of the shortest claims subject and predicate say more; a longer claim ends in words of its own too often
#: (`benchmarks/accuracy/tried.md` has the figures).
_PARTED = 4
_MOST_CONTENT = 8
_STRANGE = 0.6
_LEAST_LOST = 5.0
_UNITS = frozenset("second minut hour day week month year decad".split())
#: Before a unit they make a duration of it; "a few minutes" is none to be held to.
_ONE = frozenset({"a", "an", "one", "full", "whole", "half"})
#: A sentence that holds this share of a claim speaks of the same thing.
_SAME = 0.15


def has_strange_phrase(alignment: Alignment, *, parted: bool = False) -> bool:
    """Whether a claim has a duration or a comparison that no source makes, or a short one ends strangely.

    Args:
        alignment: the claim against the context.
        parted: whether subject and predicate were told apart: they say more of the shortest claims.
    """
    if "than" in alignment.claim and _compares_anew(alignment):
        return True
    if not alignment.missing:
        return False
    if _has_strange_duration(alignment):
        return True
    size = len(alignment.weights)
    return size <= _MOST_CONTENT and (not parted or size > _PARTED) and _ends_strangely(alignment)


def _has_strange_duration(alignment: Alignment) -> bool:
    """Whether it says how long in a unit that stands nowhere, and what is near gives no other duration."""
    tokens = alignment.tokens
    gone = {token.start for token in alignment.missing if token.stem in _UNITS}
    if not gone or not any(
        token.start in gone and number and (tokens[number - 1].is_number or tokens[number - 1].norm in _ONE)
        for number, token in enumerate(tokens)
    ):
        return False
    units = frozenset().union(*(alignment.context.sentences(unit) for unit in sorted(_UNITS)))
    return not _speaks_of_it(alignment, units)


def _speaks_of_it(alignment: Alignment, sentences: frozenset[int]) -> bool:
    """Whether one of some sentences, or one beside it, holds a part of the claim."""
    held, least = alignment.held.get, _SAME * alignment.total
    chunk_of = alignment.context.chunk_of
    return any(
        held(beside, 0.0) >= least and chunk_of[beside] == chunk_of[sentence]
        for sentence in sentences
        for beside in (sentence - 1, sentence, sentence + 1)
    )


def _compares_anew(alignment: Alignment) -> bool:
    """Whether the claim compares two things, and no source does, nor gives numbers to compare them by."""
    tokens = alignment.tokens
    if not any(
        token.norm == "than"
        and number
        and tokens[number - 1].norm not in ("rather", "other", "more", "less")
        and number + 1 < len(tokens)
        and not tokens[number + 1].is_number
        for number, token in enumerate(tokens)
    ):
        return False
    if _speaks_of_it(alignment, alignment.context.sentences("than")):
        return False
    text_of, least = alignment.context.text_of, _SAME * alignment.total
    return not any(
        weight >= least and any(char.isdigit() for char in text_of(sentence))
        for sentence, weight in alignment.held.items()
    )


def _ends_strangely(alignment: Alignment) -> bool:
    last = _last_phrase(alignment)
    light = light_stems()
    gone = {token.start for token in alignment.missing if token.stem not in light}
    total = lost = 0.0
    for token in last:
        weight = alignment.weights[token.stem]
        total += weight
        lost += weight * (token.start in gone)
    return lost > _LEAST_LOST and lost > _STRANGE * total


def _last_phrase(alignment: Alignment) -> Sequence[Token]:
    """Content words behind the last word or sign that opens a phrase; none where the claim is one phrase."""
    content = {token.start for token in alignment.content}
    tokens = alignment.tokens
    found: list[Token] = []
    for number in range(len(tokens) - 1, 0, -1):
        token = tokens[number]
        if token.start in content:
            found.append(token)
        between = alignment.claim[tokens[number - 1].end : token.start]
        if (token.norm in _OPENS or not _PUNCTUATION.isdisjoint(between)) and found:
            return found if any(other.start in content for other in tokens[:number]) else ()
    return ()
