"""Cohere rerank as a scorer of relevance and support."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.errors import CassetteError, ScorerError
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers.base import RelevanceScore, Scorer, SupportScore
from pytest_grounding.scorers.borrowed import BorrowingScorer, by_best_chunk, with_score
from pytest_grounding.scorers.cassette import Reply, Request, Tape
from pytest_grounding.scorers.cohere import replies
from pytest_grounding.scorers.cohere.client import MAX_TOKENS_PER_DOC, CohereClient

NAME = "cohere"
_DIGITS = 6


class RerankScorer(BorrowingScorer):
    """Relevance and support by Cohere rerank, each pair of query and text recorded by itself."""

    def __init__(self, client: CohereClient, tape: Tape, model: str, local: Scorer) -> None:
        super().__init__(NAME, local)
        self._client = client
        self._tape = tape
        self._model = model

    def _relevance(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        return self._scores(question, texts)

    def _shown(self, value: float) -> RelevanceScore:
        return RelevanceScore(value, f"{self._model} gives it {value:.2f}")

    def _support(
        self, claims: Sequence[str], local: Sequence[SupportScore], chunks: Sequence[Chunk], language: str
    ) -> Sequence[SupportScore]:
        return [self._best(text, score, chunks) for text, score in zip(claims, local, strict=True)]

    def _best(self, claim: str, local: SupportScore, chunks: Sequence[Chunk]) -> SupportScore:
        """The best score of any chunk, in one call a claim."""
        try:
            scores = self._scores(claim, [chunk.text for chunk in chunks])
        except CassetteError as error:
            return with_score(local, None, "rerank", str(error))
        return by_best_chunk(local, scores, chunks, "rerank", self._model)

    def _scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text."""
        requests = [
            Request(
                "cohere.rerank",
                self._model,
                {"max_tokens_per_doc": MAX_TOKENS_PER_DOC},
                {"query": query, "document": text},
            )
            for text in texts
        ]
        found = self._tape.ask(requests, self._ask, check=_check)
        return [round(float(reply["score"]), _DIGITS) for reply in found]

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
