"""How much a word tells, from how rare it is in ordinary retrieved text."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest_grounding.reading.words import FIRST_PERSON, Token

#: A word that the background does not know counts as seen this many times.
_UNSEEN = 2.5
#: Weight of a word where no background is shipped: that of a middling English word.
_MIDDLING = 5.0
_FRAMING_SHARE = 0.05
_GENERIC_SHARE = 0.2
#: A number or a claim of the answer about itself always tells something.
_LEAST_HARD = 5.0


@dataclass(frozen=True, slots=True)
class _Background:
    """Inverse document frequencies of the stems that are known, and that of any other."""

    weights: dict[str, float]
    unseen: float


@lru_cache(maxsize=1)
def _background() -> _Background:
    data: dict[str, Any] = json.loads(Path(__file__).with_name("background.json").read_text(encoding="utf-8"))
    total = int(data["passages"])
    weights: dict[str, float] = {}
    for count, stems in data["counts"].items():
        weights.update(dict.fromkeys(stems.split(), math.log((total + 1) / (int(count) + 0.5))))
    return _Background(weights, math.log((total + 1) / (_UNSEEN + 0.5)))


@lru_cache(maxsize=1)
def _stems() -> dict[str, Any]:
    # Stemming the lists anew would cost more than all the rest of loading.
    found: dict[str, Any] = json.loads(Path(__file__).with_name("stems.json").read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=1)
def framing_stems() -> frozenset[str]:
    """Stems of words that talk about the answer or the sources."""
    return frozenset(_stems()["framing"].split())


@lru_cache(maxsize=1)
def generic_stems() -> frozenset[str]:
    """Stems of words that carry little information in any answer."""
    return frozenset(_stems()["generic"].split())


@lru_cache(maxsize=1)
def light_stems() -> frozenset[str]:
    """Both of these: stems of words that tell little."""
    return framing_stems() | generic_stems()


@lru_cache(maxsize=1)
def _groups() -> dict[str, list[list[str]]]:
    """For each stem the groups of synonyms that it stands in."""
    table: dict[str, list[list[str]]] = {}
    for line in _stems()["synonyms"]:
        stems = line.split()
        for stem in stems:
            table.setdefault(stem, []).append(stems)
    return table


# Worked out for the words that are asked for: for all of them it takes a thirtieth of a first validation.
@lru_cache(maxsize=8192)
def synonyms_of(stem: str) -> tuple[str, ...]:
    """Stems of the words that may stand for one, in the order of the table."""
    found = dict.fromkeys(other for stems in _groups().get(stem, ()) for other in stems)
    found.pop(stem, None)
    return tuple(found)


def rarity(stem: str, language: str = "en") -> float:
    """Inverse document frequency of a stem: the natural log of passages over passages that hold it."""
    if language != "en":
        return _MIDDLING
    known = _background()
    return known.weights.get(stem, known.unseen)


def weigh(token: Token, language: str = "en") -> float:
    """How much is lost when a word of a claim stands in no chunk; at least 0."""
    return weight_of(token.norm, token.stem, token.is_number, language)


# Kept, because the words of a language come back in every claim.
@lru_cache(maxsize=32768)
def weight_of(norm: str, stem: str, is_number: bool, language: str) -> float:
    """The same for a word that is given by what is looked at of its token."""
    weight = rarity(stem, language)
    if language == "en":
        if norm in FIRST_PERSON:
            return _LEAST_HARD
        if stem in framing_stems():
            return weight * _FRAMING_SHARE
        if stem in generic_stems():
            return weight * _GENERIC_SHARE
    return max(weight, _LEAST_HARD) if is_number else weight
