"""Shared by the clients of remote services: counted attempts, bounded replies, errors without secrets."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Any

from pytest_grounding._io.jsonio import parse_json
from pytest_grounding._io.wording import one_line
from pytest_grounding.errors import InputError, RefusedError, ScorerError

#: Most bytes of one reply, as sent and as unpacked. The largest expected one, 96 embeddings of 1536
#: numbers, has about three million.
MAX_REPLY_BYTES = 32 * 1024 * 1024
#: Sent with each request: no expected reply is large enough to be compressed.
PLAIN = {"Accept-Encoding": "identity"}
_BODY_SHOWN = 200
#: After this many consecutive failures an endpoint is left alone for so many seconds; then one call tries it.
FAILURES_IN_A_ROW = 3
PAUSE_SECONDS = 30.0
#: Permanent failures: of all requests to a model, and of this text. All others may be
#: gone at the next try: 408, 429, 5xx.
_NO_ACCESS = frozenset({401, 403, 404, 405, 410})
_NO_SUCH_TEXT = frozenset({400, 413, 414, 415, 422, 451, 498})
#: Placeholders for a key that is not needed ("EMPTY", "none", "ollama") are shorter, and may be a word of a
#: reply.
_LEAST_KEY = 8
#: Most tokens of a chat reply: all claims of a long answer, each with a sentence.
CHAT_TOKENS = 4096


class ReplyTooLargeError(ValueError):
    """A reply is larger than expected; the rest was not read."""

    def __init__(self) -> None:
        super().__init__(f"is larger than {MAX_REPLY_BYTES // 1024**2} MiB, which no reply needs")


def bound(response: Any, library: Any) -> None:
    """Make an unread httpx response fail if its body is too large."""
    length = response.headers.get("Content-Length", "")
    if length.isdecimal() and int(length[:20]) > MAX_REPLY_BYTES:
        raise ReplyTooLargeError
    # httpx itself would unpack without a limit.
    encoding = response.headers.pop("Content-Encoding", "").strip().lower()
    if encoding not in ("", "identity"):
        raise ValueError(f"is packed as {encoding[:40]!r}, which was not asked for")
    given = response.stream

    class BoundedStream(library.SyncByteStream):  # type: ignore[misc]
        def __iter__(self) -> Iterator[bytes]:
            return _parts_up_to_limit(given)

        def close(self) -> None:
            given.close()

    response.stream = BoundedStream()


def _parts_up_to_limit(parts: Iterable[bytes]) -> Iterator[bytes]:
    read = 0
    for part in parts:
        read += len(part)
        if read > MAX_REPLY_BYTES:
            raise ReplyTooLargeError
        yield part


@dataclass(slots=True)
class Wire:
    """The HTTP traffic of one call."""

    attempts: int = 0
    status: int | None = None

    @property
    def tried(self) -> str:
        """The number of attempts in words."""
        return "1 attempt" if self.attempts == 1 else f"{self.attempts} attempts"

    def late(self, name: str, seconds: float) -> ScorerError:
        """The message for a call that timed out."""
        last = f", the last with status {self.status}" if self.status is not None else ""
        return ScorerError(f"{name}: no answer within {seconds:g} s ({self.tried}{last})")


class CircuitBreaker:
    """Leaves one endpoint alone after consecutive failures, and tries it again with a single call."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._count = 0
        self._last = ""
        self._next_try = 0.0

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count the call made within; ScorerError at once while the endpoint is left alone."""
        self._admit()
        try:
            yield
        except RefusedError:
            # The service responds, even if only to refuse this text.
            self._succeeded()
            raise
        except ScorerError as error:
            self._failed(str(error))
            raise
        self._succeeded()

    def _admit(self) -> None:
        with self._lock:
            if self._count < FAILURES_IN_A_ROW:
                return
            if self._clock() < self._next_try:
                when = f"tried again {PAUSE_SECONDS:g} s after the last"
                raise ScorerError(f"not asked after {self._count} failures in a row, {when}: {self._last}")
            # Only this call tries it; all others are refused until it has an answer.
            self._next_try = self._clock() + PAUSE_SECONDS

    def _failed(self, problem: str) -> None:
        with self._lock:
            self._count += 1
            self._last = problem
            self._next_try = self._clock() + PAUSE_SECONDS

    def _succeeded(self) -> None:
        with self._lock:
            self._count = 0


def http_client(
    library: ModuleType, seconds: float, wire: Wire, *, before: Callable[[Any], None] | None = None
) -> Any:
    """An httpx client (or its successor's) that counts, bounds replies and follows no redirect."""

    def send(request: Any) -> None:
        if before is not None:
            before(request)
        wire.attempts += 1

    def receive(response: Any) -> None:
        wire.status = response.status_code
        bound(response, library)

    return library.Client(
        timeout=seconds,
        verify=_ssl_context(library),
        headers=PLAIN,
        # A redirect may lead to a host that must not see the key.
        follow_redirects=False,
        event_hooks={"request": [send], "response": [receive]},
    )


@lru_cache(maxsize=4)
def _ssl_context(library: ModuleType) -> Any:
    """The certificates, read once, so that a new connection per call is cheap."""
    return library.create_ssl_context()


def key_of_service(environ: Mapping[str, str], names: Sequence[str]) -> str | None:
    """The key in the first variable that is set, stripped; None without one."""
    for name in names:
        key = environ.get(name, "").strip()
        if key and not (key.isascii() and key.isprintable()):
            raise ScorerError(f"the key in {name} contains a character that a key cannot have; set it anew")
        if key:
            return key
    return None


def turned_down(problem: str, status: int | None) -> ScorerError:
    """The error for a status; a permanent one is remembered."""
    if status in _NO_ACCESS or status in _NO_SUCH_TEXT:
        assert status is not None
        return RefusedError(problem, status=status, of_all=status in _NO_ACCESS)
    return ScorerError(problem)


def shown_text(text: str) -> str:
    """The beginning of foreign text on one line, without terminal control characters."""
    return one_line(re.sub(r"<[^>]{0,200}>", " ", text[: 20 * _BODY_SHOWN]), _BODY_SHOWN)


def hide(text: str, key: str | None) -> str:
    """The text without the key, in case a server repeated it."""
    return text.replace(key, "***") if key and len(key) >= _LEAST_KEY else text


def without_secret(value: Any, key: str | None) -> Any:
    """A reply without the key, which must not get into a file."""
    if not key:
        return value
    if isinstance(value, str):
        return hide(value, key)
    if isinstance(value, dict):
        return {hide(str(name), key): without_secret(item, key) for name, item in value.items()}
    if isinstance(value, list) and not (value and isinstance(value[0], float)):
        return [without_secret(item, key) for item in value]
    return value


def json_object(text: str) -> dict[str, Any]:
    """The JSON object in a text."""
    try:
        value = parse_json(text)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except InputError as error:
        said = filter(None, (error.field, error.problem.removeprefix("is not JSON: ")))
        raise ValueError(f"is not JSON: {' '.join(said)}") from None
    except UnicodeEncodeError:
        raise ValueError("holds half of a character") from None
    except ValueError:
        raise ValueError("is not JSON: it contains a number that is too large") from None
    if not isinstance(value, dict):
        raise ValueError("is not JSON object")
    return value
