"""Small values with slots: dataclasses that cost little to import.

`dataclasses.dataclass` compiles every method of every class, about a millisecond a class, and a validation
imports sixty of them: a third of its start. Here only ``__init__`` is compiled, when the first value is made,
and once for all classes with as many fields; the other methods are shared.
`dataclasses.fields`, `replace`, `asdict` and `is_dataclass` work on such a value as on any other.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

_C = TypeVar("_C")


@overload
def frozen(cls: type[_C], /) -> type[_C]: ...
@overload
def frozen(*, kw_only: bool) -> Callable[[type[_C]], type[_C]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def frozen(cls: type[Any] | None = None, /, *, kw_only: bool = False) -> Any:
    """Make a class what ``@dataclass(frozen=True, slots=True)`` would make it.

    Args:
        cls: a class with annotated fields and no base but `object`.
        kw_only: fields are given by name alone.
    """
    if cls is None:
        return lambda later: _made(later, _FROZEN, kw_only=kw_only)
    return _made(cls, _FROZEN, kw_only=kw_only)


@dataclass_transform(field_specifiers=(dataclasses.field,))
def slotted(cls: type[_C]) -> type[_C]:
    """Make a class what ``@dataclass(slots=True)`` would make it: its values change, and have no hash."""
    return _made(cls, _SLOTTED, kw_only=False)


def _made(cls: type[Any], methods: Mapping[str, Any], *, kw_only: bool) -> type[Any]:
    """The class once more, with slots and methods."""
    kinds = dict(cls.__annotations__)
    body = {name: value for name, value in vars(cls).items() if name not in {"__dict__", "__weakref__"}}
    given = {name: body.pop(name) for name in kinds if name in body}
    special = {name: value for name, value in given.items() if isinstance(value, Field)}
    body |= {name: method for name, method in methods.items() if name not in body}
    body |= {
        "__slots__": tuple(kinds),
        "__match_args__": tuple(name for name in kinds if not kw_only and _is_given(special.get(name))),
        "__annotations__": kinds,
        "__dataclass_fields__": _Fields(cls.__name__, kinds, given, kw_only=kw_only),
        "_held": tuple(kinds),
        "_compared": attrgetter(*(name for name in kinds if name not in special or special[name].compare)),
        "_shown": tuple(name for name in kinds if name not in special or special[name].repr),
    }
    made: Any = type(cls.__name__, (), body)

    def compiled() -> Callable[..., None]:
        # Two threads may both do this, and set the same.
        made.__init__ = _init(made, given, kw_only=kw_only)
        return made.__init__  # type: ignore[no-any-return]

    def first(self: Any, /, *values: Any, **named: Any) -> None:
        compiled()(self, *values, **named)

    made.__init__ = first
    made.__signature__ = _Signature(compiled)
    return made  # type: ignore[no-any-return]


def _is_given(declared: Field[Any] | None) -> bool:
    """Whether ``__init__`` takes a field."""
    return declared is None or declared.init


def _init(made: type[Any], given: Mapping[str, Any], *, kw_only: bool) -> Callable[..., None]:
    """``__init__`` of a class; it fills the slots themselves, which no ``__setattr__`` can forbid."""
    taken, defaults = [], {}
    for name in made._held:
        value: Any = given.get(name, MISSING)
        if isinstance(value, Field):
            if not _is_given(value):
                continue
            factory: Any = value.default_factory
            value = value.default if factory is MISSING else _Anew(factory)
        taken.append(name)
        if value is not MISSING:
            defaults[name] = value
    if not kw_only and defaults and taken[-len(defaults) :] != list(defaults):
        raise TypeError(f"a field of {made.__qualname__} without a default follows one that has a default")
    shape = _shape(
        len(taken),
        tuple(number for number, name in enumerate(taken) if isinstance(defaults.get(name), _Anew)),
        hasattr(made, "__post_init__"),
    )
    init: Callable[..., None] = shape(_Anew, *(getattr(made, name).__set__ for name in taken))
    code = init.__code__.replace(co_varnames=("self", *taken))
    if kw_only:
        code = code.replace(co_argcount=1, co_kwonlyargcount=len(taken))
        init.__kwdefaults__ = defaults
    else:
        init.__defaults__ = tuple(defaults.values())
    init.__code__ = code
    init.__qualname__ = f"{made.__qualname__}.__init__"
    init.__module__ = made.__module__
    init.__annotations__ = made.__annotations__
    return init


class _Anew:
    """Stands for a value that is made for each instance."""

    def __init__(self, factory: Callable[[], Any]) -> None:
        self.made = factory

    def __repr__(self) -> str:
        return "<factory>"


@cache
def _shape(fields: int, anew: tuple[int, ...], has_more: bool) -> Callable[..., Any]:
    """What makes ``__init__`` of all classes with so many fields, whose names are put in behind: 0.2 ms each.

    Args:
        fields: how many it takes.
        anew: numbers of those whose default is made for each instance.
        has_more: the class has a ``__post_init__``.
    """
    values = [f"_{number}.made() if _{number}.__class__ is anew else _{number}" for number in anew]
    told = {**{number: f"_{number}" for number in range(fields)}, **dict(zip(anew, values, strict=True))}
    lines = [f"  set_{number}(self, {value})\n" for number, value in told.items()]
    if has_more:
        lines.append("  self.__post_init__()\n")
    setters = ", ".join(f"set_{number}" for number in range(fields))
    names = ", ".join(f"_{number}" for number in range(fields))
    known: dict[str, Any] = {}
    body = "".join(lines) or "  return\n"
    source = f"def shape(anew, {setters}):\n def __init__(self, {names}):\n{body} return __init__\n"
    exec(source, known)  # noqa: S102 - the text holds numbers alone
    shape: Callable[..., Any] = known["shape"]
    return shape


class _Signature:
    """What `inspect.signature` reads of a class."""

    def __init__(self, compiled: Callable[[], Callable[..., None]]) -> None:
        self._compiled = compiled

    def __get__(self, value: object, owner: type[Any]) -> inspect.Signature:
        signature = inspect.signature(self._compiled())
        return signature.replace(parameters=list(signature.parameters.values())[1:])


class _Fields:
    """What `dataclasses.fields` reads, made when somebody does."""

    def __init__(
        self, name: str, kinds: Mapping[str, Any], given: Mapping[str, Any], *, kw_only: bool
    ) -> None:
        self._name, self._kw_only = name, kw_only
        self._fields = [
            (name, kind, given[name]) if name in given else (name, kind) for name, kind in kinds.items()
        ]
        self._made: dict[str, Field[Any]] = {}

    def __get__(self, value: object, owner: type[Any]) -> dict[str, Field[Any]]:
        if not self._made:
            # A documented class: an undocumented one has its signature read for a docstring.
            twin: Any = dataclasses.make_dataclass(
                self._name,
                self._fields,
                init=False,
                repr=False,
                eq=False,
                kw_only=self._kw_only,
                namespace={"__doc__": self._name},
            )
            self._made = twin.__dataclass_fields__
        return self._made


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self._compared(self) == self._compared(other)


def _hash(self: Any) -> int:
    return hash(self._compared(self))


def _repr(self: Any) -> str:
    told = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._shown)
    return f"{self.__class__.__qualname__}({told})"


def _assign(self: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self._held]


def _restore(self: Any, state: list[Any]) -> None:
    for name, value in zip(self._held, state, strict=True):
        object.__setattr__(self, name, value)


def _replaced(self: Any, /, **changes: Any) -> Any:
    return dataclasses.replace(self, **changes)


_SLOTTED: dict[str, Any] = {
    "__eq__": _equal,
    "__hash__": None,
    "__repr__": _repr,
    "__getstate__": _state,
    "__setstate__": _restore,
    "__replace__": _replaced,
}
_FROZEN: dict[str, Any] = _SLOTTED | {"__hash__": _hash, "__setattr__": _assign, "__delattr__": _delete}
