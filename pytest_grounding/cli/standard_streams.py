"""Standard input and output of a command: readers that leave, colours, and Ctrl-C."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

from pytest_grounding._io.jsonio import STANDARD


class _Stream:
    """Another stream but for what a subclass does otherwise."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Outlet(_Stream):
    """A stream that goes on silently once nobody reads it."""

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


def make_printable() -> None:
    """Let every character reach a terminal or pipe; what was closed (``>&-``) leads to nothing."""
    # In the order of their numbers: each takes the one that is free, which no file may get.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            # It stays open as long as the process runs.
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w":
            _reconfigure(stream, errors="backslashreplace")


def write_utf8_for_programs(args: argparse.Namespace) -> None:
    """Make standard output UTF-8 where a program reads it: JSON is UTF-8 in any locale, and files are."""
    if _is_for_programs(args):
        _reconfigure(sys.stdout, encoding="utf-8", errors="backslashreplace")


def _is_for_programs(args: argparse.Namespace) -> bool:
    thing = getattr(args, "thing", "")
    is_lines = thing == "schema" or (thing == "clean" and not args.text)
    is_report = any(target.endswith(":-") for target in getattr(args, "report", ()))
    is_output = getattr(args, "output", None) == STANDARD
    return getattr(args, "json", False) or is_lines or is_report or is_output


def _reconfigure(stream: object, **changes: str) -> None:
    # A stand-in of who calls `main` from Python may have no encoding.
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(**changes)


#: The words that begin a line and say how something ended.
_WORDS = re.compile(
    r"^(?P<good>pass|gate: PASS\b[^\n]*)|^(?P<bad>reject|REJECT|error|failed|gate: FAIL\b[^\n]*)"
    r"|^(?P<doubt>review|REVIEW|skipped|gate: (?:UNDECIDED|OFF)\b[^\n]*)",
)
_SIGNS = {"good": "\x1b[32m", "bad": "\x1b[31m", "doubt": "\x1b[33m"}
_END = "\x1b[0m"


def width() -> int:
    """Characters of a line of the terminal; 0 where standard output is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def coloured(line: str) -> str:
    """A line with the word that begins it in its colour."""
    match = _WORDS.match(line)
    if match is None or line[match.end() : match.end() + 1] not in (":", "", "\n", " "):
        return line
    return f"{_SIGNS[str(match.lastgroup)]}{match[0]}{_END}{line[match.end() :]}"


class _Painted(_Stream):
    """A stream that colours the lines that are written to it."""

    _is_open = False

    def write(self, text: str) -> int:
        """Write with colours; what goes on in the middle of a line is left as it is."""
        lines = text.splitlines(keepends=True)
        painted = [line if self._is_open and not at else coloured(line) for at, line in enumerate(lines)]
        if lines:
            self._is_open = not lines[-1].endswith("\n")
        self._stream.write("".join(painted))
        return len(text)


@contextlib.contextmanager
def in_colours(when: bool) -> Iterator[None]:
    """Colour what is printed to standard output, where that is wanted."""
    if not when:
        yield
        return
    with contextlib.redirect_stdout(_Painted(sys.stdout)):
        yield


@contextlib.contextmanager
def noting_sigterm() -> Iterator[list[int]]:
    """Raise `KeyboardInterrupt` at SIGTERM too, unless somebody else takes it; the list holds it then."""
    received: list[int] = []

    def end(number: int, _: object) -> None:
        received.append(number)
        raise KeyboardInterrupt

    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield received
        return
    signal.signal(signal.SIGTERM, end)
    try:
        yield received
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
