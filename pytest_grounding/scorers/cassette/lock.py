"""A lock between processes and threads, held on the file that it protects."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

_POLL_S = 0.01


@contextlib.contextmanager
def locked(path: Path) -> Iterator[int]:
    """Open a file for reading and appending, and hold it alone.

    The lock ends with the process that holds it, however that ends. The file may be removed by whoever
    holds it: a process that waited for a removed file opens the new one.

    Yields:
        The file descriptor.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
        try:
            _acquire(handle)
            if _is_current(handle, path):
                try:
                    yield handle
                finally:
                    _release(handle)
                return
        finally:
            os.close(handle)


def _is_current(handle: int, path: Path) -> bool:
    try:
        now = path.stat()
    except FileNotFoundError:
        return False
    mine = os.fstat(handle)
    return (now.st_ino, now.st_dev) == (mine.st_ino, mine.st_dev)


if sys.platform == "win32":
    import msvcrt

    #: Windows locks bytes and forbids others to read them; this one is beyond any data.
    _FAR = 1 << 40

    def _acquire(handle: int) -> None:
        while True:
            os.lseek(handle, _FAR, os.SEEK_SET)
            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
                return
            except OSError:
                time.sleep(_POLL_S)

    def _release(handle: int) -> None:
        os.lseek(handle, _FAR, os.SEEK_SET)
        with contextlib.suppress(OSError):
            msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _acquire(handle: int) -> None:
        # A lock of the open file, not of the process: two threads exclude each other too.
        fcntl.flock(handle, fcntl.LOCK_EX)

    def _release(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)
