"""What the finders know of words: opposites by stem, negative forms."""

from __future__ import annotations

from functools import lru_cache

from pytest_grounding.lexicon import lines, ordered, words
from pytest_grounding.scorers.lexical.tokens import tokenize

NEGATIVE_PREFIXES = ordered("conflicts", "negative prefixes")
_NO_NEGATIVES = words("conflicts", "no negatives")
HOMONYMS = words("conflicts", "homonyms")
#: Pairs of beginnings, each both ways round. What follows them is a word of its own that is as long.
_TWINS = tuple(
    pair for line in lines("conflicts", "twins") for a, b in (line.split(),) for pair in ((a, b), (b, a))
)
_TWIN_FORMS = tuple(own for own, _ in _TWINS)
_SHORTEST_TWIN = 4
_NO_TWINS = words("conflicts", "no twins")


#: The kinds of conflict that a pair of the table makes. A "converse" pair (buy, sell) is opposed only where
#: the two sides have not changed places too.
_KINDS = ("antonym", "comparison", "order", "converse")


#: A line of the table as it is seen from one of its sides: the kind of conflict, the stems of this side (near
#: synonyms), and those of the other.
Sided = tuple[str, list[str], list[str]]


@lru_cache(maxsize=1)
def sided() -> dict[str, list[Sided]]:
    """For each stem of the table the sides that it stands on."""
    found: dict[str, list[Sided]] = {}
    for kind in _KINDS:
        # Stems: stemming the words anew would cost more than all the rest (`python -m training.opposites`).
        for line in lines("opposites", kind):
            left, _, right = line.partition("|")
            ours, theirs = left.split(), right.split()
            for side in ((kind, ours, theirs), (kind, theirs, ours)):
                for stem in side[1]:
                    found.setdefault(stem, []).append(side)
    return found


# These are worked out for the words that are asked for: for all it takes a thirtieth of a first validation.
@lru_cache(maxsize=8192)
def opposites_of(stem: str) -> dict[str, str]:
    """The stems that are opposed to one, with the kind of conflict that they make."""
    return {other: kind for kind, _, theirs in sided().get(stem, ()) for other in theirs if other != stem}


@lru_cache(maxsize=8192)
def alike(stem: str) -> frozenset[str]:
    """The stems that stand on a side with one, itself among them: near synonyms; mostly empty."""
    sides = sided().get(stem, ())
    return frozenset(other for kind, ours, _ in sides if kind != "converse" for other in ours)


@lru_cache(maxsize=65536)
def stem_of(word: str) -> str:
    """The stem of one word."""
    tokens = tokenize(word)
    return tokens[0].stem if tokens else word


@lru_cache(maxsize=1)
def _no_negative_stems() -> frozenset[str]:
    return frozenset(stem_of(word) for word in _NO_NEGATIVES)


@lru_cache(maxsize=65536)
def negative_of(word: str) -> tuple[str, ...]:
    """The words that a word may be the negative of, by its form: "safe" for "unsafe"."""
    # Few words look like one, and only these are stemmed.
    if len(word) < 5 or not (word.startswith(NEGATIVE_PREFIXES) or word.endswith("less")):
        return ()
    if stem_of(word) in _no_negative_stems():
        return ()
    found = [
        word[len(prefix) :]
        for prefix in NEGATIVE_PREFIXES
        if word.startswith(prefix) and len(word) > len(prefix) + 2
    ]
    if word.endswith("less") and len(word) > 6:
        found += [word[:-4], word[:-4] + "ful"]
    return tuple(found)


@lru_cache(maxsize=65536)
def negated_stems(word: str) -> tuple[str, ...]:
    """What the words that a word may be the negative of may stand as: themselves, and their stems."""
    return tuple(stem for base in negative_of(word) for stem in (base, stem_of(base)))


@lru_cache(maxsize=65536)
def twin_stems(word: str) -> tuple[str, ...]:
    """Stems of what a word becomes with the opposite beginning: "underpaid" for "overpaid"."""
    if not word.startswith(_TWIN_FORMS):
        return ()
    return tuple(
        stem_of(other + rest)
        for own, other in _TWINS
        if word.startswith(own) and len(rest := word[len(own) :]) >= _SHORTEST_TWIN and rest not in _NO_TWINS
    )
