"""Objects of foreign libraries as JSON values, by their shape; no library is imported for it."""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Iterator, Mapping, Sequence, ValuesView
from datetime import date, datetime
from enum import Enum
from pathlib import PurePath
from typing import Any

from pytest_grounding.errors import InputError
from pytest_grounding.model.chunks import members_of

_MAX_DEPTH = 60
#: Methods by which array libraries give a list.
_LISTS = ("tolist", "to_list")
#: Methods by which libraries turn an object into a mapping, the best first.
_DUMPS = ("model_dump", "to_dict", "dict")


def is_foreign(value: Any) -> bool:
    """Whether the value is an object that `plain` can take apart: it has fields or dumps itself."""
    if isinstance(value, type):
        return False
    return dataclasses.is_dataclass(value) or any(callable(_own(value, name)) for name in _DUMPS)


def plain(value: Any, depth: int = _MAX_DEPTH) -> Any:
    """The value as JSON: objects become mappings, sequences lists; what cannot be shown becomes null."""
    if isinstance(value, (str, bool, int, float, type(None))):
        return _scalar(value)
    if depth <= 0:
        raise InputError(
            f"is nested more than {_MAX_DEPTH} levels deep", hint="pass the part that holds the exchange"
        )
    if isinstance(value, Mapping):
        return {str(plain(key, depth - 1)): plain(item, depth - 1) for key, item in value.items()}
    if isinstance(value, Enum):
        return plain(value.value, depth - 1)
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, PurePath):
        return value.as_posix()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    items = _items(value)
    return _object(value, depth) if items is None else [plain(item, depth - 1) for item in items]


def _items(value: Any) -> Sequence[Any] | None:
    """The members of a list, a set, a generator or an array; None for anything else."""
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, (Sequence, ValuesView)) and not is_foreign(value):
        return list(value)
    if isinstance(value, Iterator) and type(value).__module__ == "builtins":
        # Generators and what `map` gives. A file or the stream of a service is nothing to be used up.
        return list(value)
    dump = next((found for name in _LISTS if callable(found := _own(value, name))), None)
    if dump is None or getattr(value, "shape", None) in (None, ()) or _is_row(value):
        return None
    held = dump()
    return held if isinstance(held, list) else None


def _is_row(value: Any) -> bool:
    """Whether an array library names each member, as pandas does with the row of a table."""
    dump = _own(getattr(value, "index", None), "tolist")
    named = dump() if callable(dump) else []
    return bool(named) and all(isinstance(name, str) for name in named)


def _scalar(value: Any) -> Any:
    if isinstance(value, Enum):
        value = value.value
    for kind in (str, bool, int, float):
        if isinstance(value, kind):
            return kind(value)
    return value


def _object(value: Any, depth: int) -> Any:
    for name in _DUMPS:
        dump = _own(value, name)
        if callable(dump):
            try:
                made = dump()
            except Exception:  # noqa: S112 -- a library's dump may fail for any reason; the next way is tried
                continue
            if isinstance(made, Mapping) and made is not value:
                return plain(made, depth - 1)
    if (members := members_of(value)) is not None:
        # A passage of a class that dumps itself in no way.
        return plain(members, depth - 1)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        held = {name: getattr(value, name, None) for name in names}
        # A stream that a library keeps in an object is not read: it would be used up.
        return {
            name: None if isinstance(item, Iterator) else plain(item, depth - 1)
            for name, item in held.items()
        }
    number = _own(value, "item")
    if callable(number) and getattr(value, "shape", None) == ():
        # A number of an array library.
        return plain(number(), depth - 1)
    return None


def _own(value: Any, name: str) -> Any:
    """A method that the object's class defines; objects that answer to every name do not count."""
    return getattr(value, name, None) if hasattr(type(value), name) else None
