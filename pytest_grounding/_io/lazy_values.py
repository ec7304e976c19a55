"""Values computed at first use, and kept by the object that they are of."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Protocol, TypeVar


class _Keeper(Protocol):
    kept: dict[Callable[..., Any], Any]  # what `kept_with_owner` keeps


Owner = TypeVar("Owner", bound=_Keeper)
Value = TypeVar("Value")

if TYPE_CHECKING:
    lazy_value = cached_property
else:

    class lazy_value:  # noqa: N801 - used as `cached_property` is
        """`cached_property` without the lock of Python 3.11: two threads may both compute the same value."""

        def __init__(self, make: Callable[[Any], Any]) -> None:
            self._make = make
            self.__doc__ = make.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, owner: Any, kind: type | None = None) -> Any:
            if owner is None:
                return self
            found = owner.__dict__[self._name] = self._make(owner)
            return found


def kept_with_owner(make: Callable[[Owner], Value]) -> Callable[[Owner], Value]:
    """Compute the result of a function of an object once; the object keeps it."""

    @wraps(make)
    def kept(owner: Owner) -> Value:
        if make not in owner.kept:
            owner.kept[make] = make(owner)
        found: Value = owner.kept[make]
        return found

    return kept
