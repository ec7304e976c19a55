"""A text in plain letters, with a map back: invisible characters out, look-alikes and digits as letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_grounding._patterns import lazy
from pytest_grounding.text.asread import LOOK_ALIKE

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
#: Words of orders, as they stand once digits are letters.
_SPELLED = (b"ignore", b"instruct", b"disregard", b"assistant", b"forget")

# Texts are looked through as bytes: ten times as fast as letters where they are not all ASCII.
_LOWER = bytes(range(256)).lower()
_BARE = bytes(32 if chr(code) in '.,:;!?"()[]{}<>|*`-_/#\n\t\r' else code for code in _LOWER)
_AS_LETTERS = bytes(ord(chr(code).translate(_DIGITS)) if code < 128 else code for code in _LOWER)
_SIGNS = "“”„«»‘’…—–。，：；！？"
# One class of characters for whatever `_SUSPECT` or `_MIXED` matches: looked for before both.
_STRANGE = lazy(
    "[\u00ad\u034f-\u052f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\uff01-\uff5e"
    "\U0001d400-\U0001d7ff]"
)


@dataclass(frozen=True, slots=True)
class Letters:
    """A text as it is looked through."""

    text: str
    origins: tuple[int, ...] | None
    low: bytes
    words: frozenset[bytes]


def letters_in(text: str) -> Letters:
    """A text made ready to be looked through."""
    raw = text.encode("utf-8", "surrogatepass")
    origins = None
    if len(raw) > len(text):
        if _STRANGE.search(text) is not None:
            text, origins = _plain(text)
        # Latin letters with accents rarely stand first; Cyrillic ones always differ by case.
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
    """The words, and the parts of those with an apostrophe."""
    joined = b" ".join(words)
    if b"'" not in joined:
        return frozenset(words)
    return frozenset(words).union(joined.replace(b"'", b" ").split())


def words_of(phrase: str) -> list[bytes]:
    """The words of a phrase as `Letters` holds them."""
    return phrase.encode().translate(_BARE).split()


def lowered(text: str) -> str:
    """The text in lower case, of the same length."""
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
    """The text with blanks for what stands in the spans: its length and its lines stay."""
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if end > done:
            parts += [text[done : max(done, start)], _SEEN.sub(" ", text[max(done, start) : end])]
            done = end
    return "".join([*parts, text[done:]])
