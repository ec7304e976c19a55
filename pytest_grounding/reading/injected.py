"""Prompt injection: orders in chunks are found, and excluded from the evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import fields, lines, ordered, sections
from pytest_grounding.lexicon.patterns import PatternFile, plain
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading import read_once, visible_text

__all__ = ["UNTRUSTED", "restored", "screened", "without"]
_FILE = "injected"
# What follows the noun in harmless instructions ("instructions on assembly"), and what follows the verb in
# an order that may also stand in a manual.
_DOMAIN = plain(_FILE, "override_english_domain")
_WEAK = plain(_FILE, "override_english_weak")
_IMPERATIVE = plain(_FILE, "before_order")  # behind nothing, punctuation, or a polite word
_NEGATED = plain(_FILE, "denied")
_WINDOW = 90
_END = lazy(r"[.!?。！？\n]")
REACH = 140  # no pattern of a cue reaches further from its anchors
_LEAD = lazy(r"[.!?:;,>)\]\s]{0,6}")  # the part of a match in the previous sentence
_Places = dict[int, list[bytes]]
_ORDER = 2  # a passage is an order from this sum of weights of different cues
#: Cues that suffice to make a passage suspect; the others are too frequent in text for people.
_TO_WATCH = frozenset({"tell_user", "model_must", "your_answer", "to_model", "payload", "recommend"})
#: Kinds of cues that often occur together in text for people.
_FAMILIES = {
    "tell_customer": "script",
    "tell_user": "script",
    "user_must": "script",
    "model_must": "script",
    "say": "script",
    "only_with": "script",
    "your_answer": "script",
}
_MOST_FOLLOWING = 4  # sentences after an order that may belong to it
_SEAM = 300  # characters read on either side of a chunk border
_LAST_WORDS = 100  # characters before the border that are searched for the start of an order
_BREAK = plain("text_form", "order_end")
_INJECTED = PatternFile("injected")
_QUOTED = plain("text_form", "quoted")
_ENDS = frozenset(".!?:。！？\"'”’)]}")
_FIELDS = ("title", "document", "section_title")
_CLEARNESS = ("order", "hidden", "suspect")  # kinds of passages, the clearest first
#: Kinds of passages that are no evidence; a suspect passage may address people and stays evidence.
UNTRUSTED = frozenset({"order", "hidden"})


class Cue(NamedTuple):
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
    """Words of which every override verb contains one; patterns for the verb, the qualifier, and the noun."""
    held = fields(_FILE, "override_english")
    verb, prior, noun = [_one_of(held[part]) for part in ("verb", "prior", "noun")]
    return _encoded(held["needs"]), verb, prior, noun


def _one_of(words: Iterable[str]) -> re.Pattern[str]:
    every = "|".join(map(re.escape, sorted(words, key=len)[::-1]))
    return lazy(rf"\b(?:{every})\b")


@lru_cache(maxsize=1)
def cues() -> tuple[Cue, ...]:
    """All cues, created on demand."""
    left_out = {"common", "ordinary", "override_english"}
    return tuple(_cue(name) for name in sections(_FILE) if name not in left_out)


@lru_cache(maxsize=1)
def _common() -> frozenset[bytes]:
    """Words too frequent to search for a phrase by."""
    return _encoded(ordered(_FILE, "common"))


class _Anchor(NamedTuple):
    """A word that may signal a cue: index of the cue, words needed besides, the phrase of the word or b""."""

    cue: int
    also: frozenset[bytes]
    phrase: bytes


@lru_cache(maxsize=1)
def _index() -> dict[bytes, list[_Anchor]]:
    """Word -> the cues it may signal."""
    found: dict[bytes, list[_Anchor]] = {}
    for number, known in enumerate(cues()):
        for word in sorted(known.anchors):
            found.setdefault(word, []).append(_Anchor(number, known.also, b""))
        for phrase in known.phrases:
            words = visible_text.words_of(phrase.decode())
            key = next((word for word in reversed(words) if word not in _common()), words[-1])
            found.setdefault(key, []).append(_Anchor(number, frozenset(), phrase))
    return found


class Hit(NamedTuple):
    """A cue found in a text, with the kind and weight of its `Cue`."""

    start: int
    end: int
    kind: str
    weight: int


def hits(letters: visible_text.Letters) -> list[Hit]:
    """The cues of a text, in order."""
    first, second = _places(letters)
    found: list[Hit] = []
    lower = ""
    if not _override()[0].isdisjoint(letters.words):
        lower = visible_text.lowered(letters.text)
        found += _overrides(lower, letters)
    for places in (first, second):
        for number, anchors in sorted(places.items()):
            known = cues()[number]
            lower = lower or visible_text.lowered(letters.text)
            found += [
                Hit(_LEAD.match(lower, match.start()).end(), match.end(), known.kind, known.weight)  # type: ignore[union-attr]
                for start, end in _windows(lower, anchors)
                for match in known.pattern.finditer(lower, start, end)
            ]
        if not found:
            return []
    return sorted(found)


def _places(letters: visible_text.Letters) -> tuple[_Places, _Places]:
    """Index of each possible cue -> its anchors; those with further needs separately."""
    first: _Places = {}
    second: _Places = {}
    index, known = _index(), cues()
    for word in index.keys() & letters.words:
        for anchor in index[word]:
            needs_more = anchor.also and anchor.also.isdisjoint(letters.words)
            if not needs_more and anchor.phrase in letters.low:
                places = second if known[anchor.cue].is_second else first
                places.setdefault(anchor.cue, []).append(anchor.phrase or word)
    return first, second


def _windows(lower: str, anchors: Iterable[bytes]) -> Iterator[tuple[int, int]]:
    """Stretches around the anchors, merged where they overlap."""
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


def _overrides(lower: str, letters: visible_text.Letters) -> Iterator[Hit]:
    _, verbs, prior, nouns = _override()
    for verb in verbs.finditer(lower):
        before = lower[max(0, verb.start() - 16) : verb.start()]
        # A capital inside a line opens a sentence whose start was lost.
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
    """Words of which one is at the start of every order."""
    words = set(_index()) | {word for cue in cues() for word in cue.also}
    words |= _override()[0]
    return frozenset(word.decode() for word in words - _common() - _encoded(ordered(_FILE, "ordinary")))


class Passage(NamedTuple):
    """A stretch of a chunk that gives orders, or that a reader does not see."""

    chunk_id: str
    field: str
    start: int
    end: int
    text: str
    said: str
    kind: str
    cues: tuple[str, ...] = ()


class _Found(NamedTuple):
    """A passage of any text; fields as in `Passage`."""

    start: int
    end: int
    said: str
    kind: str
    cues: tuple[str, ...]

    def joined(self, other: _Found) -> _Found:
        """Merge two overlapping passages; the clearer kind wins."""
        clearest = min(self.kind, other.kind, key=_CLEARNESS.index)
        said = self.said if other.said in self.said else f"{self.said} {other.said}"
        cues = tuple(dict.fromkeys((*self.cues, *other.cues)))
        return _Found(self.start, max(self.end, other.end), said, clearest, cues)


def passages_of(chunks: Sequence[Chunk]) -> tuple[Passage, ...]:
    """All such passages of the chunks and their metadata, including those across a chunk border."""
    found: list[Passage] = []
    for chunk in chunks:
        found += [_passage(chunk, "text", chunk.text, one) for one in _passages(chunk.text)]
        found += _in_metadata(chunk)
    for first, second in pairwise(chunks):
        found += _over_border(first, second, found)
    return tuple(found)


def _passage(chunk: Chunk, field: str, text: str, item: _Found) -> Passage:
    held = text[item.start : item.end]
    return Passage(chunk.id, field, item.start, item.end, held, item.said, item.kind, item.cues)


def _in_metadata(chunk: Chunk) -> Iterator[Passage]:
    data = chunk.metadata
    if not (data.model_fields_set or data.model_extra):
        return
    known = [(name, getattr(data, name)) for name in _FIELDS]
    for name, value in (*known, *(data.model_extra or {}).items()):
        if not isinstance(value, str) or len(value) < 16:
            continue
        for item in _passages(value):
            # A title never contains a legitimate order.
            is_suspect = item.kind == "suspect"
            yield _passage(chunk, name, value, item._replace(kind="order") if is_suspect else item)


def _over_border(first: Chunk, second: Chunk, known: Sequence[Passage]) -> Iterator[Passage]:
    """An order that starts at the end of one chunk and continues at the start of the next."""
    length = len(first.text.rstrip())
    at_end = [one for one in known if one.chunk_id == first.id and one.field == "text" and one.end >= length]
    if not length or (first.text[length - 1] in _ENDS and not at_end):
        return
    tail, head = first.text[-_SEAM:], second.text[:_SEAM]
    if not at_end and beginnings().isdisjoint(tail[-_LAST_WORDS:].lower().split()):
        return
    border = len(tail)
    at_start = any(item.chunk_id == second.id and item.field == "text" and not item.start for item in known)
    for item in _passages(f"{tail} {head}"):
        start, end, said, kind, cues = item.start, item.end, item.said, item.kind, item.cues
        is_known = kind == "suspect" and (at_end or at_start)
        if is_known or not start < border < end:
            continue
        if tail[start:].strip() and not any(item.kind == "order" for item in at_end):
            place = len(first.text) - len(tail) + start
            yield Passage(first.id, "text", place, len(first.text), tail[start:], said, kind, cues)
        yield Passage(second.id, "text", 0, end - border - 1, head[: end - border - 1], said, kind, cues)


@read_once
def _passages(text: str) -> tuple[_Found, ...]:
    """The passages of one text, without overlaps, in order."""
    letters = visible_text.letters_in(text)
    mentions: _Mentions | None = None
    found: list[_Found] = []
    for hidden in visible_text.hidden_in(text, letters):
        item = _of_hidden(hidden)
        if item is not None and not (mentions := mentions or _Mentions(letters.text)).are_of_attacks:
            found.append(item)
    # Text around a comment is not part of its order; an order continues after a line end.
    blanked = visible_text.blanked(text, [(item.start, item.end) for item in found]) if found else text
    seen = visible_text.unwrapped(blanked)
    if seen is not text:
        letters = visible_text.letters_in(seen)
    plain, origins = letters.text, letters.origins
    for start, end, is_sure, kinds in _orders(letters):
        if not is_sure and not _TO_WATCH.intersection(kinds):
            continue
        mentions = mentions or _Mentions(plain)
        if mentions.cover(start, end):
            continue
        span = (start, end) if origins is None else (origins[start], origins[end - 1] + 1)
        found.append(_Found(*span, plain[start:end], "order" if is_sure else "suspect", kinds))
    joined: list[_Found] = []
    for item in sorted(found, key=lambda one: (one.start, one.end)):
        if joined and item.start < joined[-1].end:
            joined[-1] = joined[-1].joined(item)
        else:
            joined.append(item)
    return tuple(joined)


def _of_hidden(hidden: visible_text.Hidden) -> _Found | None:
    """A hidden stretch as a passage: always if hidden by its style, else if it gives an order."""
    orders = list(_orders(visible_text.letters_in(hidden.said)))
    cues = tuple(dict.fromkeys(kind for order in orders for kind in order.cues))
    is_prose = hidden.kind == "style" and hidden.said.count(" ") >= 3
    if not (orders or is_prose):
        return None
    return _Found(hidden.start, hidden.end, hidden.said, "hidden", cues)


class _Order(NamedTuple):
    """Consecutive sentences with cues: the cues' kinds, and whether they suffice for an order."""

    start: int
    end: int
    is_sure: bool
    cues: tuple[str, ...]


