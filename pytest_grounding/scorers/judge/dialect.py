"""What the dialects of chat services have in common: forms of replies, and what a request can leave out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from pytest_grounding.scorers.wire import json_object

#: The forms in which a reply can be asked for, the strictest first: by a JSON schema, by the arguments of a
#: tool (Anthropic alone), as any JSON object (OpenAI's dialect alone), and as plain text.
SCHEMA, TOOL, OBJECT, TEXT = "json_schema", "tool", "json_object", "text"
#: Headers in which services take a key.
KEY_HEADERS = ("authorization", "x-api-key", "api-key")
#: Name of the schema or tool that a ruling is asked for with.
RULING = "ruling"

_FENCE = re.compile(r"```[A-Za-z]*[ \t]*\n(.*)\n[ \t]*```", re.DOTALL)


class DeclinedError(ValueError):
    """The model would not answer to this text."""


@dataclass(frozen=True, slots=True)
class Way:
    """How an endpoint is asked, as far as it is known."""

    form: str
    dropped: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a chat model."""

    model: str
    system: str
    user: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Access:
    """Where a service is, and with which key."""

    key: str | None = field(repr=False)
    base: str | None = None
    query: Mapping[str, str] = field(default_factory=dict)


class Dialect(Protocol):
    """How a kind of service is asked, and how its replies are read."""

    sdk: str
    key_env: str
    address_env: str
    path: str
    forms: tuple[str, ...]
    form_words: re.Pattern[str]
    optional: frozenset[str]

    def client(self, sdk: Any, access: Access, http: Any, seconds: float, retries: int) -> Any:
        """A client of the SDK."""
        ...

    def dress(self, headers: Any, access: Access) -> None:
        """Leave the chosen key alone in the headers of a request."""
        ...

    def body(self, question: Question, way: Way, access: Access) -> dict[str, Any]:
        """What is sent."""
        ...

    def read(self, reply: Mapping[str, Any], way: Way) -> Mapping[str, Any]:
        """What was answered; ValueError tells what is wrong with a reply."""
        ...


def with_form(system: str, schema: Mapping[str, Any]) -> str:
    """The system prompt with the form of the reply."""
    form = json.dumps(strict(schema), ensure_ascii=False)
    return f"{system}\n\nAnswer with one JSON object of this JSON schema, and nothing else: {form}"


def strict(schema: Any) -> Any:
    """A JSON schema of which every object has all of its members, and no others, as strict modes demand."""
    if isinstance(schema, Mapping):
        made = {name: strict(value) for name, value in schema.items()}
        if made.get("type") == "object" and isinstance(made.get("properties"), dict):
            made |= {"required": list(made["properties"]), "additionalProperties": False}
        return made
    return [strict(value) for value in schema] if isinstance(schema, (list, tuple)) else schema


def ruled(text: str) -> dict[str, Any]:
    """The object in the text of a reply; it may stand in a Markdown fence, or behind a ``<think>`` block."""
    inner = text.strip()
    if inner.startswith("<think>"):
        # Models that think aloud do so before they answer.
        inner = inner.partition("</think>")[2].strip()
    fenced = _FENCE.fullmatch(inner)
    return json_object(fenced[1] if fenced and "```" not in fenced[1] else inner)
