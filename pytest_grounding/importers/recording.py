"""A response together with what was recorded beside it: the request, or the question and the chunks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_grounding.importers.reading import as_list, as_map, decoded

#: Names under which people keep the response beside a request.
_RESPONSES = ("response", "output", "completion", "message", "result")
_REQUESTS = ("request", "kwargs", "params")


@dataclass(frozen=True, slots=True)
class Recording:
    """One response and what stands beside it.

    Attributes:
        response: the response, decoded where it was text.
        request: the request, or an empty mapping.
        beside: the other members of the recording: ``id``, ``question``, ``chunks``, ``metadata``, ...
        whole: the value as it came.
    """

    response: Any
    request: Mapping[str, Any] = field(default_factory=dict)
    beside: Mapping[str, Any] = field(default_factory=dict)
    whole: Any = None

    @property
    def body(self) -> Mapping[str, Any]:
        """The response as a mapping; empty when it is none."""
        return as_map(self.response)


def recording_of(value: Any) -> Recording:
    """The parts of a value: ``{"request": …, "response": …}``, or a response alone."""
    whole = decoded(value)
    members = as_map(whole)
    name = next((key for key in _RESPONSES if _is_response(members, key)), None)
    if name is None:
        return Recording(whole, whole=whole)
    asked = next((key for key in _REQUESTS if isinstance(members.get(key), (Mapping, str))), "")
    request = _body(members.get(asked))
    beside = {key: item for key, item in members.items() if key not in (name, asked)}
    if isinstance(request, str):
        beside.setdefault("question", request)
    return Recording(_body(members[name]), as_map(request), beside, whole)


def _is_response(members: Mapping[str, Any], key: str) -> bool:
    held = members.get(key)
    if key == "response":
        inner = decoded(held)
        return isinstance(inner, Mapping) or _is_events(inner) or is_stream_text(inner)
    # The other names are common within responses too; they count beside a request alone.
    return isinstance(held, Mapping) and isinstance(members.get("request"), Mapping)


def is_stream_text(value: Any) -> bool:
    """Whether a text is a recorded stream of server-sent events."""
    return isinstance(value, str) and value.lstrip().startswith(("event:", "data:"))


def _is_events(value: Any) -> bool:
    items = as_list(value)
    return bool(items) and all(isinstance(item, (Mapping, str)) for item in items[:3])


def _body(value: Any) -> Any:
    """The decoded value, or what lies under ``body``."""
    value = decoded(value)
    inner = as_map(value)
    if "body" in inner and isinstance(decoded(inner["body"]), (Mapping, list)):
        return decoded(inner["body"])
    return value
