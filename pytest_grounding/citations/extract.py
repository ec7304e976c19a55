"""Finds all citations of an answer: every syntax, merged and in order, with the provider's spans."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pytest_grounding._markdown import blank, definitions
from pytest_grounding.citations.base import (
    PROVIDER,
    CitationSyntax,
    ExtractedCitation,
    Marker,
    SyntaxContext,
    Target,
)
from pytest_grounding.citations.url import bare_addresses
from pytest_grounding.errors import GroundingError
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.reading import masks_of
from pytest_grounding.settings import Settings

#: Syntax of an entry of ``cited_indices`` that the text never mentions.
LIST = "list"


def make_context(transcript: Transcript, settings: Settings) -> SyntaxContext:
    """What the syntaxes look at: the answer, and the answer without what can hold no citation."""
    answer = transcript.answer
    spans = masks_of(answer)
    masked = blank(answer, spans)
    addresses = bare_addresses(masked)
    if addresses:
        masked = blank(masked, addresses)
        spans = tuple(sorted((*spans, *addresses), key=lambda span: (span.start, -span.end)))
    return SyntaxContext(
        answer=answer,
        masked=masked,
        chunks=transcript.chunks,
        transcript=transcript,
        settings=settings,
        definitions=definitions(answer),
        spans=spans,
    )


def extract(context: SyntaxContext, syntaxes: Sequence[CitationSyntax]) -> tuple[ExtractedCitation, ...]:
    """All citations of an answer, in time linear in its length."""
    markers = merge(find_markers(context, syntaxes), len(context.answer))
    spans: list[ExtractedCitation] = []
    if context.transcript.citations:
        from pytest_grounding.citations.provider import provider_citations

        spans, markers = provider_citations(context, markers)
    found = [
        ExtractedCitation(marker.start, marker.end, marker.text, marker.syntax, target)
        for marker in markers
        for target in marker.targets
    ]
    if spans:
        found.extend(spans)
        # The sort is stable: the targets of one marker keep their order. Spans without a place are last.
        found.sort(key=lambda item: (item.start < 0, item.start, item.end))
    found.extend(_unmentioned(context, found))
    return tuple(found)


def find_markers(context: SyntaxContext, syntaxes: Sequence[CitationSyntax]) -> list[tuple[int, Marker]]:
    """The markers of all syntaxes with the priority of their syntax; they may overlap."""
    found: list[tuple[int, Marker]] = []
    for syntax in syntaxes:
        try:
            found.extend((syntax.priority, _checked(marker, context)) for marker in syntax.find(context))
        except Exception as error:
            raise GroundingError(
                f"the citation syntax {syntax.name!r} failed ({type(error).__name__}: {error})"
            ) from error
    return found


def _checked(marker: Marker, context: SyntaxContext) -> Marker:
    """The marker, when its span and its text are true of the answer."""
    if not 0 <= marker.start < marker.end <= len(context.answer):
        raise ValueError(f"marker {marker.text!r} has the span {marker.start} to {marker.end}")
    if context.answer[marker.start : marker.end] != marker.text:
        raise ValueError(f"marker {marker.text!r} is not what stands at {marker.start} to {marker.end}")
    return marker


def merge(found: Iterable[tuple[int, Marker]], length: int) -> list[Marker]:
    """The markers that stay where several overlap, ordered by start."""
    ranked = sorted(found, key=lambda item: (-item[0], item[1].start - item[1].end, item[1].start))
    taken = bytearray(length)
    kept: list[Marker] = []
    for _, marker in ranked:
        if marker.targets and taken.find(1, marker.start, marker.end) < 0:
            taken[marker.start : marker.end] = b"\x01" * (marker.end - marker.start)
            kept.append(marker)
    kept.sort(key=lambda marker: marker.start)
    return kept


def _unmentioned(context: SyntaxContext, found: Sequence[ExtractedCitation]) -> list[ExtractedCitation]:
    """Entries of the response's list of numbers that no marker of the text names."""
    entries = context.transcript.cited_indices
    if not entries:
        return []
    numbers = {item.target.label for item in found if item.syntax == "index"}
    # A mark in another syntax mentions the chunk as well as its number would.
    chunks = {name for item in found if item.start >= 0 for name in item.target.chunk_ids}
    missing: list[ExtractedCitation] = []
    for entry in dict.fromkeys(entries):
        ids = context.lookup.at(entry)
        if str(entry) in numbers or (ids and ids[0] in chunks):
            continue
        problem = "a source number cannot be negative" if entry < 0 else ""
        missing.append(ExtractedCitation(-1, -1, "", LIST, Target(str(entry), ids, problem)))
    return missing


def marker_spans(citations: Iterable[ExtractedCitation]) -> list[tuple[int, int]]:
    """The stretches of an answer that are markers, for who reads the sentences without them."""
    spans: set[tuple[int, int]] = set()
    for item in citations:
        if item.start < 0 or item.syntax == PROVIDER:
            continue
        words = link_words(item.text) if item.syntax in ("url", "code") else None
        if words is None:
            spans.add((item.start, item.end))
        else:
            spans.add((item.start, item.start + words[0]))
            spans.add((item.start + words[1], item.end))
    return sorted(spans)


def link_words(marker: str) -> tuple[int, int] | None:
    """Where the words of a link stand in its marker; None when it is no link or has no words."""
    if not marker.startswith("[") or not marker.endswith(")"):
        return None
    end = marker.find("](")
    words = marker[1:end].strip()
    is_label = (
        not any(char.isalpha() for char in words)
        or "://" in words
        or "[" in words
        or words.casefold() in {"source", "link", "here", "ref", "quelle"}
        or (" " not in words and "." in words)
    )
    return None if end < 0 or is_label else (1, end)
