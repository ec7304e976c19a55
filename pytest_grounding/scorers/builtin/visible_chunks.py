"""The visible text of each chunk, without duplicates, and the way back to the original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading.visible_text import Page, page_of
from pytest_grounding.scorers.protocol import SupportScore


class Pages:
    """What claims are scored against."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        shown: dict[str, tuple[Chunk, Page]] = {}
        for chunk in chunks:
            page = page_of(chunk.text)
            shown.setdefault(page.text, (chunk, page))
        self.texts: tuple[str, ...] = tuple(
            shown
        )  # the texts as they are compared (`reading.visible_text.page_of`)
        #: The chunks, without those that repeat an earlier text.
        self.chunks: list[Chunk] = [chunk for chunk, _ in shown.values()]
        self.pages: tuple[Page, ...] = tuple(page for _, page in shown.values())  # the same with the way back
        self._other: dict[str, Page] = {
            chunk.id: page for chunk, page in shown.values() if page.text != chunk.text
        }

    @staticmethod
    def of_each(chunks: Sequence[Chunk]) -> list[Chunk]:
        """The chunks with their texts as they are compared."""
        pages = [(chunk, page_of(chunk.text)) for chunk in chunks]
        return [
            chunk if page.text == chunk.text else chunk.model_copy(update={"text": page.text})
            for chunk, page in pages
        ]

    def quoted(self, score: SupportScore) -> SupportScore:
        """A score whose evidence is quoted from the original chunks."""
        if not self._other:
            return score
        return replace(
            score,
            evidence=tuple(map(self._evidence, score.evidence)),
            conflicts=tuple(map(self._conflict, score.conflicts)),
        )

    def _conflict(self, conflict: Conflict) -> Conflict:
        found = conflict.evidence
        page = self._other.get(found.chunk_id)
        if page is None:
            return conflict
        at = page.text.find(conflict.evidence_text, found.start, found.end)
        words = conflict.evidence_text
        if at >= 0:
            start, end = page.span(at, at + len(words))
            words = page.own[start:end] or words
        changes = {"evidence": self._evidence(found), "evidence_text": words}
        return conflict.model_copy(update=changes)

    def _evidence(self, found: Evidence) -> Evidence:
        page = self._other.get(found.chunk_id)
        return found if page is None else in_own_words(found, page)


def in_own_words(found: Evidence, page: Page) -> Evidence:
    """Evidence from a visible text, quoted from the original."""
    shown, own = page.text, page.own
    if shown == own:
        return found
    start, end = page.span(found.start, found.end)
    changes: dict[str, object] = {"text": own[start:end], "start": start, "end": end}
    for name, around, at in (
        ("before", found.before, shown.rfind(found.before, 0, found.start)),
        ("after", found.after, shown.find(found.after, found.end)),
    ):
        if around and at >= 0:
            low, high = page.span(at, at + len(around))
            changes[name] = own[low:high]
    return found.model_copy(update=changes)
