"""Values computed at first use, and kept by the object that they are of."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property, wraps
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast


class _Keeper(Protocol):
    kept: dict[Callable[..., Any], Any]  # what `kept_with_owner` keeps


Method = TypeVar("Method", bound=Callable[..., Any])
Owner = TypeVar("Owner", bound=_Keeper)
Value = TypeVar("Value")


class lazy_value(cached_property[Value]):  # noqa: N801 - used as `cached_property` is
    """`cached_property` without the lock of Python 3.11: two threads may both compute the same value."""

    if not TYPE_CHECKING:

        def __get__(self, owner: Any, kind: type | None = None) -> Any:
            if owner is None:
                return self
            found = owner.__dict__[self.attrname] = self.func(owner)
            return found


class _KeptMethod:
    def __init__(self, make: Callable[..., Any]) -> None:
        self._make = make

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self
        found = owner.__dict__[self._make.__name__] = cache(self._make.__get__(owner))
        return found


def kept_method(make: Method) -> Method:
    """A method whose results the object keeps for each argument; a look takes no call of Python."""
    return cast("Method", _KeptMethod(make))


def kept_with_owner(make: Callable[[Owner], Value]) -> Callable[[Owner], Value]:
    """Compute the result of a function of an object once; the object keeps it."""

    @wraps(make)
    def kept(owner: Owner) -> Value:
        if make not in owner.kept:
            owner.kept[make] = make(owner)
        found: Value = owner.kept[make]
        return found

    return kept
