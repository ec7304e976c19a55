"""A command that is told to end (SIGTERM) ends as with Ctrl-C: what is half written is removed."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator


class _Told:
    """Whether the command was told to end."""

    is_told = False

    @property
    def exit_status(self) -> int:
        """That of a program that the signal ended."""
        return 128 + (signal.SIGTERM if self.is_told else signal.SIGINT)


@contextlib.contextmanager
def told_to_end() -> Iterator[_Told]:
    """Raise `KeyboardInterrupt` where the process is told to end, and nobody else takes that signal."""
    told = _Told()

    def end(*_: object) -> None:
        told.is_told = True
        raise KeyboardInterrupt

    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield told
        return
    signal.signal(signal.SIGTERM, end)
    try:
        yield told
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
