"""A text is read once: what is computed from it is cached with it.

A `Reading` is a text in one language. Its parts (words, sentences, facts, the index of a chunk) are computed
on demand by the packages above: each passes `Reading.part` a function that
takes a reading. So the cache is here, and not beside each function.

There are two fold functions on purpose, because merging them would change verdicts:
`reading.words.fold` drops accents, to match words; `reading.visible_text.fold` keeps them and maps back
to each character, to find quotations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from pytest_grounding.reading.markdown import MaskSpan, mask_spans

Part = TypeVar("Part")

#: Claims, questions and sentences are many and short; chunks are long, and each has an
#: index several times its size. Two caches keep the short ones from evicting the long ones.
_SHORT = 600
_SHORT_KEPT = 4096
_LONG_KEPT = 1024


class Reading:
    """A text in one language, with everything computed from it."""

    __slots__ = ("_parts", "language", "text")

    def __init__(self, text: str, language: str = "en") -> None:
        self.text: str = text  # verbatim; all offsets of parts are code points in it
        self.language: str = language  # first part of a BCP 47 tag in lower case
        self._parts: dict[Callable[[Reading], Any], Any] = {}

    def part(self, make: Callable[[Reading], Part]) -> Part:
        """The result of a function for this text, computed at the first call."""
        try:
            found: Part = self._parts[make]
        except KeyError:
            found = self._parts[make] = make(self)
        return found

    def __repr__(self) -> str:
        names = ", ".join(make.__qualname__ for make in self._parts)
        return f"Reading({self.text[:40]!r}, {self.language!r}: {names or 'nothing read'})"


@lru_cache(maxsize=256)
def base_language(tag: str) -> str:
    """First part of a BCP 47 tag in lower case; "en" for an empty one."""
    return re.split(r"[-_]", tag.strip().lower(), maxsplit=1)[0] or "en"


# Results for several texts together are cached by the code that computes them.
_short = lru_cache(maxsize=_SHORT_KEPT)(Reading)
_long = lru_cache(maxsize=_LONG_KEPT)(Reading)


def reading_of(text: str, language: str = "en") -> Reading:
    """The cached reading of a text."""
    tongue = "en" if language == "en" else base_language(language)
    return _short(text, tongue) if len(text) <= _SHORT else _long(text, tongue)


def masks_of(text: str) -> tuple[MaskSpan, ...]:
    """The Markdown stretches of a text (`markdown.mask_spans`), cached."""
    return reading_of(text).part(_masks)


def _masks(reading: Reading) -> tuple[MaskSpan, ...]:
    return mask_spans(reading.text)


def forget() -> None:
    """Clear the cache, so that a test can count what is read."""
    _short.cache_clear()
    _long.cache_clear()
