"""Names of law: the parties of a case in their order, and paragraphs in brackets ("12(b)(2)")."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.settled import Outcome, Place, Settled

#: The last word of one party and the first of the other: "Tarn v. Brook Mills".
_PARTIES = lazy(r"\b([A-Z][\w'’-]{0,40})\s+vs?\.?\s+([A-Z][\w'’-]{0,40})")
_PARAGRAPH = lazy(r"\b\d{1,4}[A-Za-z]?(?:\([A-Za-z0-9]{1,4}\)){1,5}")
_HINTS = ("(", " v")


def legal_names_of(text: str, sources: LedgerSources) -> Iterator[Settled]:
    """The cases and paragraphs that a claim names in another way than the sources."""
    if not any(hint in text for hint in _HINTS):
        return
    for match in _PARTIES.finditer(text):
        outcome = _exchanged(match[1], match[2], sources)
        if outcome is not None:
            yield Settled("name", match.start(), match.end(), outcome)
    for match in _PARAGRAPH.finditer(text):
        outcome = _other_paragraph(match[0], sources)
        if outcome is not None:
            yield Settled("identifier", match.start(), match.end(), outcome)


def _exchanged(first: str, second: str, sources: LedgerSources) -> Outcome | None:
    """A case that the sources have the other way round alone."""
    exchanged: Outcome | None = None
    for chunk, index in enumerate(sources.context.indexes):
        for match in _PARTIES.finditer(index.text):
            if (match[1], match[2]) == (first, second):
                return None
            before = index.text[max(0, match.start() - len(second) - 1) : match.end(1)]
            behind = index.text[match.start(2) : match.end() + len(first) + 1]
            if second in before and first in behind:
                exchanged = Outcome("missing", Place(chunk, match.start(), match.end()), nearest=match[0])
    return exchanged


def _other_paragraph(written: str, sources: LedgerSources) -> Outcome | None:
    """A paragraph that no text has, where a chunk has another one of the same section."""
    if any(written in text for text in (*sources.given.question, *sources.given.known)):
        return None
    section = written[: written.index("(") + 1]
    other: Outcome | None = None
    for chunk, index in enumerate(sources.context.indexes):
        if written in index.text:
            return None
        for match in _PARAGRAPH.finditer(index.text):
            if other is None and match[0].startswith(section):
                other = Outcome("missing", Place(chunk, match.start(), match.end()), nearest=match[0])
    return other
