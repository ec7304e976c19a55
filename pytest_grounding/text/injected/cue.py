"""One kind of cue: what a passage says that gives orders to whoever reads it."""

from __future__ import annotations

import re

from pytest_grounding._frozen import frozen
from pytest_grounding._patterns import lazy


@frozen
class Cue:
    """One kind of cue.

    Attributes:
        kind: its name; two cues of one kind count once.
        weight: 1 or 2.
        anchors: words of which one stands in all that the pattern matches, unless one of the phrases does.
        also: other words, of which one stands there too; empty for none.
        phrases: letters of which one stands in all else that it matches.
        is_second: common in honest texts, so that it is looked for beside others alone.
        pattern: what it looks like, in lower case; it matches no more than `REACH` characters.
    """

    kind: str
    weight: int
    anchors: frozenset[bytes]
    also: frozenset[bytes]
    phrases: tuple[bytes, ...]
    is_second: bool
    pattern: re.Pattern[str]


def cue(
    kind: str,
    weight: int,
    anchors: str,
    source: str,
    *,
    also: str = "",
    phrases: str = "",
    is_second: bool = False,
) -> Cue:
    """A cue from words with blanks between them, and phrases with semicolons."""
    parts = [phrase.encode() for phrase in phrases.split(";") if phrase]
    return Cue(kind, weight, _words(anchors), _words(also), tuple(parts), is_second, lazy(source))


def _words(text: str) -> frozenset[bytes]:
    return frozenset(word.encode() for word in text.split())
