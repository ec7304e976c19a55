"""Citations by address: ``[title](https://…)``, ``<https://…>`` and bare addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.citations.syntax import MAX_ADDRESS, Marker, SyntaxContext, Target, normal_url
from pytest_grounding.reading.markdown import MaskSpan

# The closing marks of other scripts are legal in an address, but never meant as part of one.
_BARE = lazy(
    rf"(?<![A-Za-z0-9_@])https?://[^\s<>\"`\[\]{{}}|\\^【】「」『』（）、。，；！？…“”«»]{{1,{MAX_ADDRESS}}}+",
    re.IGNORECASE,
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
        for span in context.spans:
            if span.kind == "link_text":
                text = span
            elif span.kind == "link_target" and text is not None:
                yield self._marker(context, text.start, span.end, span)
            elif span.kind in ("autolink", "address"):
                yield self._marker(context, span.start, span.end, span)

    def _marker(self, context: SyntaxContext, start: int, end: int, span: MaskSpan) -> Marker | None:
        address = context.answer[span.inner_start : span.inner_end].strip().strip("<>")
        normal, chunk_ids = normal_url(address), context.lookup.by_url(address)
        if normal is None or (not chunk_ids and context.lookup.mentions_url(address)):
            return None
        label = normal[0] + (f"#{normal[1]}" if normal[1] else "")
        return context.marker(start, end, self.name, [Target(label, chunk_ids)])
