"""The citations of an answer: markers of all syntaxes, and spans reported by a provider."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.citations.author import AuthorSyntax
from pytest_grounding.citations.codelines import CodeLinesSyntax
from pytest_grounding.citations.ids import IdSyntax
from pytest_grounding.citations.names import NameSyntax
from pytest_grounding.citations.numbered import IndexSyntax, OpenAISyntax
from pytest_grounding.citations.section import PageSyntax, SectionSyntax
from pytest_grounding.citations.source_lines import SourceLineSyntax, lead_of
from pytest_grounding.citations.syntax import (
    PROVIDER,
    CitationSyntax,
    ExtractedCitation,
    Marker,
    SyntaxContext,
    Target,
)
from pytest_grounding.citations.url import UrlSyntax, bare_addresses
from pytest_grounding.citations.written import WrittenSyntax
from pytest_grounding.errors import GroundingError
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.model.transcript import ProviderCitation, Transcript
from pytest_grounding.reading import masks_of
from pytest_grounding.reading.grammar import AUXILIARIES, FUNCTION_WORDS
from pytest_grounding.reading.markdown import blank, definitions
from pytest_grounding.settings import Settings

_UNREAD = pattern("marks", "unread")
_OPENS_MARK = lazy(r"[\[(<^|\\【〔⟨«①-⓿➀-➓]|[cC].[tT][eE]")  # a part of each mark that `_UNREAD` finds
#: Words that end no statement: what follows in brackets belongs to it.
_OPEN_ENDS = FUNCTION_WORDS | AUXILIARIES | words("questions", "prepositions")
_LONGEST_OPEN_END = max(map(len, _OPEN_ENDS)) + 1
_PARTICLES = words("citing", "closing particles")
#: Every built-in syntax, highest priority first. To add one: a file beside this one and a row here.
SYNTAXES: tuple[type[CitationSyntax], ...] = (
    UrlSyntax,
    CodeLinesSyntax,
    OpenAISyntax,
    IdSyntax,
    NameSyntax,
    SectionSyntax,
    PageSyntax,
    AuthorSyntax,
    WrittenSyntax,
    SourceLineSyntax,
    IndexSyntax,
)
_MAX_MARK = 2_400  # a longer span is never a mark's own span
_MAX_SEARCHES = 200  # with more misplaced spans, the answer is not searched for their words
LIST = "list"  # syntax of an entry of ``cited_indices`` that the text never mentions


def builtin_syntaxes() -> list[CitationSyntax]:
    """One of each built-in syntax, highest priority first."""
    return [syntax() for syntax in SYNTAXES]


def provider_citations(
    context: SyntaxContext, markers: Sequence[Marker]
) -> tuple[list[ExtractedCitation], list[Marker]]:
    """The citations of the provider's spans, and the markers completed by the spans."""
    changed = list(markers)
    starts = [marker.start for marker in changed]
    annotated: dict[int, list[ProviderCitation]] = {}
    found: list[ExtractedCitation] = []
    searches = _MAX_SEARCHES
    for span in context.transcript.citations:
        if span.start == span.end == -1:
            continue  # without a place: see `_unplaced`
        start, end, mismatch = _fit(span, context.answer, searches > 0)
        searches -= bool(mismatch)
        index = _covered_mark(context.answer, start, end, changed, starts)
        if index is not None:
            annotated.setdefault(index, []).append(span)
            continue
        text = context.answer[start:end] if start >= 0 else ""
        for target in _targets_of_span(span, context):
            found.append(ExtractedCitation(start, end, text, PROVIDER, target, mismatch))
    for index, spans in annotated.items():
        changed[index] = _annotated(changed[index], spans, context)
    return found, changed


def _fit(span: ProviderCitation, answer: str, may_search: bool) -> tuple[int, int, str]:
    """The position of a span in the answer, and why it differs from the provider's, or ""."""
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
            return near, end, f"{said} does not contain the cited words; they are at {near} to {end}"
    if not fits:
        return -1, -1, f"{said} lies outside of the answer, which has {len(answer)} characters"
    return span.start, span.end, f"{said} does not contain the words that the provider cites"


