"""Attributes computed at first use."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

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
