"""Where a citation marker goes into an answer, and the answer with some of them put in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.model.transcript import ProviderCitation
from pytest_grounding.model.verdict import CitationVerdict
from pytest_grounding.reading import masks_of
from pytest_grounding.reading.markdown import MaskSpan

#: What ends a statement and stays behind a marker.
_STOPS = frozenset(".!?,;:…。！？、，；：।؟۔")
_EMPHASIS = frozenset("*_~")
#: What may stand behind the last words of a line and belongs to its form: cells, closed headings.
_FORM = frozenset("| \t\u00a0#")
#: A tag that closes, or a line break of HTML, at the end of a text.
_TAG = lazy(r"(?:</[A-Za-z][A-Za-z0-9]{0,20}\s?>|<[bB][rR]\s?/?>)$")
#: A word whose full stop is its own: "a.m.", "U.S.", "etc.", "Inc.".
_ABBREVIATED = lazy(r"(?:\b\w\.\w|\b(?:etc|Inc|Ltd|Co|Corp|Jr|Sr|approx|vs|bzw|usw))$")
#: Scripts that put no blank between words.
_SOLID = lazy(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]"
)
#: Stretches that are never a part of what is cited; a marker in them would be no marker.
_CLOSED = frozenset({"fence", "definition", "comment"})
_LONGEST_TAG = 30


@dataclass(frozen=True, slots=True)
class Style:
    """How an answer writes its markers: behind the full stop ("days. [1]"), and with a blank before."""

    is_after_stop: bool = False
    is_apart: bool = True


@dataclass(frozen=True, slots=True)
class Insertion:
    """A marker that is to be put in."""

    place: int
    marker: str


def style_of(answer: str, citations: Sequence[CitationVerdict]) -> Style:
    """The style of most markers that the answer has; the usual one where it has none."""
    after = apart = total = 0
    for item in citations:
        if item.syntax not in ("index", "id") or not 0 < item.start < item.end <= len(answer):
            continue
        before = answer[: item.start].rstrip()[-1:]
        if before == "]":
            continue  # one of a group: the first tells
        total += 1
        after += before in _STOPS and before not in ",;:"
        apart += answer[item.start - 1].isspace()
    return Style(is_after_stop=after * 2 > total, is_apart=not total or apart * 2 >= total)


def place_of(answer: str, start: int, end: int, style: Style) -> int | None:
    """The place for a marker on a statement of the answer, or None where none is safe."""
    spans = masks_of(answer)
    if any(span.kind in _CLOSED and span.start < end and start < span.end for span in spans):
        return None
    place = _behind_words(answer, start, end)
    place = _at_stop(answer, start, place, style)
    place = _outside(spans, place)
    return place if start < place <= max(end, _outside(spans, end)) else None


def _behind_words(answer: str, start: int, end: int) -> int:
    """The end of a statement without what is only form: blanks, bars, closing hashes, tags, rules."""
    place = end
    while place > start:
        before = answer[place - 1]
        if before in _FORM or before.isspace():
            place -= 1
        elif before == ">" and (tag := _TAG.search(answer[max(start, place - _LONGEST_TAG) : place])):
            place -= len(tag[0])
        elif not any(char.isalnum() for char in answer[_line_start(answer, start, place) : place]):
            line = _line_start(answer, start, place)
            if line <= start:
                break
            place = line  # a line without words, such as the rule below a heading
        else:
            break
    return place


def _line_start(answer: str, start: int, place: int) -> int:
    return max(start, answer.rfind("\n", start, place) + 1)


def _at_stop(answer: str, start: int, place: int, style: Style) -> int:
    """The place at the full stop that ends a text: before or behind it, inside of emphasis that it closes."""
    inner = place
    while inner > start and answer[inner - 1] in _EMPHASIS:
        inner -= 1
    stop = inner
    while stop > start and answer[stop - 1] in _STOPS:
        stop -= 1
    if stop == inner:
        return place
    own = answer[inner - 1] == "." and _ABBREVIATED.search(answer[max(start, stop - 12) : stop])
    return inner if own or style.is_after_stop else stop


def _outside(spans: Sequence[MaskSpan], place: int) -> int:
    """The place, or the end of the link or code that it lies in."""
    for span in spans:
        if span.start > place:
            break
        if span.start < place < span.end or (span.start == place and span.kind == "link_target"):
            place = span.end
    return place


def with_markers(
    answer: str, insertions: Iterable[Insertion], style: Style
) -> tuple[str, list[tuple[int, int]], dict[int, int]]:
    """The answer with markers put in."""
    given = list(insertions)
    order = sorted(range(len(given)), key=lambda number: given[number].place)
    spans = [(0, 0)] * len(given)
    pieces: list[str] = []
    length = position = 0
    seen: dict[tuple[int, str], tuple[int, int]] = {}
    moves: dict[int, int] = {}
    for number in order:
        item = given[number]
        if (item.place, item.marker) in seen:
            spans[number] = seen[(item.place, item.marker)]
            continue
        before = answer[position : item.place]
        is_beside = bool(pieces) and not before
        blank = "" if is_beside or not _wants_blank(answer, item.place, style) else " "
        pieces += [before, blank, item.marker]
        length += len(before) + len(blank)
        spans[number] = seen[(item.place, item.marker)] = (length, length + len(item.marker))
        length += len(item.marker)
        position = item.place
        moves[item.place] = moves.get(item.place, 0) + len(blank) + len(item.marker)
    pieces.append(answer[position:])
    return "".join(pieces), spans, moves


def _wants_blank(answer: str, place: int, style: Style) -> bool:
    before = answer[place - 1 : place]
    if not before or before.isspace() or _SOLID.match(before):
        return False
    # Glued to code or a bracket, a marker would look like an index.
    return style.is_apart or not before.isalpha()


def shifted(citations: Sequence[ProviderCitation], moves: Mapping[int, int]) -> tuple[ProviderCitation, ...]:
    """A provider's spans in the new answer."""
    places = sorted(moves)

    def new(offset: int, *, is_end: bool) -> int:
        return offset + sum(
            moves[place] for place in places if place < offset or (place == offset and not is_end)
        )

    return tuple(
        item.model_copy(update={"start": new(item.start, is_end=False), "end": new(item.end, is_end=True)})
        for item in citations
    )
