"""What an endpoint says when it refuses a request, and how it is asked instead."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_grounding.scorers.judge.dialect import Dialect, Way

#: Members of an error that say what is wrong; others repeat what was sent.
_SAYING = frozenset({"message", "msg", "param", "code", "type", "loc", "error", "detail", "title"})
_DEEPEST = 6
#: What is said first; the rest of a long error repeats what was sent.
_LONGEST = 10_000
_SYSTEM_ROLE = re.compile(r"\bsystem['\"`]?\W{0,3}\brole|\brole\b.{0,60}\bsystem\b", re.IGNORECASE)
# The endpoint knows the form, and the model did not keep to it.
_FAILED_MODEL = re.compile(r"json_validate_failed|failed_generation")


class StatusError(Exception):
    """A response with a status that is no success."""

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        self.text = text
        super().__init__(status)


def further(dialect: Dialect, way: Way, body: Mapping[str, Any], error: StatusError) -> Way | None:
    """How to ask instead, where the endpoint names what it refuses; None where it refuses the text."""
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
    """What two calls learned of one endpoint."""
    return Way(max(one.form, other.form, key=forms.index), one.dropped | other.dropped)


def message_of(text: str) -> str:
    """The sentence of an error, or all of it where there is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    # Gemini puts its error into a list.
    value = value[0] if isinstance(value, list) and value else value
    error = value.get("error", value) if isinstance(value, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) and message.strip() else text


def _says(text: str) -> Iterator[str]:
    """What an error says, without what it repeats of the request."""
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
