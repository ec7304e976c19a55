"""Tables: rows of CSV files, and objects with user-named columns."""

from __future__ import annotations

import ast
import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO, TextIOWrapper
from itertools import pairwise, zip_longest
from token import COMMENT, NEWLINE, NL, STRING
from tokenize import TokenError, generate_tokens
from typing import Any

from pytest_grounding._io.jsonio import DAMAGED, bare_name, opened
from pytest_grounding.errors import InputError, require
from pytest_grounding.importers.draft import EXPECTATIONS, Draft
from pytest_grounding.importers.endings import why_unfinished
from pytest_grounding.importers.importer import Drafting
from pytest_grounding.importers.paths import MISSING, at_path
from pytest_grounding.lexicon import member_fields
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.model.json_values import as_name, as_number, decoded
from pytest_grounding.model.members import as_map

_USUAL = member_fields("columns")  # names that need no mapping, in lower case
_TEXT = "text"  # the member of each chunk with its words, which only a mapping names
FIELDS = (*_USUAL, _TEXT)
_NUMBERED = plain("recorded", "numbered_column")
_ADJACENT = re.compile(r"""['"]\s+['"]""")  # two texts separated by white space only
_BLANKS = (NL, NEWLINE, COMMENT)
_LONGEST_CELL = 50_000_000  # may be a long context; the csv module stops at 131072 characters by default
_MARK = "\x00table"
_NESTED = frozenset({"chunks", "citations", "history", "metadata", "filters", "cited_indices"})


def parse_columns(text: str) -> dict[str, str]:
    """The mapping of columns from a setting: ``question=Frage, answer=Antwort``."""
    found = {}
    for part in filter(str.strip, text.split(",")):
        name, equals, column = part.partition("=")
        if not equals or name.strip() not in FIELDS:
            hint = f"write FIELD=COLUMN, apart by commas; fields are {', '.join(FIELDS)}"
            raise InputError(f"{part.strip()!r} names no column", field="columns", hint=hint)
        found[name.strip()] = column.strip()
    return found


