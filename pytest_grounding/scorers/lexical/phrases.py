"""One added phrase in a claim that is otherwise held: "for an hour", "at a lower rate than red cells".

A weighted sum over a whole claim averages it away. A phrase is strange by itself alone, so that another chunk
can only make it less so. English only.
"""

from __future__ import annotations

from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.align import Alignment
from pytest_grounding.scorers.lexical.background import light_stems

_OPENS = words("matching", "phrase_openers")
_PUNCTUATION = frozenset(",;:()—–")
#: Words in a row at the end that stand nowhere, and the part of the claim's content words that they are: one
#: strange word at the end is a paraphrase as often as an invention (`benchmarks/accuracy/tried.md`).
_LEAST_RUN = 2
_PART = 4
#: Words between one that opens a phrase and its first content word.
_REACH = 4
_UNITS = words("matching", "duration_stems")
#: Before a unit they make a duration of it; "a few minutes" is none to be held to.
_ONE = words("matching", "one")
#: A sentence that holds this share of a claim speaks of the same thing.
_SAME = 0.15


def has_strange_phrase(alignment: Alignment) -> bool:
    """Whether a claim has a duration or a comparison that no source makes."""
    if "than" in alignment.claim and _compares_anew(alignment):
        return True
    return bool(alignment.missing) and _has_strange_duration(alignment)


def ends_in_strange_words(alignment: Alignment) -> bool:
    """Whether the last words of a claim stand nowhere: two or more, and a fourth of its content words.

    They begin with a word or a sign that opens a phrase: "to keep the cream from curdling", ", which a
    violinist celebrated with fireworks". A missing object alone ("sells umbrellas") is no such phrase.
    """
    if len(alignment.missing) < _LEAST_RUN:
        return False
    light = light_stems()
    gone = {token.start for token in alignment.missing}
    run = first = 0
    for token in reversed(alignment.content):
        if token.start in gone:
            run += token.stem not in light
            first = token.start
        elif token.stem not in light or token.stem in alignment.quality:
            break
    return run >= _LEAST_RUN and run * _PART >= len(alignment.weights) and _opens(alignment, first)


def _opens(alignment: Alignment, start: int) -> bool:
    """Whether a word that opens a phrase, or a sign that ends one, stands at a word or close before it."""
    tokens = alignment.tokens
    at = next(number for number, token in enumerate(tokens) if token.start == start)
    for number in range(at, max(0, at - _REACH), -1):
        between = alignment.claim[tokens[number - 1].end : tokens[number].start]
        if tokens[number].norm in _OPENS or not _PUNCTUATION.isdisjoint(between):
            return True
    return False


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
    return not alignment.is_held_beside(units, _SAME * alignment.total)


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
    text_of, least = alignment.context.text_of, _SAME * alignment.total
    if alignment.is_held_beside(alignment.context.sentences("than"), least):
        return False
    return not any(
        weight >= least and any(char.isdigit() for char in text_of(sentence))
        for sentence, weight in alignment.held.items()
    )
