"""A chat service behind its own SDK, with our own limits: deadlines, counted attempts, a ladder of forms."""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from pytest_grounding._optional import require
from pytest_grounding.errors import MissingExtraError, RefusedError, ScorerError, SettingsError
from pytest_grounding.scorers.deadline import Budget, DeadlineError, within
from pytest_grounding.scorers.judge.base import Completion
from pytest_grounding.scorers.judge.dialect import FORMS, Access, DeclinedError, Dialect, Question, Way
from pytest_grounding.scorers.judge.refusals import StatusError, both, further, message_of, wait_of
from pytest_grounding.scorers.wire import (
    Wire,
    hide,
    http_client,
    json_object,
    key_of,
    shown,
    turned_down,
    without,
)
from pytest_grounding.settings.judges import url_text

#: Statuses after which the same may succeed.
_PASSING = frozenset({408, 409, 429})
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.5, 8.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a judge is, as settings tell.

    Attributes:
        address: its address; empty takes that of the dialect's variable, or of its SDK.
        key_env: variable that holds the key; empty takes the dialect's.
        sends_key: whether a key is sent where no variable is named.
    """

    address: str = ""
    key_env: str = ""
    sends_key: bool = True


class ChatService:
    """Asks one model of one service; every failure is a ScorerError, and none of it holds the key.

    Forms and parameters that the endpoint refuses by name are left out from then on: a JSON schema gives way
    to any JSON object, and that to plain text.

    Args:
        dialect: how it is asked.
        model: name of the model.
        place: where it is.
        budget: what the run may spend on it.
        call_seconds: the time that one call may take in all, retries and waiting among it.
        retries: how often is tried again after 408, 409, 429, 5xx or a broken connection.
        form: the form that is asked for first.
        environ: the environment variables; None takes those of the process.
    """

    def __init__(
        self,
        dialect: Dialect,
        model: str,
        place: Place,
        budget: Budget,
        *,
        call_seconds: float = 30.0,
        retries: int = 2,
        form: str = FORMS[0],
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._dialect = dialect
        self._model = model
        self._place = place
        self._budget = budget
        self._call_seconds = call_seconds
        self._retries = retries
        self._way = Way(dialect.forms[FORMS.index(form)])
        self._learning = threading.Lock()
        self._environ = environ
        self.calls = 0

    @property
    def way(self) -> Way:
        """How the endpoint is asked, as far as it is known."""
        return self._way

    def complete(self, system: str, user: str, schema: Mapping[str, Any]) -> Completion:
        """The JSON object that the model answers with, and what it took.

        Raises:
            RefusedError: the service refused for good, or the model would not answer.
            ScorerError: no valid reply came in time.
        """
        question = Question(self._model, system, user, schema)
        answer: Completion = self._budget.run(self._call_seconds, partial(self._call, question))
        return answer

    def _call(self, question: Question, seconds: float) -> Completion:
        """One call within its time: as many requests as retries and the ladder of forms need."""
        self.calls += 1
        end = time.monotonic() + seconds
        access = self._access()
        wire = Wire()
        try:
            while True:
                way = self._way
                body = self._dialect.body(question, way, access)
                try:
                    reply = self._retried(body, access, wire, end)
                except StatusError as error:
                    found = further(self._dialect, way, body, error)
                    if found is None:
                        raise self._turned_down(error, access, wire) from None
                    with self._learning:
                        self._way = both(self._dialect.forms, self._way, found)
                    continue
                return _read(self._dialect, reply, way, access.key)
        except DeadlineError:
            raise wire.late("chat", seconds) from None
        except _BrokenError as error:
            cause = error.__cause__
            is_away = type(cause).__name__ == "ConnectError" and access.base is not None
            hint = f"; is a service running at {access.base}?" if is_away else ""
            raise ScorerError(f"{error}{hint}") from cause
        except DeclinedError as error:
            problem = f"chat: the reply {hide(str(error), access.key)} (status {wire.status}, {wire.tried})"
            raise RefusedError(problem, status=wire.status or 200, of_all=False) from None
        except ValueError as error:
            problem = f"chat: the reply {hide(str(error), access.key)} (status {wire.status}, {wire.tried})"
            raise ScorerError(problem) from None

    @property
    def _key_env(self) -> str:
        """Variable that holds the key; empty where none is sent."""
        return self._place.key_env or (self._dialect.key_env if self._place.sends_key else "")

    def _access(self) -> Access:
        """Address and key.

        Raises:
            ScorerError: there is neither.
        """
        environ = os.environ if self._environ is None else self._environ
        place, dialect = self._place, self._dialect
        name = self._key_env
        key = key_of(environ, (name,)) if name else None
        address = place.address or environ.get(dialect.address_env, "").strip()
        if not address:
            if key is None:
                raise ScorerError(f"there is no key: set {name}, or replay with record = none")
            return Access(key)
        try:
            parts = urlsplit(url_text(dialect.address_env, address))
        except SettingsError as error:
            raise ScorerError(str(error)) from None
        # Documentation often shows the address of a request.
        path = parts.path.rstrip("/").removesuffix(dialect.path)
        base = urlunsplit((parts.scheme, parts.netloc, path, "", ""))
        return Access(key, base, dict(parse_qsl(parts.query)))

    def _retried(self, body: Mapping[str, Any], access: Access, wire: Wire, end: float) -> bytes:
        """The body of a response; what may pass by itself is tried again while there is time.

        Raises:
            StatusError: the last response tells of an error.
            ScorerError: the last connection failed.
            DeadlineError: the time is over.
        """
        for tried in itertools.count():
            wait = None
            try:
                return self._sent(body, access, wire, end)
            except StatusError as error:
                if tried >= self._retries or not (error.status in _PASSING or error.status >= 500):
                    raise
                wait = error.wait
                error.is_too_long = wait is not None and wait >= end - time.monotonic()
                if error.is_too_long:
                    raise
            except _BrokenError:
                if tried >= self._retries:
                    raise
            pause = wait if wait is not None else min(_FIRST_PAUSE_S * 2**tried, _LONGEST_PAUSE_S)
            left = end - time.monotonic()
            time.sleep(max(0.0, min(pause, left)))
            if pause >= left:
                raise DeadlineError
        raise AssertionError

    def _sent(self, body: Mapping[str, Any], access: Access, wire: Wire, end: float) -> bytes:
        """One request by the SDK."""
        dialect = self._dialect
        sdk = require(dialect.sdk, extra=dialect.sdk)
        library = _http_library(sdk, dialect.sdk)
        left = end - time.monotonic()
        if left <= 0:
            raise DeadlineError
        http = http_client(library, left, wire, before=lambda request: dialect.dress(request.headers, access))
        try:
            client = dialect.client(sdk, access, http, left)
            post = partial(client.post, dialect.path, cast_to=library.Response, body=dict(body))
            content: bytes = within(left, post, cut=http.close).content
            return content
        except DeadlineError:
            raise
        except Exception as error:
            # The SDK lets through what its libraries raise.
            cause = _cause_of(error)
            found = _told(error, library, access.key, wire)
            raise found from None if found is cause else cause
        finally:
            http.close()

    def _turned_down(self, error: StatusError, access: Access, wire: Wire) -> ScorerError:
        said = shown(hide(message_of(error.text), access.key)) or "no body"
        problem = f"chat: status {error.status} after {wire.tried}: {said}"
        if 300 <= error.status < 400:
            problem += "; a redirect is not followed"
        if error.is_too_long:
            limit = f"a call may take {self._call_seconds:g} s (remote_deadline)"
            problem += f"; it asks to wait {error.wait:g} s, and {limit}"
        if error.status in (401, 403) and access.key is None:
            why = f"{self._key_env} is not set" if self._key_env else "judge_key_env names no variable"
            problem += f"; no key was sent: {why}"
        if error.status == 404 and access.base is not None:
            problem += "; look at the address (most end in /v1) and at judge_model"
        return turned_down(problem, error.status)


class _BrokenError(ScorerError):
    """A connection that failed, and may not fail again."""


def _http_library(sdk: ModuleType, extra: str) -> ModuleType:
    """What the SDK sends with: httpx, or what succeeds it."""
    for base in sdk.DefaultHttpxClient.__mro__:
        root = base.__module__.partition(".")[0]
        if root.startswith("httpx"):
            return require(root, extra=extra)
    raise MissingExtraError(f"this version of {extra} is not known: pip install --upgrade {extra}")


def _told(error: Exception, library: ModuleType, key: str | None, wire: Wire) -> Exception:
    """What an SDK raises, as an error of this module."""
    status, response = getattr(error, "status_code", None), getattr(error, "response", None)
    if isinstance(status, int) and response is not None:
        return StatusError(status, _text_of(response), wait_of(response.headers))
    cause = _cause_of(error)
    if isinstance(cause, library.TimeoutException):
        return DeadlineError()
    if isinstance(cause, ScorerError) or (isinstance(cause, ValueError) and wire.status is not None):
        return cause
    return _BrokenError(f"chat: {type(cause).__name__} after {wire.tried}: {shown(hide(str(cause), key))}")


def _cause_of(error: Exception) -> Exception:
    """What an SDK hides behind an error of its own."""
    return error.__cause__ if isinstance(error.__cause__, Exception) else error


def _text_of(response: Any) -> str:
    try:
        text: str = response.content.decode("utf-8", "replace")
    except Exception:  # the body of an error may be as broken as any
        return ""
    return text


def _read(dialect: Dialect, content: bytes, way: Way, key: str | None) -> Completion:
    """A reply that was looked at.

    Raises:
        ValueError: it is not what was asked for.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8") from None
    try:
        reply = without(json_object(text), key)
    except ValueError as error:
        raise ValueError(f"{error}: {shown(hide(text, key)) or 'no body'}") from None
    found = dialect.read(reply, way)
    return Completion(without(dict(found.reply), key), found.usage)
