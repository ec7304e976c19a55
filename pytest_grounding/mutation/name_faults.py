"""Faults of names: a made-up one, and another one of the chunks."""

from __future__ import annotations

import random
import re
from functools import lru_cache
from itertools import product

from pytest_grounding.lexicon import ordered
from pytest_grounding.lexicon import words as listed
from pytest_grounding.mutation.site import FoldedSources, Mutant, Site, folded_words
from pytest_grounding.mutation.value_faults import MONTHS, TRIES, WEEKDAYS, first_planted

_INVENTED_SINGLE = ordered("mutation", "invented_single")
_INVENTED_GIVEN = ordered("mutation", "invented_given")
_INVENTED_ACRONYMS = ("QVX", "ZKR", "WUJ", "XQB", "JVH")
_KIND_WORDS = listed("mutation", "kind_words")
_NO_NAMES = listed("mutation", "no_names") | frozenset(MONTHS) | frozenset(WEEKDAYS)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w-]*[A-Za-z0-9](?: [A-Z][\w-]*[A-Za-z0-9])*(?![\w-]|\.\w)")
_OF_A_PEOPLE = re.compile(r"(?:ans|ists|ese|ish|ian|ean|can)$")


def capitalised_names(text: str) -> list[re.Match[str]]:
    """The names within the sentences of a text, as far as capitals show: no months, no nationalities."""
    return [
        match
        for match in _NAME.finditer(text)
        if not _NO_NAMES.intersection(match[0].split()) and not _OF_A_PEOPLE.search(match[0])
    ]


def plant_new_entity(site: Site, rng: random.Random) -> Mutant | None:
    """Change a name to one that occurs nowhere."""
    names = _replaceable(site)
    rng.shuffle(names)
    for name in names:
        planted = _invented(name[0], rng)
        if not any(word.lower() in site.sources.words for word in planted.split() if word not in _KIND_WORDS):
            return site.edit(*name.span(), planted)
    return None


def plant_swapped_entity(site: Site, rng: random.Random) -> Mutant | None:
    """Change a name to another name of the chunks that is not in the claim."""
    names = _replaceable(site)
    claim_words = set(folded_words(site.text).split())
    others = [
        text for text in _names_in_chunks(site.sources) if not claim_words & set(folded_words(text).split())
    ]
    rng.shuffle(names)
    rng.shuffle(others)
    return first_planted(
        site.edit(*name.span(), other)
        for name, other in product(names[:TRIES], others[:TRIES])
        if _may_replace(name[0], other, site.sources)
    )


@lru_cache(maxsize=8)
def _names_in_chunks(sources: FoldedSources) -> tuple[str, ...]:
    return tuple(
        sorted({name[0] for text in sources.texts for name in capitalised_names(text)} - _KIND_WORDS)
    )


def _replaceable(site: Site) -> list[re.Match[str]]:
    """Names that also occur in the chunks and occur once in the claim."""
    return [
        name
        for name in capitalised_names(site.text)
        if site.text.count(name[0]) == 1 and site.sources.say(name[0])
    ]


def _invented(name: str, rng: random.Random) -> str:
    words = name.split(" ")
    if len(words) == 1:
        return rng.choice(_INVENTED_ACRONYMS if name.isupper() and len(name) > 1 else _INVENTED_SINGLE)
    if words[-1] in _KIND_WORDS:
        return f"{rng.choice(_INVENTED_SINGLE)} {words[-1]}"
    return f"{rng.choice(_INVENTED_GIVEN)} {rng.choice(_INVENTED_SINGLE)}"


def _may_replace(name: str, other: str, sources: FoldedSources) -> bool:
    """Whether another name has the same form, and does not name the same thing."""
    if name.isupper() != other.isupper() or (" " in name) != (" " in other):
        return False
    pairs = ((name, other), (other, name))
    if any(first in second for first, second in pairs):
        return False
    # "World Health Organization (WHO)"
    return not any(f"{first} ({second}" in text for first, second in pairs for text in sources.texts)
