"""Values computed at first use, and kept by the object that they are of."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Protocol, TypeVar


class _Keeper(Protocol):
    kept: dict[Callable[..., Any], Any]  # what `kept_with_owner` keeps


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


def kept_with_owner(make: Callable[[Owner], Value]) -> Callable[[Owner], Value]:
    """Compute the result of a function of an object once; the object keeps it."""

    @wraps(make)
    def kept(owner: Owner) -> Value:
        if make not in owner.kept:
            owner.kept[make] = make(owner)
        found: Value = owner.kept[make]
        return found

    return kept
