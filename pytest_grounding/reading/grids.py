"""Settle the rows of a table: its header, cells that are merged with those above, rows that lost a cell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import words

_SIGNATURE = lazy(r"[-+$€£]?\d[\d.,:'’-]*")
_LINE_TAG = lazy(r"<br\s*/?>", re.IGNORECASE)
_HEADER_LINES, _FEWEST_CONTINUED = 2, 2  # header lines above each other; cells of a row that continues one
_SAMPLE = 30  # rows that are looked at to learn what the cells of a column look like


@dataclass(frozen=True, slots=True)
class Part:
    """A word or value: its span in the original; an empty span for something implied."""

    text: str
    start: int
    end: int


Grid = list[list[Part]]  # rows of cells, verbatim


def shape_of(said: str) -> str:
    """The sort of a value: its unit, or the form of its words."""
    if any(map(str.isdigit, said)):
        return "9" if said.isdigit() else "9" + _SIGNATURE.sub("", said)[:8].strip().lower()
    return " ".join("A" if word[:1].isupper() else "a" for word in said.split()[:2])


def is_blank(said: str) -> bool:
    """Whether a cell holds nothing: empty, or NaN as a data frame writes it."""
    return not said.strip() or said.strip().lower() in words("layout", "blank_cells")


def _is_merged(key: str) -> bool:
    """Whether the first cell of a row is part of the one above it."""
    return is_blank(key) or key.lower() in words("layout", "blank_keys")


def settled_grid(rows: Grid) -> Grid:
    """Rows of one length under one header; a row that has its key above has it too."""
    rows = [row for row in rows if row]
    while len(rows) > 1 and all(not cell.text for cell in rows[0]):
        rows = rows[1:]
    if not rows:
        return []
    rows = _split_header(rows)
    width = len(rows[0])
    rows = _even(rows, width)
    if _has_two_headers(rows):
        rows = [_joined_header(rows[0], rows[1]), *rows[2:]]
    return _with_keys(rows)


def _split_header(rows: Grid) -> Grid:
    """The first row apart from the header whose cells it shares: "Memory<br>256 MB"."""
    above: list[Part] = []
    below: list[Part] = []
    for cell in rows[0]:
        tags = list(_LINE_TAG.finditer(cell.text))
        if len(tags) != 1:
            return rows
        above.append(_stripped_part(cell, 0, tags[0].start()))
        below.append(_stripped_part(cell, tags[0].end(), len(cell.text)))
    is_row = any(char.isdigit() for cell in below for char in cell.text)
    if not is_row or any(char.isdigit() for cell in above for char in cell.text):
        return rows
    return [above, below, *rows[1:]]


def _stripped_part(cell: Part, low: int, high: int) -> Part:
    said = cell.text[low:high]
    first = low + len(said) - len(said.lstrip(" \t*_`"))
    last = max(first, low + len(said.rstrip(" \t*_`")))
    return Part(cell.text[first:last], cell.start + first, cell.start + last)


def _even(rows: Grid, width: int) -> Grid:
    """Rows of one length: a row that lost its first cells to a merged one has those of the row above."""
    columns: list[Counter[str]] = [Counter() for _ in range(width)]
    for row in rows[1:_SAMPLE]:
        if len(row) == width:
            for place, cell in enumerate(row):
                columns[place][shape_of(cell.text)] += 1
    found: Grid = [rows[0]]
    for row in rows[1:]:
        lacking = width - len(row)
        if lacking <= 0:
            found.append(row[:width])
            continue
        left = sum(columns[place][shape_of(cell.text)] for place, cell in enumerate(row))
        right = sum(columns[place + lacking][shape_of(cell.text)] for place, cell in enumerate(row))
        if right > left and len(found) > 1:
            found.append([*found[-1][:lacking], *row])
        else:
            found.append([*row, *[Part("", row[-1].end, row[-1].end)] * lacking])
    return found


def _has_two_headers(rows: Grid) -> bool:
    """Whether the second row names the columns below a header that spans several of them."""
    if len(rows) <= _HEADER_LINES or not any(not cell.text for cell in rows[0][1:]):
        return False
    second = rows[1]
    return not second[0].text and sum(_is_word(cell.text) for cell in second) >= _FEWEST_CONTINUED


def _is_word(said: str) -> bool:
    return any(map(str.isalpha, said)) and not any(map(str.isdigit, said))


def _joined_header(above: Sequence[Part], below: Sequence[Part]) -> list[Part]:
    """One header of two lines; what spans several columns belongs to each."""
    found: list[Part] = []
    span = ""
    for upper, lower in zip(above, below, strict=True):
        span = upper.text or span
        place = lower if lower.text else upper
        label = f"{span} {lower.text}".strip() if lower.text else span
        found.append(Part(label, place.start, place.end))
    return found


def _with_keys(rows: Grid) -> Grid:
    """The rows, with the key of the row above where theirs is merged with it."""
    is_named = len(rows) > _HEADER_LINES and any(map(str.isalpha, rows[1][0].text))
    if not is_named or _is_merged(rows[1][0].text):
        return rows
    last_keyed = max(number for number, row in enumerate(rows) if not _is_merged(row[0].text))
    found: Grid = rows[:2]
    for before, row in pairwise(range(1, len(rows))):
        own = rows[row]
        held = [cell for cell in own[1:] if not is_blank(cell.text)]
        is_last = row > last_keyed and not any(map(_is_word, (cell.text for cell in held)))
        if _is_merged(own[0].text) and len(held) >= _FEWEST_CONTINUED and not is_last:
            own = [found[before][0], *own[1:]]
        found.append(own)
    return found


def bare_cell(text: str, start: int, end: int) -> Part:
    """A cell without surrounding blanks and marks."""
    said = text[start:end]
    low = start + len(said) - len(said.lstrip(" \t*_`"))
    high = max(low, start + len(said.rstrip(" \t*_`\r")))
    return Part(text[low:high], low, high)
