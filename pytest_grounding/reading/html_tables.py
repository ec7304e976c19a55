"""Read the table of an HTML text: cells that span rows and columns, and headers of several lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.reading.grids import Grid, Part, bare_cell, settled_grid

_ROW = lazy(r"<tr\b[^<>]{0,300}>(.*?)(?=<tr\b|</table|\Z)", re.S | re.I)
_CELL = lazy(
    r"<t(?P<sort>[hd])\b(?P<settings>[^<>]{0,300})>(?P<said>.*?)"
    r"(?=</?t[hdr]\b|</?table|</?tbody|</thead|\Z)",
    re.S | re.I,
)
_SPAN = lazy(r"\b(?P<way>row|col)span\s*=\s*[\"']?(?P<count>\d{1,3})", re.I)
_TAGS = lazy(r"<[^<>]{1,300}>")
#: Columns, rows that one cell spans, and lines of a header that are read, at most.
_MOST_COLUMNS, _MOST_SPANNED, _MOST_HEADER_LINES = 60, 60, 3
#: The header of a table without one.
_NO_HEADER = ("name", "value")


@dataclass(frozen=True, slots=True)
class _Cell:
    part: Part
    is_header: bool
    rows: int  # that it spans
    columns: int


@dataclass(slots=True)
class _Merged:
    """A cell that goes on in the rows below."""

    cell: _Cell
    left: int  # rows below that it still spans


def html_grid(text: str, start: int, end: int) -> Grid:
    """The rows of an HTML table, each under one header."""
    lines = []
    for row in _ROW.finditer(text, start, end):
        lines.append(list(_cells_of_line(text, *row.span(1))))
    lines = [line for line in lines if line]
    if not lines:
        return []
    rows = _with_spans(lines)
    width = max(map(len, rows))
    grid: Grid = []
    for spanned in rows:
        grid.append([cell.part for cell in spanned])
    grid[0] += [Part("", grid[0][-1].end, grid[0][-1].end)] * (width - len(grid[0]))
    count = _header_lines(rows)
    if count == 0:
        place = grid[0][0].start
        labels = [_NO_HEADER[min(column, 1)] for column in range(width)]
        return settled_grid([[Part(label, place, place) for label in labels], *grid])
    header = grid[0]
    for below in grid[1:count]:
        header = _joined(header, below)
    return settled_grid([header, *grid[count:]])


def _cells_of_line(text: str, start: int, end: int) -> Iterator[_Cell]:
    for match in _CELL.finditer(text, start, end):
        inner = bare_cell(text, *match.span("said"))
        part = Part(" ".join(_TAGS.sub(" ", inner.text).split()), inner.start, inner.end)
        spans = {"row": 1, "col": 1}
        for span in _SPAN.finditer(match["settings"]):
            spans[span["way"].lower()] = max(1, int(span["count"]))
        rows, columns = min(spans["row"], _MOST_SPANNED), min(spans["col"], _MOST_COLUMNS)
        yield _Cell(part, match["sort"] in "hH", rows, columns)


def _with_spans(lines: Sequence[Sequence[_Cell]]) -> list[list[_Cell]]:
    """The rows with each cell in all places that it spans."""
    found: list[list[_Cell]] = []
    merged: dict[int, _Merged] = {}  # by column
    for line in lines:
        row: list[_Cell] = []
        for cell in line:
            _put_merged(row, merged)
            for _ in range(min(cell.columns, _MOST_COLUMNS - len(row))):
                if cell.rows > 1:
                    merged[len(row)] = _Merged(cell, cell.rows - 1)
                row.append(cell)
        _put_merged(row, merged)
        found.append(row)
    return found


def _put_merged(row: list[_Cell], merged: dict[int, _Merged]) -> None:
    """Add the cells of rows above that go on in the next places of a row."""
    while len(row) in merged and len(row) < _MOST_COLUMNS:
        above = merged[len(row)]
        above.left -= 1
        if not above.left:
            del merged[len(row)]
        row.append(above.cell)


def _header_lines(rows: Sequence[Sequence[_Cell]]) -> int:
    """How many rows are the header; 0 where the first one is a row as the others."""
    first = rows[0]
    is_merged_below = not first[0].is_header and first[0].rows > 1
    if is_merged_below and any(map(str.isdigit, "".join(cell.part.text for cell in first))):
        return 0
    count = 1
    while count < min(len(rows) - 1, _MOST_HEADER_LINES) and _is_header(rows[count], rows[count - 1]):
        count += 1
    return count


def _is_header(row: Sequence[_Cell], above: Sequence[_Cell]) -> bool:
    """Whether a row below a header belongs to it."""
    if all(cell.is_header for cell in row):
        return True
    # A table of plain cells: what spans several columns is above their names.
    is_above = any(cell.columns > 1 for cell in above) and not any(cell.is_header for cell in row)
    named = [cell.part.text for cell in row if cell.part.text]
    return is_above and not any(char.isdigit() for said in named for char in said)


def _joined(above: Sequence[Part], below: Sequence[Part]) -> list[Part]:
    """One header of two lines, each label with what stands above it."""
    found: list[Part] = []
    for place, lower in enumerate(below):
        upper = above[place] if place < len(above) else lower
        is_same = upper.text == lower.text or not upper.text
        label = lower.text if is_same else f"{upper.text} {lower.text}".strip()
        found.append(Part(label, lower.start, lower.end))
    return [*found, *above[len(below) :]]
