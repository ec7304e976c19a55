"""Word knowledge of the conflict search: opposites by stem, negative forms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import lines, ordered, table, words
from pytest_grounding.reading.words import stem_of as stem_of_letters
from pytest_grounding.reading.words import tokenize

NEGATIVE_PREFIXES = ordered("conflicts", "negative prefixes")
_NO_NEGATIVES = words("conflicts", "no negatives")
HOMONYMS = words("conflicts", "homonyms")
#: Pairs of opposite prefixes, in both directions; a word of at least this length must follow.
_TWINS = tuple(
    pair for line in lines("conflicts", "twins") for a, b in (line.split(),) for pair in ((a, b), (b, a))
)
_TWIN_FORMS = tuple(own for own, _ in _TWINS)
_SHORTEST_TWIN = 4
_NO_TWINS = words("conflicts", "no twins")


#: Conflict kinds of the table's pairs. A "converse" pair (buy, sell) is opposed only if the two sides
#: have not changed places too.
_KINDS = ("antonym", "comparison", "order", "converse")


#: A row of the table seen from one side: kind, stems of this side (near synonyms),
#: stems of the other side.
Sided = tuple[str, list[str], list[str]]
#: Marks: a denial; a negation; the negative of another word by its
#: form; a word with an opposite prefix; a word for how much
#: or how often; a word for a source.
DENIES, TURNS, NEGATIVE, TWINNED = "denies", "turns", "negative", "twinned"
QUANTIFIES, SOURCE = "quantifies", "source"
WEAK = words("conflicts", "weak denials")
#: All denials without a negation, without words that only look like denials.
TURNING = words("conflicts", "soft denials") | WEAK
_SOFT_FORM = lazy(r"(?:un|non)[a-z]{4,}|[a-z]{3,}less")
_FORMS = ("un", "non", *NEGATIVE_PREFIXES)
_NOT_SOFT = words("conflicts", "no denials")
_NEGATING = words("conflicts", "negating")
_SOURCES = words("conflicts", "naming sources")
_QUANTIFIERS = table("conflicts", "amounts").keys() | table("conflicts", "frequencies").keys()
_QUANTIFIERS |= table("conflicts", "shares").keys()
_LISTED = {DENIES: TURNING, QUANTIFIES: _QUANTIFIERS, SOURCE: _SOURCES}
#: Marks of this many words are cached: more than a language's common words.
MOST_MARKED = 65536


@lru_cache(maxsize=1)
def sided() -> dict[str, list[Sided]]:
    """Stem -> the sides of the table it is on."""
    found: dict[str, list[Sided]] = {}
    for kind in _KINDS:
        # The table has stems: stemming here would be the larger cost (`python -m training.opposites`).
        for line in lines("opposites", kind):
            left, _, right = line.partition("|")
            ours, theirs = left.split(), right.split()
            for side in ((kind, ours, theirs), (kind, theirs, ours)):
                for stem in side[1]:
                    found.setdefault(stem, []).append(side)
    return found


# Computed on demand: computing all takes a thirtieth of a first validation.
@lru_cache(maxsize=8192)
def opposites_of(stem: str) -> dict[str, str]:
    """The opposites of a stem, with the kind of conflict."""
    return {other: kind for kind, _, theirs in sided().get(stem, ()) for other in theirs if other != stem}


@lru_cache(maxsize=1)
def kin_words() -> dict[str, frozenset[str]]:
    """Word for a relative -> the words for those whose relative it is."""
    found: dict[str, frozenset[str]] = {}
    for line in lines("siblings", "of each other"):
        one, other = line.split("|")
        found.update(dict.fromkeys(one.split(), frozenset(other.split())))
    return found


@lru_cache(maxsize=8192)
def alike(stem: str) -> frozenset[str]:
    """The near synonyms of a stem, itself included; usually empty."""
    sides = sided().get(stem, ())
    return frozenset(other for kind, ours, _ in sides if kind != "converse" for other in ours)


@lru_cache(maxsize=65536)
def stem_of(word: str) -> str:
    """The stem of one word."""
    if word.isascii() and word.isalpha():
        return stem_of_letters(word)
    tokens = tokenize(word)
    return tokens[0].stem if tokens else word


@lru_cache(maxsize=1)
def _no_negative_stems() -> frozenset[str]:
    return frozenset(stem_of(word) for word in _NO_NEGATIVES)


@lru_cache(maxsize=65536)
def negative_of(word: str) -> tuple[str, ...]:
    """The words that a word negates by its form: "safe" for "unsafe"."""
    # Few words have such a form; only these are stemmed.
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
    """The words that a word negates, and their stems."""
    return tuple(stem for base in negative_of(word) for stem in (base, stem_of(base)))


@lru_cache(maxsize=65536)
def twin_stems(word: str) -> tuple[str, ...]:
    """Stems of a word with the opposite prefix: "underpaid" for "overpaid"."""
    if not word.startswith(_TWIN_FORMS):
        return ()
    return tuple(
        stem_of(other + rest)
        for own, other in _TWINS
        if word.startswith(own) and len(rest := word[len(own) :]) >= _SHORTEST_TWIN and rest not in _NO_TWINS
    )


def marked(norms: Sequence[str]) -> dict[str, list[int]]:
    """Mark -> indices of the folded words that have it, ascending."""
    found: dict[str, list[int]] = {}
    for number, marks in [pair for pair in enumerate(map(marks_of, norms)) if pair[1]]:
        for mark in marks:
            found.setdefault(mark, []).append(number)
    return found


def denies(norm: str) -> bool:
    """Whether a folded word is a negation."""
    return norm in _NEGATING or norm.endswith("n't")


@lru_cache(maxsize=MOST_MARKED)
def marks_of(norm: str) -> tuple[str, ...]:
    """The marks of a folded word; most words have none."""
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
