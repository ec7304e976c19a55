"""Single JSON values that others wrote, read safely."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import date
from pathlib import PurePath
from typing import Any
from uuid import UUID

MAX_DEPTH = 20  # deepest nesting that is kept of free values


def as_text(value: Any) -> str | None:
    """The value if it is text, else None."""
    return value if isinstance(value, str) else None


def as_int(value: Any) -> int | None:
    """The value if it is a whole number (not a boolean), else None."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, float) and math.isfinite(value) and value == int(value) else None


def as_number(value: Any) -> float | None:
    """The value if it is a finite number, also one of an array library, else None."""
    if getattr(value, "shape", None) == () and callable(getattr(value, "item", None)):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def as_name(value: Any) -> str | None:
    """The value as a name: text that is not empty, or a number written out; else None."""
    if isinstance(value, str):
        return value or None
    number = as_number(value)
    return str(value) if number is not None and abs(number) < 1e15 else None


def decoded(value: Any) -> Any:
    """The JSON value in a text, as in recordings that encode twice; anything else unchanged."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"'):
        try:
            return json.loads(value, strict=False)
        except (ValueError, RecursionError):
            return value
    return value


def bounded_json(value: Any, depth: int = MAX_DEPTH) -> Any:
    """The value as JSON: unserialisable or too deeply nested parts become null."""
    if isinstance(value, (str, bool, type(None))):
        return value
    if isinstance(value, (int, float)):
        return value if as_number(value) is not None else None
    if isinstance(value, (date, PurePath, UUID)):
        return value.isoformat() if isinstance(value, date) else str(value)
    if depth <= 0:
        return None
    if isinstance(value, Mapping):
        return {str(key): bounded_json(item, depth - 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [bounded_json(item, depth - 1) for item in value]
    return None


def is_list_of(value: Any, kind: type) -> bool:
    """Whether the value is a non-empty list of values of this kind only."""
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(item, kind) for item in value)
