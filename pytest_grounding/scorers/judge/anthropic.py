"""The dialect of Anthropic's messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pytest_grounding.scorers.judge.dialect import (
    KEY_HEADERS,
    RULING,
    SCHEMA,
    TEXT,
    TOOL,
    Access,
    DeclinedError,
    Question,
    Way,
    ruled,
    strict,
    with_form,
)
from pytest_grounding.scorers.wire import CHAT_TOKENS, shown

_NO_KEY = "no-key"
_WHOLE = frozenset({"end_turn", "stop_sequence", "tool_use"})
_CUT = frozenset({"max_tokens", "model_context_window_exceeded"})


class AnthropicDialect:
    """Messages; see `Dialect`."""

    sdk = "anthropic"
    key_env = "ANTHROPIC_API_KEY"
    address_env = "ANTHROPIC_BASE_URL"
    path = "/v1/messages"
    forms: tuple[str, ...] = (SCHEMA, TOOL, TEXT)
    form_words = re.compile(
        r"output[_ ]?(config|format)|json[_ ]?schema|structured[_ ]?output|tool|schema", re.IGNORECASE
    )
    optional: frozenset[str] = frozenset({"temperature"})

    def client(self, sdk: Any, access: Access, http: Any, seconds: float, retries: int) -> Any:
        """A client of the SDK."""
        # The SDK puts the version of its API behind the address itself.
        base = re.sub(r"/v1/?$", "", access.base or "https://api.anthropic.com")
        return sdk.Anthropic(
            # Without one the SDK would look for others, in variables and in files.
            api_key=access.key or _NO_KEY,
            base_url=base,
            default_query=dict(access.query),
            http_client=http,
            timeout=seconds,
            max_retries=retries,
        )

    def dress(self, headers: Any, access: Access) -> None:
        """Leave the chosen key alone in the headers of a request."""
        # The SDK takes headers from a variable too, and its versions send a key in one or the other.
        for name in KEY_HEADERS:
            if access.key is None or access.key not in headers.get(name, ""):
                headers.pop(name, None)
        if access.key is not None and not any(name in headers for name in KEY_HEADERS):
            headers["x-api-key"] = access.key

    def body(self, question: Question, way: Way, access: Access) -> dict[str, Any]:
        """What is sent."""
        schema = strict(question.schema)
        body: dict[str, Any] = {
            "model": question.model,
            "max_tokens": CHAT_TOKENS,
            "system": question.system if way.form == TOOL else with_form(question.system, question.schema),
            "messages": [{"role": "user", "content": question.user}],
        }
        if way.form == SCHEMA:
            body["output_config"] = {"format": {"type": SCHEMA, "schema": schema}}
        elif way.form == TOOL:
            told_of = "Take the ruling."
            body["tools"] = [{"name": RULING, "description": told_of, "input_schema": schema}]
            body["tool_choice"] = {"type": "tool", "name": RULING}
        return body if "temperature" in way.dropped else body | {"temperature": 0}

    def read(self, reply: Mapping[str, Any], way: Way) -> Mapping[str, Any]:
        """What was answered."""
        content = reply.get("content")
        reason = str(reply.get("stop_reason") or "")
        if reason == "refusal":
            raise DeclinedError("is a refusal (stop_reason refusal)")
        if not isinstance(content, list):
            raise ValueError("holds no content")
        if reason in _CUT:
            raise ValueError(f"was cut off (stop_reason {reason}); it may have {CHAT_TOKENS} tokens")
        if reason not in _WHOLE:
            raise ValueError(f"was not completed (stop_reason {shown(reason) or 'missing'})")
        blocks = [block for block in content if isinstance(block, Mapping)]
        return _object(blocks, way)


def _object(blocks: list[Mapping[str, Any]], way: Way) -> Mapping[str, Any]:
    if way.form == TOOL:
        inputs = [block.get("input") for block in blocks if block.get("type") == "tool_use"]
        if len(inputs) != 1 or not isinstance(inputs[0], Mapping):
            raise ValueError(f"holds {len(inputs)} uses of the tool, and one object was asked for")
        return inputs[0]
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    text = "".join(item for item in texts if isinstance(item, str))
    if not text.strip():
        raise ValueError("holds no content")
    return ruled(text)
