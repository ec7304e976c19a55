"""What tells that a passage gives orders to whoever reads it: English cues with a weight."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from pytest_grounding._patterns import lazy
from pytest_grounding.lexicon import fields, lines, ordered, sections
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.text.injected.letters import Letters, lowered, words_of

_FILE = "injected"


@dataclass(frozen=True, slots=True)
class Cue:
    """One kind of cue."""

    kind: str
    weight: int
    anchors: frozenset[bytes]
    also: frozenset[bytes]
    phrases: tuple[bytes, ...]
    is_second: bool
    pattern: re.Pattern[str]


def _cue(name: str) -> Cue:
    held = fields(_FILE, name)
    return Cue(
        held.get("kind", (name,))[0].replace(" ", "_"),
        int(held["weight"][0]),
        _encoded(held.get("anchors", ())),
        _encoded(held.get("also", ())),
        tuple([line[8:].encode() for line in lines(_FILE, name) if line.startswith("phrase: ")]),
        "second" in held,
        plain(_FILE, name),
    )


def _encoded(words: Iterable[str]) -> frozenset[bytes]:
    return frozenset(word.encode() for word in words)


@lru_cache(maxsize=1)
def _override() -> tuple[frozenset[bytes], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Words of which one stands in each verb that leaves orders aside; the verb, which orders, the noun."""
    held = fields(_FILE, "override_english")
    verb, prior, noun = [_one_of(held[part]) for part in ("verb", "prior", "noun")]
    return _encoded(held["needs"]), verb, prior, noun


# What makes the noun that of another matter ("instructions on assembly"), and what stands behind the verb in
# an order that may be one of a manual too.
_DOMAIN = plain(_FILE, "override_english_domain")
_WEAK = plain(_FILE, "override_english_weak")


def _one_of(words: Iterable[str]) -> re.Pattern[str]:
    """One of some words, the longest first."""
    every = "|".join(re.escape(word) for word in sorted(words, key=len)[::-1])
    return lazy(rf"\b(?:{every})\b")


@lru_cache(maxsize=1)
def cues() -> tuple[Cue, ...]:
    """All cues, made at the first text: importing pays for none of them."""
    left_out = {"common", "ordinary", "override_english"}
    return tuple(_cue(name) for name in sections(_FILE) if name not in left_out)


@lru_cache(maxsize=1)
def _common() -> frozenset[bytes]:
    """Words that are too common to look for a phrase by."""
    return _encoded(ordered(_FILE, "common"))


@dataclass(frozen=True, slots=True)
class _Anchor:
    """A word as a sign of a cue: the number of the cue, what it needs besides, the word's phrase or b""."""

    cue: int
    also: frozenset[bytes]
    phrase: bytes

    def holds(self, letters: Letters) -> bool:
        """Whether a text that has the word has what the cue needs besides."""
        if self.phrase:
            return self.phrase in letters.low
        return not self.also or not self.also.isdisjoint(letters.words)


@lru_cache(maxsize=1)
def _index() -> dict[bytes, list[_Anchor]]:
    """Word -> what it may be the sign of."""
    found: dict[bytes, list[_Anchor]] = {}
    for number, known in enumerate(cues()):
        for word in sorted(known.anchors):
            found.setdefault(word, []).append(_Anchor(number, known.also, b""))
        for phrase in known.phrases:
            words = words_of(phrase.decode())
            key = next((word for word in reversed(words) if word not in _common()), words[-1])
            found.setdefault(key, []).append(_Anchor(number, frozenset(), phrase))
    return found


# What stands before an imperative: nothing, punctuation, or a word that asks.
_IMPERATIVE = plain(_FILE, "before_order")
_NEGATED = plain(_FILE, "denied")
_WINDOW = 90
_END = lazy(r"[.!?。！？\n]")


#: No pattern of a cue reaches further from one of its anchors.
REACH = 140


class Hit(NamedTuple):
    """A cue that stands in a text, with the kind and the weight of its `Cue`."""

    start: int
    end: int
    kind: str
    weight: int


def hits(letters: Letters) -> list[Hit]:
    """The cues of a text, in order."""
    first, second = _places(letters)
    found: list[Hit] = []
    lower = ""
    if not _override()[0].isdisjoint(letters.words):
        lower = lowered(letters.text)
        found += _overrides(lower, letters)
    for places in (first, second):
        for number, anchors in sorted(places.items()):
            known = cues()[number]
            lower = lower or lowered(letters.text)
            found += [
                Hit(_LEAD.match(lower, match.start()).end(), match.end(), known.kind, known.weight)  # type: ignore[union-attr]
                for start, end in _windows(lower, anchors)
                for match in known.pattern.finditer(lower, start, end)
            ]
        if not found:
            return []
    return sorted(found)


# What a pattern takes with it of the sentence before.
_LEAD = lazy(r"[.!?:;,>)\]\s]{0,6}")
_Places = dict[int, list[bytes]]


def _places(letters: Letters) -> tuple[_Places, _Places]:
    """For the numbers of the cues that may stand in a text its anchors; those that need others apart."""
    first: _Places = {}
    second: _Places = {}
    index, known = _index(), cues()
    for word in index.keys() & letters.words:
        for anchor in index[word]:
            if anchor.holds(letters):
                places = second if known[anchor.cue].is_second else first
                places.setdefault(anchor.cue, []).append(anchor.phrase or word)
    return first, second


def _windows(lower: str, anchors: Iterable[bytes]) -> Iterator[tuple[int, int]]:
    """Stretches around the anchors, joined where they meet."""
    places: list[int] = []
    for anchor in (word.decode() for word in anchors):
        place = lower.find(anchor)
        while place >= 0:
            places.append(place)
            place = lower.find(anchor, place + len(anchor))
    start = end = -1
    for place in sorted(places):
        if place - REACH > end:
            if end >= 0:
                yield start, end
            start = max(0, place - REACH)
        end = place + REACH
    if end >= 0:
        yield start, end


def _overrides(lower: str, letters: Letters) -> Iterator[Hit]:
    """Orders to leave other orders aside."""
    _, verbs, prior, nouns = _override()
    for verb in verbs.finditer(lower):
        before = lower[max(0, verb.start() - 16) : verb.start()]
        # A capital inside a line opens a sentence whose end before it was lost.
        opens = letters.text[verb.start()].isupper() or _IMPERATIVE.search(before) is not None
        if not opens or _NEGATED.search(before):
            continue
        window = lower[verb.end() : verb.end() + _WINDOW]
        stop = _END.search(window)
        window = window[: stop.start()] if stop else window
        noun = nouns.search(window)
        if noun is not None and prior.search(window):
            is_of_domain = _DOMAIN.match(window, noun.end()) is not None
            yield Hit(verb.start(), verb.end(), "override", 1 if is_of_domain else 2)
        elif _WEAK.match(window):
            yield Hit(verb.start(), verb.end(), "override", 1)


@lru_cache(maxsize=1)
def beginnings() -> frozenset[str]:
    """Words of which one stands in what an order begins with."""
    words = set(_index()) | {word for cue in cues() for word in cue.also}
    words |= _override()[0]
    return frozenset(word.decode() for word in words - _common() - _encoded(ordered(_FILE, "ordinary")))
