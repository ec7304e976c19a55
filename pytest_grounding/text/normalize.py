"""Folding: one plain form for texts that differ only in type, with a map back to the original."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

# Characters that are seen as nothing: soft hyphen, zero-width ones, joiners, byte order mark, bidi
# controls, variation selectors. U+0002 is what PDF extraction leaves where a word was hyphenated.
_INVISIBLE = re.compile(
    "[\u00ad\u0002\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufe00-\ufe0f\ufeff]"
)
_LINE_HYPHEN = re.compile("[\u0002\u00ad][ \t]*(?:\r\n|\r|\n)[ \t]*")

_QUOTES_SINGLE = "‘’‚‛′‵ʼʹ`´ʻ＇‹›"
_QUOTES_DOUBLE = "“”„‟″‶«»〝〞＂❝❞「」『』"
_DASHES = "‐‑‒–—―−﹘﹣－⁃➖"
_OTHER = {"…": "...", "⁄": "/", "∕": "/", "•": "*", "·": "*", "×": "x", "ß": "ss"}
_TABLE: dict[str, str] = {
    **dict.fromkeys(_QUOTES_SINGLE, "'"),
    **dict.fromkeys(_QUOTES_DOUBLE, '"'),
    **dict.fromkeys(_DASHES, "-"),
    **_OTHER,
}


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and where each of its characters came from.

    Attributes:
        text: the folded text.
        starts: for each folded character the offset of its source in the original.
        ends: for each folded character one past the last character of its source.
        length: length of the original.
    """

    text: str
    starts: tuple[int, ...] | range
    ends: tuple[int, ...] | range
    length: int

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original that a stretch of the folded text came from.

        Args:
            start: offset in the folded text.
            end: one past the last folded character; an empty stretch gives an empty one.

        Returns:
            Start and end in the original, half-open.

        Raises:
            ValueError: the stretch does not lie in the folded text.
        """
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"({start}, {end}) does not lie in a folded text of {len(self.text)} characters")
        if start == end:
            place = self.starts[start] if start < len(self.starts) else self.length
            return place, place
        return self.starts[start], self.ends[end - 1]

    def position(self, offset: int) -> int:
        """The folded offset that an offset of the original falls on (the next one, if it was dropped)."""
        return bisect_right(self.starts, offset - 1) if offset > 0 else 0


def fold(text: str) -> Folded:
    r"""Fold a text for comparison.

    Compatibility forms become plain ones (NFKC: ligatures, full-width letters, superscripts), case is
    folded, quotes and dashes become their ASCII forms, runs of white space become one blank, and what
    nobody sees goes: soft hyphens, zero-width characters, bidi controls, and a U+0002 with the line
    break behind it, which PDF extraction puts where a word was hyphenated. Combining marks are composed
    with their letter. Leading and trailing white space goes.
    """
    if text.isascii() and text.isprintable() and "  " not in text and "`" not in text:
        stripped = text.strip(" ")
        first = len(text) - len(text.lstrip(" "))
        places = range(first, first + len(stripped))
        return Folded(stripped.lower(), places, range(first + 1, first + len(stripped) + 1), len(text))
    return _fold_slowly(text)


def _fold_slowly(text: str) -> Folded:
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    hyphens = {match.start(): match.end() for match in _LINE_HYPHEN.finditer(text)}
    position, length = 0, len(text)
    pending_blank = -1
    while position < length:
        if position in hyphens:
            position = hyphens[position]
            continue
        char = text[position]
        if char.isspace():
            if pending_blank < 0 and out:
                pending_blank = position
            position += 1
            continue
        end = position + 1
        while end < length and unicodedata.combining(text[end]):
            end += 1
        folded = _fold_cluster(text[position:end]) if end - position <= 16 else text[position:end]
        if folded:
            if pending_blank >= 0:
                out.append(" ")
                starts.append(pending_blank)
                ends.append(position)
                pending_blank = -1
            out.append(folded)
            starts.extend([position] * len(folded))
            ends.extend([end] * len(folded))
        position = end
    return Folded("".join(out), tuple(starts), tuple(ends), length)


@lru_cache(maxsize=8192)
def _fold_cluster(cluster: str) -> str:
    """The folded form of one character with its combining marks; "" for what nobody sees."""
    if _INVISIBLE.match(cluster) is not None:
        return _fold_cluster(cluster[1:]) if len(cluster) > 1 else ""
    plain = "".join(_TABLE.get(char, char) for char in cluster)
    plain = unicodedata.normalize("NFKC", plain).casefold()
    plain = "".join(_TABLE.get(char, char) for char in unicodedata.normalize("NFKC", plain))
    return " ".join(plain.split()) if any(char.isspace() for char in plain) else plain
