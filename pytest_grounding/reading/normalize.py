"""Fold texts that differ only in typography into one form, with a map back to the original."""

from __future__ import annotations

import hashlib
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.reading import Reading, reading_of

# Invisible characters: soft hyphen, zero-width ones, joiners, byte order mark, bidi
# controls, variation selectors. PDF extraction leaves U+0002 where a word was hyphenated.
_INVISIBLE = lazy(
    "[\u00ad\u0002\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufe00-\ufe0f\ufeff]"
)
# Printable ASCII with single blanks, without backticks, folds by lower() alone.
_PLAIN_RUN = lazy(r"[!-_a-~]+(?: [!-_a-~]+)*")
_MAX_MARKS = 16
_LINE_HYPHEN = lazy("[\u0002\u00ad][ \t]*(?:\r\n|\r|\n)[ \t]*")
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


class Folded(NamedTuple):
    """A folded text, with the original position of each character."""

    text: str  # the folded text
    starts: tuple[int, ...]  # for each folded character, its start in the original
    ends: tuple[int, ...]  # for each folded character, its end in the original
    length: int  # length of the original

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original for a stretch of the folded text."""
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"({start}, {end}) does not lie in a folded text of {len(self.text)} characters")
        if start == end:
            place = self.starts[start] if start < len(self.starts) else self.length
            return place, place
        return self.starts[start], self.ends[end - 1]

    def position(self, offset: int) -> int:
        """The folded offset for an offset of the original (the next one, if the character was dropped)."""
        return bisect_right(self.starts, offset - 1) if offset > 0 else 0


def fold(text: str) -> Folded:
    r"""Fold a text for comparison."""
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position, length = 0, len(text)
    blank = -1
    while position < length:
        if text[position].isspace():
            if blank < 0:
                blank = position
            position += 1
            continue
        end, folded = _next(text, position)
        if folded:
            if blank >= 0 and out:
                out.append(" ")
                starts.append(blank)
                ends.append(position)
            blank = -1
            out.append(folded)
            if end - position == len(folded) > 1 and folded.isascii():
                starts.extend(range(position, end))
                ends.extend(range(position + 1, end + 1))
            else:
                starts.extend([position] * len(folded))
                ends.extend([end] * len(folded))
        position = end
    return Folded("".join(out), tuple(starts), tuple(ends), length)


def fingerprint(text: str) -> str:
    """A hash of the words of a text: 16 hex digits, independent of case, blanks, quotes and dashes."""
    return reading_of(text).part(_fingerprint)


def _fingerprint(reading: Reading) -> str:
    return hashlib.sha256(fold(reading.text).text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _next(text: str, position: int) -> tuple[int, str]:
    """End and folded form of the character (not white space) at an offset."""
    run = _PLAIN_RUN.match(text, position)
    if run is not None:
        end = run.end()
        # The last letter may have a combining mark, which changes its folded form.
        if end < len(text) and not text[end].isascii() and end - position > 1:
            end -= 1
        if end - position > 1 or end == len(text) or text[end].isascii():
            return end, run[0][: end - position].lower()
    hyphen = _LINE_HYPHEN.match(text, position)
    if hyphen is not None:
        return hyphen.end(), ""
    end = position + 1
    # No letter of any language has more marks.
    while end < len(text) and end - position < _MAX_MARKS and unicodedata.combining(text[end]):
        end += 1
    return end, _fold_cluster(text[position:end])


@lru_cache(maxsize=8192)
def _fold_cluster(cluster: str) -> str:
    """The folded form of a character with its combining marks; "" for an invisible one."""
    plain = cluster
    # One pass may enable another (a ligature that decomposes to a dash); two are enough.
    for _ in range(3):
        plain = _INVISIBLE.sub("", plain)
        plain = "".join(_TABLE.get(char, char) for char in plain)
        plain = unicodedata.normalize("NFKC", plain).casefold()
    plain = unicodedata.normalize("NFKC", plain)
    return " ".join(plain.split()) if any(char.isspace() for char in plain) else plain
