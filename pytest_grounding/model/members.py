"""Members of JSON objects and lists that others wrote: what is of another kind reads as empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_NOTHING: Mapping[str, Any] = {}


def as_map(value: Any) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else _NOTHING


def as_list(value: Any) -> Sequence[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, (list, tuple)) else ()


def maps_in(value: Any) -> Sequence[Mapping[str, Any]]:
    """The items of a list as objects; an item that is none is an empty one."""
    return [as_map(item) for item in as_list(value)]


def list_or_one(value: Any) -> Sequence[Any]:
    """The items of a list; any other value as the only item."""
    return value if isinstance(value, (list, tuple)) else [value]


def first_text(value: Mapping[str, Any], *names: str) -> str | None:
    """The first of some members that is a text with more than white space, else None."""
    for name in names:
        text = value.get(name)
        if isinstance(text, str) and text.strip():
            return text
    return None


def first_of(value: Mapping[str, Any], *names: str) -> Any:
    """The first of some members that exists and is not null, else None."""
    for name in names:
        if value.get(name) is not None:
            return value[name]
    return None
