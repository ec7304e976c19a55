"""What a word sets off, told once for each word of a language: a finder then looks at its own words only."""

from __future__ import annotations

from functools import lru_cache

from pytest_grounding._patterns import lazy
from pytest_grounding.scorers.lexical.conflicts.lexicon import (
    NEGATIVE_PREFIXES,
    QUANTIFIERS,
    negated_stems,
)
from pytest_grounding.text.facts.tokens import words

#: Marks: it denies; it may be the negative of another word by its form; it says how much or how often;
#: it is "without"; it names a source.
DENIES, NEGATIVE, QUANTIFIES, WITHOUT, SOURCE = "denies", "negative", "quantifies", "without", "source"

#: Words that deny without a negation, or that make it unsure what is denied: near one of them a difference
#: in negations says nothing.
_SOFT = frozenset(
    words(
        """
        avoid avoids avoided avoiding prevent prevents prevented preventing refuse refuses refused
        refusing unlikely unable fail fails failed failing lack lacks lacked lacking rarely seldom
        hardly barely scarcely except unless instead rather unlike impossible prohibit prohibits
        prohibited forbid forbids forbidden deny denies denied absent absence exclude excludes
        excluded excluding nothing nobody nowhere devoid cease false myth never otherwise inactive
        non inability inadequate inaccurate incapable incomplete incorrect ineffective inefficient
        infrequent insufficient invalid invisible improper imperfect immature irregular irrelevant
        irresponsible illegal illogical disagree disagrees disallow dislike disprove disqualify
        disregard disable disabled discontinue discontinued dishonest inappropriate difficulty
        difficulties trouble bypass bypasses bypassed
        """
    )
)
#: The same, but they deny only what stands right beside them.
WEAK = frozenset(
    words(
        """
        only little few fewer less stop stops stopped free zero too against difficult hard limited
        restricted lose loses lost missing miss ban banned decline despite regardless whether minus
        away
        """
    )
)
#: All of them, without those that only look like denials.
TURNING = _SOFT | WEAK
_SOFT_FORM = lazy(r"(?:un|non)[a-z]{4,}|[a-z]{3,}less")
_FORMS = ("un", "non", *NEGATIVE_PREFIXES)
_NOT_SOFT = frozenset(
    words(
        """
        under until unit units united unless understand understood underlying undergo undergoes
        understanding union unions unique universal university universe uniform unified underneath
        underground
        """
    )
)
#: What claims call the sources, and what they say of them.
_SOURCES = frozenset(
    words(
        """
        passage passages context contexts source sources document documents text texts article articles
        excerpt excerpts mentioned stated
        """
    )
)


@lru_cache(maxsize=1)
def _known() -> dict[str, tuple[str, ...]]:
    """The words of the lists with their marks."""
    lists = {DENIES: TURNING, QUANTIFIES: QUANTIFIERS.keys(), WITHOUT: {"without"}, SOURCE: _SOURCES}
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