def _orders(letters: visible_text.Letters) -> Iterator[_Order]:
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
        furthest = min(len(sentences) - 1, last + _MOST_FOLLOWING) if is_sure else last
        while last < furthest and _INJECTED.goes_on.match(text, sentences[last + 1][0]):
            last += 1
        first = text[slice(*sentences[number])]
        start = sentences[number][0] + len(first) - len(first.lstrip(" \n|"))
        yield _Order(start, sentences[last][1], is_sure, tuple(kinds))
        number = last + 1


def _weight(kinds: Mapping[str, int]) -> int:
    """Sum of the weights; kinds of one family count once."""
    weights: dict[str, int] = {}
    for kind, weight in kinds.items():
        family = _FAMILIES.get(kind, kind)
        weights[family] = max(weight, weights.get(family, 0))
    return sum(weights.values())


def _by_sentence(sentences: Sequence[tuple[int, int]], found: Sequence[Hit]) -> list[dict[str, int]]:
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


class _Mentions:
    """Where a text only mentions orders to a model: quoted, or in a text about attacks or prompts."""

    def __init__(self, text: str) -> None:
        self.are_of_attacks = _INJECTED.of_attacks.search(text) is not None
        self._text = text
        self._quoted = [match.span() for match in _QUOTED.finditer(text)] if self.are_of_attacks else []

    def cover(self, start: int, end: int) -> bool:
        if not self.are_of_attacks:
            return False
        if _INJECTED.marked.search(self._text[start:end]) or "<!--" in self._text[start:end]:
            return True
        return any(start < stop and begin < end for begin, stop in self._quoted)


