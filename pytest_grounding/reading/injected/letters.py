"""A text in plain letters with a map back, and its invisible parts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.reading.visible_text import LOOK_ALIKE

_INVISIBLE = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062"
    "\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
)
_SUSPECT = lazy(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\uff01-\uff5e\U0001d400-\U0001d7ff]"
)
_MIXED = lazy("[A-Za-z][\u0370-\u052f]|[\u0370-\u052f][A-Za-z]")
_LOOK_ALIKE = LOOK_ALIKE | str.maketrans("υӏԍ", "ulg")
_DIGITS = str.maketrans("013457@$", "oieastas")
#: Words of orders, after digits became letters.
_SPELLED = (b"ignore", b"instruct", b"disregard", b"assistant", b"forget")

# Texts are searched as bytes: ten times as fast as strings that are not ASCII.
_LOWER = bytes(range(256)).lower()
_BARE = bytes(32 if chr(code) in '.,:;!?"()[]{}<>|*`-_/#\n\t\r' else code for code in _LOWER)
_AS_LETTERS = bytes(ord(chr(code).translate(_DIGITS)) if code < 128 else code for code in _LOWER)
_SIGNS = "“”„«»‘’…—–。，：；！？"


class Letters(NamedTuple):
    """A text prepared for the search."""

    text: str
    origins: tuple[int, ...] | None
    low: bytes
    words: frozenset[bytes]


def letters_in(text: str) -> Letters:
    """Prepare a text for the search."""
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) > len(text):
        text, origins = _plain(text)
        # Accented Latin letters rarely come first; Cyrillic ones always differ by case.
        bare = text.lower() if b"\xd0" in raw else text
        for sign in _SIGNS:
            if sign in bare:
                bare = bare.replace(sign, " " if sign != "’" else "'")
        words = bare.encode("utf-8", "surrogatepass").translate(_BARE).split()
        return Letters(text, origins, text.encode("utf-8", "surrogatepass").translate(_LOWER), _apart(words))
    spelled = raw.translate(_AS_LETTERS)
    low = raw.translate(_LOWER)
    if any(word in spelled and spelled.count(word) > low.count(word) for word in _SPELLED):
        text, raw, low = text.translate(_DIGITS), text.translate(_DIGITS).encode(), spelled
    return Letters(text, None, low, _apart(raw.translate(_BARE).split()))


def _apart(words: list[bytes]) -> frozenset[bytes]:
    """The words, and the parts of words with an apostrophe."""
    joined = b" ".join(words)
    if b"'" not in joined:
        return frozenset(words)
    return frozenset(words).union(joined.replace(b"'", b" ").split())


def words_of(phrase: str) -> list[bytes]:
    """The words of a phrase as `Letters` holds them."""
    return phrase.encode().translate(_BARE).split()


def lowered(text: str) -> str:
    """The text in lower case, at equal length."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return lower


def _plain(text: str) -> tuple[str, tuple[int, ...] | None]:
    if _MIXED.search(text) is not None:
        text = text.translate(_LOOK_ALIKE)
    if _SUSPECT.search(text) is None:
        return text, None
    out: list[str] = []
    origins: list[int] = []
    for place, char in enumerate(text):
        if char in _INVISIBLE:
            continue
        plain = char if char < "\u2000" else unicodedata.normalize("NFKC", char)
        out.append(plain if len(plain) == 1 else char)
        origins.append(place)
    return "".join(out), tuple(origins)


_SEEN = lazy(r"\S")


def blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with blanks in the spans; its length and lines stay."""
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if end > done:
            parts += [text[done : max(done, start)], _SEEN.sub(" ", text[max(done, start) : end])]
            done = end
    return "".join([*parts, text[done:]])


# No legitimate attribute list is longer, and a bound keeps the search linear.
_OPEN = lazy(
    r"<([a-z][a-z0-9]{0,11})\s[^<>]{0,300}?(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden|"
    r"font-size\s{0,3}:\s{0,3}[01](?:px|pt|em|%)?\b(?!\.)|"
    r"opacity\s{0,3}:\s{0,3}0(?![.\d])|(?:left|top|text-indent)\s{0,3}:\s{0,3}-\d{3,5}|"
    r"(?<![-\w])color\s{0,3}[:=]\s{0,3}[\"']?(?:white\b|#fff(?:fff)?\b|rgba\([^)<>]{1,20},\s{0,3}0\)|"
    r"transparent\b)|(?<=\s)hidden(?=[\s>]))[^<>]{0,300}>",
    re.IGNORECASE,
)
_BACKGROUND = lazy(r"background(?:-color)?\s{0,3}:\s{0,3}(?!white\b|#fff)", re.IGNORECASE)
_SPOKEN = lazy(
    r"\b(?:alt|title|aria-label)\s{0,2}=\s{0,2}(?:\"([^\"<>]{8,400})\"|'([^'<>]{8,400})')", re.IGNORECASE
)
_MARKDOWN_TITLE = lazy(r"!\[[^\[\]\n]{0,80}\]\([^()\s]{1,200} [\"']([^\"'\n]{8,400})[\"']\)")
_MARKDOWN_COMMENT = lazy(r"(?m)^[ ]{0,3}\[//\]: # [(\"']([^\n]{1,600})$|\[//\]: # \(([^()\n]{1,600})\)")
_TAGS = lazy("[\U000e0020-\U000e007e]{8,4000}")
_REVERSED = lazy("\u202e([^\u202c\u202e\r\n]{4,2000})\u202c?")
_SPACED = lazy(r"(?<!\S)(?:[^\W\d_] {1,4}){9,200}[^\W\d_](?!\S)")
_BLANKS = lazy(r" {2,4}")
#: Characters after an opening mark that is never closed.
_LONGEST_OPEN = 400
#: One-letter words; text with spaced letters has at least this many different ones.
_SINGLE = frozenset(bytes([code]) for code in range(97, 123))
_MOST_SINGLE = 5


class Hidden(NamedTuple):
    """A stretch of a text that a reader does not see as it is meant."""

    start: int
    end: int
    said: str
    kind: str


def hidden_in(text: str, letters: Letters) -> Iterator[Hidden]:
    """The hidden and encoded stretches of a text, in any order, possibly nested."""
    if "<" in text:
        yield from _markup(text, letters.low)
    if "](" in text or "[//]" in text:
        for match in _MARKDOWN_TITLE.finditer(text):
            yield Hidden(*match.span(), match[1], "attribute")
        for match in _MARKDOWN_COMMENT.finditer(text):
            yield Hidden(*match.span(), match[1] or match[2], "comment")
    yield from _between(text, "{% comment %}", "{% endcomment %}", "comment")
    yield from _coded(text, letters)
    if not text.isascii():
        for match in _TAGS.finditer(text):
            # The flags of Scotland, Wales and England are written with tags.
            if text[match.start() - 1 : match.start()] != "\U0001f3f4":
                said = "".join(chr(ord(char) - 0xE0000) for char in match[0])
                yield Hidden(*match.span(), said, "style")
        for match in _REVERSED.finditer(text):
            yield Hidden(*match.span(), match[1][::-1], "hidden")


def _markup(text: str, low: bytes) -> Iterator[Hidden]:
    yield from _between(text, "<!--", "-->", "comment")
    if b"<noscript>" in low:
        yield from _between(lowered(text), "<noscript>", "</noscript>", "comment")
    if b"style=" in low or b"color=" in low or b" hidden" in low:
        lower = lowered(text)
        yield from _hidden_elements(text, lower)
    if b"alt=" in low or b"title=" in low or b"aria-label" in low:
        for match in _SPOKEN.finditer(text):
            group = 1 if match[1] else 2
            yield Hidden(*match.span(group), match[group], "attribute")


def _hidden_elements(text: str, lower: str) -> Iterator[Hidden]:
    """The contents of elements hidden by their style; an unclosed one ends with its line."""
    done = 0
    unclosed: set[str] = set()
    for match in _OPEN.finditer(text):
        start, name, tag = match.end(), match[1].lower(), match[0]
        if start < done or (_BACKGROUND.search(tag) and "display" not in tag):
            continue
        end = -1 if name in unclosed else lower.find(f"</{name}", start)
        if end < 0:
            unclosed.add(name)
            end = _end_of_line(text, start)
        if text[start:end].strip():
            yield Hidden(start, end, text[start:end], "style")
        done = end


def _end_of_line(text: str, start: int) -> int:
    """End of a stretch that is never closed."""
    end = text.find("\n", start, start + _LONGEST_OPEN)
    return min(len(text), start + _LONGEST_OPEN) if end < 0 else end


def _between(text: str, opening: str, closing: str, kind: str) -> Iterator[Hidden]:
    """Stretches between two marks; an unclosed one ends with its line."""
    start = text.find(opening)
    while start >= 0:
        inner = start + len(opening)
        close = text.find(closing, inner)
        if close < 0:
            end = _end_of_line(text, inner)
            yield Hidden(start, end, text[inner:end], kind)
            return
        end = close + len(closing)
        yield Hidden(start, end, text[inner:close], kind)
        start = text.find(opening, end)


def _coded(text: str, letters: Letters) -> Iterator[Hidden]:
    """Words with blanks between the letters."""
    if len(_SINGLE & letters.words) > _MOST_SINGLE:
        for match in _SPACED.finditer(text):
            words = [word.replace(" ", "") for word in _BLANKS.split(match[0])]
            end = text.find(".", match.end(), match.end() + 300)
            end = match.end() if end < 0 else end + 1
            yield Hidden(match.start(), end, " ".join(words) + text[match.end() : end], "hidden")
