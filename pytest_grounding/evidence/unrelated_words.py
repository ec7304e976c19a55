"""Words of a claim that begin like a word of the sources and mean something else: "trainee" for "trainer"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.statements import words_of_claim
from pytest_grounding.lexicon import lines
from pytest_grounding.reading import base_language
from pytest_grounding.reading.words import fold, tokenize

_SECTIONS = {"en": "unrelated", "de": "unrelated german"}  # the lists of such words by language


@lru_cache(maxsize=len(_SECTIONS))
def _families(language: str) -> Mapping[str, tuple[frozenset[str], frozenset[str]]]:
    """A word -> the forms of its own meaning, and of the others that begin alike."""
    found: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    for line in lines("matching", _SECTIONS[language]):
        families = [frozenset(fold(part).split()) for part in line.split("|")]
        for family in families:
            others = frozenset().union(*(other for other in families if other is not family))
            found.update(dict.fromkeys(family, (family, others)))
    return found


def unrelated_words_of(text: str, sources: LedgerSources) -> Iterator[Settled]:
    """The words of a claim that no source has, where one has a word that is much alike."""
    language = base_language(sources.language)
    if language not in _SECTIONS:
        return
    families = _families(language)
    if language == "en" and families.keys().isdisjoint(words_of_claim(text).norms):
        return
    for token in tokenize(text, language):
        if token.norm not in families or token.stem in sources.given_stems:
            continue
        own, others = families[token.norm]
        if _place_of(own, sources) is not None:
            continue
        place = _place_of(others, sources)
        if place is not None and place.chunk is not None:
            said = sources.context.indexes[place.chunk].text[place.start : place.end]
            yield Settled("role", token.start, token.end, Outcome("missing", place, nearest=said))


def _place_of(forms: frozenset[str], sources: LedgerSources) -> Place | None:
    for chunk, index in enumerate(sources.context.indexes):
        for form in sorted(forms):
            (word,) = tokenize(form, sources.language)
            for place in index.positions.get(word.stem, ()):
                token = index.tokens[place]
                if token.norm == form:
                    return Place(chunk, token.start, token.end)
    return None
