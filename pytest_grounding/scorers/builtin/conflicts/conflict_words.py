"""What the finders know of words: opposites by stem, negative forms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import lines, ordered, table, words
from pytest_grounding.reading.words import tokenize

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


#: Marks: it denies; it turns a statement into its opposite; it may be the negative of another word by its
#: form; another beginning makes it its opposite; it can be a finite verb; it is a helping verb; it may begin
#: a part of a sentence; it says how much or how often; it names a source.
DENIES, TURNS, NEGATIVE, TWINNED = "denies", "turns", "negative", "twinned"
QUANTIFIES, SOURCE = "quantifies", "source"
WEAK = words("conflicts", "weak denials")
#: All words that deny without a negation, without those that only look like denials.
TURNING = words("conflicts", "soft denials") | WEAK
_SOFT_FORM = lazy(r"(?:un|non)[a-z]{4,}|[a-z]{3,}less")
_FORMS = ("un", "non", *NEGATIVE_PREFIXES)
_NOT_SOFT = words("conflicts", "no denials")
_NEGATING = words("conflicts", "negating")
_SOURCES = words("conflicts", "naming sources")
_QUANTIFIERS = table("conflicts", "amounts").keys() | table("conflicts", "frequencies").keys()
_QUANTIFIERS |= table("conflicts", "shares").keys()


_LISTED = {
    DENIES: TURNING,
    QUANTIFIES: _QUANTIFIERS,
    SOURCE: _SOURCES,
}
#: A process keeps the marks of so many words: those of a language, and then some.
_MOST_KEPT = 65536
_kept: dict[str, tuple[str, ...]] = {}


def marked(norms: Sequence[str]) -> dict[str, list[int]]:
    """For each mark the numbers of the folded words that have it, ascending."""
    global _kept
    # Another thread may begin a new table meanwhile; this one stays whole.
    table = _kept if len(_kept) < _MOST_KEPT else {}
    for norm in set(norms).difference(table):
        table[norm] = marks_of(norm)
    _kept = table
    found: dict[str, list[int]] = {}
    for number, marks in [pair for pair in enumerate(map(table.__getitem__, norms)) if pair[1]]:
        for mark in marks:
            found.setdefault(mark, []).append(number)
    return found


def denies(norm: str) -> bool:
    """Whether a folded word turns a statement into its opposite."""
    return norm in _NEGATING or norm.endswith("n't")


def marks_of(norm: str) -> tuple[str, ...]:
    """The marks of a folded word, most of which have none."""
    marks = tuple(mark for mark, listed in _LISTED.items() if norm in listed)
    if denies(norm):
        marks = (*marks, TURNS)
    if norm.startswith(_FORMS) or norm.endswith("less"):
        if DENIES not in marks and norm not in _NOT_SOFT and _SOFT_FORM.fullmatch(norm):
            # "Unsafe", "useless".
            marks = (*marks, DENIES)
        if negated_stems(norm):
            marks = (*marks, NEGATIVE)
    if twin_stems(norm):
        marks = (*marks, TWINNED)
    return marks
