"""Quotations of a claim: words between quotation marks that a source has to have word by word."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.reading.quotations import is_passage, is_quoted, quotations

#: Letters of the words that a title may write small, and the share of the others that it writes large.
_SMALL, _MOST = 3, 0.6


def quotations_of(text: str, sources: LedgerSources) -> Iterator[Settled]:
    """The quoted passages of a claim, each found in a source, in the question, or missing."""
    for quotation in quotations(text):
        if is_passage(quotation.text) and not _is_title(quotation.text):
            yield Settled("quotation", quotation.start, quotation.end, _settled(quotation.text, sources))


def _is_title(quoted: str) -> bool:
    """Whether words are written as a title is, which is a name: "Through the Looking-Glass"."""
    telling = [word for word in quoted.split() if len(word) > _SMALL]
    return sum(word[0].isupper() for word in telling) > _MOST * len(telling)


def _settled(quoted: str, sources: LedgerSources) -> Outcome:
    for chunk, index in enumerate(sources.context.indexes):
        # The chunk as it was recorded still has its lines.
        if is_quoted(quoted, index.text) or is_quoted(quoted, sources.pages.pages[chunk].own):
            return Outcome("found", Place(chunk))
    if any(is_quoted(quoted, text) for text in (*sources.given.names, *sources.given.known)):
        return Outcome("known")
    if any(is_quoted(quoted, text) for text in sources.given.question):
        return Outcome("question")
    return Outcome("missing")
