"""Base of all models: frozen, closed, free of lone surrogates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from pydantic import BaseModel, ConfigDict
from pydantic_core import PydanticSerializationError
from pydantic_core.core_schema import wrap_serializer_function_ser_schema

from pytest_grounding._io.jsonio import DEEPEST, TOO_DEEP, canonical_json
from pytest_grounding.model.members import list_or_one as list_or_one

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema
    from pydantic_core.core_schema import SerializerFunctionWrapHandler

_SURROGATE = re.compile("[\ud800-\udfff]")
_set = object.__setattr__


class Model(BaseModel):
    """A frozen value; an unknown key is an error."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        frozen=True,
        extra="forbid",
        protected_namespaces=(),
        # A validation checks and writes few of its models; building all of them would take longer.
        defer_build=True,
    )

    @classmethod
    def built(cls, **values: Any) -> Self:
        """A value from fields that have exactly the types that a check would produce: nothing is checked."""
        blank = _blank_of(cls)
        names = tuple(values)
        if names not in blank.known:
            if not blank.required <= values.keys() <= blank.fields.keys():
                raise TypeError(f"{cls.__name__} has other fields than {', '.join(sorted(values))}")
            blank.known.add(names)
        made = cls.__new__(cls)
        fields = {**blank.fields, **values}
        for name, make in blank.made:
            if name not in values:
                fields[name] = make()
        # As `model_construct` does it, whose loop over all fields takes four times as long.
        _set(made, "__dict__", fields)
        _set(made, "__pydantic_fields_set__", set(names))
        _set(made, "__pydantic_extra__", None)
        _set(made, "__pydantic_private__", None)
        return made

    # Type checkers know the arguments from pydantic.
    if not TYPE_CHECKING:

        def model_dump(self, *args: Any, **options: Any) -> Any:
            """As pydantic's; Ctrl-C within it stays `KeyboardInterrupt`."""
            with _staying_interrupted():
                return super().model_dump(*args, **options)

        def model_dump_json(self, *args: Any, **options: Any) -> str:
            """As pydantic's; Ctrl-C within it stays `KeyboardInterrupt`."""
            with _staying_interrupted():
                return super().model_dump_json(*args, **options)


@dataclass(frozen=True, slots=True)
class _Blank:
    fields: Mapping[str, Any]  # all fields in order, with their defaults; those without one have None
    required: frozenset[str]  # fields that have to be given
    made: Sequence[tuple[str, Callable[[], Any]]]  # fields whose default is made for each value
    known: set[tuple[str, ...]]  # right sets of names: one for each place in the code


@cache
def _blank_of(model: type[BaseModel]) -> _Blank:
    fields = model.model_fields
    made = {name: cast("Callable[[], Any]", field.default_factory) for name, field in fields.items()}
    return _Blank(
        {name: None if field.is_required() else field.default for name, field in fields.items()},
        frozenset(name for name, field in fields.items() if field.is_required()),
        [(name, make) for name, make in made.items() if make is not None],
        set(),
    )


@contextmanager
def _staying_interrupted() -> Iterator[None]:
    """Raise the `KeyboardInterrupt` that pydantic's serializer made an error; its words must suffice."""
    try:
        yield
    except PydanticSerializationError as error:
        if "`: KeyboardInterrupt:" in str(error):
            raise KeyboardInterrupt from None
        raise


class Sparse(Model):
    """A value without its empty newer fields, so that older files keep their bytes and hashes."""

    left_out: ClassVar[tuple[str, ...]] = ()  # names of the fields that are omitted if they are None or 0

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return serialised_by(_without_nothing, handler(source), handler)


def serialised_by(
    function: Callable[[Any, SerializerFunctionWrapHandler], Any],
    schema: CoreSchema,
    handler: GetCoreSchemaHandler,
) -> CoreSchema:
    """A schema with a function around its serialiser: `model_serializer`, which is slow to import."""
    held: Any = handler.resolve_ref_schema(schema)
    held["serialization"] = wrap_serializer_function_ser_schema(function)
    return schema


def _without_nothing(value: Sparse, handler: SerializerFunctionWrapHandler) -> Any:
    found = handler(value)
    for name in value.left_out:
        # An explicitly empty list is kept.
        if found.get(name, True) in (None, 0):
            del found[name]
    return found


def without_surrogates(value: Any, depth: int = 0) -> tuple[Any, int]:
    """A JSON value with each lone surrogate, which UTF-8 cannot hold, as U+FFFD, and their number.

    Raises:
        ValueError: the value is nested deeper than a file may be.
    """
    if isinstance(value, str):
        return (value, 0) if value.isascii() else _SURROGATE.subn("\ufffd", value)
    if depth > DEEPEST:
        raise ValueError(TOO_DEEP)
    if isinstance(value, dict):
        below = depth + 1
        pairs = [(without_surrogates(key), without_surrogates(item, below)) for key, item in value.items()]
        total = sum(key[1] + item[1] for key, item in pairs)
        return ({key[0]: item[0] for key, item in pairs}, total) if total else (value, 0)
    if isinstance(value, (list, tuple)):
        items = [without_surrogates(item, depth + 1) for item in value]
        total = sum(count for _, count in items)
        return ([item for item, _ in items], total) if total else (value, 0)
    return value, 0


class Canonical(Model):
    """A value with a canonical form."""

    def as_dict(self) -> dict[str, Any]:
        """The value as plain JSON data."""
        return self.model_dump(mode="json")

    def to_json(self) -> str:
        """The value as canonical JSON on one line: equal input gives equal bytes."""
        return canonical_json(self.as_dict())
