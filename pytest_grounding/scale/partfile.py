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
    """A part file in the making; `finish` and `keep` give it its name.

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

    def finish(self) -> str:
        """Write the rest to disk; SHA-256 of all that was written, before it was packed."""
        self._stack.close()
        return self._digest.hexdigest()

    def keep(self) -> None:
        """Give the finished file its name."""
        os.replace(self._temporary, self._target)

    def refuse_other(self, told: str) -> None:
        """Refuse what was written, because an earlier execution of the same part found something else.

        Args:
            told: the part, in words.

        Raises:
            DifferentResultError: a row differs; names the first one.
        """
        packed = self._target.suffix == ".zst"
        old_lines, new_lines = (
            _lines_of(path, packed=packed) for path in (self._target, Path(self._temporary))
        )
        for number, (old, new) in enumerate(zip_longest(old_lines, new_lines), start=1):
            if old != new:
                raise DifferentResultError(
                    f"{told} was executed twice, and its line {number}{_row_of(new or old or b'')} came out "
                    "differently",
                    path=str(self._target),
                    hint="something that the plan does not know has changed, such as an extension; remove "
                    "the folder to begin anew",
                )


class DifferentResultError(InputError):
    """A part was executed twice with different results; the message names the row."""


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

    A result stands for a part only with its files: where one of them is missing or has other bytes, the part
    is done again.
    """
    result = result_of(folder, plan, index)
    if result is None or (result.file, result.ids) != (file_name(index, compress), ids_name(index)):
        return None
    digests = ((result.file, result.sha256), (result.ids, result.ids_sha256))
    return result if all(_is_as(folder / name, digest) for name, digest in digests) else None


def result_of(folder: Path, plan: str, index: int) -> PartResult | None:
    """The result of a part of a plan as its file has it, or None; its files are not looked at."""
    try:
        result = PartResult.of_json((folder / result_name(index)).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return result if result.plan == plan and not result.failure else None


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
