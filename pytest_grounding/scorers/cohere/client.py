"""The real SDK with limits of our own: deadlines, counted attempts, and errors without secrets."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from pytest_grounding._optional import require
from pytest_grounding.errors import ScorerError
from pytest_grounding.scorers.cohere import replies
from pytest_grounding.scorers.wire import (
    CHAT_TOKENS,
    Failures,
    Wire,
    hide,
    http_client,
    key_of,
    shown,
    turned_down,
    without,
)

T = TypeVar("T")

#: Most texts of one call to embed.
EMBED_BATCH = 96
#: Most documents of one call to rerank that the SDK's documentation recommends.
RERANK_BATCH = 1000
MAX_TOKENS_PER_DOC = 4096
_KEYS = ("CO_API_KEY", "COHERE_API_KEY")


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
        self._failures = Failures()
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
            arguments = {
                "model": model,
                "query": query,
                "documents": batch,
                "top_n": len(batch),
                "max_tokens_per_doc": MAX_TOKENS_PER_DOC,
            }
            scores += self._call("rerank", arguments, partial(replies.rerank_scores, count=len(batch)))
        return scores

    def embed(self, model: str, input_type: str, texts: Sequence[str]) -> list[list[float]]:
        """The embedding of each text, 96 a call."""
        found: list[list[float]] = []
        for start in range(0, len(texts), EMBED_BATCH):
            batch = list(texts[start : start + EMBED_BATCH])
            arguments = {
                "model": model,
                "input_type": input_type,
                "texts": batch,
                "embedding_types": ["float"],
            }
            found += self._call("embed", arguments, partial(replies.vectors, count=len(batch)))
        return found

    def chat(self, model: str, system: str, user: str, schema: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON object that a chat answers with, asked for with a JSON schema, at temperature 0."""
        arguments = {
            "model": model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "response_format": {"type": "json_object", "json_schema": dict(schema)},
            "temperature": 0.0,
            "seed": 0,
            "max_tokens": CHAT_TOKENS,
        }
        return self._call("chat", arguments, replies.chat_object)

    def _call(self, name: str, arguments: Mapping[str, Any], read: Callable[[Any], T]) -> T:
        """One call; whatever goes wrong is a ScorerError."""
        with self._failures.counted():
            return self._send(name, arguments, read)

    def _send(self, name: str, arguments: Mapping[str, Any], read: Callable[[Any], T]) -> T:
        cohere, httpx = require("cohere", extra="cohere"), require("httpx", extra="cohere")
        environ = os.environ if self._environ is None else self._environ
        key = key_of(environ, self._keys)
        address = self._address or environ.get("CO_API_URL") or None
        if key is None and address is None:
            raise ScorerError(f"there is no key: set {self._keys[0]}, or replay with record = none")
        wire = Wire()
        seconds = self._call_seconds
        options = {"max_retries": self._retries, "timeout": seconds}
        self.calls += 1
        http = http_client(httpx, seconds, wire)
        try:
            client = cohere.ClientV2(
                api_key=key or "", base_url=address, client_name="pytest-grounding", httpx_client=http
            )
            reply = getattr(client, name)(**arguments, request_options=options)
            answer: T = without(read(reply), key)
            return answer
        except httpx.TimeoutException as error:
            raise wire.late(name, seconds) from error
        except Exception as error:
            # The SDK lets through what its libraries raise: TypeError, ValueError, httpx errors and more.
            problem = _explain(name, error, wire, key)
            raise turned_down(problem, getattr(error, "status_code", None)) from None
        finally:
            http.close()


def _explain(name: str, error: Exception, wire: Wire, key: str | None) -> str:
    """What went wrong in one sentence: status, attempts, and the beginning of the body."""
    tried = wire.tried
    status = getattr(error, "status_code", None)
    if isinstance(error, UnicodeDecodeError):
        return f"{name}: the reply is not UTF-8 (status {wire.status}, {tried})"
    if status == 200:
        return f"{name}: the reply is not JSON (status 200, {tried}): {_body(error, key)}"
    if status is not None:
        return f"{name}: status {status} after {tried}: {_body(error, key)}"
    if isinstance(error, ValueError):
        return f"{name}: the reply {hide(str(error), key)} (status {wire.status}, {tried})"
    if wire.status is not None and isinstance(error, (TypeError, AttributeError, KeyError)):
        return f"{name}: the reply is not of the documented form (status {wire.status}, {tried})"
    return f"{name}: {type(error).__name__} after {tried}: {shown(hide(str(error), key))}"


def _body(error: Exception, key: str | None) -> str:
    # Hidden before it is cut, so that not even a part of the key stays.
    return shown(hide(str(getattr(error, "body", "")) or "no body", key))
