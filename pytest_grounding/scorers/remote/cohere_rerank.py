"""Cohere's rerank, embed and chat, through its own SDK."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from pytest_grounding.errors import CassetteError, ScorerError, require
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers import RelevanceScore, Scorer, SupportScore
from pytest_grounding.scorers.remote import http_client as web
from pytest_grounding.scorers.remote.cassette_file import Reply, Request, Tape
from pytest_grounding.scorers.remote.local_evidence import RankingScorer, by_best_chunk, with_score

T = TypeVar("T")
EMBED_BATCH = 96
#: Most documents per rerank call, as the SDK's documentation recommends.
RERANK_BATCH = 1000
MAX_TOKENS_PER_DOC = 4096
_KEYS = ("CO_API_KEY", "COHERE_API_KEY")


def rerank_scores(reply: Any, count: int) -> list[float]:
    """Relevance of each document in the order of the request."""
    results = getattr(reply, "results", None)
    if not isinstance(results, (list, tuple)):
        raise ValueError(f"contains no list of results ({type(results).__name__})")
    scores: list[float | None] = [None] * count
    for item in results:
        index, score = getattr(item, "index", None), getattr(item, "relevance_score", None)
        if isinstance(index, bool) or not isinstance(index, int):
            raise ValueError(f"names a document by {index!r}, which is not a number")
        if not 0 <= index < count:
            raise ValueError(f"names document {index}, and {count} were sent")
        if scores[index] is not None:
            raise ValueError(f"names document {index} twice")
        scores[index] = share_of_relevance(score, f"the score of document {index}")
    found = [score for score in scores if score is not None]
    if len(found) < count:
        missing = f"document {scores.index(None)} is missing"
        raise ValueError(f"scores {len(found)} of {count} documents; {missing}")
    return found


def share_of_relevance(value: Any, name: str) -> float:
    """A number in [0, 1]."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{name} is {value!r}, which is not a number")
    if not math.isfinite(value) or not 0.0 <= value <= 1.0:
        raise ValueError(f"{name} is {value!r}, which is not between 0 and 1")
    return float(value)


def vectors(reply: Any, count: int) -> list[list[float]]:
    """The float embeddings in the order of the request."""
    found = getattr(getattr(reply, "embeddings", None), "float_", None)
    if not isinstance(found, (list, tuple)):
        raise ValueError("contains no float embeddings")
    if len(found) != count:
        raise ValueError(f"holds {len(found)} embeddings for {count} texts")
    return [vector(item, number) for number, item in enumerate(found)]


def vector(value: Any, number: int = 0) -> list[float]:
    """One embedding: finite numbers, not all 0."""
    if not isinstance(value, (list, tuple)) or not value:
        raise ValueError(f"embedding {number} is not a list of numbers")
    for item in value:
        if isinstance(item, bool) or not isinstance(item, (int, float)) or not math.isfinite(item):
            raise ValueError(f"embedding {number} holds {item!r}, which is not a number")
    if not any(value):
        raise ValueError(f"embedding {number} is all zeros")
    return list(map(float, value))


def chat_object(reply: Any) -> dict[str, Any]:
    """The JSON object in a chat reply."""
    finish = str(getattr(reply, "finish_reason", ""))
    if finish.upper() != "COMPLETE":
        raise ValueError(f"was not completed (finish_reason {finish or 'missing'})")
    content = getattr(getattr(reply, "message", None), "content", None)
    if not isinstance(content, (list, tuple)):
        raise ValueError("contains no message")
    texts = [getattr(item, "text", None) for item in content if getattr(item, "type", "text") == "text"]
    return web.json_object("".join(item for item in texts if isinstance(item, str)))


