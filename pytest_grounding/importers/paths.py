"""Members of a recording by their path: ``retrieval.hits.text``, through objects and lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_grounding.model.json_values import decoded
from pytest_grounding.model.members import as_list

MISSING: Any = object()  # what a path yields that leads nowhere


def at_path(value: Any, path: str) -> Any:
    """The value at a path, in each member of a list, or `MISSING`; a member named as the path comes first."""
    held = decoded(value) if isinstance(value, str) and path else value
    if not path:
        return held
    if isinstance(held, Mapping):
        for name, rest in _splits(path):
            if name in held and (found := at_path(held[name], rest)) is not MISSING:
                return found
        return MISSING
    if isinstance(held, (list, tuple)):
        name, _, rest = path.partition(".")
        if name.isdecimal():
            return at_path(held[int(name)], rest) if int(name) < len(held) else MISSING
        found = [at_path(item, path) for item in held]
        known = [item for item in found if item is not MISSING]
        flat = [inner for item in known for inner in (as_list(item) or [item])]
        return flat if known else MISSING
    return MISSING


def _splits(path: str) -> list[tuple[str, str]]:
    """The ways to take the first step of a path, the longest name first."""
    parts = path.split(".")
    pairs = ((".".join(parts[:n]), ".".join(parts[n:])) for n in range(len(parts), 0, -1))
    return list(pairs)
