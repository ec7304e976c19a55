"""The visible text: entities decoded, invisible characters removed, lines and hyphenation joined."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import words
from pytest_grounding.reading import Reading, reading_of
from pytest_grounding.reading.grammar import AUXILIARIES, FUNCTION_WORDS
from pytest_grounding.reading.records import Laid, laid_of

# The semicolon is required, so that "R&D" and the parameters of an address stay. The number is bounded:
# `html.unescape` fails with thousands of digits.
_ENTITY = lazy(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# As in `normalize`, with the Hangul fillers and the tag characters, which are invisible too.
_INVISIBLE = lazy(
    "[\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e007f]+"
)
# Text after an override is shown from right to left up to the end of the override or of the line.
_OVERRIDDEN = lazy("\u202e([^\u202c\u202e\r\n]*)\u202c?")
# Letters and digits in another style; not superscripts, because 10³ is not 103.
_STYLED = lazy("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff]+")
_FOREIGN = lazy("[\u0370-\u052f]")
_WORD = lazy(r"[^\W\d_]+")
_LATIN_END = "\u024f"
_SMALL_CAPITALS = str.maketrans("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz")
# Cyrillic and Greek letters that look like Latin ones (Unicode's confusables, single letters).
LOOK_ALIKE = str.maketrans(
    "асеіјорѕхуԁԛԝһАВСЕНІЈКМОРЅТХУοναΑΒΕΗΙΚΜΝΟΡΤΧΥΖι",
    "aceijopsxydqwhABCEHIJKMOPSTXYovaABEHIKMNOPTXYZi",
)


def as_read(text: str) -> str:
    """A stretch of an answer in visible letters."""
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
    """The text with its HTML entities decoded."""
    return _ENTITY.sub(_decoded, text) if "&" in text else text


def hide_entities(text: str) -> str:
    """The text with entities as letters, so that their semicolons separate nothing; its length stays."""
    return _ENTITY.sub(lambda match: "x" * len(match[0]), text) if "&" in text else text


def _decoded(match: re.Match[str]) -> str:
    """The character of an entity; a bar stays an entity, because it would end a table cell."""
    # Imported here for cost: most texts have no entity.
    import html

    plain = html.unescape(match[0])
    return match[0] if plain == "|" else plain


def _kept_invisible(match: re.Match[str]) -> str:
    """Drop a run next to a Latin letter or a sign; keep it elsewhere, as Persian words contain joiners."""
    text = match.string
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return "" if before <= _LATIN_END or (after and after <= _LATIN_END) else match[0]


def _without_look_alikes(text: str) -> str:
    """The text in Latin letters, if a word mixes them with look-alikes."""
    words = [match[0] for match in _WORD.finditer(text)]
    latin = {word: word.translate(LOOK_ALIKE) for word in words if not word.isascii()}
    disguised = {word for word, plain in latin.items() if plain != word and plain.isascii()}
    if not any(any(char.isascii() for char in word) for word in disguised):
        return text  # whole words of another script stay
    return _WORD.sub(lambda match: latin[match[0]] if match[0] in disguised else match[0], text)


#: Characters that look like a blank, and line ends written in other ways.
_BLANKS = str.maketrans(
    dict.fromkeys(
        "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
        " ",
    )
    | dict.fromkeys("\u2028\u2029\x85", "\n")
)
_ANY_BLANK = lazy("[" + "".join(map(chr, _BLANKS)) + "]")
_INLINE = lazy(
    lambda: rf"</?(?:{'|'.join(sorted(words('layout', 'inline_tags')))})(?:[ ][^<>\n]{{0,300}}+)?>"
)
_BLOCK = lazy(
    lambda: (
        rf"<(?:/?(?:{'|'.join(sorted(words('layout', 'block_tags')))})(?:[ ][^<>\n]{{0,300}}+)?|br[ ]?/?)>"
    )
)
_LINK = lazy(r"(?<!!)\[([^\[\]\n]{1,200})\]\((?:https?://|/|#|mailto:)[^()\s]{0,500}\)")
#: A line that starts something new: an item, a heading, a quotation, a row, code, a tag.
_OWN_LINE = lazy(r"[ ]*(?:[-*+•–·‣▪◦>|#]|\d{1,3}[.)]|\(?[A-Za-z\d]{1,2}[.)]|```|~~~|<)")
#: The end of a line that is not continued.
_ENDS = frozenset(".!?:;。！？।|")
#: Signs around words.
_AROUND = "\"'“”‘’«»()[]*_"
#: Words that do not end an item of a list.
_BEFORE_MORE = FUNCTION_WORDS | AUXILIARIES
#: Characters of a line: of a narrow column, of a wrapped line, and of any line that continues.
_COLUMN, _LONG_LINE, _SHORT_LINE = 30, 55, 20
#: This many lines of a list may all be full by chance.
_CHANCE = 3


class Page(NamedTuple):
    """A text prepared for comparison with claims, and the way back to the original."""

    text: str  # the text for comparison: records as sentences, wrapped lines joined, markup blank
    own: str  # the original
    laid: Laid | None = None  # the map between both; None if they have equal length

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original for a stretch of the text for comparison."""
        return (start, end) if self.laid is None else self.laid.span(start, end)