class CohereClient:
    """Cohere's v2 endpoints; every reply is validated, every failure is a ScorerError."""

    def __init__(
        self,
        *,
        call_seconds: float = 30.0,
        retries: int = 2,
        environ: Mapping[str, str] | None = None,
        address: str = "",
        key_env: str = "",
    ) -> None:
        self._call_seconds = call_seconds
        # One each: embeddings may work while rerank does not.
        self._breakers = {name: web.CircuitBreaker() for name in ("rerank", "embed", "chat")}
        self._retries = retries
        self._environ = environ
        self._address = address
        self._keys = (key_env,) if key_env else _KEYS
        self.calls = 0

    def rerank(self, model: str, query: str, documents: Sequence[str]) -> list[float]:
        """Relevance in [0, 1] of each document to the query, in one call."""
        scores: list[float] = []
        for start in range(0, len(documents), RERANK_BATCH):
            batch = list(documents[start : start + RERANK_BATCH])
            limits = {"top_n": len(batch), "max_tokens_per_doc": MAX_TOKENS_PER_DOC}
            arguments = {"model": model, "query": query, "documents": batch, **limits}
            scores += self._call("rerank", arguments, partial(rerank_scores, count=len(batch)))
        return scores

    def embed(self, model: str, input_type: str, texts: Sequence[str]) -> list[list[float]]:
        """The embedding of each text, 96 per call."""
        found: list[list[float]] = []
        for start in range(0, len(texts), EMBED_BATCH):
            batch = list(texts[start : start + EMBED_BATCH])
            kinds = {"input_type": input_type, "embedding_types": ["float"]}
            arguments = {"model": model, "texts": batch, **kinds}
            found += self._call("embed", arguments, partial(vectors, count=len(batch)))
        return found

    def chat(self, model: str, system: str, user: str, schema: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON object in a chat reply, requested with a JSON schema at temperature 0."""
        arguments = {
            "model": model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "response_format": {"type": "json_object", "json_schema": dict(schema)},
            "temperature": 0.0,
            "seed": 0,
            "max_tokens": web.CHAT_TOKENS,
        }
        return self._call("chat", arguments, chat_object)

    def _call(self, name: str, arguments: Mapping[str, Any], read: Callable[[Any], T]) -> T:
        with self._breakers[name].counted():
            return self._send(name, arguments, read)

    def _send(self, name: str, arguments: Mapping[str, Any], read: Callable[[Any], T]) -> T:
        cohere, httpx = require("cohere", extra="cohere"), require("httpx", extra="cohere")
        environ = os.environ if self._environ is None else self._environ
        key = web.key_of_service(environ, self._keys)
        address = self._address or environ.get("CO_API_URL") or None
        if key is None and address is None:
            raise ScorerError(f"there is no key: set {self._keys[0]}, or replay with record = none")
        wire, seconds = web.Wire(), self._call_seconds
        options = {"max_retries": self._retries, "timeout": seconds}
        self.calls += 1
        http = web.http_client(httpx, seconds, wire)
        try:
            given = {"api_key": key or "", "base_url": address, "httpx_client": http}
            client = cohere.ClientV2(client_name="pytest-grounding", **given)
            reply = getattr(client, name)(**arguments, request_options=options)
            answer: T = web.without_secret(read(reply), key)
            return answer
        except httpx.TimeoutException as error:
            raise wire.late(name, seconds) from error
        except Exception as error:
            # The SDK passes on errors of its libraries: TypeError, ValueError, httpx errors and more.
            problem = _explain_status(name, error, wire, key)
            raise web.turned_down(problem, getattr(error, "status_code", None)) from None
        finally:
            http.close()


def _explain_status(name: str, error: Exception, wire: web.Wire, key: str | None) -> str:
    tried = wire.tried
    status = getattr(error, "status_code", None)
    # Redacted before truncation, so that not even a part of the key remains.
    body = web.shown_text(web.hide(str(getattr(error, "body", "")) or "no body", key))
    if isinstance(error, UnicodeDecodeError):
        return f"{name}: the reply is not UTF-8 (status {wire.status}, {tried})"
    if status == 200:
        return f"{name}: the reply is not JSON (status 200, {tried}): {body}"
    if status is not None:
        return f"{name}: status {status} after {tried}: {body}"
    if isinstance(error, ValueError):
        return f"{name}: the reply {web.hide(str(error), key)} (status {wire.status}, {tried})"
    if wire.status is not None and isinstance(error, (TypeError, AttributeError, KeyError)):
        return f"{name}: the reply is not of the documented form (status {wire.status}, {tried})"
    return f"{name}: {type(error).__name__} after {tried}: {web.shown_text(web.hide(str(error), key))}"


class RerankScorer(RankingScorer):
    """Relevance and support by Cohere rerank; each pair of query and text is recorded individually."""

    def __init__(self, client: CohereClient, tape: Tape, model: str, local: Scorer) -> None:
        super().__init__("cohere", local)
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
        try:
            scores = self._scores(claim, [chunk.text for chunk in chunks])
        except CassetteError as error:
            return with_score(local, None, "rerank", str(error))
        return by_best_chunk(local, scores, chunks, "rerank", self._model)

    def _scores(self, query: str, texts: Sequence[str]) -> list[float]:
        given = "cohere.rerank", self._model, {"max_tokens_per_doc": MAX_TOKENS_PER_DOC}
        requests = [Request(*given, {"query": query, "document": text}) for text in texts]
        return [round(float(reply["score"]), 6) for reply in self._tape.ask(requests, self._ask)]

    def _ask(self, requests: Sequence[Request]) -> list[Reply]:
        texts = [request.texts["document"] for request in requests]
        scores = self._client.rerank(self._model, requests[0].texts["query"], texts)
        return [{"score": score} for score in scores]
