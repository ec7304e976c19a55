"""Scorers that never see an order of a chunk: what stands in one supports nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading.injected import restored, screened
from pytest_grounding.scorers.protocol import ClaimText, RelevanceScore, Scorer, SupportScore
from pytest_grounding.settings import Settings


def trusted(chunks: Sequence[Chunk], settings: Settings) -> tuple[Chunk, ...]:
    """The chunks as they support: without orders to the model, unless the setting ``injection`` is off."""
    return tuple(chunks) if settings.injection == "off" or not settings.enabled else screened(chunks)


def screening(
    scorers: Sequence[Scorer], chunks: Sequence[Chunk], passed: Sequence[Chunk]
) -> tuple[Scorer, ...]:
    """The scorers, each behind a screen that takes orders out of what it is given."""
    changed = {new.id: (old, new) for old, new in zip(chunks, passed, strict=True) if old is not new}
    return tuple(_Screened(scorer, changed) for scorer in scorers) if changed else tuple(scorers)


class _Screened:
    """A scorer that is given chunks without orders, and whose evidence is given back verbatim."""

    def __init__(self, scorer: Scorer, changed: dict[str, tuple[Chunk, Chunk]]) -> None:
        self._scorer = scorer
        self._changed = changed
        self._originals = {name: old for name, (old, _) in changed.items()}

    @property
    def name(self) -> str:
        return self._scorer.name

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        return self._scorer.relevance(question, self._passed(chunks), language=language)

    def support(
        self,
        claims: Sequence[ClaimText],
        chunks: Sequence[Chunk],
        *,
        question: str = "",
        language: str = "en",
    ) -> list[SupportScore]:
        passed = self._passed(chunks)
        scores = self._scorer.support(claims, passed, question=question, language=language)
        return [self._restored(score) for score in scores]

    def _passed(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        changed = self._changed
        # A file's lines may bear the id of a chunk.
        return [
            changed[chunk.id][1] if chunk.id in changed and chunk.text == changed[chunk.id][0].text else chunk
            for chunk in chunks
        ]

    def _restored(self, score: SupportScore) -> SupportScore:
        evidence = tuple(restored(item, self._originals) for item in score.evidence)
        conflicts = tuple(
            item.model_copy(update={"evidence": restored(item.evidence, self._originals)})
            for item in score.conflicts
        )
        return replace(score, evidence=evidence, conflicts=conflicts)
