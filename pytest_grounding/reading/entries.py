"""Where a text keeps what it says by place: cells, items, definitions and answers, each with its keys."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.reading import read_once
from pytest_grounding.reading.records import Cell, Laid, Record
from pytest_grounding.reading.visible_text import page_of

_LINE = plain("text_form", "line")
_KEY = lazy(r"(?P<key>[^:=|]{1,80}?)(?:[ ]?:|[ ]=|[ ][–—-])[ \t]+(?P<value>\S.*)")
_QUESTION, _ANSWER = lazy(r"(?:Q|F|P)\d{0,2}[:.][ \t]+(.*)"), lazy(r"(?:A|R)\d{0,2}[:.][ \t]+(.*)")
#: Without one of these a line by itself has no keys; values in turn stand within the last so many characters.
_TELLING = lazy(r"[|:#<{[\t]|  |\([=:]|[A-Z]{2} (?:if|when|unless) |(?:\d[^.,]{0,80},[^.,]{0,80}){2}\d")
_IN_TURN, _LAST = lazy(r"\d[^.!?]{0,120}\d[^.!?]{0,120}\Z"), 242
_BODY = lazy(r":[ \t]+(.*)")
_WORD, _LABEL = lazy(r"\S+"), lazy(r"\S+(?: [a-z(][^ ]*)*")
_CODE = lazy(r"\d+(?= [a-z]+ [a-z])")
_DIGIT, _CELL = lazy(r"\d"), lazy(r"[^|]+")
#: Words and characters of a key or a cell at most, and characters of prose below a heading.
_KEY_WORDS, _CELL_WORDS, _LONGEST_CELL, _LONGEST_PROSE = 8, 8, 60, 400
_CODE_NAME = lazy(r"[A-Z]{1,5}[-/. ]?\d[\w.-]{0,12}")  # "BIO-120"
_CAPTION_GAP = 2  # characters between a caption and its table, at most: an empty line
_FEWEST_ITEMS = 2  # items below a title, at least
_INDENT = 2
_FEWEST_CELLS, _MOST_COLUMNS = 5, 8  # cells of a table of lines at least, and its columns at most
_ALIKE = 0.6  # share of the cells of a column that look alike in a table of lines
_FEWEST_IN_COLUMN = 3
_MOST_TITLES = 2  # lines above a table of lines that are no part of it
_PARENT_WORDS = 4  # words of an item that only names the items below it
_ENDS = (".", "!", "?", ";")
_SAME = 3  # letters that a title and the header below it begin with: "Boats", "Boat"
_YES_OR_NO = frozenset().union(*(words("flags", name) for name in ("yes", "yes cell", "no", "no cell")))
_YES_OR_NO -= {"0"}
_TABLES = 1  # number of the first table among the groups; what is not in a table is in the group 0


@dataclass(frozen=True, slots=True)
class Entry:
    """What a text says in one place."""

    group: int  # of its table; 0 for lists, definitions and sentences
    heading: str
    row: str  # key of a row, term of a definition, question of an answer
    label: str  # of a column or of a line of a card
    start: int  # of the value, in the text for comparison
    end: int
    is_prose: bool = False  # whether it is a sentence below a heading


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    said: str
    indent: int
    level: int  # of a heading; 0 for another line
    is_marked: bool
    box: str
    gap: int  # empty lines before it

    @property
    def word_count(self) -> int:
        return len(self.said.split())

    @property
    def is_cell(self) -> bool:
        """Whether it may be a cell of a table: a few words without an end."""
        is_short = self.word_count <= _CELL_WORDS and len(self.said) <= _LONGEST_CELL
        is_plain = not self.level and not self.is_marked and "|" not in self.said
        return is_short and is_plain and not self.said.endswith((".", "!", ";", ":", ","))

    @property
    def is_term(self) -> bool:
        is_short = self.word_count <= _KEY_WORDS and len(self.said) <= _LONGEST_CELL
        return is_short and not self.level and not self.said.endswith(_ENDS)


def is_telling(text: str) -> bool:
    """Whether a line by itself may have keys, or end with values in turn."""
    if _TELLING.search(text) is not None:
        return True
    return text[-1:] not in {".", "!", "?"} and _IN_TURN.search(text, max(0, len(text) - _LAST)) is not None


@read_once
def entries_of(text: str) -> tuple[Entry, ...]:
    """The entries of a text, in the order of its tables and then of its lines."""
    page = page_of(text)
    records = page.laid.records if page.laid is not None else ()
    lines = list(_lines_of(page.text, records))
    found = list(_of_records(page.laid, lines)) if page.laid is not None else []
    reader = _Reader(lines, len(records) + _TABLES)
    reader.read()
    return (*found, *reader.entries)


def _of_records(laid: Laid, lines: Sequence[_Line]) -> Iterator[Entry]:
    """The cells of the records; a row whose first cell does not tell it apart has the next ones as well."""
    names = [_name_of(laid, record) for record in laid.records]
    shared = Counter((record.table, name) for record, name in zip(laid.records, names, strict=True))
    headings = [line for line in lines if line.level]
    starts = [line.start for line in headings]
    tables = {record.table: record.start for record in reversed(laid.records)}
    opening = [line.start for line in lines]
    captions = {}
    for table, start in tables.items():
        above = bisect_left(opening, start) - 1
        captions[table] = _caption_in(lines[above], start) if above >= 0 else ""
    for record, name in zip(laid.records, names, strict=True):
        cells = list(record.cells[1:] if name else record.cells)
        row = name
        is_code = len(cells) > 1 and _CODE_NAME.fullmatch(name) is not None
        if is_code and not _DIGIT.search(laid.text, *_cell_span(cells[0])):
            # "BIO-120 | Genetics": the code alone names nothing for a reader.
            row = f"{name} {laid.text[cells[0].start : cells[0].end]}"
        while name and shared[record.table, name] > 1 and len(cells) > 1:
            said = laid.text[cells[0].start : cells[0].end]
            if any(map(str.isdigit, said)):
                break
            row, cells = f"{row} {said}", cells[1:]
        above = bisect_left(starts, record.start) - 1
        heading = captions[record.table] or (headings[above].said if above >= 0 else "")
        for cell in cells:
            yield Entry(record.table + _TABLES, heading, row, cell.label, cell.start, cell.end)


def _cell_span(cell: Cell) -> tuple[int, int]:
    return cell.start, cell.end


def _caption_in(line: _Line, start: int) -> str:
    """The words of the line above a table, if it stands right there and names the table: "Home games"."""
    is_near = start - line.end <= _CAPTION_GAP
    return line.said if is_near and line.is_cell and not _DIGIT.search(line.said) else ""


def _name_of(laid: Laid, record: Record) -> str:
    """The first cell of a record, where its sentence begins with it."""
    if not record.cells or len(record.cells) == 1:
        return ""
    first = record.cells[0]
    is_named = first.start <= record.start + len(first.label) + 1
    is_named = is_named and laid.text[record.start : first.start].rstrip()[-1:] != ":"
    return laid.text[first.start : first.end] if is_named else ""


def _lines_of(text: str, records: Sequence[Record]) -> Iterator[_Line]:
    gap, place, number = 0, 0, 0
    for line in text.split("\n"):
        start, end = place, place + len(line)
        place = end + 1
        while number < len(records) and records[number].end <= start:
            number += 1
        if number < len(records) and records[number].start < end:
            continue
        match = _LINE.fullmatch(line)
        if match is None or not match["said"]:
            gap += 1
            continue
        low, high = match.span("said")
        low, high = low + len(match["said"]) - len(match["said"].lstrip("*_`")), start + high
        level = len((match["hashes"] or "").strip())
        indent = len(match["indent"].expandtabs(4))
        said = match["said"].strip("*_`")
        yield _Line(start + low, high, said, indent, level, bool(match["mark"]), match["box"] or "", gap)
        gap = 0


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines from one to before another that are rows of as many cells."""

    low: int
    end: int
    width: int


