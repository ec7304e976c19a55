"""Read transcripts from files, folders and patterns; one bad row does not lose the others."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_grounding._jsonio import Record, iter_records, split_list
from pytest_grounding.errors import DuplicateIdError, InputError
from pytest_grounding.importers.base import Importer
from pytest_grounding.importers.native import to_transcript
from pytest_grounding.model.transcript import DEFAULT_QUESTION_MAX_LENGTH, Transcript

#: Names by which a folder is searched first; only when none is there, every .json and .jsonl counts.
OWN_PATTERNS = ("*.transcript.json", "*.transcripts.jsonl")
ANY_PATTERNS = ("*.json", "*.jsonl", "*.ndjson")


@dataclass(frozen=True, slots=True)
class Row:
    """One transcript of a file, or the error of its place.

    Attributes:
        path: file, as it was given or found, with forward slashes.
        line: 1-based line on which the row begins.
        transcript: the transcript, or None.
        error: why there is none, or None.
    """

    path: str
    line: int
    transcript: Transcript | None
    error: InputError | None = None


class KnownIds:
    """Remembers where each id stood, and refuses the second one."""

    def __init__(self) -> None:
        self._places: dict[str, str] = {}

    def add(self, row: Row) -> Row:
        """The row, or a row with a DuplicateIdError that names both places."""
        if row.transcript is None:
            return row
        identifier, place = row.transcript.id, f"{row.path}:{row.line}"
        first = self._places.setdefault(identifier, place)
        if first == place:
            return row
        error = DuplicateIdError(
            f"{identifier!r} is the id of another transcript too, at {first}",
            path=row.path,
            line=row.line,
            field="id",
            hint="give each transcript of a suite its own id",
        )
        return Row(row.path, row.line, None, error)


def find_files(path: str | Path) -> list[str]:
    """The files that a path names: itself, a folder's transcripts, or the matches of a pattern.

    A folder is searched recursively for ``*.transcript.json`` and ``*.transcripts.jsonl``; where it
    holds neither, for every ``.json`` and ``.jsonl``. The order is by name, the same everywhere.

    Raises:
        InputError: there is no such file, or nothing matches.
    """
    name = str(path)
    root = Path(name)
    if root.is_dir():
        for patterns in (OWN_PATTERNS, ANY_PATTERNS):
            found = sorted({file.as_posix() for pattern in patterns for file in root.rglob(pattern)})
            # Goldens hold transcripts that were accepted, not transcripts to check.
            files = [file for file in found if Path(file).is_file() and "__golden__" not in Path(file).parts]
            if files:
                return files
        raise InputError(
            "holds no transcripts", path=name, hint="expected *.transcript.json or *.jsonl files"
        )
    if root.exists():
        return [root.as_posix()]
    if glob.has_magic(name):
        # Path.glob takes no absolute pattern.
        matches = glob.glob(name, recursive=True)  # noqa: PTH207
        found = sorted(Path(match).as_posix() for match in matches)
        files = [file for file in found if Path(file).is_file() and "__golden__" not in Path(file).parts]
        if files:
            return files
        raise InputError("matches no file", path=name, hint="check the pattern and the folder it starts in")
    raise InputError("does not exist", path=name, hint="check the path")


def iter_rows(
    path: str | Path,
    *,
    importers: Sequence[Importer] = (),
    question_max_length: int = DEFAULT_QUESTION_MAX_LENGTH,
    known: KnownIds | None = None,
) -> Iterator[Row]:
    """Yield every row of the files that a path names, bad ones with their error.

    Args:
        path: a file, a folder or a pattern.
        importers: foreign formats to recognise by content; the native format needs none.
        question_max_length: longest question, in characters.
        known: ids seen so far; pass one object for all paths of a suite.

    Raises:
        InputError: the path itself names nothing.
    """
    known = known or KnownIds()
    for file in find_files(path):
        for row in _rows_of_file(file, importers, question_max_length):
            yield known.add(row)


def _rows_of_file(file: str, importers: Sequence[Importer], longest: int) -> Iterator[Row]:
    for record in iter_records(file):
        if isinstance(record, InputError):
            yield Row(file, record.line or 1, None, record)
            continue
        for member in _members(record):
            yield from _convert(member, file, importers, longest)


def _members(record: Record) -> Iterator[Record]:
    """The record itself, or the members of a list, each with its line and its JSON text."""
    if isinstance(record.value, list) and record.value:
        yield from split_list(record)
    else:
        yield record


def _convert(record: Record, file: str, importers: Sequence[Importer], longest: int) -> Iterator[Row]:
    line, value, source = record
    try:
        for mapping in _native_mappings(value, importers):
            transcript = to_transcript(
                mapping,
                path=file,
                line=line,
                source=source if mapping is value else None,
                question_max_length=longest,
            )
            yield Row(file, line, transcript)
    except InputError as error:
        if error.path is None:
            error = type(error)(error.problem, path=file, line=line, field=error.field, hint=error.hint)
        yield Row(file, line, None, error)


def _native_mappings(value: Any, importers: Sequence[Importer]) -> Iterable[Any]:
    for importer in importers:
        if importer.recognises(value):
            return importer.convert(value)
    return (value,)
