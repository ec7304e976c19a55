"""Add what a remote score lacks from the built-in engine: verbatim evidence, typed conflicts, language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Method
from pytest_grounding.scorers import Claims, ClaimText, RelevanceScore, Scorer, SupportScore


class BorrowingScorer(ABC):
    """A scorer with its own support, and the built-in engine's relevance, evidence and conflicts."""

    def __init__(self, name: str, local: Scorer) -> None:
        self.name = name
        self._local = local

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        """Relevance of each chunk, by the built-in engine."""
        return self._local.relevance(question, chunks, language=language)

    def support(
        self, claims: Claims, chunks: Sequence[Chunk], *, question: str = "", language: str = "en"
    ) -> list[SupportScore]:
        """Support of each claim; one that is missing from the cassette abstains."""
        scores = self._local.support(claims, chunks, question=question, language=language)
        filled = [chunk for chunk in chunks if has_words(chunk)]
        known = [number for number, score in enumerate(scores) if score.probability is not None]
        if asked := [number for number in known if filled and scores[number].method != "exact_match"]:
            texts = [text_of_claim(claims[number]) for number in asked]
            found = self._support(texts, [scores[number] for number in asked], filled, language)
            for number, score in zip(asked, found, strict=True):
                scores[number] = score
        return scores

    @abstractmethod
    def _support(
        self, claims: Sequence[str], local: Sequence[SupportScore], chunks: Sequence[Chunk], language: str
    ) -> Sequence[SupportScore]:
        """One score per claim, given the built-in engine's; there is at least one claim and one chunk."""


class RankingScorer(BorrowingScorer):
    """The same with its own relevance."""

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        """Relevance of each chunk to the question, in one call; none for an empty chunk."""
        texts = [chunk.text for chunk in chunks if has_words(chunk)]
        found = iter(self._relevance(question, texts) if texts else ())
        return [
            self._shown(next(found)) if has_words(chunk) else RelevanceScore(None, "the chunk is empty")
            for chunk in chunks
        ]

    @abstractmethod
    def _relevance(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One figure in [0, 1] per text; there is at least one text."""

    @abstractmethod
    def _shown(self, value: float) -> RelevanceScore:
        """A figure of `_relevance` with its reason."""


def text_of_claim(claim: ClaimText) -> str:
    """The claim for a model: with the sentence before it if needed."""
    return f"{claim.context} {claim.text}" if claim.context else claim.text


def with_score(
    local: SupportScore,
    probability: float | None,
    method: Method,
    reason: str,
    *,
    evidence: tuple[Evidence, ...] | None = None,
) -> SupportScore:
    """The built-in engine's score with another probability; its conflicts stay."""
    value = None if probability is None else round(probability, 6)
    held = local.evidence if evidence is None else evidence
    return replace(local, probability=value, method=method, reason=reason, calibrated=False, evidence=held)


def by_best_chunk(
    local: SupportScore, values: Sequence[float], chunks: Sequence[Chunk], method: Method, model: str
) -> SupportScore:
    """Support by the chunk with the highest figure (the first of equals), whose evidence comes first."""
    best = max(range(len(values)), key=lambda index: (values[index], -index))
    chunk_id = chunks[best].id
    reason = f"{model} gives chunk {chunk_id} {values[best]:.2f}"
    evidence = tuple(sorted(local.evidence, key=lambda item: item.chunk_id != chunk_id))
    return with_score(local, values[best], method, reason, evidence=evidence)


def has_words(chunk: Chunk) -> bool:
    """Whether the chunk has any text to send."""
    return bool(chunk.text.strip())
