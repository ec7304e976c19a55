"""Read structured text: tables of every kind, and nested data (JSON, XML, YAML, INI, `key: value` lines)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import fields, table, words
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.reading.grids import Grid, Part, bare_cell, settled_grid, shape_of

_DEEPEST = 40
_CAMEL = lazy(r"(?<=[a-z])(?=[A-Z])|[_]+|(?<=[a-z])-(?=[a-z])")
_NOTHING = "[]"
_TOKEN = lazy(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}\[\]]')
_TAG = lazy(r"<(/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))*)\s*(/?)>")
_ATTRIBUTE = lazy(r"(?<![\w:.-])([\w:.-]+)\s*=\s*[\"']([^\"'<]*)[\"']")
_PROLOGUE = lazy(r"\s*(?:<\?xml[^<>]{0,200}\?>\s*)?(?=<[A-Za-z_])")
_KEY = plain("text_form", "key")
_SECTION = lazy(r"[ \t]*\[([A-Za-z0-9][\w .:-]{0,60})\][ \t]*$")
_NUMBER_LABEL = lazy(r"[ \t]*([A-Za-z][A-Za-z ]{1,30}?[ ](?:No|no|Nr|nr)\.)[ ]+(\S{1,20})[ \t]*$")
_LONGEST_VALUE = 70  # a longer value, or one that ends like a sentence, is prose after a word
_LONGEST_LINE = 200
_MOST_KEY_WORDS = 5
_PROSE = lazy(r"\S+[ ]\S+[ ]\S.*[.!?]$|[a-z][ ]?[.!?][ ]|(?:\S+[ ]){8}")
Span = tuple[int, int]
_BARS_RULE = frozenset("|+:- \t")
_QUOTED = lazy(r'"(?:[^"]|"")*"')
_WIDE_CELL = lazy(r"[^ \n](?:[ ]?[^ \n])*")
_LONGEST_CELL = 80
_LONGEST_HEAD = 40
_LEAST_LINES = 3
_NUMBER = lazy(r"[-+−]?\d[\d.,'’\u00a0\u202f ]*$|\(\d[\d.,'’]*\)$")
_BRACKETED = lazy(r"(.*?)[ ]*[(\[]([^()\[\]]{1,24})[)\]]$")
_IN = lazy(r"(?:(.*?),?[ ])?in[ ]([\w€$£%°/]+(?:[ ][\w€$£%°/]+){0,3})$", re.I)
_SNAKE = lazy(r"(.+)_([a-z]{2,8})$")


class Row(NamedTuple):
    """A record: its name in the original, its span, labels with values."""

    start: int
    end: int
    cells: list[tuple[str, Part]]


class Node(NamedTuple):
    """A mapping (`items`), a list (`items` with empty keys), or a value (`part`)."""

    start: int
    end: int
    part: Part | None = None
    items: tuple[tuple[Part, Node], ...] = ()


def label_of(key: str) -> str:
    """The words of a key: "leadTime", "lead_time"; "No:" means a number."""
    name = " ".join(_CAMEL.sub(" ", key.strip(" \t*_`\"'")).split())
    before, _, last = name.rpartition(" ")
    return f"{before} number".strip() if last.lower() in words("layout", "number_labels") else name


def rows_of_tree(node: Node) -> list[list[Row]]:
    """The records of a tree: the mappings of one list or mapping together."""
    tables: list[list[Row]] = []
    queue: list[Node] = [node]
    while queue:
        own = queue.pop()
        if own.part is not None:
            continue
        children = [child for _, child in own.items if child.part is None and child.items]
        is_table = children and len(children) == len(own.items) and all(map(_is_record, children))
        if is_table and (not own.items[0][0].text or (len(children) > 1 and _share_keys(children))):
            tables.append([_row(key, child, queue) for key, child in own.items])
        elif any(child.part is not None or _is_plain_list(child) for _, child in own.items):
            if own.items[0][0].text:
                tables.append([_row(Part("", own.start, own.start), own, queue)])
        else:
            queue.extend(reversed(children))
    return tables


def _is_record(node: Node) -> bool:
    return bool(node.items) and bool(node.items[0][0].text) and any(child.part for _, child in node.items)


def _share_keys(children: list[Node]) -> bool:
    """Whether mappings share keys: they describe things of one kind."""
    return all(own & other for own, other in pairwise(map(_key_texts, children)))


def _key_texts(node: Node) -> set[str]:
    return {key.text for key, _ in node.items}


def _is_plain_list(node: Node) -> bool:
    return bool(node.items) and all(not key.text and child.part for key, child in node.items)


def _row(name: Part, node: Node, queue: list[Node]) -> Row:
    cells: list[tuple[str, Part]] = [("name", name)] if name.text else []
    cells += _cells(node, "", queue, 0)
    return Row(min(name.start, node.start) if name.text else node.start, node.end, cells)


def _cells(node: Node, before: str, queue: list[Node], depth: int) -> Iterator[tuple[str, Part]]:
    for key, child in node.items:
        label = f"{before} {key.text}".strip()
        if child.part is not None:
            yield label, child.part
        elif not child.items:
            # "[]" and "{}" say that there is nothing.
            yield label, Part(_NOTHING, child.start, child.end)
        elif _is_plain_list(child):
            for _, item in child.items:
                assert item.part is not None
                yield label, item.part
        elif (
            depth < 3 and child.items and child.items[0][0].text and not all(c.items for _, c in child.items)
        ):
            yield from _cells(child, label, queue, depth + 1)
        else:
            queue.append(child)


def json_tree(text: str, start: int, end: int) -> Node | None:
    """The tree of a stretch that is JSON, or one JSON object per line."""
    found = text[start:end].strip()
    if found[:1] not in ("{", "[") or found[-1:] not in ("}", "]"):
        return None
    first = text.index(found[0], start)
    if _is_json(found):
        return _json(text, first, first + len(found))
    lines = [match.span() for match in re.compile(r"\S[^\n]*").finditer(text, start, end)]
    if len(lines) < 2 or not all(_is_json(text[low:high].strip(" ,")) for low, high in lines):
        return None
    items = [_json(text, low, high) for low, high in lines]
    return Node(first, end, None, tuple((Part("", node.start, node.start), node) for node in items))


def _is_json(text: str) -> bool:
    if text[:1] not in ("{", "["):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _json(text: str, start: int, end: int) -> Node:
    # Each open bracket with its items, and the key that waits for a value.
    stack: list[tuple[str, int, list[tuple[Part, Node]]]] = [("", start, [])]
    key: list[Part | None] = [None]
    for match in _TOKEN.finditer(text, start, end):
        sign = match[0]
        kind, _, items = stack[-1]
        if sign in ("{", "["):
            stack.append((sign, match.start(), []))
            key.append(None)
            continue
        if sign in ("}", "]"):
            _, opened, inner = stack.pop()
            key.pop()
            node = Node(opened, match.end(), None, tuple(inner))
        else:
            quoted = sign[0] == '"'
            low, high = (match.start() + 1, match.end() - 1) if quoted else match.span()
            said = text[low:high]
            if quoted and kind == "{" and key[-1] is None:
                key[-1] = Part(said or " ", low, high)
                continue
            node = Node(low, high, Part(said, low, high))
        kind, _, items = stack[-1]
        named = key[-1] if kind == "{" and key[-1] else Part("", node.start, node.start)
        items.append((named, node))
        key[-1] = None
    return stack[0][2][0][1]


def xml_tree(text: str, start: int, end: int) -> Node | None:
    """The tree of a stretch that is XML with values in attributes or innermost elements."""
    opening = _PROLOGUE.match(text, start, end)
    if opening is None or not text[:end].rstrip().endswith(">"):
        return None
    stack: list[tuple[Part, int, list[tuple[Part, Node]]]] = [(Part("", start, start), start, [])]
    place = opening.end()
    for match in _TAG.finditer(text, place, end):
        between = text[place : match.start()].strip()
        name, items = stack[-1][0], stack[-1][2]
        if match[1]:
            if len(stack) < 2 or name.text != match[2]:
                return None
            _, opened, inner = stack.pop()
            if inner:
                node = Node(opened, match.end(), None, _one_kind(inner))
            else:
                low = place + text[place : match.start()].index(between) if between else place
                node = Node(low, low + len(between), Part(between, low, low + len(between)))
            stack[-1][2].append((name, node))
        else:
            if between or len(stack) > _DEEPEST or (len(stack) == 1 and items):
                return None
            inner = [
                (Part(one[1], *one.span(1)), Node(*one.span(2), Part(one[2], *one.span(2))))
                for one in _ATTRIBUTE.finditer(text, *match.span(3))
            ]
            own = Part(match[2], *match.span(2))
            if match[4]:
                items.append((own, Node(match.start(), match.end(), None, tuple(inner))))
            else:
                stack.append((own, match.start(), inner))
        place = match.end()
    if len(stack) != 1 or len(stack[0][2]) != 1 or text[place:end].strip():
        return None
    return stack[0][2][0][1]


def _one_kind(items: list[tuple[Part, Node]]) -> tuple[tuple[Part, Node], ...]:
    """Elements of one name are a list; the name does not distinguish them."""
    names = [key.text for key, _ in items]
    if len(names) != len(set(names)) or (len(names) == 1 and items[0][1].part is None):
        return tuple((Part("", key.start, key.start) if child.items else key, child) for key, child in items)
    return tuple(items)


class Line(NamedTuple):
    """A line of a block: depth, whether it opens an item, key, value; a section has no value."""

    start: int
    end: int
    depth: int
    is_item: bool
    key: Part
    value: Part | None
    sign: str


def read_line(text: str, start: int, end: int) -> Line | None:
    """The line as key and value, or as a section; None for any other line."""
    if end - start > _LONGEST_LINE:
        return None
    section = _SECTION.match(text, start, end)
    if section is not None:
        return Line(start, end, -1, False, Part(section[1], *section.span(1)), None, "[")
    number = _NUMBER_LABEL.match(text, start, end)
    if number is not None:
        value = Part(number[2], *number.span(2))
        return Line(start, end, 0, False, Part(number[1], *number.span(1)), value, ":")
    match = _KEY.match(text, start, end)
    if match is None or match["colon"] is None:
        return None
    sign = match["colon"].strip(" \t*_") or ":"
    key = Part(match["key"].strip(" '\""), *match.span("key"))
    if not key.text or len(key.text.split()) > _MOST_KEY_WORDS:
        return None
    if sign in "–—-" and match["item"] is None:
        return None
    said = match["value"].strip().strip("\"'").rstrip(",") if match["value"] else ""
    depth = len((match["indent"] + (match["item"] or "")).expandtabs(4))
    if not said:
        return Line(start, end, depth, bool(match["item"]), key, None, sign)
    if len(said) > _LONGEST_VALUE or said.startswith("//") or _PROSE.search(said) is not None:
        return None
    low = text.index(said, match.start("value"))
    return Line(start, end, depth, bool(match["item"]), key, Part(said, low, low + len(said)), sign)


def lines_tree(lines: list[Line]) -> Node | None:
    """The tree of lines of keys and values."""
    by_key = [line for line in lines if line.value is not None]
    if len(by_key) < 2:
        return None
    if any(line.sign == "[" for line in lines) or all(line.sign == "=" for line in by_key):
        return _sections(lines)
    if any(line.sign == "=" for line in lines):
        return None
    is_list = all(line.is_item or line.value is None for line in lines)
    if is_list and len({line.key.text for line in by_key}) == len(by_key):
        return _bullets(lines)
    return _grouped(lines)


def _sections(lines: list[Line]) -> Node | None:
    items: list[tuple[Part, Node]] = []
    open_key = Part("", lines[0].start, lines[0].start)
    inner: list[tuple[Part, Node]] = []
    for line in [*lines, None]:
        if line is None or line.sign == "[":
            if inner:
                items.append((open_key, Node(open_key.start, inner[-1][1].end, None, tuple(inner))))
            inner = []
            if line is not None:
                open_key = line.key
        elif line.value is not None and line.sign in ":=":
            inner.append((line.key, Node(line.value.start, line.value.end, line.value)))
        else:
            return None
    if len(items) == 1 and not items[0][0].text:
        return items[0][1]
    return Node(lines[0].start, lines[-1].end, None, tuple(items))


def _bullets(lines: list[Line]) -> Node:
    """A list of names with one value each, after a line that says what they are."""
    label = Part("", lines[0].start, lines[0].start)
    items: list[tuple[Part, Node]] = []
    for line in lines:
        if line.value is None:
            label = Part(line.key.text.split(" by ")[0], line.key.start, line.key.end)
        else:
            value = Node(line.value.start, line.value.end, line.value)
            named = Part(label.text or "value", line.value.start, line.value.start)
            items.append((line.key, Node(line.start, line.end, None, ((named, value),))))
    return Node(lines[0].start, lines[-1].end, None, tuple(items))


def _grouped(lines: list[Line], depths: int = 0) -> Node | None:
    """Lines by indentation, items and repeated keys."""
    if not lines or depths > _DEEPEST:
        return None
    records: list[list[Line]] = [[]]
    seen: set[str] = set()
    depth = min(line.depth for line in lines)
    has_items = any(line.is_item and line.depth <= depth + 4 for line in lines) and lines[0].is_item
    for line in lines:
        outer = line.depth <= depth or (has_items and line.is_item)
        key = line.key.text.lower()
        if records[-1] and outer and ((has_items and line.is_item) or key in seen):
            records.append([])
            seen = set()
        if outer:
            seen.add(key)
        records[-1].append(line)
    mappings = [_mapping(record, depths) for record in records]
    nodes = [node for node in mappings if node]
    if not nodes:
        return None
    if len(nodes) == 1:
        return nodes[0]
    start, end = nodes[0].start, nodes[-1].end
    return Node(start, end, None, tuple((Part("", node.start, node.start), node) for node in nodes))


def _mapping(lines: list[Line], depths: int) -> Node | None:
    items: list[tuple[Part, Node]] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        place += 1
        if line.value is not None:
            items.append((line.key, Node(line.value.start, line.value.end, line.value)))
            continue
        stop = place
        while stop < len(lines):
            below = lines[stop]
            if below.depth < line.depth or (below.depth == line.depth and not below.is_item):
                break
            stop += 1
        inner = _grouped(lines[place:stop], depths + 1)
        if inner is not None:
            items.append((line.key, inner))
        place = stop
    return Node(lines[0].start, lines[-1].end, None, tuple(items)) if items else None


def bars(text: str, lines: Sequence[Span], at: int) -> tuple[int, Grid] | None:
    """The table of bars that starts at a line, and the index of the line after it."""
    grid: Grid = []
    place, has_rule = at, False
    is_framed = text[slice(*lines[at])].lstrip().startswith("|")
    while place < len(lines) and "|" in text[slice(*lines[place])]:
        start, end = lines[place]
        if "--" in text[start:end] and _BARS_RULE.issuperset(text[start:end]):
            has_rule = True
        else:
            grid.append(_bar_cells(text, start, end, is_framed=is_framed))
        place += 1
    if len(grid) < 2 or (not has_rule and len(grid) < _LEAST_LINES):
        return None
    width = len(grid[0])
    if width < 2 or (not has_rule and any(len(row) != width for row in grid)):
        return None
    return place, settled_grid(grid)


def _bar_cells(text: str, start: int, end: int, *, is_framed: bool) -> list[Part]:
    said = text[start:end].rstrip()
    end = start + len(said)
    start += len(said) - len(said.lstrip())
    if is_framed and text[start : start + 1] == "|":
        start += 1
    if end > start and text[end - 1] == "|" and text[end - 2] != "\\":
        end -= 1
    cells, low = [], start
    for place in range(start, end + 1):
        if place == end or (text[place] == "|" and text[place - 1] != "\\"):
            cells.append(bare_cell(text, low, place))
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
            cells.append(bare_cell(text, low + 1, quoted.end() - 1))
            low = quoted.end() + 1
            continue
        high = text.find(sign, low, end)
        high = end if high < 0 else high
        cells.append(bare_cell(text, low, high))
        low = high + 1
    return cells


def _is_head(said: str) -> bool:
    if not 0 < len(said) <= _LONGEST_HEAD or said[-1] in ".!?":
        return False
    return any(map(str.isalpha, said)) and len(said.split()) <= 6


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
    columns = zip(*grid[1:], strict=True)
    numeric = any(all(map(_cell_has_digit, column)) for column in columns)
    return loose <= 0.2 or (numeric and len(grid[0]) > 2)


def _cell_has_digit(cell: Part) -> bool:
    return any(map(str.isdigit, cell.text))


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


class Head(NamedTuple):
    """A header: the label, and the unit with its scale for the values."""

    label: str
    unit: str = ""


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
    kept = [word for word in said.replace("€", " € ").replace("$", " $ ").split() if word not in ("of", "in")]
    unit = scale = ""
    for word in kept:
        if word in units and not unit and not (word == "m" and len(kept) > 1):
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
    # "$ thousands", and not "Year"
    corner = heads[0] if _unit_of(heads[0]).split(" ")[0] in fields("layout", "scales") else ""
    if _is_turned(grid):
        columns = list(map(list, zip(*grid, strict=True)))
        labels = _labels_in_unit([cell.text or "name" for cell in columns[0]], corner)
        return [Row(start, end, list(zip(labels, column, strict=True))) for column in columns[1:]]
    # A header without a word is above names, or rows that continue.
    labels = _labels_in_unit([head or "name" for head in heads], corner)
    names = words("layout", "unit_labels")
    of_units = next((at for at, head in enumerate(heads) if head.lower() in names), None)
    return [_row_of(labels, row, of_units) for row in grid[1:]]


def _labels_in_unit(labels: list[str], unit: str) -> list[str]:
    """The labels of a table whose corner has the unit of all its values: "$ thousands"."""
    if not unit:
        return labels
    return ["name", *(label if head_of(label).unit else f"{label} ({unit})" for label in labels[1:])]


def _row_of(labels: Sequence[str], row: Sequence[Part], of_units: int | None) -> Row:
    """A row of a table; its values have the unit of a column of units."""
    unit = row[of_units].text if of_units is not None else ""
    if not _unit_of(unit):
        return Row(row[0].start, row[-1].end, list(zip(labels, row, strict=True)))
    named = [label if head_of(label).unit else f"{label} ({unit})" for label in labels]
    cells = [cell for at, cell in enumerate(zip(named, row, strict=True)) if at != of_units]
    return Row(row[0].start, row[-1].end, [(labels[0], cells[0][1]), *cells[1:]])


def _is_turned(grid: Grid) -> bool:
    """Whether the first column contains the labels: values of a row are alike, those of a column are not."""
    body = []
    for row in grid[1:]:
        body.append([shape_of(cell.text) for cell in row[1:]])
    if len(body) < 2 or len(grid[0]) < 3:
        return False
    if any(head_of(cell.text).unit for cell in grid[0][1:]):
        return False  # the unit is given with the label
    across = sum(map(_likeness, body)) / len(body)
    columns = list(zip(*body, strict=True))
    down = sum(map(_likeness, columns)) / len(columns)
    return across > down + (0.0 if not grid[0][0].text else 0.15)


def _likeness(shapes: Sequence[str]) -> float:
    return Counter(shapes).most_common(1)[0][1] / len(shapes)
