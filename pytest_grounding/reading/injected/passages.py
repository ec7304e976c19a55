"""Passages of a chunk that give orders to whoever reads it, or that its reader does not see."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import fields, lines, ordered, sections
from pytest_grounding.lexicon.patterns import pattern, plain
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading import Reading, reading_of
from pytest_grounding.reading.injected.letters import (
    Hidden,
    Letters,
    blanked,
    hidden_in,
    letters_in,
    lowered,
    words_of,
)
from pytest_grounding.reading.visible_text import unwrapped

__all__ = ["UNTRUSTED", "restored", "screened", "without"]


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


#: From this sum of weights of unlike cues a passage is an order.
_ORDER = 2
#: Cues that alone make a passage one to watch; the others are too common in what is written for people.
_TO_WATCH = frozenset({"tell_user", "model_must", "your_answer", "to_model", "payload", "recommend"})
#: Kinds of cues that stand together in what is written for people.
_FAMILIES = {
    "tell_customer": "script",
    "tell_user": "script",
    "user_must": "script",
    "model_must": "script",
    "say": "script",
    "only_with": "script",
    "your_answer": "script",
}
#: So many sentences behind an order may belong to it.
_MOST_FOLLOWING = 4
#: What is read where two chunks meet.
_SEAM = 300
#: In so many characters before the border stands a word that an order begins with.
_LAST_WORDS = 100
# Not `reading.sentences`: an order stands in what is no prose too, and a cell or a line ends there.
_BREAK = lazy(
    r"(?<!\b[DMJS]r)(?<!\bMrs)(?<!\b[MS][st])(?<!\be\.g)(?<!\bi\.e)[.!?](?=[\s\"'”’)]|$)[\"'”’)]{0,2}|[。！？]|"
    r"\n|\|"
)
_GOES_ON = pattern("injected", "goes_on")
_VOCABULARY = pattern("injected", "of_attacks")
_QUOTED = lazy(
    "\"[^\"\n]{3,300}\"|“[^”\n]{3,300}”|«[^»\n]{3,300}»|„[^“\n]{3,300}“|(?<!\\w)'[^'\n]{3,300}'(?!\\w)|"
    "`[^`\n]{3,300}`|‘[^’\n]{3,300}’"
)
_MARKED = pattern("injected", "marked")
_ENDS = frozenset(".!?:。！？\"'”’)]}")
_FIELDS = ("title", "document", "section_title")
#: Kinds of passages, the clearest first.
_CLEARNESS = ("order", "hidden", "suspect")


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a chunk that gives orders, or that a reader does not see."""

    chunk_id: str
    field: str
    start: int
    end: int
    text: str
    said: str
    kind: str
    cues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """A passage of one text, whatever it is the text of; fields as in `Passage`."""

    start: int
    end: int
    said: str
    kind: str
    cues: tuple[str, ...]

    def joined(self, other: _Found) -> _Found:
        """Both as one, where the other begins before this one ends; the clearest kind is kept."""
        clearest = min(self.kind, other.kind, key=_CLEARNESS.index)
        said = self.said if other.said in self.said else f"{self.said} {other.said}"
        cues = tuple(dict.fromkeys((*self.cues, *other.cues)))
        return _Found(self.start, max(self.end, other.end), said, clearest, cues)


#: The chunks that were asked about last, and their passages: one validation asks three times.
_last: tuple[object, tuple[Passage, ...]] = ((), ())


def passages_of(chunks: Sequence[Chunk]) -> tuple[Passage, ...]:
    """All such passages of the chunks and their metadata, those over the border of two chunks among them."""
    global _last
    known, passages = _last
    if known is not chunks:
        passages = _found_in(chunks)
        if isinstance(chunks, tuple):
            _last = (chunks, passages)
    return passages


def _found_in(chunks: Sequence[Chunk]) -> tuple[Passage, ...]:
    found: list[Passage] = []
    for chunk in chunks:
        found += [_passage(chunk, "text", chunk.text, item) for item in _in_text(chunk.text)]
        found += _in_metadata(chunk)
    for first, second in pairwise(chunks):
        found += _over_border(first, second, found)
    return tuple(found)


def _passage(chunk: Chunk, field: str, text: str, item: _Found) -> Passage:
    held = text[item.start : item.end]
    return Passage(chunk.id, field, item.start, item.end, held, item.said, item.kind, item.cues)


