"""Passages of a chunk that give orders to whoever reads it, or that its reader does not see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from pytest_grounding._frozen import frozen
from pytest_grounding._patterns import lazy
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading import Reading, reading_of
from pytest_grounding.text.injected.cues import beginnings, hits
from pytest_grounding.text.injected.hidden import Hidden, hidden_in
from pytest_grounding.text.injected.letters import Letters, blanked, letters_in

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
# Not `text.segment`: an order stands in what is no prose too, and a cell of a table or a line ends there.
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


@frozen
class Passage:
    """A stretch of a chunk that gives orders, or that a reader does not see.

    Attributes:
        chunk_id: the chunk.
        field: "text", or the key of the metadata that it stands in.
        start: its first character there.
        end: one past its last.
        text: the stretch, verbatim.
        said: what it says, decoded.
        kind: order; suspect, which may be an order of the document to its people; hidden; encoded.
        cues: kinds of what gives it away.
    """

    chunk_id: str
    field: str
    start: int
    end: int
    text: str
    said: str
    kind: str
    cues: tuple[str, ...] = ()


_Found = tuple[int, int, str, str, tuple[str, ...]]


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
    start, end, said, kind, cues = item
    return Passage(chunk.id, field, start, end, text[start:end], said, kind, cues)


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
            kind = "order" if item[3] == "suspect" else item[3]
            yield _passage(chunk, name, value, (*item[:3], kind, item[4]))


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
    for start, end, said, kind, cues in _in_text(f"{tail} {head}"):
        if not (start < border < end) or (kind == "suspect" and (at_end or at_start)):
            continue
        if tail[start:].strip() and not any(item.kind == "order" for item in at_end):
            place = len(first.text) - len(tail) + start
            yield Passage(first.id, "text", place, len(first.text), tail[start:], said, kind, cues)
        yield Passage(second.id, "text", 0, end - border - 1, head[: end - border - 1], said, kind, cues)


def _in_text(text: str) -> tuple[_Found, ...]:
    """Start, end, what is said, kind and cues of each passage of one text, without overlaps, in order."""
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
    if found:
        # What surrounds a comment is no part of what it orders.
        letters = letters_in(blanked(text, [item[:2] for item in found]))
    plain, origins = letters.text, letters.origins
    for start, end, cues in _orders(letters):
        kind = "order" if cues[0] >= _ORDER else "suspect"
        if kind == "suspect" and not _TO_WATCH.intersection(cues[1]):
            continue
        mentions = mentions or _Mentions(plain)
        if mentions.cover(start, end):
            continue
        span = (start, end) if origins is None else (origins[start], origins[end - 1] + 1)
        found.append((*span, plain[start:end], kind, cues[1]))
    return tuple(_without_overlaps(found))


def _of_hidden(hidden: Hidden) -> _Found | None:
    """A hidden stretch as a passage: one hidden by its style always, others where they give an order."""
    orders = list(_orders(letters_in(hidden.said)))
    cues = tuple(dict.fromkeys(kind for _, _, (_, kinds) in orders for kind in kinds))
    if hidden.kind == "whole":
        strong = [(start, end, kinds) for start, end, (weight, kinds) in orders if weight >= _ORDER]
        if not strong:
            return None
        start, end, _ = strong[0][0], strong[-1][1], 0
        return (start, end, hidden.said[start:end], "encoded", cues)
    if hidden.kind == "style":
        is_prose = hidden.said.count(" ") >= 3
        return (hidden.start, hidden.end, hidden.said, "hidden", cues) if is_prose or orders else None
    if not orders:
        return None
    kind = "encoded" if hidden.kind == "encoded" else "hidden"
    return (hidden.start, hidden.end, hidden.said, kind, cues)


def _without_overlaps(found: list[_Found]) -> list[_Found]:
    """Passages that share characters as one; the clearest kind is kept."""
    rank = {"order": 0, "encoded": 1, "hidden": 2, "suspect": 3}
    joined: list[_Found] = []
    for item in sorted(found, key=lambda one: (one[0], one[1])):
        if joined and item[0] < joined[-1][1]:
            last = joined[-1]
            best = min(last, item, key=lambda one: rank[one[3]])
            said = last[2] if item[2] in last[2] else f"{last[2]} {item[2]}"
            joined[-1] = (
                last[0],
                max(last[1], item[1]),
                said,
                best[3],
                tuple(dict.fromkeys((*last[4], *item[4]))),
            )
        else:
            joined.append(item)
    return joined


def _orders(letters: Letters) -> Iterator[tuple[int, int, tuple[int, tuple[str, ...]]]]:
    """Stretches of whole sentences that hold cues: start, end, sum of weights and kinds."""
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
        weight = _weight(kinds)
        first, following = number, last
        if weight >= _ORDER:
            last = _with_following(text, sentences, last)
        start = sentences[first][0]
        start += len(text[start : sentences[first][1]]) - len(
            text[start : sentences[first][1]].lstrip(" \n|")
        )
        yield start, sentences[last][1], (weight, tuple(kinds))
        number = max(last, following) + 1


def _weight(kinds: Mapping[str, int]) -> int:
    """Sum of the weights; kinds that a call script or a form holds together count once."""
    weights: dict[str, int] = {}
    for kind, weight in kinds.items():
        family = _FAMILIES.get(kind, kind)
        weights[family] = max(weight, weights.get(family, 0))
    return sum(weights.values())


def _by_sentence(
    sentences: Sequence[tuple[int, int]], hits: Sequence[tuple[int, int, str, int]]
) -> list[dict[str, int]]:
    """For each sentence the kinds of its cues with their weights."""
    held: list[dict[str, int]] = [{} for _ in sentences]
    number = 0
    before = (-1, 0)
    for start, end, kind, weight in hits:
        if start < before[0] and weight <= before[1]:
            continue  # the same words, read as another kind
        before = (max(end, before[0]), weight)
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