def _covered_mark(
    answer: str, start: int, end: int, markers: Sequence[Marker], starts: Sequence[int]
) -> int | None:
    """The only marker in a span that otherwise contains brackets, punctuation and blanks."""
    if start < 0 or not 0 < end - start <= _MAX_MARK:
        return None
    first = bisect_left(starts, start)
    # The span of a link may start within the mark: "(" and "[" are not counted by all providers.
    if first and markers[first - 1].end > start:
        first -= 1
    if [marker.start < end for marker in markers[first : first + 2]] not in ([True], [True, False]):
        return None
    marker = markers[first]
    rest = answer[start : max(marker.start, start)] + answer[min(marker.end, end) : end]
    return None if any(char.isalnum() for char in rest) else first


def _targets_of_span(span: ProviderCitation, context: SyntaxContext) -> list[Target]:
    groups: dict[str, list[str]] = {}
    labels: dict[str, str] = {}
    for name in dict.fromkeys(span.chunk_ids):
        found = context.lookup.by_id(name)
        key = f"id {name}"
        if found:
            metadata = context.lookup.chunk(found[0]).metadata
            document = metadata.document or metadata.path
            key = f"document {document}" if document else key
        groups.setdefault(key, []).extend(found)
        labels.setdefault(key, name)
    if not groups:
        return [Target("", problem="the provider's span names no source", quote=span.quote)]
    return [Target(labels[key], tuple(ids), quote=span.quote) for key, ids in groups.items()]


def _annotated(marker: Marker, spans: Sequence[ProviderCitation], context: SyntaxContext) -> Marker:
    names = dict.fromkeys(name for span in spans for name in span.chunk_ids)
    if not names:
        return marker
    known = tuple(found for name in names for found in context.lookup.by_id(name))
    quote = next((span.quote for span in spans if span.quote), None)
    first = replace(marker.targets[0], chunk_ids=known, problem="", quote=quote)
    return replace(marker, targets=(first, *marker.targets[1:]))


def make_context(transcript: Transcript, settings: Settings) -> SyntaxContext:
    """The input of the syntaxes: the answer, and the answer without places that cannot be citations."""
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
    spans, markers = provider_citations(context, markers)
    leads = [lead_of(context.answer, marker.start) for marker in markers]
    found = [
        ExtractedCitation(marker.start, marker.end, marker.text, marker.syntax, target, lead=lead)
        for marker, lead in zip(markers, leads, strict=True)
        for target in marker.targets
    ]
    # The sort is stable: the targets of one marker keep their order. Spans without a position are last.
    found = sorted([*found, *spans], key=lambda item: (item.start < 0, item.start, item.end))
    return (*found, *_unmentioned(context, found), *_unplaced(context, found))


def find_markers(context: SyntaxContext, syntaxes: Sequence[CitationSyntax]) -> list[tuple[int, Marker]]:
    """The markers of all syntaxes that have a target, with their priorities; they may overlap."""
    found: list[tuple[int, Marker]] = []
    for syntax in syntaxes:
        try:
            for marker in syntax.find(context):
                checked = _checked(marker, context)
                if checked.targets:
                    found.append((syntax.priority, checked))
        except Exception as error:
            raise GroundingError(
                f"the citation syntax {syntax.name!r} failed ({type(error).__name__}: {error})"
            ) from error
    return found


def _checked(marker: Marker, context: SyntaxContext) -> Marker:
    if not 0 <= marker.start < marker.end <= len(context.answer):
        raise ValueError(f"marker {marker.text!r} has the span {marker.start} to {marker.end}")
    if context.answer[marker.start : marker.end] != marker.text:
        raise ValueError(f"marker {marker.text!r} is not the text at {marker.start} to {marker.end}")
    return marker


