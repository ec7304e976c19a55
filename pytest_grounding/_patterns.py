"""Patterns that are compiled when they are first used.

The long patterns of this package take a third of a second to compile, and most runs use few of them.
"""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split", "pattern", "flags")


class _Lazy:
    """Looks like a compiled pattern; becomes one, method by method, at the first look."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        pattern = re.compile(self._source, self._flags)
        # Two threads may both do this, and set the same.
        for method in _METHODS:
            setattr(self, method, getattr(pattern, method))
        return getattr(pattern, name)


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern that is compiled at its first use.

    Args:
        source: the regular expression.
        flags: as in `re.compile`.
    """
    return cast("re.Pattern[str]", _Lazy(source, int(flags)))
