"""The letters that a reader sees: entities decoded, nothing invisible, look-alikes as what they look like."""

from __future__ import annotations

import re
import unicodedata

from pytest_grounding._io.lazy_patterns import lazy

# A semicolon is asked for, so that "R&D" and the parameters of an address stay. No number is longer than any
# character's: `html.unescape` fails where there are thousands of digits.
_ENTITY = lazy(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# As in `normalize`, with the fillers of Hangul and the tags, which are seen as nothing too.
_INVISIBLE = lazy(
    "[\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e007f]+"
)
# What stands behind an override is shown from right to left up to the end of the override or of the line.
_OVERRIDDEN = lazy("\u202e([^\u202c\u202e\r\n]*)\u202c?")
# Letters and digits in another style; a superscript is none of them, because 10³ is not 103.
_STYLED = lazy("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff]+")
_FOREIGN = lazy("[\u0370-\u052f]")
_WORD = lazy(r"[^\W\d_]+")
_LATIN_END = "\u024f"
_SMALL_CAPITALS = str.maketrans("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz")
# Letters of Cyrillic and Greek that no reader tells from Latin ones (Unicode's confusables, single letters).
LOOK_ALIKE = str.maketrans(
    "асеіјорѕхуԁԛԝһАВСЕНІЈКМОРЅТХУοναΑΒΕΗΙΚΜΝΟΡΤΧΥΖι",
    "aceijopsxydqwhABCEHIJKMOPSTXYovaABEHIKMNOPTXYZi",
)


def as_read(text: str) -> str:
    """A stretch of an answer in the letters that a reader sees."""
    if text.isascii():
        return text
    if "\u202e" in text:
        text = _OVERRIDDEN.sub(lambda match: match[1][::-1], text)
    text = _INVISIBLE.sub(_kept_invisible, text)
    text = _STYLED.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    text = text.translate(_SMALL_CAPITALS)
    if _FOREIGN.search(text) is not None:
        text = _without_look_alikes(text)
    return text


def decode_entities(text: str) -> str:
    """The text with the characters that its HTML entities stand for."""
    return _ENTITY.sub(_decoded, text) if "&" in text else text


def hide_entities(text: str) -> str:
    """The text with entities as letters, so that their semicolons part nothing; its length stays."""
    return _ENTITY.sub(lambda match: "x" * len(match[0]), text) if "&" in text else text


def _decoded(match: re.Match[str]) -> str:
    """The character of an entity; a bar stays an entity, because it would end a table's cell."""
    # Deferred for cost: most texts hold no entity.
    import html

    plain = html.unescape(match[0])
    return match[0] if plain == "|" else plain


def _kept_invisible(match: re.Match[str]) -> str:
    """Nothing where a run touches a Latin letter or a sign; else itself, as joiners spell Persian words."""
    text = match.string
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return "" if before <= _LATIN_END or (after and after <= _LATIN_END) else match[0]


def _without_look_alikes(text: str) -> str:
    """The text in Latin letters, where one of its words mixes them with look-alikes."""
    words = [match[0] for match in _WORD.finditer(text)]
    latin = {word: word.translate(LOOK_ALIKE) for word in words if not word.isascii()}
    disguised = {word for word, plain in latin.items() if plain != word and plain.isascii()}
    if not any(any(char.isascii() for char in word) for word in disguised):
        return text  # whole words of another script are what they are
    return _WORD.sub(lambda match: latin[match[0]] if match[0] in disguised else match[0], text)
