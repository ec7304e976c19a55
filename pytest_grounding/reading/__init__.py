"""A text is read once: what is computed from it is kept for the next caller.

`read_once` decorates the functions that read a text: its words, sentences and facts, the index of a chunk. So
the cache is here, and not beside each function.

There are two fold functions on purpose, because merging them would change verdicts:
`reading.words.fold` drops accents, to match words; `reading.visible_text.fold` keeps them and maps back
to each character, to find quotations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

from pytest_grounding.reading.markdown import MaskSpan, mask_spans

Part = TypeVar("Part")
Given = ParamSpec("Given")
#: Claims, questions and sentences are many and short; chunks are long, and each has an
#: index several times its size. Two caches keep the short ones from evicting the long ones.
_SHORT = 600
_SHORT_KEPT = 4096
_LONG_KEPT = 1024
_UNREAD: Any = object()  # nothing is kept: None may be a result


@lru_cache(maxsize=256)
def base_language(tag: str) -> str:
    """First part of a BCP 47 tag in lower case; "en" for an empty one."""
    return re.split(r"[-_]", tag.strip().lower(), maxsplit=1)[0] or "en"


def _nothing_read(text: str, language: str) -> dict[Callable[..., Any], Any]:
    """What is known of a text in one language, by the function that computed it."""
    return {}


_short = lru_cache(maxsize=_SHORT_KEPT)(_nothing_read)
_long = lru_cache(maxsize=_LONG_KEPT)(_nothing_read)


def read_once(make: Callable[Given, Part]) -> Callable[Given, Part]:
    """Compute the result of a function of a text, or of a text and its language, once for each.

    The function gets the first part of the language's BCP 47 tag, in lower case.
    """
    takes_language = make.__code__.co_argcount > 1

    @wraps(make)
    def kept(text: str, language: str = "en") -> Part:
        if language != "en":
            language = base_language(language)
        known = _short(text, language) if len(text) <= _SHORT else _long(text, language)
        # One look, not two: a verdict asks some two hundred times.
        found: Part = known.get(make, _UNREAD)
        if found is _UNREAD:
            read: Any = make
            found = known[make] = read(text, language) if takes_language else read(text)
        return found

    return cast("Callable[Given, Part]", kept)


@read_once
def masks_of(text: str) -> tuple[MaskSpan, ...]:
    """The Markdown stretches of a text (`markdown.mask_spans`)."""
    return mask_spans(text)


def forget() -> None:
    """Clear the cache, so that a test can count what is read."""
    _short.cache_clear()
    _long.cache_clear()
