"""Rewrite structured text as one plain sentence per record, with a map back to the original."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.reading import masks_of, read_once, structured
from pytest_grounding.reading.grids import Part, is_blank
from pytest_grounding.reading.html_tables import html_grid

__all__ = ["Cell", "Laid", "Record", "laid_of", "records_of"]
Piece = tuple[int, int, int, bool]  # start in the new text, original stretch, equally long or not
_ENTITY = lazy(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_OPENING = lazy(r"<(?:!--|(script|style|template)\b[^<>]{0,300}>)", re.I)
_HIDDEN = plain("characters", "hidden_element")
_UNSEEN = lazy(
    "[\u00ad\u0002][ \t]*\r?\n[ \t]*(?=[^\\W\\d_])|[\u00ad\u034f\u061c\u180e\u200b-\u200f"
    "\u202a-\u202d\u2060-\u2064\u2066-\u206f\u115f\u1160\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e007f]+"
)
_HYPHEN = lazy(r"(?<![\w-])([^\W\d_]+)([-\u2010]\r?\n[ \t]*)(?=[a-zß-ÿ])")
_HYPHEN_SIGN = lazy("[\u2010\u2011\u2043\ufe63]")
_SUPERSCRIPT = plain("characters", "superscript")
_RAISED = str.maketrans("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
_FORMS = lazy("[\ufb00-\ufb06\uff01-\uff5e]+")
_SPACED = lazy(r"^[ \t]*[A-Z](?:[ ]{1,3}[A-Z]){2,40}[ \t]*$", re.M)
_PAGE = plain("text_form", "page_line")
_LAST_PAGE = lazy(r"\n[ \t]*\d{1,4}[ \t]?(?:/|of)[ \t]?\d{1,4}\s*\Z")
_WIDE = lazy(r"[ ]{2,3}")
Change = tuple[int, int, str]  # start and end of a change, and the visible text there
_TABLE = lazy(r"<table\b", 2)
_RULE = lazy(r"(?:-{3,}|={3,}|\*{3,}|```\w*)?")
_SCALED = lazy(r"\bin (thousand|million|billion)s? of (dollars|euros|pounds|francs):", 2)
_FIGURE = lazy(r"(?<![\w.,])\d[\d.,]*\d(?![\w%])|(?<![\w.,])\d(?![\w.,%])")
_WHOLE = lazy(r"\d{1,9}$")
_NOTHING = frozenset({"[]", "{}", "null"})
_MOST_TRIES = 5  # attempts for texts that start with a bracket; a broken one may have thousands
_DECODER = json.JSONDecoder()
Block = tuple[int, int, list[list[structured.Row]]]  # a structured stretch, and its tables of rows
Found = tuple[int, list[list[structured.Row]], int] | None  # line after it, tables, end


class Cell(NamedTuple):
    """A value of a record: its label, and its span in the rewritten text."""

    label: str
    start: int
    end: int


class Record(NamedTuple):
    """A row, card or object: index of its table, its sentence in the rewritten text, its values."""

    table: int
    start: int
    end: int
    cells: tuple[Cell, ...]


class Laid(NamedTuple):
    """A rewritten text."""

    text: str  # the rewritten text
    pieces: tuple[Piece, ...]  # its stretches in order
    length: int  # of the original
    records: tuple[Record, ...] = ()  # the rows, cards or objects of the original

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original for a stretch of the rewritten text."""
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
        """Add words that are not in the original, standing for a stretch of it."""
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

    def record(self, table: int, start: int, cells: list[Cell]) -> None:
        """Record everything added since an offset as a record."""
        self._records.append(Record(table, start, self.length, tuple(cells)))

    def done(self) -> Laid:
        """The rewritten text."""
        return Laid("".join(self._out), tuple(self._pieces), len(self.text), tuple(self._records))

    def _add(self, text: str, low: int, high: int, *, is_exact: bool) -> None:
        self._pieces.append((self.length, low, high, is_exact))
        self._out.append(text)
        self.length += len(text)


def changes_of(text: str, start: int, end: int) -> list[Change]:
    """Stretches that a reader sees differently from how they are written, in order."""
    found: list[Change] = []
    part = text[start:end]
    if "<" in part:
        found += _unshown(text, start, end)
        found += _changed(
            _SUPERSCRIPT.finditer(text, start, end), lambda raised: raised[5:-6].translate(_RAISED)
        )
    if "&" in part:
        found += _changed(_ENTITY.finditer(text, start, end), _decoded)
    if "-\n" in part or "-\r" in part or "\u2010" in part:
        for match in _HYPHEN.finditer(text, start, end):
            kept = "-" if match[1].lower() in words("layout", "kept_hyphens") else ""
            found.append((*match.span(2), kept))
    if not part.isascii() or "\u0002" in part:
        found += [(*match.span(), "") for match in _UNSEEN.finditer(text, start, end) if is_in_latin(match)]
        found += [(*match.span(), "-") for match in _HYPHEN_SIGN.finditer(text, start, end)]
        found += _changed(_FORMS.finditer(text, start, end), lambda form: unicodedata.normalize("NFKC", form))
    if "\n" in part or start:
        found += _changed(_SPACED.finditer(text, start, end), _closed_up)
    if "age " in part or "AGE " in part or "\n" in part:
        found += [(*match.span(), "") for match in _PAGE.finditer(text, start, end)]
        found += [(*match.span(), "") for match in _LAST_PAGE.finditer(text, start, end)]
    return sorted(found, key=lambda change: (change[0], -change[1]))


