"""A lock between processes and threads, on the file that it protects."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

_SHORTEST_S, _LONGEST_S = 0.00005, 0.002  # seconds between two attempts


@contextlib.contextmanager
def locked(
    path: Path, *, append: bool = True, deadline_s: float | None = None, rights: int = 0o666
) -> Iterator[int]:
    """Open a file for reading and writing, and lock it; missing folders and the file are created."""
    path.parent.mkdir(parents=True, exist_ok=True)
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | (os.O_APPEND if append else 0)
    while True:
        handle = os.open(path, flags, rights)
        try:
            _acquire(handle, path, deadline_s)
            if _is_current(handle, path):
                try:
                    yield handle
                finally:
                    _release(handle)
                return
        finally:
            os.close(handle)


def is_torn(handle: int) -> bool:
    """Whether the file ends within a line, because its last writer was killed."""
    size = os.fstat(handle).st_size
    if not size:
        return False
    os.lseek(handle, size - 1, os.SEEK_SET)
    return os.read(handle, 1) != b"\n"


def write_all(handle: int, data: bytes) -> None:
    """Write all bytes; normally in one system call."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _acquire(handle: int, path: Path, deadline_s: float | None) -> None:
    start, pause = time.monotonic(), _SHORTEST_S
    while not _try_acquire(handle):
        if deadline_s is not None and time.monotonic() - start >= deadline_s:
            problem = f"is held by another process since {deadline_s:g} s"
            raise TimeoutError(errno.ETIMEDOUT, problem, str(path))
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_S)


def _is_current(handle: int, path: Path) -> bool:
    try:
        now = path.stat()
    except FileNotFoundError:
        return False
    mine = os.fstat(handle)
    return (now.st_ino, now.st_dev) == (mine.st_ino, mine.st_dev)


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 40  # Windows locks bytes and prevents reading them; this one is beyond any data

    def _try_acquire(handle: int) -> bool:
        os.lseek(handle, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _release(handle: int) -> None:
        os.lseek(handle, _FAR, os.SEEK_SET)
        with contextlib.suppress(OSError):
            msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_acquire(handle: int) -> bool:
        # A lock of the open file, not of the process: threads exclude each other too.
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _release(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)