def merge(found: Iterable[tuple[int, Marker]], length: int) -> list[Marker]:
    """The markers that win where several overlap, ordered by start."""
    ranked = sorted(found, key=lambda item: (-item[0], item[1].start - item[1].end, item[1].start))
    taken = bytearray(length)
    kept: list[Marker] = []
    for _, marker in ranked:
        if taken.find(1, marker.start, marker.end) < 0:
            taken[marker.start : marker.end] = b"\x01" * (marker.end - marker.start)
            kept.append(marker)
    kept.sort(key=lambda marker: marker.start)
    return kept


def _unmentioned(context: SyntaxContext, found: Sequence[ExtractedCitation]) -> list[ExtractedCitation]:
    """Entries of the response's list of numbers that no marker of the text names."""
    numbers = {item.target.label for item in found if item.syntax == "index"}
    # A mark in another syntax mentions the chunk as well as its number would.
    chunks = {name for item in found if item.start >= 0 for name in item.target.chunk_ids}
    missing: list[ExtractedCitation] = []
    for entry in dict.fromkeys(context.transcript.cited_indices or ()):
        ids = context.lookup.at(entry)
        if str(entry) in numbers or (ids and ids[0] in chunks):
            continue
        problem = "a source number cannot be negative" if entry < 0 else ""
        missing.append(ExtractedCitation(-1, -1, "", LIST, Target(str(entry), ids, problem)))
    return missing


def _unplaced(context: SyntaxContext, found: Sequence[ExtractedCitation]) -> list[ExtractedCitation]:
    """Citations that the pipeline lists without a place, but for those that a marker has too."""
    mentioned = {name for item in found if item.start >= 0 for name in item.target.chunk_ids}
    listed: list[ExtractedCitation] = []
    for span in context.transcript.citations:
        if span.start != -1 or span.end != -1:
            continue
        for target in _targets_of_span(span, context):
            if target.quote or not target.chunk_ids or not mentioned.issuperset(target.chunk_ids):
                listed.append(ExtractedCitation(-1, -1, "", LIST, target))
    return listed


def marker_spans(citations: Iterable[ExtractedCitation]) -> list[tuple[int, int]]:
    """The marker spans of an answer, for reading the sentences without them."""
    spans: set[tuple[int, int]] = set()
    for item in citations:
        if item.start < 0 or item.syntax == PROVIDER:
            continue
        words = link_words(item.text) if item.syntax in ("url", "code") else None
        inner = (item.start + words[0], item.start + words[1]) if words is not None else ()
        edges = (item.start - item.lead, *inner, item.end)
        spans.update(zip(edges[::2], edges[1::2], strict=True))
    return sorted(spans)


def unread_spans(context: SyntaxContext, read: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans of marks besides the ``read`` ones: what stands in them is not a part of a claim."""
    held: list[str] | None = None
    # Its pattern takes five milliseconds to compile, and most answers have no mark.
    for match in _UNREAD.finditer(context.answer) if _OPENS_MARK.search(context.answer) else ():
        first, last = match.span("mark")
        at = bisect_left(read, (last,))
        is_read = at > 0 and read[at - 1][1] > first
        before = context.answer[max(0, match.start() - _LONGEST_OPEN_END) : match.start()]
        is_code = context.masked[first] != context.answer[first]
        if is_read or is_code or _is_last_word_of(match["mark"], before):
            continue
        if held is None:
            held = [chunk.text.casefold() for chunk in context.chunks]
        if not any(match["mark"].casefold() in text for text in held):
            yield first, last


def _is_last_word_of(mark: str, before: str) -> bool:
    """Whether a sentence says nothing without what looks like a mark: "refunds are paid by [PayPal]"."""
    last = before.rpartition(" ")[2].lower()
    if last in _PARTICLES and any(map(str.isdigit, mark)):
        return False  # "The pump is switched on [kb-101]."
    return last in _OPEN_ENDS


def link_words(marker: str) -> tuple[int, int] | None:
    """The position of the words of a link in its marker; None if it is not a link or has no words."""
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
