"""The dialect of OpenAI's chat completions, which most services and local servers speak."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pytest_grounding.scorers.judge.dialect import (
    KEY_HEADERS,
    OBJECT,
    RULING,
    SCHEMA,
    TEXT,
    Access,
    DeclinedError,
    Question,
    Way,
    ruled,
    strict,
    with_form,
)
from pytest_grounding.scorers.wire import CHAT_TOKENS, shown

#: Stands in for a key where none is sent; the SDK wants one.
_NO_KEY = "no-key"
_OWNER_HEADERS = ("openai-organization", "openai-project")
#: The old name and the new one.
_LIMITS = ("max_tokens", "max_completion_tokens")
#: How a reply ends that is whole; some servers say nothing of it.
_WHOLE = frozenset({"stop", "eos", "eos_token", "end_turn", "stop_sequence", "complete", ""})
_CUT = frozenset({"length", "max_tokens", "model_length"})
_DECLINED = frozenset({"content_filter", "refusal", "safety"})


class OpenAIDialect:
    """Chat completions; see `Dialect`."""

    sdk = "openai"
    key_env = "OPENAI_API_KEY"
    address_env = "OPENAI_BASE_URL"
    path = "/chat/completions"
    forms: tuple[str, ...] = (SCHEMA, OBJECT, TEXT)
    form_words = re.compile(
        r"response[_ ]?(format|schema)|json[_ ]?(schema|object|mode)|structured[_ ]?output|guided[_ ]?json"
        r"|guided[_ ]?decoding|grammar",
        re.IGNORECASE,
    )
    optional: frozenset[str] = frozenset(
        {"temperature", "seed", "max_tokens", "max_completion_tokens", "system"}
    )

    def client(self, sdk: Any, access: Access, http: Any, seconds: float, retries: int) -> Any:
        """A client of the SDK."""
        return sdk.OpenAI(
            api_key=access.key or _NO_KEY,
            base_url=access.base or "https://api.openai.com/v1",
            default_query=dict(access.query),
            http_client=http,
            timeout=seconds,
            max_retries=retries,
        )

    def dress(self, headers: Any, access: Access) -> None:
        """Leave the chosen key alone in the headers of a request; Azure has a header of its own for it."""
        # The SDK takes headers from a variable too, which may bring a key that was not chosen.
        for name in KEY_HEADERS:
            headers.pop(name, None)
        if access.key is not None and "api-version" in access.query:
            headers["api-key"] = access.key
        elif access.key is not None:
            headers["authorization"] = f"Bearer {access.key}"
        if access.base is not None:
            for name in _OWNER_HEADERS:
                headers.pop(name, None)

    def body(self, question: Question, way: Way, access: Access) -> dict[str, Any]:
        """What is sent."""
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
        # OpenAI's own endpoint refuses the old name for new models, and few others know the new one.
        limits = _LIMITS if access.base else _LIMITS[::-1]
        allowed = [name for name in limits if name not in way.dropped][:1]
        wished = {"temperature": 0, "seed": 0, **dict.fromkeys(allowed, CHAT_TOKENS)}
        return body | {name: value for name, value in wished.items() if name not in way.dropped}

    def read(self, reply: Mapping[str, Any], way: Way) -> Mapping[str, Any]:
        """What was answered."""
        choices = reply.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
            why = _error_of(reply)
            raise ValueError(f"holds no choices{f' but an error: {why}' if why else ''}")
        message = choices[0].get("message")
        if not isinstance(message, Mapping):
            raise ValueError("holds no message")
        _ended(choices[0].get("finish_reason"), message.get("refusal"))
        text = _text(message.get("content"))
        if not text.strip():
            raise ValueError("holds no content")
        return ruled(text)


def _ended(finish: Any, refusal: Any) -> None:
    """Look at how the reply ended."""
    reason = "" if finish is None else str(finish)
    if isinstance(refusal, str) and refusal.strip():
        raise DeclinedError(f"is a refusal: {shown(refusal)}")
    if reason.lower() in _DECLINED:
        raise DeclinedError(f"is a refusal (finish_reason {reason})")
    if reason.lower() in _CUT:
        raise ValueError(f"was cut off (finish_reason {reason}); it may have {CHAT_TOKENS} tokens")
    if reason.lower() not in _WHOLE:
        raise ValueError(f"was not completed (finish_reason {shown(reason)})")


def _text(content: Any) -> str:
    """The text of a message, which is a text or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [item.get("text") for item in parts if isinstance(item, Mapping) and item.get("type") == "text"]
    return "".join(item for item in texts if isinstance(item, str))


def _error_of(reply: Mapping[str, Any]) -> str:
    """What some services put into a reply with status 200 when they failed."""
    error = reply.get("error")
    message = error.get("message") if isinstance(error, Mapping) else error
    return shown(message) if isinstance(message, str) else ""