def has_cues(text: str) -> bool:
    """Whether a text itself contains cues of an order."""
    return next(_orders(visible_text.letters_in(text)), None) is not None


def without(chunks: Sequence[Chunk], passages: Sequence[Passage]) -> tuple[Chunk, ...]:
    """The chunks with blanks in place of passages; chunks without passages are the same objects."""
    held: dict[str, list[Passage]] = {}
    for passage in passages:
        held.setdefault(passage.chunk_id, []).append(passage)
    return tuple(_without(chunk, held[chunk.id]) if chunk.id in held else chunk for chunk in chunks)


def _without(chunk: Chunk, passages: Sequence[Passage]) -> Chunk:
    spans: dict[str, list[tuple[int, int]]] = {}
    for passage in passages:
        spans.setdefault(passage.field, []).append((passage.start, passage.end))
    data, text = chunk.metadata, visible_text.blanked(chunk.text, spans.pop("text", []))
    texts = ((name, visible_text.blanked(getattr(data, name), found)) for name, found in spans.items())
    changes = {name: text.strip() or None for name, text in texts}
    metadata = data.model_copy(update=changes) if changes else data
    return chunk.model_copy(update={"text": text, "metadata": metadata})


def screened(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """The chunks as evidence: without orders to the model and without hidden text."""
    passages = [item for item in passages_of(chunks) if item.kind in UNTRUSTED]
    return without(chunks, passages) if passages else tuple(chunks)


def restored(evidence: Evidence, originals: Mapping[str, Chunk]) -> Evidence:
    """Evidence from a screened chunk, quoted from the chunk as retrieved."""
    chunk = originals.get(evidence.chunk_id)
    if chunk is None:
        return evidence
    text = chunk.text[evidence.start : evidence.end]
    return evidence if text == evidence.text else evidence.model_copy(update={"text": text})