def _in_metadata(chunk: Chunk) -> Iterator[Passage]:
    if not (chunk.metadata.model_fields_set or chunk.metadata.model_extra):
        return
    for name, value in (
        *((name, getattr(chunk.metadata, name)) for name in _FIELDS),
        *(chunk.metadata.model_extra or {}).items(),
    ):
        if not isinstance(value, str) or len(value) < 16:
            continue
        for item in _in_text(value):
            # An order has no business in a title.
            is_suspect = item.kind == "suspect"
            yield _passage(chunk, name, value, replace(item, kind="order") if is_suspect else item)


def _over_border(first: Chunk, second: Chunk, known: Sequence[Passage]) -> Iterator[Passage]:
    """An order that begins at the end of one chunk and goes on at the start of the next."""
    length = len(first.text.rstrip())
    at_end = [
        item for item in known if item.chunk_id == first.id and item.field == "text" and item.end >= length
    ]
    if not length or (first.text[length - 1] in _ENDS and not at_end):
        return
    tail, head = first.text[-_SEAM:], second.text[:_SEAM]
    if not at_end and beginnings().isdisjoint(tail[-_LAST_WORDS:].lower().split()):
        return
    border = len(tail)
    at_start = any(item.chunk_id == second.id and item.field == "text" and not item.start for item in known)
    for item in _in_text(f"{tail} {head}"):
        start, end, said, kind, cues = item.start, item.end, item.said, item.kind, item.cues
        is_known = kind == "suspect" and (at_end or at_start)
        if is_known or not start < border < end:
            continue
        if tail[start:].strip() and not any(item.kind == "order" for item in at_end):
            place = len(first.text) - len(tail) + start
            yield Passage(first.id, "text", place, len(first.text), tail[start:], said, kind, cues)
        yield Passage(second.id, "text", 0, end - border - 1, head[: end - border - 1], said, kind, cues)


def _in_text(text: str) -> tuple[_Found, ...]:
    """The passages of one text, without overlaps, in order."""
    return reading_of(text).part(_passages)


def _passages(reading: Reading) -> tuple[_Found, ...]:
    text = reading.text
    letters = letters_in(text)
    mentions: _Mentions | None = None
    found: list[_Found] = []
    for hidden in hidden_in(text, letters):
        item = _of_hidden(hidden)
        if item is not None and not (mentions := mentions or _Mentions(letters.text)).are_of_attacks:
            found.append(item)
    # What surrounds a comment is no part of what it orders; an order goes on behind the end of a line.
    seen = unwrapped(blanked(text, [(item.start, item.end) for item in found]) if found else text)
    if seen is not text:
        letters = letters_in(seen)
    plain, origins = letters.text, letters.origins
    for order in _orders(letters):
        start, end = order.start, order.end
        if not order.is_sure and not _TO_WATCH.intersection(order.cues):
            continue
        mentions = mentions or _Mentions(plain)
        if mentions.cover(start, end):
            continue
        span = (start, end) if origins is None else (origins[start], origins[end - 1] + 1)
        found.append(_Found(*span, plain[start:end], "order" if order.is_sure else "suspect", order.cues))
    return tuple(_without_overlaps(found))


def _of_hidden(hidden: Hidden) -> _Found | None:
    """A hidden stretch as a passage: one hidden by its style always, others where they give an order."""
    orders = list(_orders(letters_in(hidden.said)))
    cues = tuple(dict.fromkeys(kind for order in orders for kind in order.cues))
    is_prose = hidden.kind == "style" and hidden.said.count(" ") >= 3
    if not (orders or is_prose):
        return None
    return _Found(hidden.start, hidden.end, hidden.said, "hidden", cues)


def _without_overlaps(found: list[_Found]) -> list[_Found]:
    """Passages that share characters as one."""
    joined: list[_Found] = []
    for item in sorted(found, key=lambda one: (one.start, one.end)):
        if joined and item.start < joined[-1].end:
            joined[-1] = joined[-1].joined(item)
        else:
            joined.append(item)
    return joined


@dataclass(frozen=True, slots=True)
class _Order:
    """A stretch of whole sentences that hold cues, their kinds, and whether they are enough for an order."""

    start: int
    end: int
    is_sure: bool
    cues: tuple[str, ...]


