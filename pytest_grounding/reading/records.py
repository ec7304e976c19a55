"""Structured text as one plain sentence for each record, with the way back to the original."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Sequence

from pytest_grounding._patterns import lazy
from pytest_grounding.lexicon import words
from pytest_grounding.reading.laid import Cell, Laid, Record, Writer, changes_of
from pytest_grounding.reading.reading import Reading, reading_of
from pytest_grounding.reading.tables import (
    bars,
    delimited,
    fixed,
    head_of,
    html_grid,
    rows_of_grid,
    with_unit,
)
from pytest_grounding.reading.trees import (
    Line,
    Part,
    Row,
    json_tree,
    lines_tree,
    read_line,
    rows_of_tree,
    xml_tree,
)

__all__ = ["Cell", "Laid", "Record", "laid_of", "records_of"]

_TABLE = lazy(r"<table\b", 2)
_RULE = lazy(r"(?:-{3,}|={3,}|\*{3,}|```\w*)?")
_SCALED = lazy(r"\bin (thousand|million|billion)s? of (dollars|euros|pounds|francs):", 2)
_FIGURE = lazy(r"(?<![\w.,])\d[\d.,]*\d(?![\w%])|(?<![\w.,])\d(?![\w.,%])")
_WHOLE = lazy(r"\d{1,9}$")
#: Texts that begin with a bracket are tried so often; a broken one may hold thousands.
_MOST_TRIES = 5
_DECODER = json.JSONDecoder()

#: Where a structured stretch starts and ends, and its tables of rows.
Block = tuple[int, int, list[list[Row]]]


def laid_of(text: str) -> Laid | None:
    """The text as it is compared: records as sentences, letters as a reader sees them; None if it stays."""
    return reading_of(text).part(_laid)


def records_of(text: str) -> Laid | None:
    """The text with each record as a sentence; None where it holds no record."""
    laid = laid_of(text)
    return laid if laid is not None and laid.records else None


def _laid(reading: Reading) -> Laid | None:
    text = reading.text
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
    """Copy what holds no record; numbers behind "in thousands of dollars:" bear their scale."""
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
    """The structured stretches of a text, in order."""
    if not any(sign in text for sign in "|{[<\t;:,=–-") and "  " not in text:
        return []
    xml = xml_tree(text, 0, len(text)) if text.lstrip()[:1] == "<" and "<table" not in text else None
    tree = xml or (json_tree(text, 0, len(text)) if text.lstrip()[:1] in ("{", "[") else None)
    if tree is not None:
        tables = rows_of_tree(tree)
        return [(0, len(text), tables)] if tables else []
    lines = _lines_of(text)
    found: list[Block] = []
    at = tries = 0
    while at < len(lines):
        start, end = lines[at]
        block: tuple[int, list[list[Row]], int] | None = None
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
    """Where the lines of a text stand, without their ends."""
    spans, start = [], 0
    for line in text.split("\n"):
        spans.append((start, start + len(line.removesuffix("\r"))))
        start += len(line) + 1
    return spans


def _json_block(
    text: str, lines: Sequence[tuple[int, int]], at: int
) -> tuple[int, list[list[Row]], int] | None:
    start = lines[at][0] + text[slice(*lines[at])].index(text[slice(*lines[at])].lstrip()[0])
    try:
        _, stop = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    tree = json_tree(text, start, stop)
    tables = rows_of_tree(tree) if tree is not None else []
    return (bisect_left(lines, (stop, stop)), tables, stop) if tables else None


def _html_block(
    text: str, lines: Sequence[tuple[int, int]], at: int
) -> tuple[int, list[list[Row]], int] | None:
    start = lines[at][0]
    stop = text.lower().find("</table", start)
    stop = len(text) if stop < 0 else text.find(">", stop) + 1 or len(text)
    grid = html_grid(text, start, stop)
    if len(grid) < 2 or len(grid[0]) < 2:
        return None
    return max(at + 1, bisect_left(lines, (stop, stop))), [rows_of_grid(grid, start, stop)], stop


def _lines_block(
    text: str, lines: Sequence[tuple[int, int]], at: int
) -> tuple[int, list[list[Row]], int] | None:
    said = text[slice(*lines[at])]
    readers = []
    if "|" in said:
        readers = [bars]
    elif at + 1 < len(lines):
        readers = [delimited] if any(sign in said for sign in "\t;,") else []
        readers += [fixed] if "  " in said else []
    for reader in readers:
        found = reader(text, lines, at)
        if found is not None:
            after, grid = found
            start, stop = lines[at][0], lines[after - 1][1]
            return after, [rows_of_grid(grid, start, stop)], stop
    if "|" in said:
        # A row of what is no table would be tried again at each of its lines.
        after = at
        while after < len(lines) and "|" in text[slice(*lines[after])]:
            after += 1
        return after, [], lines[at][0]
    return _cards(text, lines, at)


def _cards(text: str, lines: Sequence[tuple[int, int]], at: int) -> tuple[int, list[list[Row]], int] | None:
    """Keys with values, one a line, with blank lines and rules between the records."""
    found: list[Line | None] = []
    place = last = at
    while place < len(lines):
        line = read_line(text, *lines[place])
        if line is None and not (found and _RULE.fullmatch(text[slice(*lines[place])].strip())):
            break
        found.append(line)
        place += 1
        last = place if line is not None else last
    found = found[: last - at]
    if not found:
        return None
    tree = lines_tree(found)
    tables = rows_of_tree(tree) if tree is not None else []
    # What was read once is not read again, line by line.
    return last, tables, lines[last - 1][1] if tables else lines[at][0]


def _write_table(writer: Writer, rows: Sequence[Row], number: int) -> None:
    ids = _id_labels(rows)
    is_single = len(rows) == 1
    for row in rows:
        cells = [(label, part) for label, part in row.cells if part.text.strip() and part.end > part.start]
        own = [pair for pair in cells if pair[0] not in ids]
        if not own:
            own, ids = cells, frozenset()
        if not own:
            continue
        name = None if is_single and not _is_name(own[0][0]) else own[0]
        rest = own[1:] if name is not None else own
        _write(writer, row, number, name, rest, [pair for pair in cells if pair[0] in ids])


def _is_name(label: str) -> bool:
    return label.lower() in words("layout", "name_labels")


def _write(
    writer: Writer,
    row: Row,
    number: int,
    name: tuple[str, Part] | None,
    rest: Sequence[tuple[str, Part]],
    ids: Sequence[tuple[str, Part]],
) -> None:
    start = writer.length
    cells: list[Cell] = []
    writer.put("" if writer.ends_line else "\n", row.start)
    start = writer.length
    if name is not None:
        label = head_of(name[0]).label
        shown = "" if _is_name(label) else f"{label[:1].upper()}{label[1:]} "
        writer.put(shown, row.start)
        cells.append(_cell(writer, label, name[1], ""))
        writer.put(": " if rest or ids else "", name[1].end)
    for place, (head, part) in enumerate([*rest, *ids]):
        label, unit = head_of(head)
        if place:
            writer.put("; ", part.start)
        shown = (
            label if label[1:2].isupper() or (not place and name is None) else label[:1].lower() + label[1:]
        )
        writer.put(
            f"{shown}{' ' if name is not None else ': '}" if shown else "",
            row.start if not place else part.start,
        )
        cells.append(_cell(writer, label, part, with_unit(part.text, unit)))
    writer.put(".", row.end)
    writer.record(number, start, cells)
    writer.put("\n", row.end)


def _cell(writer: Writer, label: str, part: Part, unit: str) -> Cell:
    start = writer.length
    writer.copy(part.start, part.end)
    writer.put(unit, part.end)
    return Cell(label, start, writer.length)


def _id_labels(rows: Sequence[Row]) -> frozenset[str]:
    """Labels of the columns that only count or tell records apart, where another column may name them."""
    known = words("layout", "id_labels")
    found = {
        label
        for label, _ in rows[0].cells
        if (name := label_last(label)) in known and len({own for own, _ in rows[0].cells}) > 1 and name
    }
    if len(rows) > 2 and rows[0].cells:
        first = rows[0].cells[0][0]
        values = [row.cells[0][1].text for row in rows if row.cells]
        if all(map(_WHOLE.match, values)):
            counted = list(map(int, values))
            if counted[0] in (0, 1) and counted == list(range(counted[0], counted[0] + len(counted))):
                found.add(first)
    return frozenset(found)


def label_last(label: str) -> str:
    """The last word of a label in lower case: "user id"."""
    said = head_of(label).label.lower().split()
    return said[-1] if said else ""