class _Reader:
    """Reads lines as definitions, tables of lines, lists and sentences."""

    def __init__(self, lines: Sequence[_Line], table: int) -> None:
        self.lines = lines
        self.entries: list[Entry] = []
        self._table = table
        self._heading = ""
        self._kinds = [_kind_of(line.said) if line.is_cell else "" for line in lines]
        self._unsure = 0  # the first line behind those that fit a table in two ways
        self._tried = 0  # the first line that was not yet tried as a cell of a table
        self._keyed: list[int] = []  # places of the entries of lines that begin with their key

    def read(self) -> None:
        """Read all lines, each once."""
        readers = (
            self._question,
            self._bars,
            self._definition,
            self._lead,
            self._spaced,
            self._columns,
            self._grid,
            self._list,
        )
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            for reader in readers:
                after = reader(at)
                if after > at:
                    break
            else:
                if line.level:
                    self._heading = line.said
                else:
                    self._line(line, self._heading)
                after = at + 1
            at = after
        self._forget_speakers()

    def _forget_speakers(self) -> None:
        """Drop what several lines begin with: it is who speaks, not what they are about."""
        keys = [(self.entries[place].heading, self.entries[place].row) for place in self._keyed]
        counts = Counter(keys)
        spoken = {place for place, key in zip(self._keyed, keys, strict=True) if counts[key] > 1}
        self.entries = [entry for place, entry in enumerate(self.entries) if place not in spoken]

    def _put(self, heading: str, row: str, line: _Line, label: str = "", *, start: int = -1) -> None:
        first = line.start if start < 0 else start
        self.entries.append(Entry(0, heading, row.rstrip(" :"), label, first, line.end))

    def _put_cell(self, row: str, label: str, start: int, end: int) -> None:
        self.entries.append(Entry(self._table, self._heading, row, label, start, end))

    def _line(self, line: _Line, heading: str, *, is_item: bool = False) -> None:
        """A line that is no part of anything larger: a key with its value, or a sentence below a heading."""
        if line.box:
            self.entries.append(
                Entry(0, heading, line.said, line.box, line.start - len(line.box) - 1, line.start)
            )
            return
        match = _KEY.fullmatch(line.said)
        if match is not None and len(match["key"].split()) <= _KEY_WORDS:
            self._keyed.append(len(self.entries))
            self._put(heading, match["key"], line, start=line.start + match.start("value"))
        elif line.end - line.start <= _LONGEST_PROSE:
            is_prose = not (line.is_marked or is_item)
            self.entries.append(Entry(0, heading, "", "", line.start, line.end, is_prose))

    def _question(self, at: int) -> int:
        if at + 1 >= len(self.lines):
            return at
        line, below = self.lines[at], self.lines[at + 1]
        asked, answer = _QUESTION.fullmatch(line.said), _ANSWER.fullmatch(below.said)
        if asked is not None and answer is not None:
            self._put("", asked[1], below, "?", start=below.start + answer.start(1))
            return at + 2
        if line.level and line.said.endswith("?") and not below.level:
            self._heading = line.said
            self._put("", line.said, below, "?")
            return at + 2
        return at

    def _bars(self, at: int) -> int:
        """Rows of a table whose header is not there; their columns are known by their place."""
        after = at
        while after < len(self.lines) and "|" in self.lines[after].said:
            line = self.lines[after]
            cells = [cell for cell in _CELL.finditer(line.said) if cell[0].strip()]
            for place, cell in enumerate(cells[1:], start=1):
                low, high = line.start + cell.start(), line.start + cell.end()
                self._put_cell(cells[0][0].strip(), f"#{place}", low, high)
            after += 1
        if after > at:
            self._table += 1
        return after

    def _definition(self, at: int) -> int:
        """A term, and what it means on the lines below it: behind a colon or further in."""
        line = self.lines[at]
        if not line.is_term or at + 1 >= len(self.lines):
            return at
        below = self.lines[at + 1]
        body = _BODY.fullmatch(below.said)
        if not line.is_marked and _alternates(self.lines[at : at + 4]):
            after = at
            while after + 1 < len(self.lines) and _is_defined(self.lines[after], self.lines[after + 1]):
                self._put(self._heading, self.lines[after].said, self.lines[after + 1])
                after += 2
            return after
        is_below = body is not None or (below.indent >= line.indent + _INDENT and not below.is_marked)
        if not is_below and not self._is_behind_colon(at):
            return at
        if is_below and below.indent < line.indent + _INDENT:
            self._put(self._heading, line.said, below, start=below.start + (body.start(1) if body else 0))
            return at + 2
        after = at + 1
        while after < len(self.lines) and (
            after == at + 1 or self.lines[after].indent >= line.indent + _INDENT
        ):
            self._put(self._heading, line.said, self.lines[after])
            after += 1
        return after

    def _is_behind_colon(self, at: int) -> bool:
        """Whether one line of text stands below a line that ends with a colon."""
        line, below = self.lines[at], self.lines[at + 1]
        is_last = at + 2 >= len(self.lines) or self.lines[at + 2].said.endswith(":")
        return line.said.endswith(":") and is_last and not (below.is_marked or below.said.endswith(":"))

    def _lead(self, at: int) -> int:
        """A line that ends with a colon, or a title right above marked items, and the items below it."""
        if self._is_title_of_items(at):
            return self._items(at + 1, self.lines[at].said)
        if not self.lines[at].said.endswith(":") or self.lines[at].is_marked:
            return at
        heading = self.lines[at].said.rstrip(":")
        after = at + 1
        if after < len(self.lines) and self.lines[after].is_marked:
            return self._items(after, heading)
        while after < len(self.lines) and self.lines[after].is_cell:
            after += 1
        if after < at + 3:
            return at
        for line in self.lines[at + 1 : after]:
            self._line(line, heading, is_item=True)
        return after

    def _is_title_of_items(self, at: int) -> bool:
        """Whether a few words stand right above two items at least: "Guests"."""
        line, below = self.lines[at], self.lines[at + 1 : at + 1 + _FEWEST_ITEMS]
        is_title = line.is_cell and not line.is_marked and not _DIGIT.search(line.said)
        are_items = len(below) == _FEWEST_ITEMS and all(other.is_marked for other in below)
        return is_title and are_items and not below[0].gap

    def _list(self, at: int) -> int:
        return self._items(at, self._heading) if self.lines[at].is_marked else at

    def _items(self, at: int, heading: str) -> int:
        """The items of a list; those that only name others are the heading of what is below them."""
        after = at
        while after < len(self.lines) and self.lines[after].is_marked:
            after += 1
        items = self.lines[at:after]
        if _alternates(items):
            for term, body in zip(items[::2], items[1::2], strict=True):
                self._put(heading, term.said, body)
            return after
        parents = _parents(items)
        inner = heading
        for number, item in enumerate(items):
            if number in parents:
                inner = item.said.rstrip(":")
            elif parents and item.indent < items[min(parents)].indent:
                inner = heading
            else:
                self._line(item, inner)
        return after

    def _run_end(self, at: int) -> int:
        if at < self._tried:
            return at
        after = at
        while after < len(self.lines) and self.lines[after].is_cell:
            after += 1
        return after

    def _columns(self, at: int) -> int:
        """Paragraphs of as many cells each: the columns of a table."""
        after = self._run_end(at)
        paragraphs: list[list[_Line]] = [[]]
        for line in self.lines[at:after]:
            if line.gap and paragraphs[-1]:
                paragraphs.append([])
            paragraphs[-1].append(line)
        size = len(paragraphs[0])
        if len(paragraphs) < 2 or size < _FEWEST_IN_COLUMN or any(len(own) != size for own in paragraphs):
            return at
        self._cells(list(map(list, zip(*paragraphs, strict=True))))
        return after

    def _grid(self, at: int) -> int:
        """A cell a line or a paragraph, maybe under a title: a table whose rows repeat their shape."""
        end = self._run_end(at)
        for first in range(at, min(at + _MOST_TITLES + 1, end - 1)):
            gap = self.lines[first + 1].gap
            others = range(first + 1, end)
            after = next((place for place in others if self.lines[place].gap != gap), end)
            rows = _rows_of(self.lines[first:after])
            if rows:
                self._cells(rows)
                return after
        self._tried = max(self._tried, end)
        return self._rows_below(at)

    def _rows_below(self, at: int) -> int:
        """A header with rows of one shape below it, among lines that belong to something else."""
        found, below = self._block_at(at), self._block_at(at + 1)
        if found is None or at < self._unsure:
            return at
        if below is not None and below.width == found.width and below.low > found.low:
            # The lines fit twice: there is a title above them, or another one below.
            title, first = self.lines[at].said.lower(), self.lines[at + 1].said.lower()
            if title[:_SAME] == first[:_SAME]:
                return at
            if found.width == 2 or self._kinds[found.low] == "9":
                self._unsure = below.end
                return at
        rows = [self.lines[place : place + found.width] for place in range(found.low, found.end, found.width)]
        self._cells([_header(self.lines[at : found.low], found.width, self.lines[at]), *rows])
        return found.end

    def _spaced(self, at: int) -> int:
        """Rows by single spaces: lines of one shape, cut before each number and each yes or no."""
        if not self.lines[at].is_cell:
            return at
        rows = [_cut(self.lines[at])]
        shape = [_kind_of(cell.said) for cell in rows[0]]
        after = at + 1
        while after < len(self.lines) and (len(shape) > 2 or shape == ["9", "a"]):
            cells = _cut(self.lines[after])
            if [_kind_of(cell.said) for cell in cells] != shape:
                break
            rows.append(cells)
            after += 1
        if after < len(self.lines) and self.lines[after].is_cell and _DIGIT.search(self.lines[after].said):
            return at  # a row with fewer cells: the labels before the values tell them apart
        above = self.lines[at - 1] if at else self.lines[at]
        labels = _LABEL.findall(above.said) if _DIGIT.search(above.said) is None else []
        is_coded = shape == ["9", "a"] and len(labels) == len(shape)
        if len(rows) < 2 or self.lines[at].is_marked or not (is_coded or shape[0] == "a"):
            return at
        for row in rows:
            for place, cell in enumerate(row[1:], start=1):
                label = labels[place] if len(labels) == len(row) else f"#{place}"
                self._put_cell(row[0].said, label, cell.start, cell.end)
        self._table += 1
        return after

    def _block_at(self, at: int) -> _Block | None:
        best: _Block | None = None
        for width in range(2, _MOST_COLUMNS + 1):
            for low in (at + width, at + width - 1):
                shape = self._kinds[low : low + width]
                is_headed = low > at + 1 and {"a"}.issuperset(self._kinds[at:low])
                if not is_headed or "9" not in shape or "" in shape:
                    continue
                end = low
                while self._kinds[end : end + width] == shape:
                    end += width
                if end - low >= 2 * width and (best is None or end - low > best.end - best.low):
                    best = _Block(low, end, width)
        return best

    def _cells(self, rows: Sequence[Sequence[_Line]]) -> None:
        labels = [cell.said for cell in rows[0]]
        for row in rows[1:]:
            for label, cell in zip(labels[1:], row[1:], strict=True):
                self._put_cell(row[0].said, label, cell.start, cell.end)
        self._table += 1


