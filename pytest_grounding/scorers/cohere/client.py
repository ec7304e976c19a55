"""The real SDK with limits of our own: deadlines, counted attempts, and errors without secrets."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, TypeVar

from pytest_grounding._optional import require
from pytest_grounding._visible import one_line
from pytest_grounding.errors import RefusedError, ScorerError
from pytest_grounding.scorers.cohere import replies
from pytest_grounding.scorers.cohere.bounded import PLAIN, bound
from pytest_grounding.scorers.deadline import Budget, DeadlineError, within

T = TypeVar("T")

#: Most texts of one call to embed.
EMBED_BATCH = 96
#: Most documents of one call to rerank that the SDK's documentation recommends.
RERANK_BATCH = 1000
MAX_TOKENS_PER_DOC = 4096
_BODY_SHOWN = 200
#: Statuses that say no for good: to all that is asked of a model, and to the text at hand. All others may be
#: gone at the next try: 408, 429, 5xx.
_NO_ACCESS = frozenset({401, 403, 404, 405, 410})
_NO_SUCH_TEXT = frozenset({400, 413, 414, 415, 422, 451, 498})
_CHAT_TOKENS = 1024


@dataclass(slots=True)
class _Wire:
    """What went over the wire in one call."""

    attempts: int = 0
    status: int | None = None


class CohereClient:
    """Cohere's v2 endpoints; every reply is validated, every failure is a ScorerError.

    The key is read from ``CO_API_KEY`` (or ``COHERE_API_KEY``) and the address from ``CO_API_URL`` at each
    call; with an address and no key, none is sent.

    Args:
        call_seconds: the time that one call may take in all, retries and waiting among it.
        run_seconds: the time that all calls of this client may take together.
        retries: how often the SDK tries again after 408, 409, 429, 5xx or a refused connection.
        environ: the environment variables; None takes those of the process.
    """

    def __init__(
        self,
        *,
        call_seconds: float = 30.0,
        run_seconds: float = 600.0,
        retries: int = 2,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._call_seconds = call_seconds
        self._budget = Budget(run_seconds)
        self._retries = retries
        self._environ = environ
        self.calls = 0

    def rerank(self, model: str, query: str, documents: Sequence[str]) -> list[float]:
        """Relevance in [0, 1] of each document to the query, in one call.

        Raises:
            ScorerError: no valid reply came in time.
        """
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
        """The embedding of each text, 96 a call.

        Raises:
            ScorerError: no valid reply came in time.
        """
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
        """The JSON object that a chat answers with, asked for with a JSON schema, at temperature 0.

        Raises:
            ScorerError: no valid reply came in time.
        """
        arguments = {
            "model": model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "response_format": {"type": "json_object", "json_schema": dict(schema)},
            "temperature": 0.0,
            "seed": 0,
            "max_tokens": _CHAT_TOKENS,
        }
        return self._call("chat", arguments, replies.chat_object)

    def _call(self, name: str, arguments: Mapping[str, Any], read: Callable[[Any], T]) -> T:
        """One call within its deadline and the run's; whatever goes wrong is a ScorerError."""
        answer: T = self._budget.run(self._call_seconds, partial(self._send, name, arguments, read))
        return answer

    def _send(self, name: str, arguments: Mapping[str, Any], read: Callable[[Any], T], seconds: float) -> T:
        cohere, httpx = require("cohere", extra="cohere"), require("httpx", extra="cohere")
        environ = os.environ if self._environ is None else self._environ
        key, address = _key(environ), environ.get("CO_API_URL") or None
        if key is None and address is None:
            raise ScorerError("there is no key: set CO_API_KEY, or replay with --grounding-record=none")
        wire = _Wire()
        options = {"max_retries": self._retries, "timeout": seconds}
        self.calls += 1
        http = httpx.Client(
            timeout=seconds,
            verify=_ssl_context(),
            headers=PLAIN,
            # A redirect may lead to where the key must not go.
            follow_redirects=False,
            event_hooks={"request": [_count(wire)], "response": [_watch(wire)]},
        )
        try:
            client = cohere.ClientV2(
                api_key=key or "", base_url=address, client_name="pytest-grounding", httpx_client=http
            )
            send = partial(getattr(client, name), **arguments, request_options=options)
            answer: T = _without(read(within(seconds, send, cut=http.close)), key)
            return answer
        except (DeadlineError, httpx.TimeoutException):
            # The same limit serves both: on a busy machine either may notice first that it is over.
            last = f", the last with status {wire.status}" if wire.status is not None else ""
            raise ScorerError(
                f"{name}: no answer within {seconds:g} s ({_attempts(wire.attempts)}{last})"
            ) from None
        except Exception as error:
            # The SDK lets through what its libraries raise: TypeError, ValueError, httpx errors and more.
            problem = _hide(_explain(name, error, wire), key)
            status = getattr(error, "status_code", None)
            if status in _NO_ACCESS or status in _NO_SUCH_TEXT:
                raise RefusedError(problem, status=status, of_all=status in _NO_ACCESS) from None
            raise ScorerError(problem) from None
        finally:
            http.close()


