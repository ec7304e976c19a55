"""The visible text, plain letters, and texts that differ only in typography as one form with a map back."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import alternation
from pytest_grounding.lexicon import words as listed
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.reading import read_once
from pytest_grounding.reading.grammar import AUXILIARIES, FUNCTION_WORDS
from pytest_grounding.reading.records import Laid, is_in_latin, laid_of

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
_STYLED = plain("characters", "styled")
#: Lines and rings at a digit that do not strike it out.
_RINGS = lazy("(?<=[0-9])[\u0304\u0305\u0331-\u0333\u20dd-\u20df\u20e2]")
_DRESSED = plain("characters", "dressed")
_TEN, _TENS_UP_TO, _MYRIAD, _KEYCAP = 10, frozenset({10, 100, 1000}), 10_000, "\u20e3"
_ROMAN = plain("characters", "roman")
_LABELS = listed("names", "roman_after")
_ROMAN_VALUES = dict(zip("ivxlcdm", (1, 5, 10, 50, 100, 500, 1000), strict=True))
_FOREIGN = lazy("[\u0370-\u052f]")
_WORD = lazy(r"[^\W\d_]+")
_SMALL_CAPITALS = str.maketrans("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz")
# Cyrillic and Greek letters that look like Latin ones (Unicode's confusables, single letters).
LOOK_ALIKE = str.maketrans(
    "асеіјорѕхуԁԛԝһАВСЕНІЈКМОРЅТХУοναΑΒΕΗΙΚΜΝΟΡΤΧΥΖι", "aceijopsxydqwhABCEHIJKMOPSTXYovaABEHIKMNOPTXYZi"
)
#: Characters that look like a blank, and line ends written in other ways.
_BLANKS = str.maketrans(
    dict.fromkeys(
        "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
        " ",
    )
    | dict.fromkeys("\u2028\u2029\x85", "\n")
)
_ANY_BLANK = lazy("[" + "".join(map(chr, _BLANKS)) + "]")
_INLINE = lazy(lambda: rf"</?(?:{alternation('layout', 'inline_tags')})(?:[ ][^<>\n]{{0,300}}+)?>")
_BLOCK = lazy(lambda: rf"<(?:/?(?:{alternation('layout', 'block_tags')})(?:[ ][^<>\n]{{0,300}}+)?|br[ ]?/?)>")
_LINK = lazy(r"(?<!!)\[([^\[\]\n]{1,200})\]\((?:https?://|/|#|mailto:)[^()\s]{0,500}\)")
#: A line that starts something new: an item, a heading, a quotation, a row, code, a tag.
_OWN_LINE = lazy(r"[ ]*(?:[-*+•–·‣▪◦>|#]|\d{1,3}[.)]|\(?[A-Za-z\d]{1,2}[.)]|```|~~~|<)")
_ENDS = frozenset(".!?:;。！？।|")  # the end of a line that is not continued
_AROUND = "\"'“”‘’«»()[]*_"  # signs around words
_BEFORE_MORE = FUNCTION_WORDS | AUXILIARIES  # words that do not end an item of a list
#: Characters of a line: of a narrow column, of a wrapped line, and of any line that continues.
_COLUMN, _LONG_LINE, _SHORT_LINE = 30, 55, 20
_CHANCE = 3  # this many lines of a list may all be full by chance
# Soft hyphens, zero-width and bidi characters; PDF extraction leaves U+0002 where a word was hyphenated.
_NO_WIDTH = lazy(
    "[\u00ad\u0002\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufe00-\ufe0f\ufeff]"
)
_PLAIN_RUN = lazy(r"[!-_a-~]+(?: [!-_a-~]+)*")  # ASCII that folds by lower() alone
_MAX_MARKS = 16
_LINE_HYPHEN = lazy("[\u0002\u00ad][ \t]*(?:\r\n|\r|\n)[ \t]*")
_TABLE = {"…": "...", "⁄": "/", "∕": "/", "•": "*", "·": "*", "×": "x", "ß": "ss"}
_TABLE |= dict.fromkeys("‘’‚‛′‵ʼʹ`´ʻ＇‹›", "'")
_TABLE |= dict.fromkeys("“”„‟″‶«»〝〞＂❝❞「」『』", '"')
_TABLE |= dict.fromkeys("‐‑‒–—―−﹘﹣－⁃➖", "-")

_HIDDEN = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062"
    "\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
)
_SUSPECT = plain("characters", "suspect")
_MIXED = lazy("[A-Za-z][\u0370-\u052f]|[\u0370-\u052f][A-Za-z]")
_LOOK_ALIKE = LOOK_ALIKE | str.maketrans("υӏԍ", "ulg")
_DIGITS = str.maketrans("013457@$", "oieastas")
#: Words of orders, after digits became letters.
_SPELLED = (b"ignore", b"instruct", b"disregard", b"assistant", b"forget")
_LOWER = bytes(range(256)).lower()  # for searches in bytes: ten times as fast as strings that are not ASCII
_BARE = bytes(32 if chr(code) in '.,:;!?"()[]{}<>|*`-_/#\n\t\r' else code for code in _LOWER)
_AS_LETTERS = bytes(ord(chr(code).translate(_DIGITS)) if code < 128 else code for code in _LOWER)
_SIGNS = "“”„«»‘’…—–。，：；！？"
_SEEN = lazy(r"\S")
_OPEN = plain("characters", "hidden_by_style")
_BACKGROUND = lazy(r"background(?:-color)?\s{0,3}:\s{0,3}(?!white\b|#fff)", re.IGNORECASE)
_SPOKEN = lazy(r"\b(?:alt|title|aria-label)\s{0,2}=\s{0,2}(?:\"([^\"<>]{8,400})\"|'([^'<>]{8,400})')", re.I)
_MARKDOWN_TITLE = lazy(r"!\[[^\[\]\n]{0,80}\]\([^()\s]{1,200} [\"']([^\"'\n]{8,400})[\"']\)")
_MARKDOWN_COMMENT = lazy(r"(?m)^[ ]{0,3}\[//\]: # [(\"']([^\n]{1,600})$|\[//\]: # \(([^()\n]{1,600})\)")
_TAGS = lazy("[\U000e0020-\U000e007e]{8,4000}")
_REVERSED = lazy("\u202e([^\u202c\u202e\r\n]{4,2000})\u202c?")
_SPACED = lazy(r"(?<!\S)(?:[^\W\d_] {1,4}){9,200}[^\W\d_](?!\S)")
_BLANK_RUN = lazy(r" {2,4}")
_LONGEST_OPEN = 400  # characters after an opening mark that is never closed
#: One-letter words; text with spaced letters has at least this many different ones.
_SINGLE = frozenset(bytes([code]) for code in range(97, 123))
_MOST_SINGLE = 5


def as_read(text: str) -> str:
    """A stretch of an answer in visible letters."""
    if text.isascii():
        return _ROMAN.sub(_from_roman, text)
    if "\u202e" in text:
        text = _OVERRIDDEN.sub(lambda match: match[1][::-1], text)
    text = _INVISIBLE.sub(lambda match: "" if is_in_latin(match) else match[0], text)
    text = _STYLED.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    text = _ROMAN.sub(_from_roman, _RINGS.sub("", text))
    text = _DRESSED.sub(_undressed, text)
    text = text.translate(_SMALL_CAPITALS)
    return _without_look_alikes(text) if _FOREIGN.search(text) is not None else text


def _undressed(match: re.Match[str]) -> str:
    """A number in plain digits; as it is if one of its signs is more than a digit."""
    values = [int(unicodedata.numeric(sign)) for sign in match[0] if sign != _KEYCAP]
    if max(values) < _TEN:
        return "".join(map(str, values))
    total = last = 0
    for value in values:
        if value < _TEN:
            last = value
        elif value in _TENS_UP_TO:
            total, last = total + (last or 1) * value, 0
        elif value == _MYRIAD:
            total, last = (total + last) * value, 0
        else:
            return match[0]
    return str(total + last)


def _from_roman(match: re.Match[str]) -> str:
    before = match.string[: match.start()].split()[-1]
    if before.casefold() in _LABELS:
        return match[0]
    values = [_ROMAN_VALUES[letter] for letter in match[0].lower()]
    after = [*values[1:], 0]
    return str(sum(-value if value < other else value for value, other in zip(values, after, strict=True)))


def decode_entities(text: str) -> str:
    """The text with its HTML entities decoded."""
    return _ENTITY.sub(_decoded, text) if "&" in text else text


def hide_entities(text: str) -> str:
    """The text with entities as letters, so that their semicolons separate nothing; its length stays."""
    return _ENTITY.sub(lambda match: "x" * len(match[0]), text) if "&" in text else text


def _decoded(match: re.Match[str]) -> str:
    """The character of an entity; a bar stays an entity, because it would end a table cell."""
    import html

    plain = html.unescape(match[0])
    return match[0] if plain == "|" else plain


def _without_look_alikes(text: str) -> str:
    """The text in Latin letters, if a word mixes them with look-alikes."""
    words = [match[0] for match in _WORD.finditer(text)]
    latin = {word: word.translate(LOOK_ALIKE) for word in words if not word.isascii()}
    disguised = {word for word, plain in latin.items() if plain != word and plain.isascii()}
    if not any(map(str.isascii, "".join(disguised))):
        return text  # whole words of another script stay
    return _WORD.sub(lambda match: latin[match[0]] if match[0] in disguised else match[0], text)


class Page(NamedTuple):
    """A text prepared for comparison with claims, and the way back to the original."""

    text: str  # the text for comparison: records as sentences, wrapped lines joined, markup blank
    own: str  # the original
    laid: Laid | None = None  # the map between both; None if they have equal length

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original for a stretch of the text for comparison."""
        return (start, end) if self.laid is None else self.laid.span(start, end)


