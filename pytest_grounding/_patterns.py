"""Patterns that are compiled when they are first used.

The long patterns of this package take a third of a second to compile, and most runs use few of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

#: Groups of letters, of each of which one stands in whatever a pattern matches (`letters_of`).
Needs = tuple[tuple[str, ...], ...]
#: A regular expression, or what gives it when it is needed.
Source = str | Callable[[], str]

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split", "flags")


class _Lazy:
    """Looks like a compiled pattern; becomes one, method by method, at the first look."""

    def __init__(self, source: Source, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name == "pattern":
            # Patterns that are built of others ask for it, and need none compiled.
            return self._text()
        if name not in _METHODS:
            raise AttributeError(name)
        pattern = re.compile(self._text(), self._flags)
        # Two threads may both do this, and set the same.
        for method in _METHODS:
            setattr(self, method, getattr(pattern, method))
        return getattr(pattern, name)

    def _text(self) -> str:
        return self._source if isinstance(self._source, str) else self._source()


def lazy(source: Source, flags: int = 0) -> re.Pattern[str]:
    """A pattern that is compiled at its first use.

    Args:
        source: the regular expression, or what gives it.
        flags: as in `re.compile`.
    """
    return cast("re.Pattern[str]", _Lazy(source, int(flags)))


class Parts:
    """Patterns of which one is enough, each compiled and tried only where the letters stand that it needs.

    A union of dozens of long patterns takes 50 ms to compile, and most texts need none of them.

    Args:
        parts: pairs of needs and pattern. Needs may be one string with ``_`` for a blank:
            ``"i_|we_ & not|never"`` is one of the first two and one of the others; ``""`` is nothing.
        flags: as in `re.compile`; with `re.IGNORECASE` among them.
    """

    def __init__(self, parts: Iterable[tuple[Needs | str, Source]], flags: int) -> None:
        self._parts = tuple((_groups(needs), lazy(source, flags)) for needs, source in parts)

    @property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """All patterns."""
        return tuple(pattern for _, pattern in self._parts)

    def search(self, text: str) -> bool:
        """Whether one of the patterns matches somewhere in a text."""
        return any(pattern.search(text) is not None for pattern in self.likely(text))

    def match(self, text: str, start: int = 0) -> bool:
        """Whether one of the patterns matches at an offset of a text."""
        return any(pattern.match(text, start) is not None for pattern in self.likely(text))

    def likely(self, text: str) -> list[re.Pattern[str]]:
        """The patterns whose letters stand in a text."""
        letters = letters_of(text)
        found = []
        # Written out: every claim asks this a hundred times, and a call for each takes twice as long.
        for needs, pattern in self._parts:
            for group in needs:
                for some in group:
                    if some in letters:
                        break
                else:
                    break
            else:
                found.append(pattern)
        return found


class _Gated:
    """Looks like a compiled pattern, and looks for the letters that it needs first."""

    def __init__(self, needs: Needs | str, source: Source, flags: int) -> None:
        self._needs = _groups(needs)
        self._pattern = lazy(source, flags)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pattern, name)

    def search(self, text: str, *span: int) -> re.Match[str] | None:
        return self._pattern.search(text, *span) if self._may_match(text) else None

    def match(self, text: str, *span: int) -> re.Match[str] | None:
        return self._pattern.match(text, *span) if self._may_match(text) else None

    def fullmatch(self, text: str, *span: int) -> re.Match[str] | None:
        return self._pattern.fullmatch(text, *span) if self._may_match(text) else None

    def finditer(self, text: str, *span: int) -> Iterator[re.Match[str]]:
        return self._pattern.finditer(text, *span) if self._may_match(text) else iter(())

    def _may_match(self, text: str) -> bool:
        return _are_there(self._needs, letters_of(text))


def gated(needs: Needs | str, source: Source, flags: int) -> re.Pattern[str]:
    """A pattern that is compiled at the first text in which the letters stand that it needs.

    Args:
        needs: as in `Parts`.
        source: the regular expression.
        flags: as in `re.compile`.
    """
    return cast("re.Pattern[str]", _Gated(needs, source, int(flags)))


def _groups(needs: Needs | str) -> Needs:
    if isinstance(needs, str):
        groups = [group.replace("_", " ").split("|") for group in needs.split(" & ") if group]
        needs = tuple(map(tuple, groups))
    # Most texts lack what is needed: they are done soonest with the group that is looked for soonest.
    return tuple(sorted(map(_shortest, needs), key=len))


def _shortest(group: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a group of which none is a part: where "says" stands, "say" does."""
    return tuple(some for some in group if not any(other in some for other in group if other != some))


def _are_there(needs: tuple[tuple[str, ...], ...], letters: str) -> bool:
    # Plain loops: every claim asks this a hundred times, and generators take three times as long.
    for group in needs:
        for some in group:
            if some in letters:
                break
        else:
            return False
    return True


def letters_of(text: str) -> str:
    """A text in which letters that `re.IGNORECASE` takes for one are the same letter."""
    if text.isascii():
        return text.lower()
    return text.casefold().replace("i\u0307", "i").replace("\u0131", "i")
