"""Convert objects of foreign libraries to JSON values by their shape; no library is imported for it."""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Iterator, Mapping, Sequence, ValuesView
from datetime import date
from enum import Enum
from pathlib import PurePath
from typing import Any

from pytest_grounding.errors import InputError
from pytest_grounding.model.chunks import members_of

_MAX_DEPTH = 60
_DUMPS = ("model_dump", "to_dict", "dict")  # methods that convert an object to a mapping, best first


def is_foreign(value: Any) -> bool:
    """Whether `plain` can convert the value: it has fields or dumps itself."""
    if isinstance(value, type):
        return False
    return dataclasses.is_dataclass(value) or any(callable(_own(value, name)) for name in _DUMPS)


def plain_object(value: Any, depth: int = _MAX_DEPTH) -> Any:
    """The value as JSON: objects become mappings, sequences lists; anything else becomes null."""
    if isinstance(value, Enum):
        value = value.value
    for kind in (str, bool, int, float):
        if isinstance(value, kind):
            return kind(value)
    if depth <= 0:
        hint = "pass the part with the exchange"
        raise InputError(f"is nested more than {_MAX_DEPTH} levels deep", hint=hint)
    if isinstance(value, Mapping):
        below = depth - 1
        return {str(plain_object(key, below)): plain_object(item, below) for key, item in value.items()}
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, PurePath):
        return value.as_posix()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    items = _items_of_object(value)
    return _object(value, depth) if items is None else [plain_object(item, depth - 1) for item in items]


def _items_of_object(value: Any) -> Sequence[Any] | None:
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    is_listed = isinstance(value, (Sequence, ValuesView)) and not is_foreign(value)
    # Generators and the result of `map`; a file or the stream of a service is not consumed.
    if is_listed or isinstance(value, tuple | list):
        return list(value)
    if isinstance(value, Iterator) and type(value).__module__ == "builtins":
        return list(value)
    dump = _own(value, "tolist")
    # A pandas row names its members and dumps itself as a mapping.
    names = _own(getattr(value, "index", None), "tolist")
    is_row = callable(names) and any(isinstance(name, str) for name in names())
    held = dump() if callable(dump) and getattr(value, "shape", None) and not is_row else None
    return held if isinstance(held, list) else None


def _object(value: Any, depth: int) -> Any:
    for dump in filter(callable, (_own(value, name) for name in _DUMPS)):
        try:
            made = dump()
        except Exception:  # noqa: S112 -- a library's dump may fail for any reason; the next way is tried
            continue
        if isinstance(made, Mapping) and made is not value:
            return plain_object(made, depth - 1)
    members = members_of(value)
    if members is None and dataclasses.is_dataclass(value) and not isinstance(value, type):
        held = {field.name: getattr(value, field.name, None) for field in dataclasses.fields(value)}
        # A stream within an object is not read: that would consume it.
        members = {name: None if isinstance(item, Iterator) else item for name, item in held.items()}
    if members is not None:
        return plain_object(members, depth - 1)
    number = _own(value, "item")  # a number of an array library
    is_number = callable(number) and getattr(value, "shape", None) == ()
    return plain_object(number(), depth - 1) if is_number else None


def _own(value: Any, name: str) -> Any:
    """A method defined by the object's class; objects that answer to every name do not count."""
    return getattr(value, name, None) if hasattr(type(value), name) else None
