"""Chat services by name, each through the SDK of its dialect, with the SDK's timeouts and retries."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from pytest_grounding.errors import MissingExtraError, RefusedError, ScorerError, SettingsError, require
from pytest_grounding.scorers.remote import http_client as web
from pytest_grounding.scorers.remote.http_client import CircuitBreaker, Wire, hide, shown_text
from pytest_grounding.scorers.remote.judge import dialect as dialects
from pytest_grounding.scorers.remote.judge.dialect import Access, AskedQuestion, Dialect, Way
from pytest_grounding.settings import Settings
from pytest_grounding.settings._declare import url_text

#: Members of an error that describe it; others repeat the request.
_SAYING = frozenset({"message", "msg", "param", "code", "type", "loc", "error", "detail", "title"})
_DEEPEST = 6
_LONGEST = 10_000  # characters shown; the rest of a long error repeats the request
_SYSTEM_ROLE = re.compile(r"\bsystem['\"`]?\W{0,3}\brole|\brole\b.{0,60}\bsystem\b", re.IGNORECASE)
# The endpoint supports the form, but the model did not follow it.
_FAILED_MODEL = re.compile(r"json_validate_failed|failed_generation")
OPENAI, ANTHROPIC, OLLAMA, COHERE = "openai", "anthropic", "ollama", "cohere"


class StatusError(Exception):
    """A response with a status that is not a success."""

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        self.text = text
        super().__init__(status)


def further(dialect: Dialect, way: Way, body: Mapping[str, Any], error: StatusError) -> Way | None:
    """The next form to try, if the endpoint names the rejected parameter; None if it refuses the text."""
    if error.status not in (400, 422):
        return None
    said = " ".join(_says(error.text))[:_LONGEST]
    if _FAILED_MODEL.search(said):
        return None
    step = dialect.forms.index(way.form) + 1
    if step < len(dialect.forms) and dialect.form_words.search(said):
        return Way(dialect.forms[step], way.dropped)
    named = [name for name in body if name != "system" and re.search(rf"\b{name}\b", said)]
    if _SYSTEM_ROLE.search(said):
        named.append("system")
    known = [name for name in named if name in dialect.optional - way.dropped]
    return Way(way.form, way.dropped | {known[0]}) if known else None


def both(forms: tuple[str, ...], one: Way, other: Way) -> Way:
    """What two calls showed about an endpoint."""
    return Way(max(one.form, other.form, key=forms.index), one.dropped | other.dropped)


def message_of(text: str) -> str:
    """The message of an error, or all of it without one."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    # Gemini wraps its error in a list.
    value = value[0] if isinstance(value, list) and value else value
    error = value.get("error", value) if isinstance(value, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) and message.strip() else text


def _says(text: str) -> Iterator[str]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        yield text
        return
    yield from _sayings(value, 0)


