"""How informative a word is, by its rarity in ordinary retrieved text."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pytest_grounding.reading.words import FIRST_PERSON, Token

#: How often a word outside the background table counts as seen.
_UNSEEN = 2.5
#: Weight of a word in a language without a background table: that of an average English word.
_MIDDLING = 5.0
_FRAMING_SHARE = 0.05
_GENERIC_SHARE = 0.2
#: A number, or a statement of the answer about itself, is always informative.
_LEAST_HARD = 5.0


class _Background(NamedTuple):
    """Inverse document frequencies of the known stems, and the value for all others."""

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
    # Stemming the lists again would take longer than the rest of the loading.
    found: dict[str, Any] = json.loads(Path(__file__).with_name("stems.json").read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=1)
def framing_stems() -> frozenset[str]:
    """Stems of words about the answer or the sources."""
    return frozenset(_stems()["framing"].split())


@lru_cache(maxsize=1)
def generic_stems() -> frozenset[str]:
    """Stems of words that add little in any answer."""
    return frozenset(_stems()["generic"].split())


@lru_cache(maxsize=1)
def light_stems() -> frozenset[str]:
    """Stems of both lists."""
    return framing_stems() | generic_stems()


@lru_cache(maxsize=1)
def _groups() -> dict[str, list[list[str]]]:
    """Stem -> the synonym groups that contain it."""
    table: dict[str, list[list[str]]] = {}
    for line in _stems()["synonyms"]:
        stems = line.split()
        for stem in stems:
            table.setdefault(stem, []).append(stems)
    return table


# Computed on demand: computing all takes a thirtieth of a first validation.
@lru_cache(maxsize=8192)
def synonyms_of(stem: str) -> tuple[str, ...]:
    """Stems of the synonyms of a stem, in the order of the table."""
    found = dict.fromkeys(other for stems in _groups().get(stem, ()) for other in stems)
    found.pop(stem, None)
    return tuple(found)


def rarity(stem: str, language: str = "en") -> float:
    """Inverse document frequency of a stem: natural log of passages over passages that contain it."""
    if language != "en":
        return _MIDDLING
    known = _background()
    return known.weights.get(stem, known.unseen)


def weigh(token: Token, language: str = "en") -> float:
    """Weight of a word that no chunk contains; at least 0."""
    return weight_of(token.norm, token.stem, token.is_number, language)


# Cached, because the words of a language come back in every claim.
@lru_cache(maxsize=32768)
def weight_of(norm: str, stem: str, is_number: bool, language: str) -> float:
    """The same from the parts of a token that matter."""
    weight = rarity(stem, language)
    if language == "en":
        if norm in FIRST_PERSON:
            return _LEAST_HARD
        if stem in framing_stems():
            return weight * _FRAMING_SHARE
        if stem in generic_stems():
            return weight * _GENERIC_SHARE
    return max(weight, _LEAST_HARD) if is_number else weight
