"""Positions for citation markers in an answer, and the answer with markers inserted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.model.transcript import ProviderCitation
from pytest_grounding.reading import masks_of

#: Punctuation that ends a statement and stays after a marker.
_STOPS = frozenset(".!?,;:…。！？、，；：।؟۔")
#: Markup that may follow the last words of a statement: cells, emphasis, headings.
_FORM = "| \t\u00a0\r\n#*_~"
#: A word that includes its full stop: "a.m.", "U.S.", "etc.", "Inc.".
_ABBREVIATED = lazy(r"(?:\b\w\.\w|\b(?:etc|Inc|Ltd|Co|Corp|Jr|Sr|approx|vs|bzw|usw))$")
#: Stretches that are never cited; a marker in them would not be read as one.
_CLOSED = frozenset({"fence", "definition", "comment"})


class Insertion(NamedTuple):
    """A marker to be inserted."""

    place: int
    marker: str


def place_of(answer: str, start: int, end: int) -> int | None:
    """The position for a marker on a statement, before its full stop, or None if none is safe."""
    spans = masks_of(answer)
    if any(span.kind in _CLOSED and span.start < end and start < span.end for span in spans):
        return None
    said = answer[start:end].rstrip(_FORM)
    bare = said.rstrip("".join(_STOPS))
    is_abbreviated = said[len(bare) :] == "." and _ABBREVIATED.search(bare[-12:])
    place = start + len(said if is_abbreviated else bare)
    for span in spans:
        # After the link or code around it.
        if span.start < place < span.end or (span.start == place and span.kind == "link_target"):
            place = span.end
    return place if start < place <= end else None


def with_markers(
    answer: str, insertions: Iterable[Insertion]
) -> tuple[str, list[tuple[int, int]], dict[int, int]]:
    """The answer with markers, each after a blank; the position of each, and the shift of all offsets."""
    given = list(insertions)
    spans = [(0, 0)] * len(given)
    known: dict[Insertion, tuple[int, int]] = {}
    moves: dict[int, int] = {}
    text, position = "", 0
    for number in sorted(range(len(given)), key=lambda number: given[number].place):
        item = given[number]
        if item not in known:
            text += f"{answer[position : item.place]} "
            known[item] = (len(text), len(text) + len(item.marker))
            text += item.marker
            position = item.place
            moves[item.place] = moves.get(item.place, 0) + len(item.marker) + 1
        spans[number] = known[item]
    return text + answer[position:], spans, moves


def shifted(citations: Sequence[ProviderCitation], moves: Mapping[int, int]) -> tuple[ProviderCitation, ...]:
    """A provider's spans in the new answer."""

    def new(offset: int, *, is_end: bool) -> int:
        return offset + sum(
            by for place, by in moves.items() if place < offset or (place == offset and not is_end)
        )

    return tuple(
        item.model_copy(update={"start": new(item.start, is_end=False), "end": new(item.end, is_end=True)})
        for item in citations
    )
