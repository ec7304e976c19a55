"""Cut inputs into pieces: JSON Lines at line starts, Parquet by row groups, other files as a whole."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pytest_grounding.errors import InputError
from pytest_grounding.model._base import without_surrogates
from pytest_grounding.scale.inputs import PARQUET, blocks, copied, is_address, is_lines, is_packed, is_stream
from pytest_grounding.scale.plan import Piece


def pieces_of(
    path: str,
    size: int,
    folder: Path,
    *,
    whole: bool = False,
    is_whole: Callable[[bytes], bool] = lambda line: False,
) -> list[Piece]:
    """The pieces of one input."""
    name = without_surrogates(path)[0]
    if name != path:
        hint = "rename it, or leave --jobs out"
        error = InputError("has a name that is no Unicode", path=name, hint=hint)
        return [Piece(path=name, kind="problem", message=str(error))]
    try:
        if path.lower().endswith(PARQUET):
            return _row_groups(path)
        if is_stream(path) or is_lines(path):
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
    # Only a plain file can be read from its middle.
    is_copied = is_stream(path) or is_packed(path) or path.startswith(("http:", "https:"))
    data = copied(path, folder) if is_copied else path
    cutter = _Cutter(path, data, size, is_whole)
    for block in blocks(str(folder / data) if is_copied else path):
        cutter.take(block)
    found = cutter.finish()
    if cutter.is_document or cutter.is_blank:
        if is_copied or is_address(path):
            what = "holds one JSON document" if cutter.is_document else "is empty"
            raise InputError(what, path=path, hint="write one transcript a line")
        return [_whole(path)]
    return [piece.model_copy(update={"is_all": len(found) == 1}) for piece in found]


class _Cutter:
    """Takes the blocks of an input and cuts them at the first line start after each ``size`` bytes."""

    def __init__(self, path: str, data: str, size: int, is_whole: Callable[[bytes], bool]) -> None:
        self._path, self._data, self._size, self._ask = path, data, size, is_whole
        self._is_whole = False
        self._pieces: list[Piece] = []
        self._start = self._place = 0
        self._line = self._lines = 1
        self._digest = hashlib.sha256()
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
        self._digest.update(data)
        self._place += len(data)
        self._lines += data.count(b"\n")

    def _close(self) -> None:
        self._pieces.append(
            Piece(
                path=self._path,
                data=self._data,
                kind="lines",
                start=self._start,
                end=self._place,
                line=self._line,
                sha256=self._digest.hexdigest(),
            )
        )
        self._start, self._line, self._digest = self._place, self._lines, hashlib.sha256()

    def finish(self) -> list[Piece]:
        """The pieces, the rest as the last of them."""
        if self._place > self._start:
            self._close()
        return self._pieces


def _row_groups(path: str) -> list[Piece]:
    from pytest_grounding.scale.columns import parquet_file

    found, first = [], 1
    with parquet_file(path) as file:
        for number in range(file.metadata.num_row_groups):
            group = file.metadata.row_group(number)
            # The bytes themselves are read by the worker; sizes, offsets and statistics tell files apart.
            told = f"{file.schema_arrow}{group.to_dict()}"
            digest = hashlib.sha256(told.encode()).hexdigest()
            place = {"start": number, "end": number + 1, "line": first}
            found.append(Piece(path=path, data=path, kind="rows", sha256=digest, **place))
            first += group.num_rows
    if first == 1:
        raise InputError("is empty", path=path, hint="write one transcript a row, or remove the file")
    return [piece.model_copy(update={"is_all": len(found) == 1}) for piece in found]


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
