"""Rows of Parquet as the values that importers read."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from pytest_grounding._io import optional as _optional
from pytest_grounding._io.jsonio import Record
from pytest_grounding.errors import InputError
from pytest_grounding.importers.table import marked
from pytest_grounding.scale.inputs import EXTRA, is_address, unreadable
from pytest_grounding.scale.plan import Piece

_BATCH = 64
#: Members of a transcript that are no text; a column may hold them as JSON.
_NESTED = ("chunks", "citations", "history", "metadata", "filters", "cited_indices")


def records_of(piece: Piece) -> Iterator[Record | InputError]:
    """Yield the rows of a run of row groups, a few at a time; the line of a row is its number in the file."""
    number = piece.line
    with parquet_file(piece.data) as file:
        if piece.end > file.metadata.num_row_groups:
            hint = "give the command again"
            raise InputError("has changed since the plan was made", path=piece.path, hint=hint)
        groups = list(range(piece.start, piece.end))
        batches = iter(file.iter_batches(batch_size=_BATCH, row_groups=groups))
        while True:
            try:
                batch = next(batches, None)
            except (OSError, ValueError) as error:
                raise unreadable(piece.path, error) from error
            if batch is None:
                return
            for row in batch.to_pylist():
                yield _record(row, number)
                number += 1


def value_of(row: Mapping[str, Any]) -> Any:
    """A row of columns as a transcript, where it has the columns of one, else as a row of a table."""
    value = _plain(row)
    for name in _NESTED:
        if isinstance(value.get(name), str):
            try:
                value[name] = json.loads(value[name])
            except ValueError:
                return marked(value)
    chunks = value.get("chunks")
    if isinstance(chunks, list) and all(isinstance(chunk, dict) for chunk in chunks):
        return value
    if isinstance(chunks, list):
        # Texts alone: a transcript has objects there, and a table may have either.
        value["contexts"] = value.pop("chunks")
    return marked(value)


def _record(row: Mapping[str, Any], number: int) -> Record:
    return Record(number, value_of(row), "")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, (list, tuple)):
        return [None if item is None else _plain(item) for item in value]
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value)


@contextlib.contextmanager
def parquet_file(path: str) -> Iterator[Any]:
    """A Parquet file, to read row groups of."""
    parquet = _optional.require("pyarrow.parquet", extra=EXTRA)
    with contextlib.ExitStack() as stack:
        try:
            if is_address(path):
                fsspec = _optional.require("fsspec", extra=EXTRA)
                source = stack.enter_context(fsspec.open(path, "rb"))
            else:
                source = stack.enter_context(open(path, "rb"))
            file = parquet.ParquetFile(source)
        except (OSError, ValueError) as error:
            if isinstance(error, FileNotFoundError):
                raise unreadable(path, error) from error
            raise InputError(f"cannot be read as Parquet ({error})", path=path) from error
        yield file
