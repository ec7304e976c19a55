"""What a word sets off, told once for each word of a language: a finder then looks at its own words only."""

from __future__ import annotations

from functools import lru_cache

from pytest_grounding._patterns import lazy
from pytest_grounding.lexicon import table, words
from pytest_grounding.scorers.lexical.conflicts.lexicon import NEGATIVE_PREFIXES, negated_stems

#: Marks: it denies; it may be the negative of another word by its form; it says how much or how often;
#: it is "without"; it names a source.
DENIES, NEGATIVE, QUANTIFIES, WITHOUT, SOURCE = "denies", "negative", "quantifies", "without", "source"

WEAK = words("conflicts", "weak denials")
#: All words that deny without a negation, without those that only look like denials.
TURNING = words("conflicts", "soft denials") | WEAK
_SOFT_FORM = lazy(r"(?:un|non)[a-z]{4,}|[a-z]{3,}less")
_FORMS = ("un", "non", *NEGATIVE_PREFIXES)
_NOT_SOFT = words("conflicts", "no denials")
_SOURCES = words("conflicts", "naming sources")
_QUANTIFIERS = table("conflicts", "amounts").keys() | table("conflicts", "frequencies").keys()


@lru_cache(maxsize=1)
def _known() -> dict[str, tuple[str, ...]]:
    """The words of the lists with their marks."""
    lists = {DENIES: TURNING, QUANTIFIES: _QUANTIFIERS, WITHOUT: {"without"}, SOURCE: _SOURCES}
    found: dict[str, tuple[str, ...]] = {}
    for mark, listed in lists.items():
        for word in listed:
            found[word] = (*found.get(word, ()), mark)
    return found


@lru_cache(maxsize=65536)
def marks_of(norm: str) -> tuple[str, ...]:
    """The marks of a folded word, most of which have none.

    Kept for each word of a language, of which there are not many more than the cache holds.
    """
    marks = _known().get(norm, ())
    if "'" in norm and norm.partition("'")[0] in _SOURCES:
        marks = (SOURCE,)
    if norm.startswith(_FORMS) or norm.endswith("less"):
        if DENIES not in marks and norm not in _NOT_SOFT and _SOFT_FORM.fullmatch(norm):
            # "Unsafe", "useless".
            marks = (*marks, DENIES)
        if negated_stems(norm):
            marks = (*marks, NEGATIVE)
    return marks
