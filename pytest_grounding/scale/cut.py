"""Cut inputs into pieces: JSON Lines at line starts, Parquet by row groups, other files as a whole.

Each input is read once, in blocks: that gives the line on which each piece begins and the hash of its bytes,
by which a piece is known again, and a change between the plan and the work is seen.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from pytest_grounding import _optional
from pytest_grounding.errors import InputError
from pytest_grounding.model._base import without_surrogates
from pytest_grounding.scale.inputs import (
    EXTRA,
    PARQUET,
    blocks,
    is_address,
    is_lines,
    is_packed,
    is_readable,
    unreadable,
)
from pytest_grounding.scale.plan import Piece
from pytest_grounding.scale.streams import SPOOL, copied, is_stream

#: Bytes of a piece of JSON Lines in large runs; in smaller ones it is less, so that every core has some.
LARGEST = 8 << 20
SMALLEST = 64 << 10
#: How many pieces a run has at least, where that leaves them at `SMALLEST` or more.
_PIECES = 64


def piece_size(total: int) -> int:
    """Bytes of a piece of a run of so many bytes: it hangs on the inputs alone, never on the machine."""
    return max(SMALLEST, min(LARGEST, total // _PIECES))


def pieces_of(
    path: str,
    size: int,
    folder: Path,
    *,
    whole: bool = False,
    is_whole: Callable[[bytes], bool] = lambda line: False,
) -> list[Piece]:
    """The pieces of one input.

    Args:
        path: a file or an address.
        size: bytes of a piece of JSON Lines.
        folder: the work folder, which takes what must be unpacked or fetched.
        whole: keep it in one piece.
        is_whole: tells by the first line of JSON Lines whether to keep them in one piece.

    Returns:
        At least one piece; one of kind ``problem`` where the input cannot be read.
    """
    name = without_surrogates(path)[0]
    if name != path:
        hint = "rename it, or leave --jobs out"
        error = InputError("has a name that is no Unicode", path=name, hint=hint)
        return [Piece(path=name, kind="problem", message=str(error))]
    try:
        if path.lower().endswith(PARQUET):
            return _row_groups(path)
        if is_stream(path):
            return _lines_of_stream(path, size, folder, lambda line: whole or is_whole(line))
        if is_lines(path):
            return _lines(path, size, folder, lambda line: whole or is_whole(line))
        if is_address(path) or is_packed(path):
            hint = "give .jsonl, .jsonl.gz, .jsonl.zst or .parquet there, or fetch the file"
            raise InputError("is of a kind that is read from this machine alone", path=path, hint=hint)
        return [_whole(path)]
    except InputError as error:
        return [Piece(path=path, kind="problem", line=error.line or 1, message=str(error))]


def _whole(path: str) -> Piece:
    digest, size = hashlib.sha256(), 0
    for block in blocks(path):
        digest.update(block)
        size += len(block)
    return Piece(path=path, data=path, kind="whole", end=size, sha256=digest.hexdigest())


def _lines(path: str, size: int, folder: Path, is_whole: Callable[[bytes], bool]) -> list[Piece]:
    must_spool = is_packed(path) or path.startswith(("http:", "https:"))
    cutter = _Cutter(path, size, folder / SPOOL if must_spool else None, is_whole)
    with contextlib.closing(cutter):
        for block in blocks(path):
            cutter.take(block)
        found = cutter.finish()
    if cutter.is_document or cutter.is_blank:
        if must_spool or is_address(path):
            what = "holds one JSON document" if cutter.is_document else "is empty"
            raise InputError(what, path=path, hint="write one transcript a line")
        return [_whole(path)]
    return [piece.model_copy(update={"is_all": len(found) == 1}) for piece in found]


def _lines_of_stream(path: str, size: int, folder: Path, is_whole: Callable[[bytes], bool]) -> list[Piece]:
    """The pieces of the copy of a stream, under the name of the stream."""
    data = copied(path, folder)
    cutter = _Cutter(path, size, None, is_whole, data)
    for block in blocks(str(folder / data), packer=""):
        cutter.take(block)
    found = cutter.finish()
    if cutter.is_document or cutter.is_blank:
        what = "holds one JSON document" if cutter.is_document else "is empty"
        raise InputError(what, path=path, hint="write one transcript a line, or leave --jobs out")
    return [piece.model_copy(update={"is_all": len(found) == 1}) for piece in found]


class _Cutter:
    """Takes the blocks of an input and cuts them at the first line start after each ``size`` bytes."""

    def __init__(
        self, path: str, size: int, spool: Path | None, is_whole: Callable[[bytes], bool], data: str = ""
    ) -> None:
        self._data = data or path
        self._path, self._size, self._spool, self._ask = path, size, spool, is_whole
        self._is_whole = False
        self._pieces: list[Piece] = []
        self._start = self._place = 0
        self._line = self._lines = 1
        self._digest = hashlib.sha256()
        self._file: Any = None
        self._head = b""
        self.is_blank = True

    @property
    def is_document(self) -> bool:
        """Whether the first line that says anything is a lone bracket."""
        return self._head.strip() in (b"[", b"{")

    def take(self, block: bytes) -> None:
        """Add a block."""
        if self.is_blank:
            # A byte order mark and blank lines say nothing.
            text = block.removeprefix(b"\xef\xbb\xbf") if not self._place else block
            self.is_blank = not text.strip()
            self._head = b"" if self.is_blank else text.lstrip().partition(b"\n")[0]
            self._is_whole = not self.is_blank and self._ask(self._head)
        while block:
            cut = self._cut_in(block)
            self._add(block[:cut])
            if cut < len(block) or self._is_at_cut(block, cut):
                self._close()
            block = block[cut:]

    def _cut_in(self, block: bytes) -> int:
        """Where in the block the piece at hand ends; its length where that is further on."""
        if self._is_whole:
            return len(block)
        due = max(0, self._start + self._size - 1 - self._place)
        found = block.find(b"\n", due) if due < len(block) else -1
        return found + 1 if found >= 0 else len(block)

    def _is_at_cut(self, block: bytes, cut: int) -> bool:
        is_long = self._place - self._start >= self._size
        return is_long and block[cut - 1 : cut] == b"\n" and not self._is_whole

    def _add(self, data: bytes) -> None:
        if self._spool is not None:
            if self._file is None:
                self._spool.mkdir(parents=True, exist_ok=True)
                handle, name = tempfile.mkstemp(dir=self._spool, prefix=".", suffix=".tmp")
                self._file = (os.fdopen(handle, "wb"), name)
            self._file[0].write(data)
        self._digest.update(data)
        self._place += len(data)
        self._lines += data.count(b"\n")

    def _close(self) -> None:
        digest = self._digest.hexdigest()
        data, start, end = self._data, self._start, self._place
        if self._file is not None:
            stream, name = self._file
            stream.close()
            data = f"{SPOOL}/{digest[:32]}"
            assert self._spool is not None
            os.replace(name, self._spool / digest[:32])
            self._file, start, end = None, 0, self._place - self._start
        self._pieces.append(
            Piece(
                path=self._path, data=data, kind="lines", start=start, end=end, line=self._line, sha256=digest
            )
        )
        self._start, self._line, self._digest = self._place, self._lines, hashlib.sha256()

    def finish(self) -> list[Piece]:
        """The pieces, the rest as the last of them."""
        if self._place > self._start:
            self._close()
        return self._pieces

    def close(self) -> None:
        """Remove a file that was begun and not finished."""
        if self._file is not None:
            self._file[0].close()
            with contextlib.suppress(OSError):
                os.unlink(self._file[1])


def _row_groups(path: str) -> list[Piece]:
    found, first = [], 1
    with parquet_file(path) as file:
        for number in range(file.metadata.num_row_groups):
            group = file.metadata.row_group(number)
            # The bytes themselves are read by the worker; sizes, offsets and statistics tell files apart.
            told = f"{file.schema_arrow}{group.to_dict()}"
            digest = hashlib.sha256(told.encode()).hexdigest()
            found.append(
                Piece(
                    path=path,
                    data=path,
                    kind="rows",
                    start=number,
                    end=number + 1,
                    line=first,
                    sha256=digest,
                )
            )
            first += group.num_rows
    found = [piece.model_copy(update={"is_all": len(found) == 1}) for piece in found]
    if first == 1:
        raise InputError("is empty", path=path, hint="write one transcript a row, or remove the file")
    return found


@contextlib.contextmanager
def parquet_file(path: str) -> Iterator[Any]:
    """A Parquet file, to read row groups of.

    Raises:
        InputError: it cannot be read.
        MissingExtraError: the extra for it is not installed.
    """
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


def packed_together(pieces: Iterable[Piece], size: int) -> Iterator[list[Piece]]:
    """Yield pieces in groups of about one size: a folder of small files is not one part a file."""
    group: list[Piece] = []
    total = 0
    for piece in pieces:
        is_alone = piece.kind == "rows" or piece.size >= size
        if group and (is_alone or total + piece.size > size or group[-1].kind == "rows"):
            yield group
            group, total = [], 0
        group.append(piece)
        total += piece.size
    if group:
        yield group


__all__ = ["PARQUET", "SPOOL", "is_readable", "packed_together", "parquet_file", "piece_size", "pieces_of"]
