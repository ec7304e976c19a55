"""Read tables: Markdown, org, CSV, TSV, fixed width, HTML; and the units in their headers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import table, words
from pytest_grounding.reading.trees import Part, Row, label_of

Span = tuple[int, int]
#: Rows of cells, verbatim.
Grid = list[list[Part]]
_BARS_RULE = frozenset("|+:- \t")
_QUOTED = lazy(r'"(?:[^"]|"")*"')
_WIDE_CELL = lazy(r"[^ \n](?:[ ]?[^ \n])*")
_LONGEST_CELL = 80
_LONGEST_HEAD = 40
_LEAST_LINES = 3
_HTML_ROW = lazy(r"<tr\b[^<>]{0,300}>(.*?)(?=<tr\b|</table|\Z)", re.S | re.I)
_HTML_CELL = lazy(r"<t[hd]\b[^<>]{0,300}>(.*?)(?=</?t[hdr]\b|</?table|</?tbody|</thead|\Z)", re.S | re.I)
_TAGS = lazy(r"<[^<>]{1,300}>")
_NUMBER = lazy(r"[-+−]?\d[\d.,'’\u00a0\u202f ]*$")
_SIGNATURE = lazy(r"[-+$€£]?\d[\d.,:'’-]*")


def _part(text: str, start: int, end: int) -> Part:
    """A cell without surrounding blanks and marks."""
    said = text[start:end]
    low = start + len(said) - len(said.lstrip(" \t*_`"))
    high = max(low, start + len(said.rstrip(" \t*_`\r")))
    return Part(text[low:high], low, high)


def bars(text: str, lines: Sequence[Span], at: int) -> tuple[int, Grid] | None:
    """The table of bars that starts at a line, and the index of the line after it."""
    grid: Grid = []
    place, has_rule = at, False
    while place < len(lines) and "|" in text[slice(*lines[place])]:
        start, end = lines[place]
        if "--" in text[start:end] and _BARS_RULE.issuperset(text[start:end]):
            has_rule = True
        else:
            grid.append(_bar_cells(text, start, end))
        place += 1
    if len(grid) < 2 or (not has_rule and len(grid) < _LEAST_LINES):
        return None
    width = len(grid[0])
    if width < 2 or (not has_rule and any(len(row) != width for row in grid)):
        return None
    return place, [(row + [Part("", row[-1].end, row[-1].end)] * width)[:width] for row in grid if row]


def _bar_cells(text: str, start: int, end: int) -> list[Part]:
    said = text[start:end].rstrip()
    end = start + len(said)
    start += len(said) - len(said.lstrip())
    if text[start : start + 1] == "|":
        start += 1
    if end > start and text[end - 1] == "|" and text[end - 2] != "\\":
        end -= 1
    cells, low = [], start
    for place in range(start, end + 1):
        if place == end or (text[place] == "|" and text[place - 1] != "\\"):
            cells.append(_part(text, low, place))
            low = place + 1
    return cells


def delimited(text: str, lines: Sequence[Span], at: int) -> tuple[int, Grid] | None:
    """The table of tab-, semicolon- or comma-separated values that starts at a line."""
    for sign in "\t;,":
        if sign not in text[slice(*lines[at])]:
            continue
        head = _fields(text, *lines[at], sign)
        if len(head) < 2 or not all(_is_head(cell.text) for cell in head):
            continue
        grid, place = [head], at + 1
        while place < len(lines) and sign in text[slice(*lines[place])]:
            row = _fields(text, *lines[place], sign)
            if len(row) != len(head) or any(len(cell.text) > _LONGEST_CELL for cell in row):
                break
            grid.append(row)
            place += 1
        if len(grid) >= (2 if sign == "\t" else _LEAST_LINES) and _is_data(text, lines[at:place], grid, sign):
            return place, grid
    return None


def _fields(text: str, start: int, end: int, sign: str) -> list[Part]:
    cells, low = [], start
    while low <= end:
        quoted = _QUOTED.match(text, low, end)
        if quoted is not None:
            cells.append(_part(text, low + 1, quoted.end() - 1))
            low = quoted.end() + 1
            continue
        high = text.find(sign, low, end)
        high = end if high < 0 else high
        cells.append(_part(text, low, high))
        low = high + 1
    return cells


def _is_head(said: str) -> bool:
    return (
        0 < len(said) <= _LONGEST_HEAD
        and any(map(str.isalpha, said))
        and said[-1] not in ".!?"
        and (len(said.split()) <= 6)
    )


def _is_data(text: str, lines: Sequence[Span], grid: Grid, sign: str) -> bool:
    """Whether cells are values, and not clauses of prose."""
    if any(row[-1].text[-1:] in (".", "!", "?", ";", ",") for row in grid):
        return False
    if any(len(cell.text.split()) > 8 for row in grid for cell in row):
        return False
    if sign == "\t":
        return True
    body = text[lines[0][0] : lines[-1][1]]
    loose = body.count(f"{sign} ") / max(1, body.count(sign))
    numeric = any(
        all(any(map(str.isdigit, row[column].text)) for row in grid[1:]) for column in range(len(grid[0]))
    )
    return loose <= 0.2 or (numeric and len(grid[0]) > 2)


def fixed(text: str, lines: Sequence[Span], at: int) -> tuple[int, Grid] | None:
    """The fixed-width table that starts at a line."""
    head = _wide_cells(text, *lines[at])
    if len(head) < 2 or not all(_is_head(cell.text) for cell in head):
        return None
    starts = [cell.start - lines[at][0] for cell in head]
    ends = [cell.end - lines[at][0] for cell in head]
    grid, place = [head], at + 1
    while place < len(lines):
        start, end = lines[place]
        if place == at + 1 and set(text[start:end]) <= set("-= "):
            place += 1
            continue
        row = _wide_cells(text, start, end)
        if len(row) != len(head) or not all(
            cell.start - start == low or cell.end - start == high
            for cell, low, high in zip(row, starts, ends, strict=True)
        ):
            break
        grid.append(row)
        place += 1
    return (place, grid) if len(grid) >= _LEAST_LINES else None


def _wide_cells(text: str, start: int, end: int) -> list[Part]:
    said = text[start:end]
    if "  " not in said.strip() or "|" in said:
        return []
    return [Part(match[0], *match.span()) for match in _WIDE_CELL.finditer(text, start, end)]


def html_grid(text: str, start: int, end: int) -> Grid:
    """The rows of an HTML table."""
    grid = []
    for row in _HTML_ROW.finditer(text, start, end):
        cells = []
        for cell in _HTML_CELL.finditer(text, *row.span(1)):
            inner = _part(text, *cell.span(1))
            said = " ".join(_TAGS.sub(" ", inner.text).split())
            cells.append(inner._replace(text=said))
        if cells:
            grid.append(cells)
    width = max(map(len, grid), default=0)
    return [(row + [Part("", row[-1].end, row[-1].end)] * width)[:width] for row in grid]


class Head(NamedTuple):
    """A header: the label, and the unit with its scale for the values."""

    label: str
    unit: str = ""


_BRACKETED = lazy(r"(.*?)[ ]*[(\[]([^()\[\]]{1,24})[)\]]$")
_IN = lazy(r"(?:(.*?),?[ ])?in[ ]([\w€$£%°/]+(?:[ ][\w€$£%°/]+){0,3})$", re.I)
_SNAKE = lazy(r"(.+)_([a-z]{2,8})$")


@lru_cache(maxsize=4096)
def head_of(said: str) -> Head:
    """A header as label and unit: "Price (EUR)", "weight in kg", "revenue_usd"."""
    said = " ".join(said.split())
    if len(said) > _LONGEST_CELL:
        return Head(label_of(said))
    for pattern in (_BRACKETED, _IN, _SNAKE):
        match = pattern.match(said)
        unit = _unit_of(match[2]) if match is not None else ""
        if match is not None and unit:
            return Head(label_of(match[1] or ""), unit)
    return Head(label_of(said))


def _unit_of(said: str) -> str:
    """The unit and scale of some words; "" if one of them is neither."""
    units, scales = table("layout", "header_units"), table("layout", "scales")
    said, _, per = said.lower().partition("/")
    named = [
        word for word in said.replace("€", " € ").replace("$", " $ ").split() if word not in ("of", "in")
    ]
    unit = scale = ""
    for word in named:
        if word in units and not unit and not (word == "m" and len(named) > 1):
            unit = units[word]
        elif word in scales and not scale:
            scale = scales[word]
        else:
            return ""
    period = f" per {per.strip()}" if per.strip() else ""
    return f"{scale} {unit}".strip() + period if unit or scale else ""


def with_unit(value: str, unit: str) -> str:
    """The text added to a value for its header: none if the value has words of its own."""
    return f" {unit}" if unit and _NUMBER.match(value) is not None else ""


def rows_of_grid(grid: Grid, start: int, end: int) -> list[Row]:
    """The records of a table: its rows, or its columns if it is transposed."""
    heads = [cell.text for cell in grid[0]]
    if len(heads) == 2 and all(head.lower() in words("layout", "generic_headers") for head in heads):
        return [Row(start, end, [(row[0].text, row[1]) for row in grid[1:] if row[0].text])]
    if _is_turned(grid):
        columns = [list(column) for column in zip(*grid, strict=True)]
        labels = [cell.text or "name" for cell in columns[0]]
        return [Row(start, end, list(zip(labels, column, strict=True))) for column in columns[1:]]
    # A header without a word is above names, or rows that continue.
    labels = [head or "name" for head in heads]
    return [Row(row[0].start, row[-1].end, list(zip(labels, row, strict=True))) for row in grid[1:]]


def _is_turned(grid: Grid) -> bool:
    """Whether the first column contains the labels: values of a row are alike, those of a column are not."""
    body = [[_shape(cell.text) for cell in row[1:]] for row in grid[1:]]
    if len(body) < 2 or len(grid[0]) < 3:
        return False
    if any(head_of(cell.text).unit for cell in grid[0][1:]):
        return False  # the unit is given with the label
    across = sum(map(_likeness, body)) / len(body)
    columns = list(zip(*body, strict=True))
    down = sum(map(_likeness, columns)) / len(columns)
    return across > down + (0.0 if not grid[0][0].text else 0.15)


def _shape(said: str) -> str:
    """The sort of a value: its unit, or the form of its words."""
    if any(map(str.isdigit, said)):
        return "9" if said.isdigit() else "9" + _SIGNATURE.sub("", said)[:8].strip().lower()
    return " ".join("A" if word[:1].isupper() else "a" for word in said.split()[:2])


def _likeness(shapes: Sequence[str]) -> float:
    return Counter(shapes).most_common(1)[0][1] / len(shapes)
