"""Objects of foreign libraries as JSON values, by their shape; no library is imported for it."""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Mapping
from datetime import date, datetime
from enum import Enum
from pathlib import PurePath
from typing import Any

from pytest_grounding.errors import InputError

_MAX_DEPTH = 60
#: Methods by which libraries turn an object into a mapping, the best first.
_DUMPS = ("model_dump", "to_dict", "dict")


def is_foreign(value: Any) -> bool:
    """Whether the value is an object that `plain` can take apart: it has fields or dumps itself."""
    if isinstance(value, type):
        return False
    return dataclasses.is_dataclass(value) or any(callable(_own(value, name)) for name in _DUMPS)


def plain(value: Any, depth: int = _MAX_DEPTH) -> Any:
    """The value as JSON: objects become mappings, sequences lists; what cannot be shown becomes null.

    Understood are pydantic models (``model_dump``), objects with ``to_dict``, dataclasses, mappings,
    sequences, enumerations and dates.

    Raises:
        InputError: it is nested too deeply, as an object that holds itself is.
    """
    if isinstance(value, (str, bool, int, float, type(None))):
        return _scalar(value)
    if depth <= 0:
        raise InputError(
            f"is nested more than {_MAX_DEPTH} levels deep", hint="pass the part that holds the exchange"
        )
    if isinstance(value, Mapping):
        return {str(plain(key, depth - 1)): plain(item, depth - 1) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        items = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value
        return [plain(item, depth - 1) for item in items]
    if isinstance(value, Enum):
        return plain(value.value, depth - 1)
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, PurePath):
        return value.as_posix()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    return _object(value, depth)


def _scalar(value: Any) -> Any:
    """The plain value; members of enumerations and other subclasses lose what they add."""
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
    if isinstance(getattr(value, "page_content", None), str) and not isinstance(value, type):
        # A document as LangChain's, of a class that dumps itself in no way.
        return plain(
            {"page_content": value.page_content, "metadata": getattr(value, "metadata", {})}, depth - 1
        )
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: plain(getattr(value, name, None), depth - 1) for name in names}
    number = _own(value, "item")
    if callable(number) and getattr(value, "shape", None) == ():
        # A number of an array library.
        return plain(number(), depth - 1)
    return None


def _own(value: Any, name: str) -> Any:
    """A method that the object's class defines; objects that answer to every name do not count."""
    return getattr(value, name, None) if hasattr(type(value), name) else None
