"""What a reading is, and the one cache of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from pytest_grounding.reading.markdown import MaskSpan, mask_spans

Part = TypeVar("Part")

#: Claims, questions and sentences come by the thousand and are short; chunks are long, and each holds an
#: index several times its size. So that many of the former drive out none of the latter, each have a shelf.
_SHORT = 600
_SHORT_KEPT = 4096
_LONG_KEPT = 1024


class Reading:
    """A text in one language, with what was read from it."""

    __slots__ = ("_parts", "language", "text")

    def __init__(self, text: str, language: str = "en") -> None:
        self.text: str = text  # the text, verbatim; all offsets of parts are in its code points
        self.language: str = language  # first part of a BCP 47 tag in lower case
        self._parts: dict[Callable[[Reading], Any], Any] = {}

    def part(self, make: Callable[[Reading], Part]) -> Part:
        """What a function reads from this text: made at the first call, and the same value ever after."""
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


# The cache of what is read from texts. What is judged of several of them is kept by those who judge.
_short = lru_cache(maxsize=_SHORT_KEPT)(Reading)
_long = lru_cache(maxsize=_LONG_KEPT)(Reading)


def reading_of(text: str, language: str = "en") -> Reading:
    """The reading of a text: the same one as long as it is kept."""
    tongue = "en" if language == "en" else base_language(language)
    return _short(text, tongue) if len(text) <= _SHORT else _long(text, tongue)


def masks_of(text: str) -> tuple[MaskSpan, ...]:
    """The Markdown stretches of a text (`_markdown.mask_spans`): all who read an answer ask for them."""
    return reading_of(text).part(_masks)


def _masks(reading: Reading) -> tuple[MaskSpan, ...]:
    return mask_spans(reading.text)


def forget() -> None:
    """Let all readings go, so that a test can count what is read."""
    _short.cache_clear()
    _long.cache_clear()