def _sayings(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < _DEEPEST and isinstance(value, list):
        for item in value:
            yield from _sayings(item, depth + 1)
    elif depth < _DEEPEST and isinstance(value, dict):
        for name in sorted(_SAYING & value.keys()):
            yield from _sayings(value[name], depth + 1)


@dataclass(frozen=True, slots=True)
class ServicePlace:
    """The address and key of a judge, from the settings."""

    address: str = ""
    key_env: str = ""
    sends_key: bool = True


class ChatService:
    """Calls one model of one service; every failure is a ScorerError without the key."""

    def __init__(
        self,
        dialect: Dialect,
        model: str,
        place: ServicePlace,
        *,
        call_seconds: float = 30.0,
        retries: int = 2,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._dialect = dialect
        self._model = model
        self._place = place
        self._call_seconds = call_seconds
        self._retries = retries
        self.way = Way(dialect.forms[0])
        self._learning = threading.Lock()
        self._breaker = CircuitBreaker()
        self._environ = environ
        self.calls = 0

    def complete(self, system: str, user: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """The JSON object in the model's reply."""
        with self._breaker.counted():
            return self._call(AskedQuestion(self._model, system, user, schema))

    def _call(self, question: AskedQuestion) -> Mapping[str, Any]:
        self.calls += 1
        access = self._access()
        wire = Wire()
        try:
            while True:
                way = self.way
                body = self._dialect.body(question, way, access)
                try:
                    reply = self._sent(body, access, wire)
                except StatusError as error:
                    found = further(self._dialect, way, body, error)
                    if found is None:
                        raise self._turned_down(error, access, wire) from None
                    with self._learning:
                        self.way = both(self._dialect.forms, self.way, found)
                    continue
                return _read_answer(self._dialect, reply, way, access.key)
        except _BrokenError as error:
            cause = error.__cause__
            is_away = type(cause).__name__ == "ConnectError" and access.base is not None
            hint = f"; is a service running at {access.base}?" if is_away else ""
            raise ScorerError(f"{error}{hint}") from cause
        except ValueError as error:
            problem = f"chat: the reply {hide(str(error), access.key)} (status {wire.status}, {wire.tried})"
            if isinstance(error, dialects.DeclinedError):
                raise RefusedError(problem, status=wire.status or 200, of_all=False) from None
            raise ScorerError(problem) from None

    @property
    def _key_env(self) -> str:
        return self._place.key_env or (self._dialect.key_env if self._place.sends_key else "")

    def _access(self) -> Access:
        environ = os.environ if self._environ is None else self._environ
        place, dialect = self._place, self._dialect
        name = self._key_env
        key = web.key_of_service(environ, (name,)) if name else None
        address = place.address or environ.get(dialect.address_env, "").strip()
        if not address:
            if key is None:
                raise ScorerError(f"there is no key: set {name}, or replay with record = none")
            return Access(key)
        try:
            parts = urlsplit(url_text(dialect.address_env, address))
        except SettingsError as error:
            raise ScorerError(str(error)) from None
        # Documentation often gives the address including the endpoint.
        path = parts.path.rstrip("/").removesuffix(dialect.path)
        base = urlunsplit((parts.scheme, parts.netloc, path, "", ""))
        return Access(key, base, dict(parse_qsl(parts.query)))

    def _sent(self, body: Mapping[str, Any], access: Access, wire: Wire) -> bytes:
        dialect = self._dialect
        sdk = require(dialect.sdk, extra=dialect.sdk)
        library = _http_library(sdk, dialect.sdk)
        seconds = self._call_seconds
        dress = partial(dialect.dress, access=access)
        http = web.http_client(library, seconds, wire, before=lambda request: dress(request.headers))
        try:
            client = dialect.client(sdk, access, http, seconds, self._retries)
            content: bytes = client.post(dialect.path, cast_to=library.Response, body=dict(body)).content
            return content
        except Exception as error:
            # The SDK passes on errors of its libraries.
            cause = _cause_of(error)
            found = _as_ours(error, library, access.key, wire, seconds)
            raise found from None if found is cause else cause
        finally:
            http.close()

    def _turned_down(self, error: StatusError, access: Access, wire: Wire) -> ScorerError:
        said = shown_text(hide(message_of(error.text), access.key)) or "no body"
        problem = f"chat: status {error.status} after {wire.tried}: {said}"
        if 300 <= error.status < 400:
            problem += "; a redirect is not followed"
        if error.status in (401, 403) and access.key is None:
            why = f"{self._key_env} is not set" if self._key_env else "judge_key_env names no variable"
            problem += f"; no key was sent: {why}"
        if error.status == 404 and access.base is not None:
            problem += "; look at the address (most end in /v1) and at judge_model"
        return web.turned_down(problem, error.status)


class _BrokenError(ScorerError):
    """A connection that failed."""


def _http_library(sdk: ModuleType, extra: str) -> ModuleType:
    for base in sdk.DefaultHttpxClient.__mro__:
        root = base.__module__.partition(".")[0]
        if root.startswith("httpx"):
            return require(root, extra=extra)
    raise MissingExtraError(f"this version of {extra} is not known: pip install --upgrade {extra}")


def _as_ours(error: Exception, library: ModuleType, key: str | None, wire: Wire, seconds: float) -> Exception:
    status, response = getattr(error, "status_code", None), getattr(error, "response", None)
    if isinstance(status, int) and response is not None:
        text = ""
        with suppress(Exception):  # the body of an error may be malformed
            text = response.content.decode("utf-8", "replace")
        return StatusError(status, text)
    cause = _cause_of(error)
    if isinstance(cause, library.TimeoutException):
        return wire.late("chat", seconds)
    if isinstance(cause, ScorerError) or (isinstance(cause, ValueError) and wire.status is not None):
        return cause
    said = shown_text(hide(str(cause), key))
    return _BrokenError(f"chat: {type(cause).__name__} after {wire.tried}: {said}")


def _cause_of(error: Exception) -> Exception:
    return error.__cause__ if isinstance(error.__cause__, Exception) else error


def _read_answer(dialect: Dialect, content: bytes, way: Way, key: str | None) -> Mapping[str, Any]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8") from None
    try:
        reply = web.without_secret(web.json_object(text), key)
    except ValueError as error:
        raise ValueError(f"{error}: {shown_text(hide(text, key)) or 'no body'}") from None
    cleaned: dict[str, Any] = web.without_secret(dict(dialect.read(reply, way)), key)
    return cleaned


@dataclass(frozen=True, slots=True)
class Service:
    """A service that is known by name."""

    dialect: Dialect | None
    model: str
    address: str = ""
    sends_key: bool = True


#: By name, in the order of names.
KNOWN = {
    ANTHROPIC: Service(dialects.AnthropicDialect(), "claude-haiku-4-5-20251001"),
    COHERE: Service(None, "command-a-03-2025"),
    # A local server must not see an OpenAI key.
    OLLAMA: Service(dialects.OpenAIDialect(), "llama3.1:8b", "http://localhost:11434/v1", sends_key=False),
    OPENAI: Service(dialects.OpenAIDialect(), "gpt-4.1-mini-2025-04-14"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One judge from the settings."""

    name: str
    model: str
    place: ServicePlace


def chosen(settings: Settings) -> Choice:
    """Parse the setting ``judge``: ``NAME`` or ``NAME:MODEL``."""
    entry = settings.judge.strip()
    name, colon, model = (part.strip() for part in entry.partition(":"))
    if name not in KNOWN:
        raise SettingsError(unknown(entry, ()))
    if colon and not model:
        problem = f"judge = {entry!r} names no model behind its colon"
        raise SettingsError(f"{problem}; write {name}:MODEL or {name}")
    known = KNOWN[name]
    address = settings.judge_url
    model = model or settings.judge_model
    if name == OPENAI and address and not model:
        raise SettingsError("judge_url needs judge_model: the name of the model at that address")
    place = ServicePlace(address or known.address, settings.judge_key_env, known.sends_key)
    return Choice(name, model or known.model, place)


def unknown(entry: str, others: tuple[str, ...]) -> str:
    """The message for an unknown name."""
    names = ", ".join(sorted({*KNOWN, *others}))
    other = "any other service that speaks OpenAI's dialect is openai with its address in judge_url"
    advice = f"a model goes into judge_model; {other}"
    return f"judge = {entry!r} is not known; write one of: {names} ({advice})"