def _unshown(text: str, start: int, end: int) -> list[Change]:
    """Comments, scripts and hidden elements, outside of displayed code."""
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
    changes: list[Change] = []
    for first, after in spans:
        if not any(span.start <= first < span.end for span in code):
            changes.append((first, after, ""))
    return changes


def _changed(matches: Iterable[re.Match[str]], make: Callable[[str], str]) -> list[Change]:
    return [(*match.span(), make(match[0])) for match in matches]


def _decoded(entity: str) -> str:
    plain = html.unescape(entity)
    if plain in ("<", ">", "|"):
        return entity
    if plain == "\u00ad":
        return ""
    if plain in "\u2010\u2011":
        return "-"
    return " " if plain.isspace() or plain == "\u200b" else plain


def is_in_latin(match: re.Match[str]) -> bool:
    """Whether an invisible character is next to a Latin letter or a sign: Persian words contain joiners."""
    text = match.string
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return before <= "\u024f" or (bool(after) and after <= "\u024f")


def _closed_up(heading: str) -> str:
    return " ".join(word.replace(" ", "").capitalize() for word in _WIDE.split(heading.strip()))


def records_of(text: str) -> Laid | None:
    """The text with each record as a sentence; None without a record."""
    laid = laid_of(text)
    return laid if laid is not None and laid.records else None


@read_once
def laid_of(text: str) -> Laid | None:
    """The text for comparison: records as sentences, letters as a reader sees them; None if unchanged."""
    blocks = _blocks(text)
    scaled = _SCALED.search(text)
    if not blocks and scaled is None and not changes_of(text, 0, len(text)):
        return None
    writer = Writer(text)
    place = number = 0
    for start, end, tables in blocks:
        _prose(writer, place, start)
        for table in tables:
            _write_table(writer, table, number)
            number += 1
        place = end
    _prose(writer, place, len(text))
    return writer.done()


def _prose(writer: Writer, start: int, end: int) -> None:
    """Copy text outside of records; numbers after "in thousands of dollars:" get their scale."""
    scaled = _SCALED.search(writer.text, start, end)
    if scaled is None:
        writer.copy(start, end)
        return
    stop = writer.text.find("\n", scaled.end(), end)
    stop = end if stop < 0 else stop
    writer.copy(start, scaled.end())
    place = scaled.end()
    for figure in _FIGURE.finditer(writer.text, scaled.end(), stop):
        writer.copy(place, figure.end())
        writer.put(f" {scaled[1].lower()} {scaled[2].lower()}", figure.end())
        place = figure.end()
    writer.copy(place, end)


def _blocks(text: str) -> list[Block]:
    if not any(sign in text for sign in "|{[<\t;:,=–-") and "  " not in text:
        return []
    may_be_xml = text.lstrip()[:1] == "<" and "<table" not in text
    xml = structured.xml_tree(text, 0, len(text)) if may_be_xml else None
    tree = xml or (structured.json_tree(text, 0, len(text)) if text.lstrip()[:1] in ("{", "[") else None)
    if tree is not None:
        tables = structured.rows_of_tree(tree)
        return [(0, len(text), tables)] if tables else []
    lines = _lines_of(text)
    found: list[Block] = []
    at = tries = 0
    while at < len(lines):
        start, end = lines[at]
        block: Found = None
        first = text[start:end].lstrip()[:1]
        if first in ("{", "[") and tries < _MOST_TRIES:
            tries += 1
            block = _json_block(text, lines, at)
        if block is None and first == "<" and _TABLE.match(text, start + text[start:end].index("<")):
            block = _html_block(text, lines, at)
        if block is None and first:
            block = _lines_block(text, lines, at)
        if block is None:
            at += 1
            continue
        at, tables, stop = block
        if tables:
            found.append((start, stop, tables))
    return found


def _lines_of(text: str) -> list[tuple[int, int]]:
    spans, start = [], 0
    for line in text.split("\n"):
        spans.append((start, start + len(line.removesuffix("\r"))))
        start += len(line) + 1
    return spans


def _json_block(text: str, lines: Sequence[tuple[int, int]], at: int) -> Found:
    start = lines[at][0] + text[slice(*lines[at])].index(text[slice(*lines[at])].lstrip()[0])
    try:
        _, stop = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    tree = structured.json_tree(text, start, stop)
    tables = structured.rows_of_tree(tree) if tree is not None else []
    return (bisect_left(lines, (stop, stop)), tables, stop) if tables else None


