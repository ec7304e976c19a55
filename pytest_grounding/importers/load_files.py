"""Read transcripts from files, folders and patterns; a bad row does not affect the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_grounding._io import jsonio
from pytest_grounding._io.jsonio import JsonRecord
from pytest_grounding._io.wording import counted
from pytest_grounding.errors import DuplicateIdError, InputError
from pytest_grounding.importers.binary_files import binary_kind
from pytest_grounding.importers.importer import Gatherer
from pytest_grounding.importers.native import Importers, convert, named_value, to_transcript
from pytest_grounding.importers.searching import find_files
from pytest_grounding.importers.streams import parse_events
from pytest_grounding.importers.table import read_parquet, read_table
from pytest_grounding.model.base import without_surrogates
from pytest_grounding.model.transcript import DEFAULT_QUESTION_MAX_LENGTH, EXPECTED_STATUS, Transcript

_TABLES = (".csv", ".tsv")
PARQUET = ".parquet"
#: Members of a message; a list of messages is one conversation.
_MESSAGE = frozenset(("role", "parts", "content", "sender", "lc", "data", "call_id"))
_MOST_EQUAL = 1  # equal errors of one file that are reported one by one
_STATUSES = ("pass", "review", "reject")
_STREAM = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:event|data|id|retry)?:")


@dataclass(frozen=True, slots=True)
class Row:
    """One transcript of a file, or the error in its place.

    Attributes:
        path: file, as given or found, with forward slashes.
        line: 1-based line on which the row starts.
        made_id: the recording had no id, so its id may get a number to be unique.
        answer_line: 1-based line of the answer, or None if unknown.
    """

    path: str
    line: int
    transcript: Transcript | None
    error: InputError | None = None
    made_id: bool = False
    answer_line: int | None = None

    @property
    def place(self) -> dict[str, Any]:
        """The location stored in a verdict on the row; a name that is not Unicode is shown in part."""
        source = self.path if self.path.isascii() else without_surrogates(self.path)[0]
        return {"source": source, "line": self.line, "answer_line": self.answer_line}


class KnownIds:
    """Remembers the location of each id, and refuses duplicates."""

    def __init__(self) -> None:
        self._places: dict[str, str] = {}
        self._made: Counter[str] = Counter()

    def add(self, row: Row) -> Row:
        """The row, or a row with a DuplicateIdError that names both locations."""
        if row.transcript is None:
            return row
        if row.made_id:
            stem = row.transcript.id
            self._made[stem] += 1
            if (number := self._made[stem]) > 1:
                row = replace(row, transcript=row.transcript.model_copy(update={"id": f"{stem}-{number}"}))
        assert row.transcript is not None
        identifier, place = row.transcript.id, f"{row.path}:{row.line}"
        first = self._places.setdefault(identifier, place)
        # A file may be named twice; duplicates on one line are refused by `_each_once`.
        return row if first == place else _refused_row(row, identifier, first)


def _refused_row(row: Row, identifier: str, first: str) -> Row:
    problem, hint = f"{identifier!r} is the id of another transcript too, at {first}", "give each its own id"
    error = DuplicateIdError(problem, path=row.path, line=row.line, field="id", hint=hint)
    return Row(row.path, row.line, None, error)


def _each_once(rows: Iterator[Row]) -> Iterator[Row]:
    """The rows of one reading of a file; two rows with one id on one line are an error."""
    seen: set[tuple[int, str]] = set()
    for row in rows:
        if row.transcript is None or row.made_id:
            yield row
            continue
        key = (row.line, row.transcript.id)
        yield _refused_row(row, row.transcript.id, f"{row.path}:{row.line}") if key in seen else row
        seen.add(key)


def _joined_errors(rows: Iterator[Row], file: str) -> Iterator[Row]:
    """The rows of a file; of many equal errors the first ones, and one that counts the rest."""
    counts: Counter[tuple[str, str | None]] = Counter()
    last: dict[tuple[str, str | None], Row] = {}
    for row in rows:
        if row.error is None or isinstance(row.error, DuplicateIdError):
            yield row
            continue
        key = (row.error.problem, row.error.field)
        counts[key] += 1
        if counts[key] <= _MOST_EQUAL:
            yield row
        else:
            last[key] = row
    for key, row in last.items():
        more = counts[key] - _MOST_EQUAL
        problem = f"{key[0]} (the same in {counted(more, 'more row')}, the last in line {row.line})"
        error = InputError(problem, path=file, line=row.line, field=key[1])
        yield replace(row, error=error)


def iter_rows(
    path: str | Path,
    *,
    importers: Importers,
    question_max_length: int = DEFAULT_QUESTION_MAX_LENGTH,
    known: KnownIds | None = None,
) -> Iterator[Row]:
    """Yield every row of the files that a path names; a bad row carries its error."""
    known = known or KnownIds()
    for file in find_files(path):
        for row in rows_of(file, importers, question_max_length):
            yield known.add(row)


class GatheredError(Exception):
    """A part of a file has a value that only makes sense together with others of the whole file."""


def rows_of(
    file: str,
    importers: Importers,
    longest: int,
    records: Iterable[JsonRecord | InputError] | None = None,
    *,
    is_part: bool = False,
) -> Iterator[Row]:
    """Yield the rows of one file, or of some records of it."""
    reader = _FileReader(file, importers, longest)
    found = reader.all_rows(_records_of(file) if records is None else records, is_part=is_part)
    return _joined_errors(_each_once(found), file)


def _is_whole_file(items: list[Any]) -> bool:
    """Whether a list is one conversation, and not a list of transcripts."""
    first = items[0]
    if not isinstance(first, dict) or not _MESSAGE & first.keys():
        return False
    from pytest_grounding.importers.conversation import conversation_of

    return conversation_of(items) is not None


def _records_of(file: str) -> Iterator[JsonRecord | InputError]:
    if not file.lower().endswith(PARQUET) and (error := binary_kind(file)) is not None:
        yield error
        return
    if jsonio.bare_name(file).lower().endswith(_TABLES) or file.lower().endswith(PARQUET):
        for line, row in read_parquet(file) if file.lower().endswith(PARQUET) else read_table(file):
            yield row if isinstance(row, InputError) else JsonRecord(line, row, "")
        return
    if file == jsonio.STANDARD and _STREAM.match(jsonio.standard_input()):
        yield JsonRecord(
            1, {"stream": parse_events(jsonio.standard_input().decode("utf-8-sig", "replace"))}, ""
        )
        return
    # A pipe can be read once only, so its beginning must not be inspected.
    if not jsonio.bare_name(file).lower().endswith((".jsonl", ".ndjson")) and Path(file).is_file():
        try:
            with open(file, "rb") as stream:
                is_stream = _STREAM.match(stream.read(256)) is not None
            if is_stream:
                events = parse_events(Path(file).read_text(encoding="utf-8-sig"))
                # YAML may also start with "id:", and is not a stream of events.
                if any(event["data"] for event in events):
                    yield JsonRecord(1, {"stream": events}, "")
                    return
        except (OSError, UnicodeDecodeError):
            pass  # the JSON reader reports the problem of the file
    yield from jsonio.iter_records(file)


class _FileReader:
    """Turns the values of one file into rows; values that belong together are kept to the end."""

    def __init__(self, file: str, importers: Importers, longest: int) -> None:
        self._file = file
        self._importers = importers
        self._longest = longest
        self.kept: dict[int, list[JsonRecord]] = {}

    def all_rows(self, records: Iterable[JsonRecord | InputError], *, is_part: bool) -> Iterator[Row]:
        """The rows of all values; those of a part of a file may not be kept for later."""
        is_empty = not is_part
        for record in records:
            is_empty = False
            if isinstance(record, InputError):
                yield Row(self._file, record.line or 1, None, record)
                continue
            # A list has one value per member, each with its line and its JSON text.
            if isinstance(record.value, list) and record.value and _is_whole_file(record.value):
                record = JsonRecord(record.line, {"messages": record.value}, "")
            is_list = isinstance(record.value, list) and bool(record.value)
            for member in jsonio.split_list(record) if is_list else [record]:
                yield from self.rows(member)
                if is_part and self.kept:
                    raise GatheredError(self._file)
        yield from self.gathered()
        if is_empty:
            hint = "write one transcript a line, or remove the file"
            yield Row(self._file, 1, None, InputError("is empty", path=self._file, hint=hint))

    def rows(self, record: JsonRecord) -> Iterator[Row]:
        """The rows of one value; none if it is kept for later."""
        line, value, source = record
        try:
            importer = self._importers.of(value)
            if importer is None:
                self._importers.refuse(value)
                yield self._row(value, line, source=source)
            elif isinstance(importer, Gatherer) and importer.belongs(value):
                place = self._importers.all.index(importer)
                self.kept.setdefault(place, []).append(JsonRecord(line, value, ""))
            else:
                for mapping in convert(importer, value):
                    yield self._named(mapping, importer.name, line)
        except InputError as error:
            yield self._failure(error, line)

    def gathered(self) -> Iterator[Row]:
        """The rows of the kept values, in file order."""
        folder = str(Path(self._file).parent)
        for place in sorted(self.kept):
            importer, records = self._importers.all[place], self.kept[place]
            assert isinstance(importer, Gatherer)
            line = records[0].line
            try:
                for index, found in importer.gather([record.value for record in records], folder):
                    line = records[index].line
                    try:
                        if isinstance(found, InputError):
                            raise found
                        row = self._named(found, importer.name, line)
                    except InputError as error:
                        row = self._failure(error, line)
                    yield row
            except InputError as error:
                yield self._failure(error, line)

    def _named(self, mapping: Mapping[str, Any], name: str, line: int) -> Row:
        mapping, made = named_value(mapping, name)
        return replace(self._row(mapping, line), made_id=made)

    def _row(self, mapping: Mapping[str, Any] | Any, line: int, source: str | None = None) -> Row:
        given: dict[str, Any] = {"path": self._file, "line": line, "source": source}
        transcript = to_transcript(mapping, **given, question_max_length=self._longest)
        if not source:
            return Row(self._file, line, transcript)
        wanted = transcript.metadata.get(EXPECTED_STATUS)
        if wanted is not None and wanted not in _STATUSES:
            # An unknown expected status would silently expect nothing.
            place = ("metadata", EXPECTED_STATUS)
            line = jsonio.line_of_field(source, place, first_line=line)
            where = {"path": self._file, "field": ".".join(place)}
            hint = f"write one of: {', '.join(_STATUSES)}"
            raise InputError(f"is not a status of a verdict ({wanted!r})", line=line, hint=hint, **where)
        answer_line = jsonio.line_of_field(source, ("answer",), first_line=line)
        return Row(self._file, line, transcript, answer_line=answer_line)

    def _failure(self, error: InputError, line: int) -> Row:
        if error.path is None:
            error = type(error)(error.problem, path=self._file, line=line, field=error.field, hint=error.hint)
        return Row(self._file, line, None, error)