def _orders(letters: Letters) -> Iterator[_Order]:
    """The stretches of whole sentences that hold cues."""
    text = letters.text
    found = hits(letters)
    if not found:
        return
    breaks = [0, *(match.end() for match in _BREAK.finditer(text)), len(text)]
    sentences = [(start, end) for start, end in pairwise(breaks) if text[start:end].strip(" \n|")]
    held = _by_sentence(sentences, found)
    number = 0
    while number < len(sentences):
        if not held[number]:
            number += 1
            continue
        last = number
        kinds = dict(held[number])
        while last + 1 < len(sentences) and held[last + 1]:
            last += 1
            for kind, weight in held[last].items():
                kinds[kind] = max(weight, kinds.get(kind, 0))
        is_sure = _weight(kinds) >= _ORDER
        if is_sure:
            last = _with_following(text, sentences, last)
        first = text[slice(*sentences[number])]
        start = sentences[number][0] + len(first) - len(first.lstrip(" \n|"))
        yield _Order(start, sentences[last][1], is_sure, tuple(kinds))
        number = last + 1


def _weight(kinds: Mapping[str, int]) -> int:
    """Sum of the weights; kinds that a call script or a form holds together count once."""
    weights: dict[str, int] = {}
    for kind, weight in kinds.items():
        family = _FAMILIES.get(kind, kind)
        weights[family] = max(weight, weights.get(family, 0))
    return sum(weights.values())


def _by_sentence(sentences: Sequence[tuple[int, int]], found: Sequence[Hit]) -> list[dict[str, int]]:
    """For each sentence the kinds of its cues with their weights."""
    held: list[dict[str, int]] = [{} for _ in sentences]
    number = 0
    reached, heaviest = -1, 0
    for start, end, kind, weight in found:
        if start < reached and weight <= heaviest:
            continue  # the same words, read as another kind
        reached, heaviest = max(end, reached), weight
        while number + 1 < len(sentences) and sentences[number][1] <= start:
            number += 1
        place = number
        while place < len(sentences) and sentences[place][0] < end:
            held[place][kind] = max(weight, held[place].get(kind, 0))
            place += 1
    return held


def _with_following(text: str, sentences: Sequence[tuple[int, int]], last: int) -> int:
    """The last of the sentences behind an order that go on with it."""
    for place in range(last + 1, min(len(sentences), last + 1 + _MOST_FOLLOWING)):
        if not _GOES_ON.match(text, sentences[place][0]):
            break
        last = place
    return last


class _Mentions:
    """Where a text speaks of orders to a model and gives none: quoted in a text about attacks or prompts."""

    def __init__(self, text: str) -> None:
        self.are_of_attacks = _VOCABULARY.search(text) is not None
        self._text = text
        self._quoted = [match.span() for match in _QUOTED.finditer(text)] if self.are_of_attacks else []

    def cover(self, start: int, end: int) -> bool:
        """Whether a stretch only mentions an order."""
        if not self.are_of_attacks:
            return False
        if _MARKED.search(self._text[start:end]) or "<!--" in self._text[start:end]:
            return True
        return any(start < stop and begin < end for begin, stop in self._quoted)


def holds_cues(text: str) -> bool:
    """Whether a text itself speaks like an order."""
    return next(_orders(letters_in(text)), None) is not None


#: Kinds of passages that support nothing; what may be an order of the document to its people still does.
UNTRUSTED = frozenset({"order", "hidden"})


def without(chunks: Sequence[Chunk], passages: Sequence[Passage]) -> tuple[Chunk, ...]:
    """The chunks with blanks in place of passages; chunks that hold none are the same objects."""
    held: dict[str, list[Passage]] = {}
    for passage in passages:
        held.setdefault(passage.chunk_id, []).append(passage)
    return tuple(_without(chunk, held[chunk.id]) if chunk.id in held else chunk for chunk in chunks)


def _without(chunk: Chunk, passages: Sequence[Passage]) -> Chunk:
    spans: dict[str, list[tuple[int, int]]] = {}
    for passage in passages:
        spans.setdefault(passage.field, []).append((passage.start, passage.end))
    changes = {
        name: blanked(getattr(chunk.metadata, name), found).strip() or None
        for name, found in spans.items()
        if name != "text"
    }
    metadata = chunk.metadata.model_copy(update=changes) if changes else chunk.metadata
    return chunk.model_copy(update={"text": blanked(chunk.text, spans.get("text", ())), "metadata": metadata})


def screened(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """The chunks as they support: without orders to their reader and without hidden text."""
    passages = [item for item in passages_of(chunks) if item.kind in UNTRUSTED]
    return without(chunks, passages) if passages else tuple(chunks)


def restored(evidence: Evidence, originals: Mapping[str, Chunk]) -> Evidence:
    """Evidence from a screened chunk in the words of the chunk as it was retrieved."""
    chunk = originals.get(evidence.chunk_id)
    if chunk is None:
        return evidence
    text = chunk.text[evidence.start : evidence.end]
    return evidence if text == evidence.text else evidence.model_copy(update={"text": text})