def page_of(text: str) -> Page:
    """A text prepared for comparison."""
    return reading_of(text).part(_page)


def _page(reading: Reading) -> Page:
    laid = laid_of(reading.text)
    return Page(as_laid_out(reading.text if laid is None else laid.text), reading.text, laid)


def as_laid_out(text: str) -> str:
    """The text as a page shows it, at equal length."""
    if "<" in text:
        text = _BLOCK.sub(
            lambda found: "\n" + " " * (len(found[0]) - 1),
            _INLINE.sub(lambda found: " " * len(found[0]), text),
        )
    if "](" in text:
        text = _LINK.sub(lambda found: f" {found[1]}".ljust(len(found[0])), text)
    return unwrapped(text)


def unwrapped(text: str) -> str:
    """The text with plain blanks only, also in place of line breaks inside a sentence."""
    if not text.isascii() and _ANY_BLANK.search(text) is not None:
        text = text.translate(_BLANKS)
    return _joined(text) if "\n" in text else text


@lru_cache(maxsize=256)
def _joined(text: str) -> str:
    lines = text.split("\n")
    pieces: list[str] = []
    for paragraph in _paragraphs(lines):
        shape = _Shape(paragraph)
        pieces.append(paragraph[0])
        for before, line in pairwise(paragraph):
            pieces.append((" " if shape.goes_on(before.rstrip(), line.strip()) else "\n") + line)
        pieces.append("\n")
    return "".join(pieces[:-1])


def _paragraphs(lines: list[str]) -> list[list[str]]:
    """Group the lines: an empty line is separate, an item or heading starts a group."""
    groups: list[list[str]] = []
    is_open = False
    for line in lines:
        is_empty = not line.strip()
        if not is_open or is_empty or _OWN_LINE.match(line) is not None:
            groups.append([line])
        else:
            groups[-1].append(line)
        is_open = not is_empty and not line.lstrip().startswith(("#", "|"))
    return groups


class _Shape:
    """Whether the lines of a paragraph are wrapped prose or separate items."""

    def __init__(self, paragraph: list[str]) -> None:
        self._width = max(len(line.rstrip()) for line in paragraph)
        self._height = len(paragraph)
        # A line that starts with a small letter continues the one before it; so do lines if each
        # had no room for the first word of the next.
        self._is_cut = any(line.strip()[:1].islower() for line in paragraph[1:]) or (
            self._height > _CHANCE and all(self._is_full(*pair) for pair in pairwise(paragraph))
        )

    def goes_on(self, before: str, line: str) -> bool:
        """Whether a line continues the sentence of the line before it."""
        if before.rstrip(_AROUND)[-1:] in _ENDS:
            return False
        if line[0].islower():
            return max(len(before), len(line)) >= _SHORT_LINE
        if before.endswith(",") or before.rsplit(maxsplit=1)[-1].strip(_AROUND) in _BEFORE_MORE:
            return len(before) >= _SHORT_LINE
        if not self._is_full(before, line):
            return False
        if self._is_cut or (line[0].isdigit() and len(line) < len(before)):
            return len(before) >= _COLUMN
        return len(before) >= _LONG_LINE and (self._height > 2 or len(line) < len(before))

    def _is_full(self, before: str, line: str) -> bool:
        """Whether the line before had no room for the first word of a line."""
        return len(before.rstrip()) + 1 + len(line.split(maxsplit=1)[0]) > self._width