def _alternates(items: Sequence[_Line]) -> bool:
    pairs = list(zip(items[::2], items[1::2], strict=False))
    is_even = len(items) % 2 == 0 and len(pairs) > 1
    return is_even and all(_is_defined(term, body) for term, body in pairs)


def _is_defined(term: _Line, body: _Line) -> bool:
    return term.is_term and body.said.endswith(".") and not body.level


def _parents(items: Sequence[_Line]) -> frozenset[int]:
    """The items that only name those below them: further out, or without a value before some with one."""
    inner = {number for number, (item, below) in enumerate(pairwise(items)) if below.indent > item.indent}
    if inner:
        return frozenset(inner)
    short = ((number, item) for number, item in enumerate(items) if item.word_count <= _PARENT_WORDS)
    bare = [number for number, item in short if _DIGIT.search(item.said) is None and not item.box]
    is_nested = len(bare) > 1 and bare[0] == 0 and bare[-1] < len(items) - 1
    if not is_nested or any(after == before + 1 for before, after in pairwise(bare)):
        return frozenset()
    return frozenset(bare)


def _rows_of(lines: Sequence[_Line]) -> list[list[_Line]]:
    found: list[list[list[_Line]]] = []
    if len(lines) < _FEWEST_CELLS:
        return []
    shapes = [_kind_of(line.said) for line in lines]
    for width in range(2, min(_MOST_COLUMNS, len(lines) // 2) + 1):
        for header in sorted({width, width - 1, 1, 0}):
            body = len(lines) - header
            if body % width or body // width < 2 or "9" in shapes[:header]:
                continue
            if (header == 1 and width > 2) or not _repeats(shapes[header:], width):
                continue
            rows = [list(lines[low : low + width]) for low in range(header, len(lines), width)]
            found.append([_header(lines[:header], width, lines[0]), *rows])
    return found[0] if len(found) == 1 else []


def _header(lines: Sequence[_Line], width: int, first: _Line) -> list[_Line]:
    """The labels of the columns; empty ones where the table has none."""
    empty = _Line(first.start, first.start, "", 0, 0, False, "", 0)
    if len(lines) == width - 1 and width > 2:
        return [empty, *lines]
    return list(lines) if len(lines) == width else [empty] * width


def _cut(line: _Line) -> list[_Line]:
    starts = [match.start() for match in _WORD.finditer(line.said) if _kind_of(match[0]) != "a"]
    first = _CODE.match(line.said)
    edges = sorted({0, *starts, len(line.said)}) if line.is_cell else [0]
    if first is not None and len(edges) == 2:
        edges.insert(1, first.end())
    found: list[_Line] = []
    for low, high in pairwise(edges):
        said = line.said[low:high].strip()
        low += len(line.said[low:high]) - len(line.said[low:high].lstrip())
        found.append(replace(line, start=line.start + low, end=line.start + low + len(said), said=said))
    return found


def _kind_of(said: str) -> str:
    """Whether a cell has digits (9), says yes or no (y), or has words (a)."""
    if said.lower() in _YES_OR_NO:
        return "y"
    if any(map(str.isdigit, said)):
        return "9"
    return "a" if said.strip() else ""


def _repeats(shapes: Sequence[str], width: int) -> bool:
    """Whether the cells of each column are of one sort, and one column holds values."""
    has_values = False
    for place in range(width):
        column = shapes[place::width]
        values = column.count("9")
        if max(values, len(column) - values) < _ALIKE * len(column):
            return False
        has_values = has_values or values > len(column) - values
    first = shapes[::width]
    return has_values and first.count("9") in (0, len(first))
