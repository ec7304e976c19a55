"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
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
    def _gates(self) -> _Gates:
        return _gates([(_groups(needs), pattern) for needs, pattern in self._given])

    @cached_property
    def _gates_in_ascii(self) -> _Gates:
        """In a text without other letters, as most are, only the needs in ASCII can be met."""
        return _gates([(_in_ascii(_groups(needs)), pattern) for needs, pattern in self._given])

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
        if text.isascii():
            letters, (firsts, behind, always) = text.lower(), self._gates_in_ascii
        else:
            letters, (firsts, behind, always) = letters_of(text), self._gates
        found = [*always]
        # Written out: every claim asks this a hundred times, and a call for each takes twice as long.
        for some in firsts:
            if some in letters:
                for needs, pattern in behind[some]:
                    for group in needs:
                        for other in group:
                            if other in letters:
                                break
                        else:
                            break
                    else:
                        if pattern not in found:
                            found.append(pattern)
        return found


#: The strings of the first groups of some patterns, each once; for each of them its patterns with their other
#: groups; and the patterns that need nothing.
_Gates = tuple[
    tuple[str, ...],
    dict[str, list[tuple[Needs, re.Pattern[str]]]],
    tuple[re.Pattern[str], ...],
]


def _gates(parts: Iterable[tuple[Needs | None, re.Pattern[str]]]) -> _Gates:
    """What is looked for, and what stands behind it; a pattern whose needs cannot be met is left out."""
    behind: dict[str, list[tuple[Needs, re.Pattern[str]]]] = {}
    always = []
    for needs, pattern in parts:
        if needs is None:
            continue
        if not needs:
            always.append(pattern)
        for some in needs[0] if needs else ():
            behind.setdefault(some, []).append((needs[1:], pattern))
    return tuple(behind), behind, tuple(always)


def _in_ascii(needs: Needs) -> Needs | None:
    """The strings of the needs that an ASCII text may hold; None where one group has none."""
    kept = tuple(tuple(some for some in group if some.isascii()) for group in needs)
    return tuple(sorted(kept, key=len)) if all(kept) else None


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
        """A method of the pattern that looks for the letters first."""
        needs, pattern = _groups(self._given), self._pattern
        if not needs:
            method: Callable[..., Any] = getattr(pattern, name)
            return method
        # A group of nothing is never there: where a group has no string in ASCII, no ASCII text will do.
        in_ascii = _in_ascii(needs) or ((),)
        nothing: Any = iter(()) if name == "finditer" else None

        def asked(text: str, *span: int) -> Any:
            if text.isascii():
                letters, groups = text.lower(), in_ascii
            else:
                letters, groups = letters_of(text), needs
            # Plain loops in one call: every claim asks this a hundred times.
            for group in groups:
                for some in group:
                    if some in letters:
                        break
                else:
                    return nothing
            return getattr(pattern, name)(text, *span)

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
