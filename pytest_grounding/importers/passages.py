"""A list of retrieved passages, item by item: what cannot be read is named, and never left out silently."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pytest_grounding.errors import InputError
from pytest_grounding.importers.reading import as_map, as_name, decoded
from pytest_grounding.model.passages import unwrapped

if TYPE_CHECKING:
    from pytest_grounding.importers.draft import Draft

#: Members of a chunk that hold its text, the best first.
PASSAGE_TEXTS = ("text", "content", "page_content", "context", "snippet", "segment", "passage", "body")
_LIST = 'write a list of texts, such as ["..."]'


def add_passages(
    draft: Draft,
    held: Any,
    field: str,
    ids: Sequence[Any] = (),
    *,
    may_lack_text: bool = False,
    first: int = 0,
) -> None:
    """Add the passages that a member of a recording holds, in their order."""
    for index, item in enumerate(_listed(held, field)):
        given = as_name(ids[index]) if index < len(ids) else None
        if item is None or isinstance(item, str):
            draft.chunk(item, id=given)
        elif holds_text(item) or (may_lack_text and as_map(item)):
            draft.chunk_of(item, id=given)
        else:
            raise InputError(
                f"is {_kind(item)}, and a passage is needed",
                field=f"{field}[{first + index}]",
                hint='write the passage as a text, or as {"text": "..."}',
            )


def _listed(held: Any, field: str) -> Sequence[Any]:
    value = decoded(held)
    # A table gives "not a number" for a cell that is empty.
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ()
    if isinstance(value, (list, tuple)):
        return value
    if holds_text(value):
        return [value]
    if isinstance(held, str):
        return [value if isinstance(value, str) else held]
    raise InputError(f"is {_kind(value)}, and a list is needed", field=field, hint=_LIST)


def holds_text(item: Any) -> bool:
    """Whether it is an object with a text, or a passage of a library."""
    members = as_map(item)
    inner = {**as_map(members.get("data")), **members}
    return unwrapped(item) is not None or any(isinstance(inner.get(name), str) for name in PASSAGE_TEXTS)


def _kind(value: Any) -> str:
    if isinstance(value, Mapping):
        shown = ", ".join(repr(str(key)[:30]) for key in list(value)[:4])
        return f"an object without a text (its fields: {shown})" if shown else "an empty object"
    if isinstance(value, (list, tuple)):
        return "a list"
    return "a switch" if isinstance(value, bool) else f"a number ({value!r})"[:60]
