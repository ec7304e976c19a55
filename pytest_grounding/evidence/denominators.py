"""What a value is counted for: "12 euros per person", "for every kilometre", "for a poster … 9 pounds"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.lexicon import words
from pytest_grounding.reading.facts import Fact
from pytest_grounding.reading.facts.measures import WORDS as UNITS
from pytest_grounding.reading.facts.measures import Unit
from pytest_grounding.reading.words import Token, content_stems

_LISTED = words("units", "denominators")
_POINTS = frozenset({"date", "time"})
_BEHIND = lazy(r"\s?(?:/|per\s|an?\s|each\s|for every\s|for each\s)\s?([^\W\d_]+[²2]?)", re.IGNORECASE)
_NOUNS = r"[^\W\d_]{1,30}(?: [^\W\d_]{1,30}){0,2}"
#: "38 cents are refunded for every kilometre", "15 g of salt per kilogram"
_APART = lazy(rf"[^.,;:\d\n]{{0,40}}?\s(?:for every|for each|per)\s({_NOUNS})", re.IGNORECASE)
#: "For a poster the printer charges 9 pounds."
_BEFORE = lazy(rf"(?:^|[,;]\s)for (?:an?|each|every)\s({_NOUNS})\s[^.,;:\d\n]{{0,40}}$", re.IGNORECASE)
_PERIODS, _ROUNDING = frozenset({"s", "mo", "bday"}), 1e-6
#: Characters before a value in which its denominator is looked for.
_REACH = 80


def counted_for(fact: Fact, text: str) -> str:
    """The listed thing that a value is counted for, as in "12 euros per person"; "" without any."""
    match = _BEHIND.match(text, fact.end)
    behind = _denominator(match[1]) if match is not None else ""
    return behind or next(filter(None, map(_denominator, _nouns_of(fact, text)[:1])), "")


def is_counted_alike(fact: Fact, text: str, other: Fact, source: str) -> bool:
    """Whether two values are counted for the same thing, as far as both say so."""
    if counted_for(fact, text) != counted_for(other, source):
        return False
    own, theirs = _nouns_of(fact, text), _nouns_of(other, source)
    return not own or not theirs or not _noun_stems(own).isdisjoint(_noun_stems(theirs))


def is_rate_apart(fact: Fact, text: str, other: Fact) -> bool:
    """Whether a source has a rate of which the claim has the unit elsewhere: "for every kilometre"."""
    unit = next(filter(None, map(_unit, _nouns_of(fact, text)[:1])), None)
    if unit is None or fact.value is None or other.value is None:
        return False
    is_same = abs(fact.value / unit.factor - other.value) <= _ROUNDING * abs(other.value)
    return is_same and other.unit == f"{fact.unit}/{unit.base}"


def is_counted_otherwise(fact: Fact, text: str, tokens: Sequence[Token], sources: LedgerSources) -> bool:
    """Whether the sources have a number per kilogram or person alone, and the claim has it without."""
    own, named = counted_for(fact, text), _nouns_of(fact, text)
    others: set[str] = set()
    others_named: list[frozenset[str]] = []
    for chunk, index in enumerate(sources.context.indexes):
        for other in sources.values_like(fact, chunk):
            base, _, inner = other.unit.partition("/")
            is_same = base == fact.unit.partition("/")[0]
            if is_rate_apart(fact, text, other):
                return False
            if is_same and other.kind not in _POINTS:
                others.add(counted_for(other, index.text) or (inner if inner not in ("", "s") else ""))
                others_named.append(_noun_stems(_nouns_of(other, index.text)))
    if named and not own and others_named and all(others_named):
        return all(_noun_stems(named).isdisjoint(theirs) for theirs in others_named)
    own = own or (fact.unit.partition("/")[2] if not fact.unit.endswith("/s") else "")
    # "A unit costs 29 cents" beside "29 cents a unit".
    others.update("" for token in tokens if token.norm in others and not own)
    return bool(others) and own not in others


def _nouns_of(fact: Fact, text: str) -> list[str]:
    """The words for whatever a value is said to be counted for, but a period."""
    before = text[max(0, fact.start - _REACH) : fact.start]
    match = _APART.match(text, fact.end) or _BEFORE.search(before)
    nouns = match[1].lower().split() if match is not None else []
    unit = _unit(nouns[0]) if nouns else None
    return [] if unit is not None and unit.base in _PERIODS else nouns


def _noun_stems(nouns: Sequence[str]) -> frozenset[str]:
    return content_stems(" ".join(nouns))


def _unit(word: str) -> Unit | None:
    return UNITS.get(word) or UNITS.get(f"{word}s")


def _denominator(word: str) -> str:
    singular = word.lower().removesuffix("s")
    return singular if singular in _LISTED or word.lower() in _LISTED else ""
