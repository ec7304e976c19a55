"""The API dialects of chat services, Anthropic's and OpenAI's: forms of requests and replies."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pytest_grounding.scorers.remote.http_client import CHAT_TOKENS, json_object, shown_text

#: The ways to request JSON, strictest first: by a schema, as any JSON object
#: (OpenAI's dialect alone), and as plain text.
SCHEMA, OBJECT, TEXT = "json_schema", "json_object", "text"
KEY_HEADERS = ("authorization", "x-api-key", "api-key")
#: Name of the schema in requests.
RULING = "ruling"
_FENCE = re.compile(r"```[A-Za-z]*[ \t]*\n(.*)\n[ \t]*```", re.DOTALL)
_NO_KEY = "no-key"  # placeholder for a missing key; the SDK requires one
_STOPPED = frozenset({"end_turn", "stop_sequence"})
_CUT_OFF = frozenset({"max_tokens", "model_context_window_exceeded"})
_OWNER_HEADERS = ("openai-organization", "openai-project")
_LIMITS = ("max_tokens", "max_completion_tokens")  # the old name and the new one
#: Finish reasons of a complete reply; some servers give none.
_WHOLE = frozenset({"stop", "eos", "eos_token", "end_turn", "stop_sequence", "complete", ""})
_CUT = frozenset({"length", "max_tokens", "model_length"})
_DECLINED = frozenset({"content_filter", "refusal", "safety"})


class DeclinedError(ValueError):
    """The model refused to answer this text."""


@dataclass(frozen=True, slots=True)
class Way:
    """The known abilities of an endpoint."""

    form: str
    dropped: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """One question to a chat model."""

    model: str
    system: str
    user: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Access:
    """The address of a service, and the key."""

    key: str | None = field(repr=False)
    base: str | None = None
    query: Mapping[str, str] = field(default_factory=dict)


class Dialect(ABC):
    """How to call a kind of service, and how to read its replies."""

    sdk: ClassVar[str]
    client_class: ClassVar[str]
    usual_base: ClassVar[str]
    key_env: ClassVar[str]
    address_env: ClassVar[str]
    path: ClassVar[str]
    forms: ClassVar[tuple[str, ...]]
    form_words: ClassVar[re.Pattern[str]]
    optional: ClassVar[frozenset[str]]

    def client(self, sdk: Any, access: Access, http: Any, seconds: float, retries: int) -> Any:
        """A client of the SDK."""
        # Without a key the SDK would search variables and files for one.
        return getattr(sdk, self.client_class)(
            api_key=access.key or _NO_KEY,
            base_url=self.base(access.base or self.usual_base),
            default_query=dict(access.query),
            http_client=http,
            timeout=seconds,
            max_retries=retries,
        )

    def base(self, address: str) -> str:
        """The address as the SDK wants it."""
        return address

    @abstractmethod
    def dress(self, headers: Any, access: Access) -> None:
        """Keep only the chosen key in the headers of a request."""

    @abstractmethod
    def body(self, question: AskedQuestion, way: Way, access: Access) -> dict[str, Any]:
        """The request body."""

    @abstractmethod
    def read(self, reply: Mapping[str, Any], way: Way) -> Mapping[str, Any]:
        """The reply; ValueError describes a malformed one."""


def with_form(system: str, schema: Mapping[str, Any]) -> str:
    """The system prompt with the form of the reply."""
    form = json.dumps(strict(schema), ensure_ascii=False)
    return f"{system}\n\nAnswer with one JSON object of this JSON schema, and nothing else: {form}"


def strict(schema: Any) -> Any:
    """A JSON schema in which every object has all of its members and no others, as strict modes require."""
    if isinstance(schema, Mapping):
        made = {name: strict(value) for name, value in schema.items()}
        if made.get("type") == "object" and isinstance(made.get("properties"), dict):
            made |= {"required": list(made["properties"]), "additionalProperties": False}
        return made
    return list(map(strict, schema)) if isinstance(schema, (list, tuple)) else schema


def ruled(text: str) -> dict[str, Any]:
    """The object in the text of a reply, possibly in a Markdown fence or after a ``<think>`` block."""
    inner = text.strip()
    if not inner:
        raise ValueError("contains no content")
    if inner.startswith("<think>"):
        # Reasoning models write their thoughts before the answer.
        inner = inner.partition("</think>")[2].strip()
    fenced = _FENCE.fullmatch(inner)
    return json_object(fenced[1] if fenced and "```" not in fenced[1] else inner)


class AnthropicDialect(Dialect):
    """Messages; see `Dialect`."""

    sdk, client_class, usual_base = "anthropic", "Anthropic", "https://api.anthropic.com"
    key_env, address_env, path = "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "/v1/messages"
    forms = (SCHEMA, TEXT)
    form_words = re.compile(r"(?i)output[_ ]?(config|format)|json[_ ]?schema|structured[_ ]?output|schema")
    optional = frozenset({"temperature"})

    def base(self, address: str) -> str:
        """The address without the version, which the SDK appends."""
        return re.sub(r"/v1/?$", "", address)

    def dress(self, headers: Any, access: Access) -> None:
        """Keep only the chosen key in the headers of a request."""
        # The SDK also reads headers from a variable, and its versions send a key in one or the other.
        for name in KEY_HEADERS:
            if access.key is None or access.key not in headers.get(name, ""):
                headers.pop(name, None)
        if access.key is not None and not any(name in headers for name in KEY_HEADERS):
            headers["x-api-key"] = access.key

    def body(self, question: AskedQuestion, way: Way, access: Access) -> dict[str, Any]:
        """The request body."""
        body: dict[str, Any] = {
            "model": question.model,
            "max_tokens": CHAT_TOKENS,
            "system": with_form(question.system, question.schema),
            "messages": [{"role": "user", "content": question.user}],
        }
        if way.form == SCHEMA:
            body["output_config"] = {"format": {"type": SCHEMA, "schema": strict(question.schema)}}
        return body if "temperature" in way.dropped else body | {"temperature": 0}

    def read(self, reply: Mapping[str, Any], way: Way) -> Mapping[str, Any]:
        """The reply."""
        content = reply.get("content")
        reason = str(reply.get("stop_reason") or "")
        if reason == "refusal":
            raise DeclinedError("is a refusal (stop_reason refusal)")
        if not isinstance(content, list):
            raise ValueError("contains no content")
        if reason in _CUT_OFF:
            raise ValueError(f"was cut off (stop_reason {reason}); it may have {CHAT_TOKENS} tokens")
        if reason not in _STOPPED:
            raise ValueError(f"was not completed (stop_reason {shown_text(reason) or 'missing'})")
        return ruled(_text_of_content(content))


class OpenAIDialect(Dialect):
    """Chat completions; see `Dialect`."""

    sdk, client_class, usual_base = "openai", "OpenAI", "https://api.openai.com/v1"
    key_env, address_env, path = "OPENAI_API_KEY", "OPENAI_BASE_URL", "/chat/completions"
    forms = (SCHEMA, OBJECT, TEXT)
    form_words = re.compile(
        r"response[_ ]?(format|schema)|json[_ ]?(schema|object|mode)|structured[_ ]?output|guided[_ ]?json"
        r"|guided[_ ]?decoding|grammar",
        re.IGNORECASE,
    )
    optional = frozenset({"temperature", "seed", "max_tokens", "max_completion_tokens", "system"})

    def dress(self, headers: Any, access: Access) -> None:
        """Keep only the chosen key in the headers of a request; Azure has its own header."""
        # The SDK also reads headers from a variable, which may contain another key.
        for name in KEY_HEADERS:
            headers.pop(name, None)
        if access.key is not None and "api-version" in access.query:
            headers["api-key"] = access.key
        elif access.key is not None:
            headers["authorization"] = f"Bearer {access.key}"
        if access.base is not None:
            for name in _OWNER_HEADERS:
                headers.pop(name, None)

    def body(self, question: AskedQuestion, way: Way, access: Access) -> dict[str, Any]:
        """The request body."""
        system = with_form(question.system, question.schema)
        messages = [{"role": "system", "content": system}, {"role": "user", "content": question.user}]
        if "system" in way.dropped:
            messages = [{"role": "user", "content": f"{system}\n\n{question.user}"}]
        body: dict[str, Any] = {"model": question.model, "messages": messages}
        if way.form == SCHEMA:
            form = {"name": RULING, "strict": True, "schema": strict(question.schema)}
            body["response_format"] = {"type": SCHEMA, SCHEMA: form}
        elif way.form == OBJECT:
            body["response_format"] = {"type": OBJECT}
        # OpenAI's own endpoint rejects the old name for new models, and few others accept the new one.
        limits = _LIMITS if access.base else _LIMITS[::-1]
        allowed = [name for name in limits if name not in way.dropped][:1]
        wished = {"temperature": 0, "seed": 0, **dict.fromkeys(allowed, CHAT_TOKENS)}
        return body | {name: value for name, value in wished.items() if name not in way.dropped}

    def read(self, reply: Mapping[str, Any], way: Way) -> Mapping[str, Any]:
        """The reply."""
        choices = reply.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
            why = _error_of(reply)
            raise ValueError(f"contains no choices{f' but an error: {why}' if why else ''}")
        message = choices[0].get("message")
        if not isinstance(message, Mapping):
            raise ValueError("contains no message")
        _ended(choices[0].get("finish_reason"), message.get("refusal"))
        return ruled(_text_of_content(message.get("content")))


def _ended(finish: Any, refusal: Any) -> None:
    reason = "" if finish is None else str(finish)
    if isinstance(refusal, str) and refusal.strip():
        raise DeclinedError(f"is a refusal: {shown_text(refusal)}")
    if reason.lower() in _DECLINED:
        raise DeclinedError(f"is a refusal (finish_reason {reason})")
    if reason.lower() in _CUT:
        raise ValueError(f"was cut off (finish_reason {reason}); it may have {CHAT_TOKENS} tokens")
    if reason.lower() not in _WHOLE:
        raise ValueError(f"was not completed (finish_reason {shown_text(reason)})")


def _text_of_content(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [item.get("text") for item in parts if isinstance(item, Mapping) and item.get("type") == "text"]
    return "".join(item for item in texts if isinstance(item, str))


def _error_of(reply: Mapping[str, Any]) -> str:
    """Errors that some services return with status 200."""
    error = reply.get("error")
    message = error.get("message") if isinstance(error, Mapping) else error
    return shown_text(message) if isinstance(message, str) else ""
