"""Spans that a provider reports: fitted to the answer, and laid over the marks that they stand for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from pytest_grounding.citations.base import PROVIDER, ExtractedCitation, Marker, SyntaxContext, Target
from pytest_grounding.model.transcript import Chunk, ProviderCitation

#: A span longer than this is never a mark's own span.
_MAX_MARK = 2_400
#: From this many misplaced spans on, the answer is no longer searched for their words.
_MAX_SEARCHES = 200


def provider_citations(
    context: SyntaxContext, markers: Sequence[Marker]
) -> tuple[list[ExtractedCitation], list[Marker]]:
    """The citations of the provider's spans, and the markers with what the spans say of them."""
    changed = list(markers)
    starts = [marker.start for marker in changed]
    annotated: dict[int, list[ProviderCitation]] = {}
    found: list[ExtractedCitation] = []
    searches = _MAX_SEARCHES
    for span in context.transcript.citations:
        start, end, mismatch = _fit(span, context.answer, searches > 0)
        searches -= bool(mismatch)
        index = _covered_mark(context.answer, start, end, changed, starts)
        if index is not None:
            annotated.setdefault(index, []).append(span)
            continue
        text = context.answer[start:end] if start >= 0 else ""
        for target in _targets(span, context):
            found.append(ExtractedCitation(start, end, text, PROVIDER, target, mismatch))
    for index, spans in annotated.items():
        changed[index] = _annotated(changed[index], spans, context)
    return found, changed


def _fit(span: ProviderCitation, answer: str, may_search: bool) -> tuple[int, int, str]:
    """Where a span stands in the answer, and why that is not what the provider said, or ""."""
    fits = 0 <= span.start <= span.end <= len(answer)
    if fits and (not span.text or answer[span.start : span.end] == span.text):
        return span.start, span.end, ""
    said = f"the span {span.start} to {span.end}"
    if span.text and may_search:
        near = answer.find(span.text, max(0, min(span.start, len(answer)) - len(span.text)))
        if near < 0:
            near = answer.find(span.text)
        if near >= 0:
            end = near + len(span.text)
            return near, end, f"{said} does not hold the cited words; they stand at {near} to {end}"
    if not fits:
        return -1, -1, f"{said} lies outside of the answer, which has {len(answer)} characters"
    return span.start, span.end, f"{said} does not hold the words that the provider cites"


def _covered_mark(
    answer: str, start: int, end: int, markers: Sequence[Marker], starts: Sequence[int]
) -> int | None:
    """The one marker in a span that otherwise holds brackets, punctuation and blanks."""
    if start < 0 or not 0 < end - start <= _MAX_MARK:
        return None
    first = bisect_left(starts, start)
    # The span of a link may begin inside of the mark: "(" and "[" are not counted by all providers.
    if first and markers[first - 1].end > start:
        first -= 1
    if first == len(markers):
        return None
    marker = markers[first]
    if marker.start >= end or (first + 1 < len(markers) and markers[first + 1].start < end):
        return None
    rest = answer[start : max(marker.start, start)] + answer[min(marker.end, end) : end]
    return None if any(char.isalnum() for char in rest) else first


def _targets(span: ProviderCitation, context: SyntaxContext) -> list[Target]:
    """One target for each document that a span names, in the order named."""
    groups: dict[str, list[str]] = {}
    labels: dict[str, str] = {}
    for name in dict.fromkeys(span.chunk_ids):
        found = context.lookup.by_id(name)
        key = f"id {name}"
        if found:
            document = _document(context.lookup.chunk(found[0]))
            key = f"document {document}" if document else key
        groups.setdefault(key, []).extend(found)
        labels.setdefault(key, name)
    if not groups:
        return [Target("", problem="the provider's span names no source", quote=span.quote)]
    return [Target(labels[key], tuple(ids), quote=span.quote) for key, ids in groups.items()]


def _document(chunk: Chunk) -> str | None:
    metadata = chunk.metadata
    return metadata.document or metadata.path


def _annotated(marker: Marker, spans: Sequence[ProviderCitation], context: SyntaxContext) -> Marker:
    """The marker with the chunks and the quote of its annotations."""
    names = dict.fromkeys(name for span in spans for name in span.chunk_ids)
    if not names:
        return marker
    known = tuple(found for name in names for found in context.lookup.by_id(name))
    quote = next((span.quote for span in spans if span.quote), None)
    first = replace(marker.targets[0], chunk_ids=known, problem="", quote=quote)
    return replace(marker, targets=(first, *marker.targets[1:]))
