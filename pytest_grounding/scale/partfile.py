"""Part files: written under a temporary name and renamed; written once more, they hold the same bytes."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from pytest_grounding.errors import InputError
from pytest_grounding.scale.inputs import blocks, unpacker
from pytest_grounding.scale.result import Line, PartResult

_LEVEL = 3


def file_name(index: int, compress: str) -> str:
    """The name of the file of a part."""
    return f"{index:06d}.jsonl{f'.{compress}' if compress else ''}"


def ids_name(index: int) -> str:
    """The name of the file of the ids of a part."""
    return f"{index:06d}.ids"


def result_name(index: int) -> str:
    """The name of the file of the result of a part: where it stands, the part is finished."""
    return f"{index:06d}.result.json"


class PartFile:
    """A part file in the making; `keep` gives it its name.

    Args:
        folder: the work folder.
        name: the name it gets; its ending says how it is packed.

    Attributes:
        size: bytes that were written, before they are packed.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._target = folder / name
        self._digest = hashlib.sha256()
        self._temporary = ""
        self._stack = contextlib.ExitStack()
        self._stream: Any = None
        self.size = 0

    def __enter__(self) -> PartFile:
        handle, self._temporary = tempfile.mkstemp(
            dir=self._target.parent, prefix=f".{self._target.name}.", suffix=".tmp"
        )
        raw = self._stack.enter_context(os.fdopen(handle, "wb"))
        self._stream = self._stack.enter_context(_packing(raw, self._target.name))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):
            self._stack.close()
        # What was kept has another name by now.
        with contextlib.suppress(OSError):
            os.unlink(self._temporary)

    def write(self, data: bytes) -> None:
        """Write one line, with its line feed."""
        self._stream.write(data)
        self._digest.update(data)
        self.size += len(data)

    def keep(self, told: str) -> str:
        """Give the file its name; one of that name must hold the same.

        Args:
            told: the part, in words.

        Returns:
            SHA-256 of what was written, before it was packed.

        Raises:
            DifferentResultError: the file of an earlier execution holds other lines.
        """
        self._stack.close()
        if self._target.exists():
            refuse_other(self._target, Path(self._temporary), told)
        os.replace(self._temporary, self._target)
        return self._digest.hexdigest()


class DifferentResultError(InputError):
    """A part was executed twice with different results; the message names the row."""


def refuse_other(before: Path, after: Path, told: str) -> None:
    """Refuse a second execution that found something else than the first.

    Raises:
        DifferentResultError: a row differs; names the first one.
    """
    packed = before.suffix == ".zst"
    old_lines = _lines_of(before, packed=packed)
    for number, (old, new) in enumerate(zip_longest(old_lines, _lines_of(after, packed=packed)), start=1):
        if old != new:
            row = _row_of(new or old or b"")
            raise DifferentResultError(
                f"{told} was executed twice, and its line {number}{row} came out differently",
                path=str(before),
                hint="something that the plan does not know has changed, such as an extension; remove the "
                "folder to begin anew",
            )


def _row_of(line: bytes) -> str:
    with contextlib.suppress(ValueError):
        found = Line.model_validate_json(line)
        if found.verdict is not None:
            return f" ({found.verdict.id}, {found.verdict.source}:{found.verdict.line})"
        if found.problem is not None:
            return f" ({found.problem.place})"
    return ""


def lines_of(folder: Path, result: PartResult) -> Iterator[bytes]:
    """Yield the lines of a part file, without their line feeds.

    Raises:
        InputError: the file is gone, or is not the one that the result is about.
    """
    path = folder / result.file
    digest = hashlib.sha256()
    for line in _lines_of(path, packed=path.suffix == ".zst"):
        digest.update(line)
        yield line.removesuffix(b"\n")
    if digest.hexdigest() != result.sha256:
        hint = "remove the file of its result beside it, and give the command again"
        raise InputError("has changed since it was written", path=str(path), hint=hint)


def _lines_of(path: Path, *, packed: bool) -> Iterator[bytes]:
    if not packed:
        with open(path, "rb") as stream:
            yield from stream
        return
    rest = b""
    # A file in the making has no ending that tells how it is packed.
    source = str(path)
    for block in blocks(source, packer=".zst"):
        *whole, rest = (rest + block).split(b"\n")
        yield from (line + b"\n" for line in whole)
    if rest:
        yield rest


def finished(folder: Path, plan: str, index: int, compress: str) -> PartResult | None:
    """The result of a part that an earlier run finished, or None.

    A result stands for a part only with its files: where one of them is missing or has another size, the part
    is done again.
    """
    try:
        result = PartResult.of_json((folder / result_name(index)).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    named = (result.file, result.ids) == (file_name(index, compress), ids_name(index))
    if result.plan != plan or result.failure or not named:
        return None
    digests = ((result.file, result.sha256), (result.ids, result.ids_sha256))
    return result if all(_is_as(folder / name, digest) for name, digest in digests) else None


def _is_as(path: Path, digest: str) -> bool:
    found = hashlib.sha256()
    try:
        for block in blocks(str(path)):
            found.update(block)
    except InputError:
        return False
    return found.hexdigest() == digest


@contextlib.contextmanager
def _packing(raw: IO[bytes], name: str) -> Iterator[Any]:
    if not name.endswith(".zst"):
        yield raw
        raw.flush()
        os.fsync(raw.fileno())
        return
    module = unpacker()
    if hasattr(module, "ZstdFile"):
        with module.ZstdFile(raw, "w", level=_LEVEL) as stream:
            yield stream
    else:
        with module.ZstdCompressor(level=_LEVEL).stream_writer(raw, closefd=False) as stream:
            yield stream
    raw.flush()
    os.fsync(raw.fileno())
