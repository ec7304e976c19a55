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


@lru_cache(maxsize=1)
def opposites() -> dict[str, dict[str, str]]:
    """For each stem its opposed stems, with the kind of conflict that they make.

    "converse" pairs (buy, sell) are opposed only where the two sides have not changed places too.
    """
    found: dict[str, dict[str, str]] = {}
    for kind in ("antonym", "comparison", "order", "converse"):
        for left, right in sides(kind):
            for a in left:
                for b in right:
                    if a != b:
                        found.setdefault(a, {})[b] = kind
                        found.setdefault(b, {})[a] = kind
    return found


def sides(kind: str) -> list[tuple[list[str], list[str]]]:
    """The stems on both sides of each line of the table; those on a side are near synonyms."""
    # Stemming the words anew would cost more than all the rest of loading: `python -m training.opposites`.
    parted = (line.partition("|") for line in lines("opposites", kind))
    return [(left.split(), right.split()) for left, _, right in parted]


@lru_cache(maxsize=1)
def alike() -> dict[str, frozenset[str]]:
    """For each stem of the table the stems that stand on a side with it: near synonyms."""
    found: dict[str, set[str]] = {}
    for kind in ("antonym", "comparison", "order"):
        for stems in (side for both in sides(kind) for side in both):
            for stem in stems:
                found.setdefault(stem, set()).update(stems)
    return {stem: frozenset(stems) for stem, stems in found.items()}


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