@lru_cache(maxsize=1)
def _ssl_context() -> Any:
    """The certificates, read once: a connection of its own for each call is then cheap.

    A connection that is kept may have been closed by the other side, and the SDK does not try again.
    """
    return require("httpx", extra="cohere").create_ssl_context()


def _key(environ: Mapping[str, str]) -> str | None:
    return environ.get("CO_API_KEY") or environ.get("COHERE_API_KEY") or None


def _count(wire: _Wire) -> Callable[[Any], None]:
    def note(request: Any) -> None:
        wire.attempts += 1

    return note


def _watch(wire: _Wire) -> Callable[[Any], None]:
    def note(response: Any) -> None:
        wire.status = response.status_code
        bound(response)

    return note


def _attempts(count: int) -> str:
    return "1 attempt" if count == 1 else f"{count} attempts"


def _explain(name: str, error: Exception, wire: _Wire) -> str:
    """What went wrong in one sentence: status, attempts, and the beginning of the body."""
    tried = _attempts(wire.attempts)
    status = getattr(error, "status_code", None)
    if isinstance(error, UnicodeDecodeError):
        return f"{name}: the reply is not UTF-8 (status {wire.status}, {tried})"
    if status == 200:
        return f"{name}: the reply is not JSON (status 200, {tried}): {_body(error)}"
    if status is not None:
        return f"{name}: status {status} after {tried}: {_body(error)}"
    if isinstance(error, ValueError):
        return f"{name}: the reply {error} (status {wire.status}, {tried})"
    if wire.status is not None and isinstance(error, (TypeError, AttributeError, KeyError)):
        return f"{name}: the reply is not of the documented form (status {wire.status}, {tried})"
    return f"{name}: {type(error).__name__} after {tried}: {_short(str(error))}"


def _body(error: Exception) -> str:
    return _short(str(getattr(error, "body", "")) or "no body")


def _short(text: str) -> str:
    # A body is a stranger's text, and may be long: what could colour or overwrite a terminal is spelled out.
    return one_line(re.sub(r"<[^>]{0,200}>", " ", text[: 20 * _BODY_SHOWN]), _BODY_SHOWN)


def _without(value: Any, key: str | None) -> Any:
    """A reply without the key: what a server repeats must not get into a file."""
    if not key:
        return value
    if isinstance(value, str):
        return _hide(value, key)
    if isinstance(value, dict):
        return {name: _without(item, key) for name, item in value.items()}
    if isinstance(value, list) and not (value and isinstance(value[0], float)):
        return [_without(item, key) for item in value]
    return value


def _hide(text: str, key: str | None) -> str:
    """The text without the key, should a server have repeated it."""
    return text.replace(key, "***") if key else text
