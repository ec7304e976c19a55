"""The files of one log: the one that grows, those that were rotated, and the head beside them.

``audit.jsonl`` grows. When it is full it becomes ``audit.0000001234.jsonl``, named by the number of its
last line, so that names sort as the lines do and never come twice. ``audit.jsonl.head`` is what writers
lock; it holds number and hash of the last line, so that a log that was cut off at its end is found out.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from pytest_grounding.audit.chain import Link

#: Number and hash of the last line, what could not be written since (how many validations, and the number of
#: the system's error), and a check of all: half a head must not accuse anybody. Older heads lack the middle.
_HEAD = re.compile(rb"(([0-9]{20}) ([0-9a-f]{64})(?: ([0-9]{10}) ([0-9]{5}))?) ([0-9a-f]{16})\n")
_MOST_MISSED = 10**10 - 1
_WIDTH = 10
_T = TypeVar("_T")
#: How much is read at a time from the end of a file; most records are shorter.
_WINDOW = 8192


class Tail(NamedTuple):
    """The end of a file.

    Attributes:
        size: bytes of the file.
        whole: bytes up to the end of the last whole line; what follows was torn.
        last: the last whole line without its line feed, or None when there is none.
    """

    size: int
    whole: int
    last: bytes | None


class Missed(NamedTuple):
    """Validations that could not be written and that no line speaks of: how many, and the system's error."""

    number: int = 0
    errno: int = 0


class Files:
    """The names of one log's files.

    Args:
        path: the file that grows.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: Path = Path(path)
        if self.path.is_symlink():
            # All names of one log must lead to one lock, and rotation must rename the file, not the link.
            self.path = self.path.resolve()
        self.head: Path = self.path.with_name(f"{self.path.name}.head")
        pattern = rf"{re.escape(self.path.stem)}\.([0-9]{{{_WIDTH},}}){re.escape(self.path.suffix)}"
        self._pattern = re.compile(pattern)

    def rotated_name(self, sequence: int) -> Path:
        """The name of the file that ends with this line."""
        return self.path.with_name(f"{self.path.stem}.{sequence:0{_WIDTH}d}{self.path.suffix}")

    def rotated(self) -> list[Path]:
        """The rotated files, the oldest first."""
        found = []
        try:
            names = [item.name for item in self.path.parent.iterdir()]
        except FileNotFoundError:
            return []
        for name in names:
            match = self._pattern.fullmatch(name)
            if match:
                found.append((int(match[1]), self.path.with_name(name)))
        return [path for _, path in sorted(found)]

    def all(self) -> list[Path]:
        """Every file of the log that exists, the oldest first."""
        # A rotation between the two looks would hide the file that it made; then look again.
        while True:
            before = self.rotated()
            grows = [self.path] if self.path.exists() else []
            if self.rotated() == before:
                return [*before, *grows]


def read_tail(handle: int) -> Tail:
    """The last whole line of an open file and what stands after it; reads no more than that."""
    size = os.lseek(handle, 0, os.SEEK_END)
    window = _WINDOW
    while True:
        start = max(0, size - window)
        os.lseek(handle, start, os.SEEK_SET)
        data = _read(handle, size - start)
        end = data.rfind(b"\n")
        before = data.rfind(b"\n", 0, end) if end > 0 else -1
        if start == 0 or before >= 0:
            break
        window *= 4
    if end < 0:
        return Tail(size, 0, None)
    return Tail(size, start + end + 1, data[before + 1 : end])


def _read(handle: int, count: int) -> bytes:
    parts = []
    while count > 0:
        part = os.read(handle, count)
        if not part:
            break
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def tail_of(path: Path) -> Tail:
    """`read_tail` of a file by its name; an empty tail when there is none."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return Tail(0, 0, None)
    try:
        return read_tail(handle)
    finally:
        os.close(handle)


def read_head(handle: int) -> Link | None:
    """What the open head file says of the last line; None when it says nothing that can be read."""
    match = _match_head(handle)
    if match is None or not int(match[2]):
        return None
    return Link(int(match[2]), match[3].decode("ascii"))


def read_missed(handle: int) -> Missed:
    """What the open head file says of validations that could not be written."""
    match = _match_head(handle)
    return Missed(int(match[4]), int(match[5])) if match is not None and match[4] else Missed()


def _match_head(handle: int) -> re.Match[bytes] | None:
    os.lseek(handle, 0, os.SEEK_SET)
    match = _HEAD.fullmatch(_read(handle, 200))
    return match if match is not None and _check(match[1]) == match[6] else None


def _check(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:16].encode("ascii")


def head_of(path: Path) -> Link | None:
    """`read_head` by the name of the head file."""
    return _by_name(path, read_head, None)


def missed_of(path: Path) -> Missed:
    """`read_missed` by the name of the head file."""
    return _by_name(path, read_missed, Missed())


def _by_name(path: Path, read: Callable[[int], _T], otherwise: _T) -> _T:
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return otherwise
    try:
        return read(handle)
    finally:
        os.close(handle)


def write_head(handle: int, link: Link, missed: Missed | None = None) -> None:
    """Put number and hash of the last line in the head file; always as many bytes, in one write.

    A disk that is full takes the bytes in the place of the old ones, so that the head can say what the log
    could not be told.
    """
    os.lseek(handle, 0, os.SEEK_SET)
    number, errno = missed or Missed()
    line = f"{link.sequence:020d} {link.hash} {min(number, _MOST_MISSED):010d} {errno:05d}".encode("ascii")
    text = line + b" " + _check(line) + b"\n"
    os.write(handle, text)
    if os.fstat(handle).st_size != len(text):
        os.ftruncate(handle, len(text))
