"""Cohere rerank as a scorer of relevance and support."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.errors import CassetteError, ScorerError
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers.base import ClaimText, RelevanceScore, Scorer, SupportScore
from pytest_grounding.scorers.borrowed import best_first, holds_text, text_of, with_score
from pytest_grounding.scorers.cassette import Reply, Request, Tape
from pytest_grounding.scorers.cohere import replies
from pytest_grounding.scorers.cohere.client import MAX_TOKENS_PER_DOC, CohereClient

NAME = "cohere"
_DIGITS = 6


class RerankScorer:
    """Relevance and support by Cohere rerank, each pair of query and text recorded by itself.

    A reranker scores a document for a query without a look at the other documents, so that a pair is
    the smallest thing with an answer: one chunk more costs one pair more, and what a citation needs of
    some chunks is known from the score over all. What is missing of a query is asked for in one call.

    Support is the best score of any chunk. Evidence and conflicts are those of the built-in engine.

    Args:
        client: asks Cohere.
        tape: the cassette.
        model: the rerank model.
        local: the built-in engine.
    """

    def __init__(self, client: CohereClient, tape: Tape, model: str, local: Scorer) -> None:
        self._client = client
        self._tape = tape
        self._model = model
        self._local = local

    @property
    def name(self) -> str:
        """Name under which settings choose it."""
        return NAME

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        """Relevance of each chunk to the question, in one call for all.

        Raises:
            ScorerError: Cohere could not score, or the cassette lacks a pair.
        """
        scores = self._scores(question, chunks)
        return [
            RelevanceScore(
                score, f"{self._model} gives it {score:.2f}" if score is not None else "the chunk is empty"
            )
            for score in scores
        ]

    def support(
        self,
        claims: Sequence[ClaimText],
        chunks: Sequence[Chunk],
        *,
        question: str = "",
        language: str = "en",
    ) -> list[SupportScore]:
        """Support of each claim: the best score of any chunk, one call a claim.

        A claim that stands word for word in a source is not sent. One whose pairs are not on the
        cassette abstains.

        Raises:
            ScorerError: Cohere could not score.
        """
        scores = self._local.support(claims, chunks, question=question, language=language)
        return [self._support(claim, local, chunks) for claim, local in zip(claims, scores, strict=True)]

    def _support(self, claim: ClaimText, local: SupportScore, chunks: Sequence[Chunk]) -> SupportScore:
        if local.method == "exact_match" or local.probability is None or not any(map(holds_text, chunks)):
            return local
        try:
            scores = self._scores(text_of(claim), chunks)
        except CassetteError as error:
            return with_score(local, None, "rerank", str(error))
        best, chunk = max(
            ((score, chunk) for score, chunk in zip(scores, chunks, strict=True) if score is not None),
            key=lambda pair: pair[0],
        )
        reason = f"{self._model} gives chunk {chunk.id} {best:.2f}"
        evidence = best_first(local.evidence, chunk.id)
        return with_score(local, best, "rerank", reason, evidence=evidence)

    def _scores(self, query: str, chunks: Sequence[Chunk]) -> list[float | None]:
        """One score a chunk; None for an empty one, which is not sent."""
        asked = [chunk for chunk in chunks if holds_text(chunk)]
        requests = [
            Request(
                "cohere.rerank",
                self._model,
                {"max_tokens_per_doc": MAX_TOKENS_PER_DOC},
                {"query": query, "document": chunk.text},
            )
            for chunk in asked
        ]
        found = iter(self._tape.ask(requests, self._ask, check=_check))
        return [
            round(float(next(found)["score"]), _DIGITS) if holds_text(chunk) else None for chunk in chunks
        ]

    def _ask(self, requests: Sequence[Request]) -> list[Reply]:
        texts = [request.texts["document"] for request in requests]
        scores = self._client.rerank(self._model, requests[0].texts["query"], texts)
        return [{"score": score} for score in scores]


def _check(reply: Reply) -> None:
    """A recorded score is looked at like a fresh one: somebody may have edited the file."""
    try:
        replies.share(reply["score"], "the recorded score")
    except (ValueError, KeyError, TypeError) as error:
        raise ScorerError(f"cohere.rerank: {error}") from None
