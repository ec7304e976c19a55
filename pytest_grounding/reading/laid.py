"""A text as it is compared, with the way back: which stretch of the original each stretch came from."""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass

from pytest_grounding._patterns import lazy
from pytest_grounding.lexicon import words
from pytest_grounding.reading.reading import masks_of

#: A stretch of the rewritten text: where it starts, the original stretch, whether both are of one length.
Piece = tuple[int, int, int, bool]


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a record: its label, and where it stands in the rewritten text."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Record:
    """A row, card or object: number of its table, its sentence in the rewritten text, its values."""

    table: int
    start: int
    end: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Laid:
    """A rewritten text.

    Attributes:
        text: the rewritten text.
        pieces: its stretches in order.
        length: of the original.
        records: what the original holds as rows, cards or objects.
    """

    text: str
    pieces: tuple[Piece, ...]
    length: int
    records: tuple[Record, ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original that a stretch of the rewritten text came from."""
        if not self.pieces:
            return min(start, self.length), min(end, self.length)
        first = max(0, bisect_right(self.pieces, (start, self.length + 1)) - 1)
        last = max(first + 1, bisect_right(self.pieces, (max(start, end - 1), self.length + 1)))
        lows, highs = [], []
        for at, low, high, is_exact in self.pieces[first:last]:
            lows.append(low + max(0, start - at) if is_exact else low)
            highs.append(min(high, low + max(0, end - at)) if is_exact else high)
        return min(lows), max(max(highs), min(lows))


class Writer:
    """Builds a `Laid`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._out: list[str] = []
        self._pieces: list[Piece] = []
        self._records: list[Record] = []
        self.length = 0

    def put(self, text: str, low: int, high: int | None = None) -> None:
        """Add words of our own, which stand for an original stretch."""
        if text:
            self._add(text, low, low if high is None else high, is_exact=False)

    def copy(self, start: int, end: int) -> None:
        """Add a stretch of the original as a reader sees it."""
        place = start
        for low, high, shown in changes_of(self.text, start, end):
            if low < place:
                continue
            if low > place:
                self._add(self.text[place:low], place, low, is_exact=True)
            if shown:
                self._add(shown, low, high, is_exact=False)
            place = high
        if end > place:
            self._add(self.text[place:end], place, end, is_exact=True)

    @property
    def ends_line(self) -> bool:
        """Whether what was written last ends a line."""
        return not self._out or self._out[-1].endswith("\n")

    def record(self, table: int, start: int, cells: list[Cell]) -> None:
        """Note that what was written since an offset is a record."""
        self._records.append(Record(table, start, self.length, tuple(cells)))

    def done(self) -> Laid:
        """What was written."""
        return Laid("".join(self._out), tuple(self._pieces), len(self.text), tuple(self._records))

    def _add(self, text: str, low: int, high: int, *, is_exact: bool) -> None:
        self._pieces.append((self.length, low, high, is_exact))
        self._out.append(text)
        self.length += len(text)


_ENTITY = lazy(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_OPENING = lazy(r"<(?:!--|(script|style|template)\b[^<>]{0,300}>)", re.I)
_HIDDEN = lazy(
    r"<([a-z]{1,10})\b[^<>]{0,200}?(?:\shidden(?=[\s>=])|display:\s?none|visibility:\s?hidden)[^<>]{0,200}>"
    r"[^<]{0,5000}</\1\s*>",
    re.I,
)
_UNSEEN = lazy("[\u00ad\u0002][ \t]*\r?\n[ \t]*(?=[^\\W\\d_])|[\u00ad\u200b\u2060\ufeff\u200c\u200d]+")
_HYPHEN = lazy(r"(?<![\w-])([^\W\d_]+)([-\u2010]\r?\n[ \t]*)(?=[a-zß-ÿ])")
_HYPHEN_SIGN = lazy("[\u2010\u2011\u2043\ufe63]")
_FORMS = lazy("[\ufb00-\ufb06\uff01-\uff5e]+")
_SPACED = lazy(r"^[ \t]*[A-Z](?:[ ]{1,3}[A-Z]){2,40}[ \t]*$", re.M)
_PAGE = lazy(
    r"^[ \t]*(?:[^|\n.]{1,60}\|[ \t]*)?[Pp](?:age|AGE)[ \t]+\d{1,4}(?:[ \t]*(?:of|/)[ \t]*\d{1,4})?"
    r"[ \t]*(?:\n|\Z)"
    r"|^[ \t]*[-–—][ \t]?\d{1,4}[ \t]?[-–—][ \t]*(?:\n|\Z)",
    re.M,
)
_LAST_PAGE = lazy(r"\n[ \t]*\d{1,4}[ \t]?(?:/|of)[ \t]?\d{1,4}\s*\Z")
_WIDE = lazy(r"[ ]{2,3}")

#: Where a change starts and ends, and what is seen there.
Change = tuple[int, int, str]


def changes_of(text: str, start: int, end: int) -> list[Change]:
    """What a reader sees otherwise than it is written, in order."""
    found: list[Change] = []
    part = text[start:end]
    if "<" in part:
        found += _unshown(text, start, end)
    if "&" in part:
        found += _changed(_ENTITY, text, start, end, _decoded)
    if "-\n" in part or "-\r" in part or "\u2010" in part:
        for match in _HYPHEN.finditer(text, start, end):
            kept = "-" if match[1].lower() in words("layout", "kept_hyphens") else ""
            found.append((*match.span(2), kept))
    if not part.isascii() or "\u0002" in part:
        found += [(*match.span(), "") for match in _UNSEEN.finditer(text, start, end) if _is_latin(match)]
        found += [(*match.span(), "-") for match in _HYPHEN_SIGN.finditer(text, start, end)]
        found += _changed(_FORMS, text, start, end, lambda found: unicodedata.normalize("NFKC", found))
    if "\n" in part or start:
        found += _changed(_SPACED, text, start, end, _closed_up)
    if "age " in part or "AGE " in part or "\n" in part:
        found += [(*match.span(), "") for match in _PAGE.finditer(text, start, end)]
        found += [(*match.span(), "") for match in _LAST_PAGE.finditer(text, start, end)]
    return sorted(found, key=lambda change: (change[0], -change[1]))


def _unshown(text: str, start: int, end: int) -> list[Change]:
    """Comments, scripts and hidden elements, but for those in code that is shown."""
    spans = [match.span() for match in _HIDDEN.finditer(text, start, end)]
    low = text.lower() if "</" in text else text
    ends: dict[str, int] = {}
    place = start
    for match in _OPENING.finditer(text, start, end):
        closing = f"</{match[1].lower()}" if match[1] else "-->"
        if match.start() < place or ends.get(closing) == -1:
            continue
        at = ends[closing] = low.find(closing, match.end(), end)
        if at >= 0:
            place = (low.find(">", at, end) + 1) or end
            spans.append((match.start(), place))
    code = [span for span in masks_of(text) if span.kind in ("fence", "inline_code")] if spans else []
    return [(low, high, "") for low, high in spans if not any(span.start <= low < span.end for span in code)]


def _changed(pattern: re.Pattern[str], text: str, start: int, end: int, make: object) -> list[Change]:
    assert callable(make)
    return [(*match.span(), str(make(match[0]))) for match in pattern.finditer(text, start, end)]


def _decoded(entity: str) -> str:
    plain = html.unescape(entity)
    if plain in ("<", ">", "|", "&"):
        return entity if plain != "&" else "&"
    if plain == "\u00ad":
        return ""
    return "-" if plain in "\u2010\u2011" else " " if plain.isspace() or plain == "\u200b" else plain


def _is_latin(match: re.Match[str]) -> bool:
    """Whether what is unseen stands beside a Latin letter or a sign: joiners spell Persian words."""
    text = match.string
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return before <= "\u024f" or (bool(after) and after <= "\u024f")


def _closed_up(heading: str) -> str:
    """A letter-spaced heading as words."""
    return " ".join(word.replace(" ", "").capitalize() for word in _WIDE.split(heading.strip()))