class Table(Drafting):
    """Reads a row: an object whose members are cells. Lists in cells are JSON or Python literals."""

    name = "table"

    def recognises(self, value: Any) -> bool:
        """Whether the value is a row of a table, or has the mapped columns."""
        row = as_map(value)
        if _MARK in row:
            return True
        wanted = {field: path for field, path in self.options.columns.items() if field != _TEXT}
        is_mapped = {"question", "answer"} <= set(wanted)
        return is_mapped and all(at_path(row, path) is not MISSING for path in wanted.values())

    def convert(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """The transcript of one row."""
        row = {key: cell for key, cell in as_map(value).items() if key != _MARK and isinstance(key, str)}
        # The values at mapped paths stand under the paths, as if they were columns.
        paths = {path: at_path(row, path) for field, path in self.options.columns.items() if field != _TEXT}
        row = {**row, **{path: held for path, held in paths.items() if held is not MISSING}}
        talk = _conversation_in(row)
        if talk is not None:
            yield from self._conversation(talk, row)
            return
        columns = self._columns(row)
        draft = self.draft()
        draft.id = as_name(row[columns["id"]]) if "id" in columns else None
        draft.question = as_name(row.get(columns.get("question", ""))) or ""
        draft.answer = as_name(row[columns["answer"]]) or ""
        numbered = [] if "chunks" in columns else _numbered_columns(row)
        if "chunks" in columns:
            _chunks_of_cell(row, columns, draft, self.options.columns.get(_TEXT, ""))
        elif numbered:
            for column in numbered:
                for item in _cells_in(row[column]):
                    draft.chunk_of(item)
        else:
            draft.gap("chunks", "the table has no column of retrieved chunks", "warning")
        # An empty cell is unknown, not "nothing is missing".
        readers = {"language": as_name, "confidence": _number_of_cell, "missing_information": as_name}
        draft.fields |= {key: read(row[columns[key]]) for key, read in readers.items() if key in columns}
        draft.used |= {*columns.values(), *numbered}
        draft.expect({key.strip().lower(): _listed_cell(cell) for key, cell in row.items()})
        draft.cite_lists(row)
        draft.ended(why_unfinished({key.strip().lower(): cell for key, cell in row.items()}))
        used = {*columns.values(), *numbered, *(key for key in row if key.strip().lower() in EXPECTATIONS)}
        rest = {key: cell for key, cell in row.items() if key not in used and cell not in (None, "")}
        draft.metadata |= {key: cell for key, cell in rest.items() if isinstance(cell, (str, int, float))}
        yield draft.finish()

    def _conversation(self, talk: list[Any], row: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """The transcript of a row whose cell is a conversation with its answer."""
        from pytest_grounding.importers.agents import LangGraph

        rest = {key: cell for key, cell in row.items() if isinstance(cell, str) and key != "user_input"}
        for found in LangGraph(self.options).convert({"messages": talk}):
            yield {**found, "metadata": {**found["metadata"], **rest}}

    def _columns(self, row: Mapping[str, Any]) -> dict[str, str]:
        folded = {key.strip().lower(): key for key in reversed(list(row))}
        found = {}
        for field, usual in _USUAL.items():
            named = self.options.columns.get(field)
            if named is not None and named not in row:
                hint = f"columns are {_listed_columns(row)}"
                raise InputError(f"there is no column {named!r}", field=field, hint=hint)
            column = named or next((folded[name] for name in usual if name in folded), None)
            if column is not None:
                found[field] = column
        for field in ("question", "answer"):
            if field not in found and not (field == "question" and self.options.question):
                problem = f"no column holds the {field}; columns are {_listed_columns(row)}"
                hint = f"name it with the setting columns, such as columns = {field}=NAME"
                raise InputError(problem, field=field, hint=hint)
        return found


def _conversation_in(row: Mapping[str, Any]) -> list[Any] | None:
    """The messages in the cell ``user_input`` of a row without an answer, as RAGAS writes them."""
    cell = row.get("user_input")
    if not isinstance(cell, str) or not cell.lstrip().startswith("[") or row.get("response"):
        return None
    held = decoded(cell)
    held = python_literal(held) if isinstance(held, str) else held
    return held if isinstance(held, list) and all(isinstance(item, dict) for item in held) and held else None


def missing_path(value: Any, columns: Mapping[str, str]) -> InputError | None:
    """The error on a mapped path that leads nowhere in a value; None if all lead somewhere."""
    row = as_map(value)
    for field, path in columns.items():
        if field != _TEXT and row and at_path(row, path) is MISSING:
            problem = f"the setting columns names {path!r} for the {field}, and there is no such member"
            hint = f"its members are {_listed_columns(row)}; a path has dots, such as retrieval.hits"
            return InputError(problem, field=field, hint=hint)
    return None


def _numbered_columns(row: Mapping[str, Any]) -> list[str]:
    """Columns with one chunk each ("chunk_1", "Context 2"), in the order of their numbers."""
    found = [(int(match[1]), key) for key in row if (match := _NUMBERED.fullmatch(key.strip())) is not None]
    return [key for _, key in sorted(found)]


def _listed_columns(row: Mapping[str, Any]) -> str:
    names = [repr(key[:40]) for key in row]
    return ", ".join(names if len(names) <= 12 else [*names[:12], "..."])


def _chunks_of_cell(row: Mapping[str, Any], columns: Mapping[str, str], draft: Draft, text: str = "") -> None:
    cells = _cells_in(row[columns["chunks"]])
    if text and cells and all(isinstance(hit, Mapping) and at_path(hit, text) is MISSING for hit in cells):
        problem = f"the setting columns names {text!r} for the text, and the first chunk has no such member"
        hint = f"it has {_listed_columns(as_map(cells[0])) or 'no member'}"
        raise InputError(problem, field="chunks", hint=hint)
    items = []
    for item in cells:
        # The words of a passage may stand under a path of the user's.
        held = at_path(item, text) if text and isinstance(item, Mapping) else None
        items.append({**item, "text": held} if isinstance(held, str) else item)
    ids, scores = (_cells_in(row.get(columns.get(name, ""))) for name in ("chunk_ids", "scores"))
    for item, name, score in zip_longest(items, ids[: len(items)], scores[: len(items)]):
        if isinstance(item, str):
            draft.chunk(item, id=as_name(name), score=_number_of_cell(score))
        else:
            draft.chunk_of(item)


def _cells_in(value: Any) -> list[Any]:
    """The members of a cell: a list as JSON or a Python literal; any other text is one member."""
    held = decoded(value)
    if isinstance(held, str) and held.lstrip().startswith("["):
        held = python_literal(held)
    if isinstance(held, (list, tuple)):
        return list(held)
    if isinstance(held, Mapping):
        return [held]
    return [value] if isinstance(value, str) and value.strip() else []


def python_literal(text: str) -> Any:
    """The list or object in a text as Python prints it; the text itself if it is none."""
    try:
        return ast.literal_eval(_parted(text.strip()))
    except (ValueError, SyntaxError, MemoryError, RecursionError, TokenError):
        return text


def _parted(text: str) -> str:
    """A list as Python prints it, with commas between its texts."""
    if not _ADJACENT.search(text):
        return text
    tokens = [token for token in generate_tokens(StringIO(text).readline) if token.type not in _BLANKS]
    found = []
    for token, following in pairwise(tokens):
        found.append(token.string)
        if token.type == following.type == STRING:
            found.append(",")
    return " ".join(found)


def _listed_cell(cell: Any) -> Any:
    """A cell with several texts as a list; any other one unchanged."""
    is_list = isinstance(cell, str) and cell.lstrip().startswith("[")
    return _cells_in(cell) if is_list else cell


def _number_of_cell(value: Any) -> float | None:
    try:
        return as_number(float(value)) if isinstance(value, str) else as_number(value)
    except ValueError:
        return None


def read_table(path: str) -> Iterator[tuple[int, dict[str, Any] | InputError]]:
    """Yield the rows of a CSV or TSV file with their lines, in constant memory."""
    try:
        with TextIOWrapper(opened(path), encoding="utf-8-sig", newline="") as stream:
            first = stream.readline()
            stream.seek(0)
            usual = ";" if ";" in first and "," not in first else ","
            separator = "\t" if bare_name(path).lower().endswith(".tsv") else usual
            yield from _rows_of_table(stream, separator, path)
    except DAMAGED as error:
        yield 1, InputError(f"cannot be unpacked ({error})", path=path, hint="it is cut off or damaged")
    except OSError as error:
        yield 1, InputError(f"cannot be read ({error.strerror or error})", path=path)
    except UnicodeDecodeError as error:
        problem = f"is not UTF-8 text (byte {error.start})"
        yield 1, InputError(problem, path=path, hint="save the file as UTF-8")


def read_parquet(path: str) -> Iterator[tuple[int, dict[str, Any] | InputError]]:
    """Yield the rows of a Parquet file with their numbers: transcripts, or rows of a table."""
    parquet = require("pyarrow.parquet", extra="scale")
    number = 0
    try:
        with open(path, "rb") as stream:
            for batch in parquet.ParquetFile(stream).iter_batches(batch_size=64):
                for row in batch.to_pylist():
                    number += 1
                    value = json.loads(json.dumps(_without_nulls(row), default=str))
                    # A column may have non-text members of a transcript as JSON.
                    value |= {name: decoded(value[name]) for name in _NESTED & value.keys()}
                    chunks = value.get("chunks")
                    is_own = isinstance(chunks, list) and all(isinstance(chunk, dict) for chunk in chunks)
                    yield number, value if is_own else {_MARK: True, **value}
    except (OSError, ValueError) as error:
        yield number + 1, InputError(f"cannot be read as Parquet ({error})", path=path)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(item) for name, item in value.items() if item is not None}
    return list(map(_without_nulls, value)) if isinstance(value, list) else value


def _rows_of_table(
    stream: Iterable[str], separator: str, path: str
) -> Iterator[tuple[int, dict[str, Any] | InputError]]:
    reader = csv.reader(stream, delimiter=separator)
    header: list[str] | None = None
    header_line = 1
    is_bare = True
    while True:
        line = reader.line_num + 1
        # The limit is global to the process: it is restored before other code runs.
        before = csv.field_size_limit(_LONGEST_CELL)
        try:
            cells = next(reader, None)
        except csv.Error as error:
            yield line, InputError(f"is not a table that can be read: {error}", path=path, line=line)
            continue
        finally:
            csv.field_size_limit(before)
        if cells is None:
            if header is None:
                yield 1, InputError("is empty", path=path, hint="write the columns' names in the first line")
            elif is_bare:
                hint = "write one transcript a row, or remove the file"
                yield 1, InputError("contains no row under its columns' names", path=path, hint=hint)
            return
        if not any(cell.strip() for cell in cells):
            continue
        if header is None:
            header, header_line = [cell.strip() for cell in cells], line
            if {"Status", "Score", "Named Scores"} <= set(header):
                problem = (
                    "is a table of promptfoo, which has lost the passages and puts the answers under the"
                )
                hint = "write the results with -o out.json"
                yield line, InputError(f"{problem} prompts", path=path, line=line, hint=hint)
                return
            continue
        is_bare = False
        if len(cells) != len(header):
            problem = f"has {len(cells)} cells, and the first line names {len(header)} columns"
            hint = "put cells with separators or line feeds in quotation marks"
            yield line, InputError(problem, path=path, line=line, hint=hint)
            continue
        row = dict(zip(header, cells, strict=True))
        pairs = zip(header, cells, strict=True)
        doubled = next((name for name, cell in pairs if name and row[name] != cell), None)
        if doubled is not None:
            problem = f"two columns are called {doubled!r:.60}, and one would be lost"
            hint = "give each column its own name, such as context_1 and context_2"
            yield header_line, InputError(problem, path=path, line=header_line, hint=hint)
            return
        yield line, _traced(row) or {_MARK: True, **row}


def _traced(row: dict[str, Any]) -> dict[str, Any] | None:
    """The row as it was before it was a table, if it is a span or a trace."""
    if "context.trace_id" in row or "context.span_id" in row:
        return row
    for name in ("trace", "spans"):
        if isinstance(decoded(row.get(name)), (dict, list)) and {"trace_id", "request_id"} & row.keys():
            return row
    return None