@read_once
def page_of(text: str) -> Page:
    """A text prepared for comparison."""
    laid = laid_of(text)
    return Page(as_laid_out(text if laid is None else laid.text), text, laid)


def as_laid_out(text: str) -> str:
    """The text as a page shows it, at equal length."""
    if "<" in text:
        text = _INLINE.sub(lambda found: " " * len(found[0]), text)
        text = _BLOCK.sub(lambda found: "\n" + " " * (len(found[0]) - 1), text)
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


@read_once
def fingerprint(text: str) -> str:
    """A hash of the words of a text: 16 hex digits, independent of case, blanks, quotes and dashes."""
    return hashlib.sha256(fold(text).text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


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
        plain = _NO_WIDTH.sub("", plain)
        plain = "".join(_TABLE.get(char, char) for char in plain)
        plain = unicodedata.normalize("NFKC", plain).casefold()
    plain = unicodedata.normalize("NFKC", plain)
    return " ".join(plain.split()) if any(char.isspace() for char in plain) else plain


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
        lowered = text.encode("utf-8", "surrogatepass").translate(_LOWER)
        return Letters(text, origins, lowered, _contracted(words))
    spelled = raw.translate(_AS_LETTERS)
    low = raw.translate(_LOWER)
    if any(word in spelled and spelled.count(word) > low.count(word) for word in _SPELLED):
        text, raw, low = text.translate(_DIGITS), text.translate(_DIGITS).encode(), spelled
    return Letters(text, None, low, _contracted(raw.translate(_BARE).split()))


def _contracted(words: list[bytes]) -> frozenset[bytes]:
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
        if char in _HIDDEN:
            continue
        plain = char if char < "\u2000" else unicodedata.normalize("NFKC", char)
        out.append(plain if len(plain) == 1 else char)
        origins.append(place)
    return "".join(out), tuple(origins)


def blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with blanks in the spans; its length and lines stay."""
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if end > done:
            parts += [text[done : max(done, start)], _SEEN.sub(" ", text[max(done, start) : end])]
            done = end
    return "".join([*parts, text[done:]])


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
    yield from _marked_between(text, "{% comment %}", "{% endcomment %}")
    if len(_SINGLE & letters.words) > _MOST_SINGLE:
        # Words with blanks between the letters.
        for match in _SPACED.finditer(text):
            words = [word.replace(" ", "") for word in _BLANK_RUN.split(match[0])]
            end = text.find(".", match.end(), match.end() + 300)
            end = match.end() if end < 0 else end + 1
            yield Hidden(match.start(), end, " ".join(words) + text[match.end() : end], "hidden")
    if not text.isascii():
        for match in _TAGS.finditer(text):
            # The flags of Scotland, Wales and England are written with tags.
            if text[match.start() - 1 : match.start()] != "\U0001f3f4":
                said = "".join(chr(ord(char) - 0xE0000) for char in match[0])
                yield Hidden(*match.span(), said, "style")
        for match in _REVERSED.finditer(text):
            yield Hidden(*match.span(), match[1][::-1], "hidden")


def _markup(text: str, low: bytes) -> Iterator[Hidden]:
    yield from _marked_between(text, "<!--", "-->")
    if b"<noscript>" in low:
        yield from _marked_between(lowered(text), "<noscript>", "</noscript>")
    if b"style=" in low or b"color=" in low or b" hidden" in low:
        yield from _hidden_elements(text, lowered(text))
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
    end = text.find("\n", start, start + _LONGEST_OPEN)
    return min(len(text), start + _LONGEST_OPEN) if end < 0 else end


def _marked_between(text: str, opening: str, closing: str) -> Iterator[Hidden]:
    """Stretches between two marks; an unclosed one ends with its line."""
    start = text.find(opening)
    while start >= 0:
        inner = start + len(opening)
        close = text.find(closing, inner)
        if close < 0:
            end = _end_of_line(text, inner)
            yield Hidden(start, end, text[inner:end], "comment")
            return
        end = close + len(closing)
        yield Hidden(start, end, text[inner:close], "comment")
        start = text.find(opening, end)
