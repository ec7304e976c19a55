"""Chunks as a reader sees them, each once, and the way back to their own words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.scorers.base import SupportScore
from pytest_grounding.text.layout import as_laid_out


class Pages:
    """What claims are scored against.

    A text that was retrieved twice is read once: said twice, it would count as two things of a kind.

    Attributes:
        chunks: the chunks, those with the text of an earlier one left out.
        texts: their texts as a page shows them (`text.layout`), of the same lengths.
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        shown: dict[str, Chunk] = {}
        for chunk in chunks:
            shown.setdefault(as_laid_out(chunk.text), chunk)
        self.texts: tuple[str, ...] = tuple(shown)
        self.chunks: list[Chunk] = list(shown.values())
        self._other: dict[str, tuple[str, str]] = {
            chunk.id: (text, chunk.text) for text, chunk in shown.items() if text != chunk.text
        }

    @staticmethod
    def of_each(chunks: Sequence[Chunk]) -> list[Chunk]:
        """The chunks with their texts as a page shows them."""
        laid_out = [(chunk, as_laid_out(chunk.text)) for chunk in chunks]
        return [
            chunk if text == chunk.text else chunk.model_copy(update={"text": text})
            for chunk, text in laid_out
        ]

    def quoted(self, score: SupportScore) -> SupportScore:
        """A score whose evidence is quoted as the chunks write it."""
        if not self._other:
            return score
        return replace(
            score,
            evidence=tuple(map(self._evidence, score.evidence)),
            conflicts=tuple(map(self._conflict, score.conflicts)),
        )

    def _conflict(self, conflict: Conflict) -> Conflict:
        found = conflict.evidence
        if found.chunk_id not in self._other:
            return conflict
        shown, own = self._other[found.chunk_id]
        at = shown.find(conflict.evidence_text, found.start, found.end)
        words = own[at : at + len(conflict.evidence_text)] if at >= 0 else conflict.evidence_text
        changes = {"evidence": self._evidence(found), "evidence_text": words}
        return conflict.model_copy(update=changes)

    def _evidence(self, found: Evidence) -> Evidence:
        pair = self._other.get(found.chunk_id)
        return found if pair is None else in_own_words(found, *pair)


def in_own_words(found: Evidence, shown: str, own: str) -> Evidence:
    """Evidence from a text as a page shows it, quoted from the text itself."""
    if shown == own:
        return found
    before = shown.rfind(found.before, 0, found.start) if found.before else -1
    after = shown.find(found.after, found.end) if found.after else -1
    changes = {
        "text": own[found.start : found.end],
        "before": own[before : before + len(found.before)] if before >= 0 else found.before,
        "after": own[after : after + len(found.after)] if after >= 0 else found.after,
    }
    return found.model_copy(update=changes)
