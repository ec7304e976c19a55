"""What all models share: frozen, closed, and clean of lone surrogates."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer


class Model(BaseModel):
    """A frozen value; an unknown key is an error."""

    # A number that is none (NaN) is written as it is: whoever reads it back must not take it for nothing.
    model_config = ConfigDict(
        frozen=True, extra="forbid", protected_namespaces=(), ser_json_inf_nan="constants"
    )


class Sparse(Model):
    """A value that is written without those of its newer fields that say nothing.

    Who uses none of what they are about keeps the bytes of old, and so the hashes of verdicts and goldens.
    """

    #: Names of the fields that are left out where they are None or 0.
    left_out: ClassVar[tuple[str, ...]] = ()

    # Without a type for what it returns, so that the published schema stays that of the fields.
    @model_serializer(mode="wrap")
    def _without_nothing(self, handler: SerializerFunctionWrapHandler):  # type: ignore[no-untyped-def]
        found = handler(self)
        for name in self.left_out:
            if not found.get(name, True):
                del found[name]
        return found


def without_surrogates(value: Any) -> tuple[Any, int]:
    r"""A JSON value in which each lone surrogate is U+FFFD, and how many there were.

    A lone surrogate (``"\ud83d"`` in JSON) is no character: it cannot be encoded as UTF-8, so it can
    be neither written nor segmented. Surrogate pairs are joined by the JSON parser before this. The
    replacement is one character for one, so offsets stay true.
    """
    if isinstance(value, str):
        if value.isascii():
            return value, 0
        count = sum(1 for char in value if "\ud800" <= char <= "\udfff")
        if not count:
            return value, 0
        return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in value), count
    if isinstance(value, dict):
        pairs = [(without_surrogates(key), without_surrogates(item)) for key, item in value.items()]
        total = sum(key[1] + item[1] for key, item in pairs)
        return ({key[0]: item[0] for key, item in pairs}, total) if total else (value, 0)
    if isinstance(value, (list, tuple)):
        items = [without_surrogates(item) for item in value]
        total = sum(count for _, count in items)
        return ([item for item, _ in items], total) if total else (value, 0)
    return value, 0
