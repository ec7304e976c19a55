"""Standard output whose reader may leave before the work is done."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any


class _Outlet:
    """A stream that goes on silently once nobody reads it; for the rest it is the stream itself."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write, or do nothing where the reader has left."""
        try:
            self._stream.write(text)
        except BrokenPipeError:
            leave(self._stream)
        return len(text)

    def flush(self) -> None:
        """Flush, or do nothing where the reader has left."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            leave(self._stream)


def leave(stream: Any) -> None:
    """Point a stream at nothing, so that what it still holds raises nothing when it is flushed."""
    with contextlib.suppress(OSError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stream.fileno())
        os.close(nothing)


@contextlib.contextmanager
def reader_may_leave(when: bool) -> Iterator[None]:
    """Finish the work where ``| head`` has seen enough: a report that was asked for is still written."""
    stream = sys.stdout
    if when:
        sys.stdout = _Outlet(stream)
    try:
        yield
        if when:
            sys.stdout.flush()
    finally:
        sys.stdout = stream
