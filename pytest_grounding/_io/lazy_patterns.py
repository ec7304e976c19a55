"""Regular expressions compiled at first use."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, cast

Needs = tuple[tuple[str, ...], ...]  # groups of letters; every match contains one of each group
Given = str | Callable[[], Needs]  # one group, as "a|b", or a way to compute all at the first text
Source = str | Callable[[], str]  # a regular expression, or a function that returns it
Several = Sequence[tuple[Needs, Source]]  # patterns, each with its needs
_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split", "flags")
_ASKED = frozenset({"search", "match", "fullmatch", "finditer"})  # finds nothing without the letters


class _Lazy:
    """Looks like a compiled pattern; compiles itself at the first method call."""

    def __init__(self, source: Source, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name == "pattern":
            return self._text()  # patterns built from others need their source only
        if name not in _METHODS:
            raise AttributeError(name)
        pattern = re.compile(self._text(), self._flags)
        # Two threads may both do this, with the same result.
        for method in _METHODS:
            setattr(self, method, getattr(pattern, method))
        return getattr(pattern, name)

    def _text(self) -> str:
        return self._source if isinstance(self._source, str) else self._source()


def lazy(source: Source, flags: int = 0) -> re.Pattern[str]:
    """A pattern that is compiled at its first use."""
    return cast("re.Pattern[str]", _Lazy(source, int(flags)))


class Parts:
    """Alternative patterns, each compiled and tried only if the text contains its required letters."""

    def __init__(self, parts: Callable[[], Several], flags: int) -> None:
        self._parts, self._flags = parts, flags

    # Computed at the first text, not at import.
    @cached_property
    def _gates(self) -> tuple[tuple[Needs, re.Pattern[str]], ...]:
        return tuple((needs, lazy(source, self._flags)) for needs, source in self._parts())

    @property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """All patterns."""
        return tuple(pattern for _, pattern in self._gates)

    def search(self, text: str) -> bool:
        """Whether one of the patterns matches somewhere in a text."""
        likely = self.likely(text)
        return bool(likely) and any(pattern.search(text) is not None for pattern in likely)

    def match(self, text: str, start: int = 0) -> bool:
        """Whether one of the patterns matches at an offset of a text."""
        likely = self.likely(text)
        return bool(likely) and any(pattern.match(text, start) is not None for pattern in likely)

    def likely(self, text: str) -> list[re.Pattern[str]]:
        """The patterns whose letters are in a text."""
        letters = letters_of(text)
        found = []
        # Plain loops, as in `_Gated`: called some hundred times per claim.
        for needs, pattern in self._gates:
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
    """Looks like a compiled pattern, and first checks for the letters it requires."""

    def __init__(self, needs: Given, source: Source, flags: int) -> None:
        self._given = needs
        self._pattern = lazy(source, flags)

    def __getattr__(self, name: str) -> Any:
        if name not in _ASKED:
            return getattr(self._pattern, name)
        asked = self._asked(name)
        setattr(self, name, asked)
        return asked

    def _asked(self, name: str) -> Callable[..., Any]:
        given, pattern = self._given, self._pattern
        needs = given() if callable(given) else (tuple(given.split("|")),)
        if not needs:
            method: Callable[..., Any] = getattr(pattern, name)
            return method
        nothing: Any = iter(()) if name == "finditer" else None

        def asked(text: str, *span: int) -> Any:
            letters = letters_of(text)
            for group in needs:
                for some in group:
                    if some in letters:
                        break
                else:
                    return nothing
            return getattr(pattern, name)(text, *span)

        return asked


def gated(needs: Given, source: Source, flags: int) -> re.Pattern[str]:
    """A pattern compiled at the first text that contains the letters it requires."""
    return cast("re.Pattern[str]", _Gated(needs, source, int(flags)))


def letters_of(text: str) -> str:
    """A text in which letters that `re.IGNORECASE` treats as equal are the same letter."""
    if text.isascii():
        return text.lower()
    return text.casefold().replace("i\u0307", "i").replace("\u0131", "i")
