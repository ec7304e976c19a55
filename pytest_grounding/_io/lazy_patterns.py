"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, cast

#: Groups of letters, of each of which one stands in whatever a pattern matches (`letters_of`).
Needs = tuple[tuple[str, ...], ...]
#: The same, or what gives it when a first text is asked.
Given = Needs | str | Callable[[], Needs]
#: A regular expression, or what gives it when it is needed.
Source = str | Callable[[], str]
#: Patterns, each with what it needs.
Several = Sequence[tuple[Given, Source]]

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
    """A pattern that is compiled at its first use."""
    return cast("re.Pattern[str]", _Lazy(source, int(flags)))


class Parts:
    """Patterns of which one is enough, each compiled and tried only where the letters stand that it needs.

    A union of dozens of long patterns takes 50 ms to compile, and most texts need none of them.

    Args:
        parts: pairs of needs and pattern, or what gives them. Needs may be one string with ``_`` for a blank:
            ``"i_|we_ & not|never"`` is one of the first two and one of the others; ``""`` is nothing.
        flags: as in `re.compile`; with `re.IGNORECASE` among them.
    """

    def __init__(self, parts: Several | Callable[[], Several], flags: int) -> None:
        self._parts, self._flags = parts, flags

    # Worked out at the first text, as all below: importing pays for none of it.
    @cached_property
    def _given(self) -> tuple[tuple[Given, re.Pattern[str]], ...]:
        parts = self._parts() if callable(self._parts) else self._parts
        return tuple((needs, lazy(source, self._flags)) for needs, source in parts)

    @property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """All patterns."""
        return tuple(pattern for _, pattern in self._given)

    @cached_property
    def _gates(self) -> tuple[tuple[Needs, re.Pattern[str]], ...]:
        return tuple((_groups(needs), pattern) for needs, pattern in self._given)

    def search(self, text: str) -> bool:
        """Whether one of the patterns matches somewhere in a text."""
        likely = self.likely(text)
        return bool(likely) and any(pattern.search(text) is not None for pattern in likely)

    def match(self, text: str, start: int = 0) -> bool:
        """Whether one of the patterns matches at an offset of a text."""
        likely = self.likely(text)
        return bool(likely) and any(pattern.match(text, start) is not None for pattern in likely)

    def likely(self, text: str) -> list[re.Pattern[str]]:
        """The patterns whose letters stand in a text."""
        letters = letters_of(text)
        found = []
        # Plain loops in place of `_are_met`: every claim asks this some hundred times.
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


def _are_met(needs: Needs, letters: str) -> bool:
    for group in needs:
        for some in group:
            if some in letters:
                break
        else:
            return False
    return True


#: Methods that find nothing where the letters are not there.
_ASKED = frozenset({"search", "match", "fullmatch", "finditer"})


class _Gated:
    """Looks like a compiled pattern, and looks for the letters that it needs first."""

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
        needs, pattern = _groups(self._given), self._pattern
        if not needs:
            method: Callable[..., Any] = getattr(pattern, name)
            return method
        nothing: Any = iter(()) if name == "finditer" else None

        def asked(text: str, *span: int) -> Any:
            return getattr(pattern, name)(text, *span) if _are_met(needs, letters_of(text)) else nothing

        return asked


def gated(needs: Given, source: Source, flags: int) -> re.Pattern[str]:
    """A pattern that is compiled at the first text in which the letters stand that it needs."""
    return cast("re.Pattern[str]", _Gated(needs, source, int(flags)))


def _groups(needs: Given) -> Needs:
    if callable(needs):
        return needs()
    if not isinstance(needs, str):
        # As `training.gates` has them, which are in order.
        return needs
    groups = [tuple(group.replace("_", " ").split("|")) for group in needs.split(" & ") if group]
    # Most texts lack what is needed: they are done soonest with the group that is looked for soonest.
    return tuple(sorted(map(_shortest, groups), key=len))


def _shortest(group: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a group of which none is a part: where "says" stands, "say" does."""
    return tuple(some for some in group if not any(other in some for other in group if other != some))


def letters_of(text: str) -> str:
    """A text in which letters that `re.IGNORECASE` takes for one are the same letter."""
    if text.isascii():
        return text.lower()
    return text.casefold().replace("i\u0307", "i").replace("\u0131", "i")
