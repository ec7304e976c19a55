"""Read cited files: from one closed folder, never written. No other module opens them."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

MAX_BYTES = 5_000_000  # largest file that is read, in bytes
MAX_PATH = 1_024  # longest accepted path, in characters
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0)
for _name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY"):
    _FLAGS |= getattr(os, _name, 0)

Problem = Literal[
    "outside", "missing", "not_a_file", "too_large", "binary", "not_text", "changed", "unreadable", "no_root"
]


@dataclass(frozen=True, slots=True)
class NumberedText:
    """The lines of a file."""

    path: str
    lines: tuple[str, ...]

    def slice(self, start: int, end: int) -> str:
        """The lines from ``start`` to ``end`` (1-based, inclusive), as far as they exist."""
        return "\n".join(self.lines[max(start, 1) - 1 : max(end, 0)])


@dataclass(frozen=True, slots=True)
class SourceProblem:
    """Why a cited file was not read."""

    kind: Problem
    reason: str


def numbered_lines(text: str) -> tuple[str, ...]:
    r"""The lines of a text as editors count them: ended by ``\n``, ``\r\n`` or ``\r``."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return tuple(lines)


class _RefusedError(Exception):
    """Its arguments are those of a `SourceProblem`."""


class SourceRoot:
    """A folder for reading cited files. Files are cached for the lifetime of the object."""

    def __init__(self, root: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> None:
        self._root = Path(root)
        self._max_bytes = max_bytes
        self._cache: dict[str, NumberedText | SourceProblem] = {}

    def read(self, path: str) -> NumberedText | SourceProblem:
        """The text of a file under the root, or why it was not read. Never raises."""
        if path not in self._cache:
            self._cache[path] = self._read(path)
        return self._cache[path]

    def _read(self, path: str) -> NumberedText | SourceProblem:
        try:
            parts = _components(path)
            return NumberedText("/".join(parts), numbered_lines(_text_of(self._bytes(parts))))
        except _RefusedError as refused:
            return SourceProblem(*refused.args)
        except (OSError, ValueError) as error:
            return _problem_of(error)

    def _bytes(self, parts: tuple[str, ...]) -> bytes:
        if not self._root.is_dir():
            raise _RefusedError("no_root", "the source root is not a folder")
        with open(_opened(self._root, parts), "rb", buffering=0) as stream:
            handle = stream.fileno()
            before = os.fstat(handle)
            # Checked on the open file: its name may have had another target a moment ago.
            if not stat.S_ISREG(before.st_mode):
                raise _RefusedError("not_a_file", "it is not a regular file")
            if before.st_size > self._max_bytes:
                raise _too_large(self._max_bytes)
            data = bytearray()
            while block := os.read(handle, min(1 << 20, self._max_bytes + 1 - len(data))):
                data += block
                if len(data) > self._max_bytes:
                    raise _too_large(self._max_bytes)
            after = os.fstat(handle)
            same = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
            if not same or len(data) != after.st_size:
                raise _RefusedError("changed", "the file changed while it was read")
            return bytes(data)


def _too_large(limit: int) -> _RefusedError:
    return _RefusedError("too_large", f"the file has more than {limit} bytes")


def _refuse_if(is_found: bool, problem: str) -> None:
    if is_found:
        raise _RefusedError("outside", f"the path {problem}")


def _components(path: str) -> tuple[str, ...]:
    """The components of a relative path; refuses every spelling that could leave the folder."""
    plain = path.strip().replace("\\", "/")
    parts = tuple(part for part in plain.split("/") if part not in ("", "."))
    _refuse_if("\x00" in path, "contains a NUL character")
    _refuse_if(len(path) > MAX_PATH, f"has more than {MAX_PATH} characters")
    _refuse_if(plain.startswith("/"), "is absolute; a cited path is relative to the source root")
    _refuse_if(any(part.strip(". ") == "" for part in parts), "leads out of its folder (..)")
    _refuse_if(":" in plain, "names a drive or a stream (:)")
    _refuse_if(parts[:1] == ("~",), "names a home folder (~)")
    if not parts:
        raise _RefusedError("not_a_file", "the path is empty")
    return parts


def _opened(root: Path, parts: tuple[str, ...]) -> int:
    """Open a file below the root: resolve its links, compare, open, and compare again."""
    inside = os.path.realpath(root, strict=True)
    real = os.path.realpath(Path(inside, *parts), strict=True)
    if os.path.commonpath([inside, real]) != inside:
        raise _RefusedError("outside", "a link in the path leads out of the source root")
    if not stat.S_ISREG(os.lstat(real).st_mode):
        is_folder = Path(real).is_dir()
        raise _RefusedError("not_a_file", "it is a folder" if is_folder else "it is not a regular file")
    handle = os.open(real, _FLAGS)
    if not os.path.samestat(os.fstat(handle), os.lstat(real)) or os.path.realpath(real, strict=True) != real:
        os.close(handle)
        raise _RefusedError("changed", "the file changed while it was opened")
    return handle


def _text_of(data: bytes) -> str:
    if b"\x00" in data:
        raise _RefusedError("binary", "it is a binary file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _RefusedError("not_text", "it is not UTF-8 text") from None


_MISSING = SourceProblem("missing", "no such file under the source root")
_PROBLEMS = {
    errno.ENOENT: _MISSING,
    errno.ENOTDIR: _MISSING,
    errno.ELOOP: SourceProblem("not_a_file", "the links in the path go round in a circle"),
    errno.ENAMETOOLONG: SourceProblem("outside", "the path is too long for a file name"),
}


def _problem_of(error: OSError | ValueError) -> SourceProblem:
    if isinstance(error, ValueError):
        return SourceProblem("outside", "the path cannot be a file name")
    other = SourceProblem("unreadable", f"the file cannot be read ({error.strerror or 'system error'})")
    return _PROBLEMS.get(error.errno or 0, other)
