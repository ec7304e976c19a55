"""Citations by address: ``[title](https://…)``, ``<https://…>`` and bare addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.citations.codelines import near_lines
from pytest_grounding.citations.syntax import MAX_ADDRESS, Marker, SyntaxContext, Target, normal_url
from pytest_grounding.lexicon import alternation
from pytest_grounding.reading.markdown import MaskSpan

# The closing marks of other scripts are legal in an address, but never meant as part of one.
_BARE = lazy(
    rf"(?<![A-Za-z0-9_@])https?://[^\s<>\"`\[\]{{}}|\\^【】「」『』（）、。，；！？…“”«»]{{1,{MAX_ADDRESS}}}+",
    re.IGNORECASE,
)
_BARE_HOST = lazy(
    r"(?<![\w@/.:%-])(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,60})\.){1,6}[A-Za-z]{2,24}(?::\d{2,5})?"
    rf"(?:/[^\s<>\"`\[\]{{}}|\\^]{{0,{MAX_ADDRESS}}}+)?(?![\w@])"
)
#: The page of a file on a code forge, with its lines.
_FORGE = lazy(
    rf"/(?:-/)?(?:{alternation('citing', 'forge pages')})/(?:branch/|commit/|tag/)?[^/\s]{{1,120}}"
    r"/(?P<path>[^\s#?]{1,300})"
    r"(?:\?[^\s#]{0,200})?(?:#(?:L|lines-)?(?P<first>\d{1,9})(?:C\d{1,5})?(?:[-:]L?(?P<last>\d{1,9}))?)?"
)
_TRAILING = ".,;:!?'*_~"


def bare_addresses(masked: str) -> list[MaskSpan]:
    """Addresses in text without markup, as spans of the kind ``address``."""
    matches = _BARE.finditer(masked) if "://" in masked else ()
    spans = ((match.start(), _trimmed_end(masked, *match.span())) for match in matches)
    return [MaskSpan(start, end, "address", start, end) for start, end in spans]


def _trimmed_end(text: str, start: int, end: int) -> int:
    """End of an address without sentence punctuation and without a ``)`` that it did not open."""
    open_count = text.count("(", start, end)
    close_count = text.count(")", start, end)
    while end > start:
        last = text[end - 1]
        if last == ")" and close_count > open_count:
            close_count -= 1
        elif last not in _TRAILING:
            break
        end -= 1
    return end


class UrlSyntax:
    """Citations by http or https address, compared in `normal_url` form."""

    name = "url"
    priority = 80

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax. An address in a chunk's own text is content, not a citation."""
        return (marker for marker in self._candidates(context) if marker is not None)

    def _candidates(self, context: SyntaxContext) -> Iterator[Marker | None]:
        text: MaskSpan | None = None
        yield from self._without_scheme(context)
        for span in context.spans:
            if span.kind == "link_text":
                text = span
            elif span.kind == "link_target" and text is not None:
                yield self._marker(context, text.start, span.end, span)
            elif span.kind in ("autolink", "address"):
                yield self._marker(context, span.start, span.end, span)

    def _without_scheme(self, context: SyntaxContext) -> Iterator[Marker]:
        """``city.example/parking``, if a chunk has the address; with ``www.`` any."""
        if "." not in context.masked or not context.lookup.has_addresses:
            return
        for match in _BARE_HOST.finditer(context.masked):
            end = _trimmed_end(context.masked, *match.span())
            address = f"https://{context.masked[match.start() : end]}"
            normal, found = normal_url(address), context.lookup.by_url(address)
            is_meant = found or match[0].lower().startswith("www.")
            if normal is not None and is_meant and (found or not context.lookup.mentions_url(address)):
                label = normal[0].partition("://")[2]
                yield context.marker(match.start(), end, self.name, [Target(label, found)])

    def _marker(self, context: SyntaxContext, start: int, end: int, span: MaskSpan) -> Marker | None:
        address = context.answer[span.inner_start : span.inner_end].strip().strip("<>")
        normal, chunk_ids = normal_url(address), context.lookup.by_url(address)
        if normal is not None and not chunk_ids and (code := _code_target(address, context)) is not None:
            return context.marker(start, end, self.name, [code])
        if normal is None or (not chunk_ids and context.lookup.mentions_url(address)):
            return None
        label = normal[0] + (f"#{normal[1]}" if normal[1] else "")
        return context.marker(start, end, self.name, [Target(label, chunk_ids)])


def _code_target(address: str, context: SyntaxContext) -> Target | None:
    """The lines of a retrieved file that a page of a code forge shows."""
    match = _FORGE.search(address)
    chunks = context.lookup.by_path(match["path"]) if match is not None else ()
    if match is None or not chunks:
        return None
    if match["first"] is None:
        return Target(match["path"], tuple(chunk.id for chunk in chunks))
    first = int(match["first"])
    lines = (first, int(match["last"] or first))
    near = near_lines(chunks, lines)
    return Target(f"{match['path']}:{lines[0]}-{lines[1]}", near, path=match["path"], lines=lines)
