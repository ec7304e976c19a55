"""A closing line of sources: ``Sources: 1, 3``, ``Source: gifts.md``, and a list below such a heading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.citations.names import invented_target
from pytest_grounding.citations.numbered import NumberResolver
from pytest_grounding.citations.syntax import Marker, SyntaxContext, Target

_WORDS = (
    r"(?:sources?(?:[ ]used)?|references?|citations?|quellen?|used[ ]sources?|documents?[ ]used"
    r"|fuentes?|refs?)"
)
_LINE = lazy(
    rf"(?im)^[ \t>*_#-]{{0,8}}{_WORDS}[ ]?(?:[*_]{{1,3}})?:[ \t*_]{{0,6}}+"
    r"(?P<list>\S[^\r\n]{0,400}+)?(?=[\r\n]|\Z)"
)
_ENTRY = lazy(r"(?m)^[ \t]{0,4}(?:[-*+•]|\d{1,3}[.)])[ \t]{1,4}(?P<body>[^\r\n]{1,300})(?=[\r\n]|\Z)")
_PARTS = lazy(r"[;,|]|\s(?:and|und|&)\s")
_LEAD = lazy(r"(?i)(?:\A|[\s(])(?P<lead>(?:sources?|references?|refs?|citations?|quellen?)\s?:\s{0,2})\Z")
_EDGES = " \t.\"'`*_[]()【】"
_REACH = 24
SOURCE_LINE = "source_line"  # syntax of a line of sources, which backs all that stands above it
_MOST = 50


def lead_of(answer: str, start: int) -> int:
    """How many characters before a marker only introduce it, as in "Sources: [1]"."""
    before = answer[max(0, start - _REACH) : start]
    match = _LEAD.search(before) if ":" in before else None
    return len(match["lead"]) if match is not None else 0


class SourceLineSyntax:
    """Citations in a line or list of their own after the words that they back."""

    name = SOURCE_LINE
    priority = 66

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax: a whole line whose parts are numbers or names of sources."""
        text = context.masked
        if ":" not in text or not context.chunks:
            return
        resolver = NumberResolver(context, [])
        for match in _LINE.finditer(text):
            if match["list"]:
                yield context.marker(*match.span(), self.name, _listed_sources(match["list"], resolver))
            else:
                yield from self._below(context, match, resolver)

    def _below(
        self, context: SyntaxContext, heading: re.Match[str], resolver: NumberResolver
    ) -> Iterator[Marker]:
        text, at = context.masked, heading.end()
        for _ in range(_MOST):
            while text[at : at + 1] in ("\r", "\n"):
                at += 1
            match = _ENTRY.match(text, at)
            if match is None:
                return
            yield context.marker(*match.span(), self.name, _listed_sources(match["body"], resolver))
            at = match.end()


def _listed_sources(listed: str, resolver: NumberResolver) -> list[Target]:
    if (whole := _source_targets(listed, resolver)) is not None:
        return whole
    found: list[Target] = []
    for part in _PARTS.split(listed):
        targets = _source_targets(part, resolver)
        if targets is None:
            return []
        found += targets
    return list(dict.fromkeys(found))


def _source_targets(part: str, resolver: NumberResolver) -> list[Target] | None:
    name = part.strip(_EDGES)
    if not name:
        return []
    if (named := resolver.named(name)) is not None:
        return named
    invented = invented_target(part)
    return [invented] if invented is not None else None