def _html_block(text: str, lines: Sequence[tuple[int, int]], at: int) -> Found:
    start = lines[at][0]
    stop = text.lower().find("</table", start)
    stop = len(text) if stop < 0 else text.find(">", stop) + 1 or len(text)
    grid = html_grid(text, start, stop)
    if len(grid) < 2 or len(grid[0]) < 2:
        return None
    return max(at + 1, bisect_left(lines, (stop, stop))), [structured.rows_of_grid(grid, start, stop)], stop


def _lines_block(text: str, lines: Sequence[tuple[int, int]], at: int) -> Found:
    said = text[slice(*lines[at])]
    readers = []
    if "|" in said:
        readers = [structured.bars]
    elif at + 1 < len(lines):
        readers = [structured.delimited] if any(sign in said for sign in "\t;,") else []
        readers += [structured.fixed] if "  " in said else []
    for reader in readers:
        found = reader(text, lines, at)
        if found is not None:
            after, grid = found
            start, stop = lines[at][0], lines[after - 1][1]
            return after, [structured.rows_of_grid(grid, start, stop)], stop
    if "|" in said:
        # Otherwise rows of something that is not a table would be tried again at each line.
        after = at
        while after < len(lines) and "|" in text[slice(*lines[after])]:
            after += 1
        return after, [], lines[at][0]
    return _cards(text, lines, at)


def _cards(text: str, lines: Sequence[tuple[int, int]], at: int) -> Found:
    """Keys with values, one a line, with blank lines and rules between the records."""
    found: list[structured.Line] = []
    last = at
    for place in range(at, len(lines)):
        line = structured.read_line(text, *lines[place])
        if line is not None:
            found.append(line)
            last = place + 1
        elif not found or not _RULE.fullmatch(text[slice(*lines[place])].strip()):
            break
    if not found:
        return None
    tree = structured.lines_tree(found)
    tables = structured.rows_of_tree(tree) if tree is not None else []
    # Already read as a whole, not again line by line.
    return last, tables, lines[last - 1][1] if tables else lines[at][0]


def _write_table(writer: Writer, rows: Sequence[structured.Row], number: int) -> None:
    if not rows:
        return
    ids = _id_labels(rows)
    is_single = len(rows) == 1
    for row in rows:
        held = ((label, part) for label, part in row.cells if part.end > part.start)
        cells = [(label, part) for label, part in held if not is_blank(part.text)]
        own = sorted((pair for pair in cells if pair[0] not in ids), key=_is_empty_cell)
        if not own:
            own, ids = cells, frozenset()
        if not own:
            continue
        name = None if is_single and not _is_name(own[0][0]) else own[0]
        rest = own[1:] if name is not None else own
        _write(writer, row, number, name, rest, [pair for pair in cells if pair[0] in ids])


def _is_empty_cell(cell: tuple[str, Part]) -> bool:
    """Whether a cell says that there is nothing, and so names no record."""
    return cell[1].text in _NOTHING


def _is_name(label: str) -> bool:
    return label.lower() in words("layout", "name_labels")


def _write(
    writer: Writer,
    row: structured.Row,
    number: int,
    name: tuple[str, Part] | None,
    rest: Sequence[tuple[str, Part]],
    ids: Sequence[tuple[str, Part]],
) -> None:
    cells: list[Cell] = []
    joint = " " if name is not None else ": "
    writer.put("" if not writer._out or writer._out[-1].endswith("\n") else "\n", row.start)
    start = writer.length
    if name is not None:
        label = structured.head_of(name[0]).label
        shown = "" if _is_name(label) else f"{label[:1].upper()}{label[1:]} "
        writer.put(shown, row.start)
        cells.append(_written_cell(writer, label, name[1], ""))
        writer.put(": " if rest or ids else "", name[1].end)
    for place, (head, part) in enumerate([*rest, *ids]):
        label, unit = structured.head_of(head)
        if place:
            writer.put("; ", part.start)
        is_kept = label[1:2].isupper() or (not place and name is None)
        shown = label if is_kept else label[:1].lower() + label[1:]
        writer.put(f"{shown}{joint}" if shown else "", part.start if place else row.start)
        cells.append(_written_cell(writer, label, part, structured.with_unit(part.text, unit)))
    writer.put(".", row.end)
    writer.record(number, start, cells)
    writer.put("\n", row.end)


def _written_cell(writer: Writer, label: str, part: Part, unit: str) -> Cell:
    start = writer.length
    writer.copy(part.start, part.end)
    writer.put(unit, part.end)
    return Cell(label, start, writer.length)


def _id_labels(rows: Sequence[structured.Row]) -> frozenset[str]:
    """Labels of columns that only number the records, if another column may name them."""
    known = words("layout", "id_labels")
    labels = {label for label, _ in rows[0].cells}
    # The last word decides: "user id".
    found = {
        one
        for one in labels
        if len(labels) > 1 and structured.head_of(one).label.lower().split(" ")[-1] in known
    }
    if len(rows) > 2 and rows[0].cells:
        values = [row.cells[0][1].text for row in rows if row.cells]
        if all(map(_WHOLE.match, values)):
            counted = list(map(int, values))
            if counted[0] in (0, 1) and counted == list(range(counted[0], counted[0] + len(counted))):
                found.add(rows[0].cells[0][0])
    return frozenset(found)
