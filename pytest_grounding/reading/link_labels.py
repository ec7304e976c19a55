"""Links that name a source and are no words of a sentence: "It is red. [Handbook](…)", and the like."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.reading.grammar import opens_with_subject_and_verb, words_of
from pytest_grounding.reading.markdown import MaskSpan

#: Fewer words than this are a title.
_LEAST_WORDS = 4
_HEADING_OPENER = pattern("sentences", "heading_opener")
# A link stands as one such character in what the patterns below look at, however long it is.
_LINK = "\x00"
_SIGN = r"(?:sources?|see(?:[ ]also)?|refs?|references?|via|from|cf\.?|read[ ]more|quellen?)"
# Blanks are bounded, and a second stretch of them needs a sign before it: there is one way to read a join.
_JOIN = r"(?:[ \t]{0,4}(?:(?:[,;&|·]|and)[ \t]{0,4})?)"
_LINKS = rf"\x00(?:{_JOIN}\x00){{0,40}}"
_GROUP = lazy(
    rf"\([ \t]{{0,4}}(?:{_SIGN}[ \t]{{0,4}}(?::[ \t]{{0,4}})?)?{_LINKS}[ \t]{{0,4}}\)",
    re.IGNORECASE,
)
_TAIL = lazy(
    r"[.!?…。！？][\"'”’)*_]{0,4}(?:[ \t]{0,4}[-–—|·][ \t]{0,4}|\s*)"
    rf"(?P<links>{_LINKS})"
    r"(?=[ \t]*(?:[.\r\n]|\Z|[^\W\d_a-zß-öø-ÿ]|\d|[\"“*_]))"
)


def states(words: str) -> bool:
    """Whether the words of a link, an image or a footnote say something, and are no title of a source."""
    words = words.strip()
    if words.endswith(("?", "？", ":", "：")) or _HEADING_OPENER.match(words) is not None:
        return False
    count = len(words_of(words))
    if count < _LEAST_WORDS:
        return False
    return words.endswith((".", "!", "。", "！")) or opens_with_subject_and_verb(words)


def stating_links(text: str, spans: Sequence[MaskSpan]) -> dict[int, int]:
    """The links whose words say something: from the offset of their bracket to that behind their target."""
    return {
        span.start: target.end
        for span, target in _links(spans)
        if " " in text[span.start : span.end] and states(text[span.inner_start : span.inner_end])
    }


def naming_markers(
    text: str, spans: Sequence[MaskSpan], markers: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """All stretches that name sources and say nothing: markers, and links by their place."""
    stating = stating_links(text, spans)
    if not stating:
        return [*markers, *label_links(text, spans)]
    named = [(start, end) for start, end in markers if start not in stating]
    return [*named, *label_links(text, [span for span in spans if span.start not in stating])]


def _links(spans: Sequence[MaskSpan]) -> Iterator[tuple[MaskSpan, MaskSpan]]:
    """The links with a target, each as the spans of its words and of that."""
    position = 0
    for number, span in enumerate(spans):
        if span.kind != "link_text" or span.start < position:
            continue
        # Between a link's words and its target stand what its words hold: code, images.
        target = next((other for other in spans[number + 1 : number + 9] if other.start >= span.end), None)
        if target is None or target.kind != "link_target" or target.start != span.end:
            continue
        position = target.end
        yield span, target


def label_links(text: str, spans: Sequence[MaskSpan]) -> list[tuple[int, int]]:
    """The stretches of links that only name a source, as spans."""
    if not any(span.kind == "link_target" for span in spans):
        return []
    pieces: list[str] = []
    # Where each link of the shape stands in the text: a place of the shape is this much further on there.
    links: list[int] = []
    moved = [0]
    position = length = 0
    for span, target in _links(spans):
        pieces.append(text[position : span.start].replace(_LINK, " "))
        pieces.append(_LINK)
        length += span.start - position + 1
        position = target.end
        links.append(length - 1)
        moved.append(position - length)
    pieces.append(text[position:].replace(_LINK, " "))
    shape = "".join(pieces)
    found = [match.span() for match in _GROUP.finditer(shape)]
    found += [match.span("links") for match in _TAIL.finditer(shape)]
    # Both ends lie outside links, so that they move by what all links before them are longer.
    return sorted(
        (start + moved[bisect_left(links, start)], end + moved[bisect_left(links, end)])
        for start, end in found
    )
