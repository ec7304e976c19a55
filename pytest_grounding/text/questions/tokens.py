"""Words of a question with their offsets."""

from __future__ import annotations

from typing import NamedTuple

from pytest_grounding._patterns import lazy

_WORD = lazy(r"[^\W_]+(?:['’.\-/_&@+][^\W_]+)*[+#]*")


class Word(NamedTuple):
    """One word: its text, its offsets, and its form in lower case with a straight apostrophe."""

    text: str
    start: int
    end: int
    lower: str


def split_words(text: str, start: int = 0, end: int | None = None) -> list[Word]:
    """The words of a slice of a text, in order; offsets are those of the whole text."""
    stop = len(text) if end is None else end
    return [
        Word(m.group(), m.start(), m.end(), m.group().lower().replace("’", "'"))
        for m in _WORD.finditer(text, start, stop)
    ]
