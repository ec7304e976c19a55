"""Citations by page: ``(p. 3)``, ``(Handbook, page 3)``, ``(see page 2)``."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_grounding._patterns import lazy
from pytest_grounding.citations.base import Marker, SyntaxContext, Target

_PAGE = (
    r"(?:(?:see|cf\.|siehe)[ ]{1,3})?(?:(?P<document>[^()\[\],;:\r\n]{1,100}),[ ]{0,3})?"
    r"(?:pp?\.|pages?|seiten?|s\.)[ \u00a0\u202f]{0,3}(?P<first>\d{1,5})(?:[ ]?[-–—][ ]?(?P<last>\d{1,5}))?"
)
_MARK = lazy(rf"(?i)\({_PAGE}\)")
_WHOLE = lazy(rf"(?i)[ ]{{0,3}}{_PAGE}[ ]{{0,3}}\.?[ ]{{0,3}}")
_MOST_PAGES = 50


class PageSyntax:
    """Citations by page and document, found through the metadata of the chunks."""

    name = "page"
    priority = 48

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax; where no chunk has a page, "(p. 3)" is content."""
        if not context.lookup.has_pages:
            return
        for match in _MARK.finditer(context.masked):
            text = context.answer[match.start() : match.end()]
            target = _target(context, match["document"], match["first"], match["last"])
            if target is not None and not any(text in chunk.text for chunk in context.chunks):
                yield Marker(match.start(), match.end(), text, self.name, (target,))


def page_target(context: SyntaxContext, definition: str) -> Target | None:
    """What a footnote points to that gives a page and nothing else; None for any other one."""
    match = _WHOLE.fullmatch(definition) if context.lookup.has_pages else None
    return _target(context, match["document"], match["first"], match["last"]) if match is not None else None


def _target(context: SyntaxContext, document: str | None, first: str, last: str | None) -> Target | None:
    low, high = int(first), int(last or first)
    if not low <= high < low + _MOST_PAGES:
        return None
    name = (document or "").strip(" \"'*_“”‘’")
    found = [chunk for page in range(low, high + 1) for chunk in context.lookup.by_page(str(page), name)]
    label = (f"{name}, " if name else "") + f"p. {first}" + (f"–{last}" if last else "")
    if not found and not context.lookup.all_have_pages:
        # A chunk that does not tell its page may be of this one.
        return None
    return Target(label, tuple(dict.fromkeys(found)))
