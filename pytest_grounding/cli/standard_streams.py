"""Standard input and output of a command: closed pipes, colours, and Ctrl-C."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from pytest_grounding._io.jsonio import STANDARD

#: Words at the start of a line that give a result.
_WORDS = re.compile(
    r"^(?P<good>pass|gate: PASS\b[^\n]*)|^(?P<bad>reject|REJECT|error|failed|gate: FAIL\b[^\n]*)"
    r"|^(?P<doubt>review|REVIEW|skipped|gate: (?:UNDECIDED|OFF)\b[^\n]*)"
)
_SIGNS = {"good": "\x1b[32m", "bad": "\x1b[31m", "doubt": "\x1b[33m"}
_END = "\x1b[0m"


class _Stream:
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Outlet(_Stream):
    """A stream that ignores writes once its reader has gone."""

    def write(self, text: str) -> int:
        self._try(lambda: self._stream.write(text))
        return len(text)

    def flush(self) -> None:
        self._try(self._stream.flush)

    def _try(self, call: Callable[[], object]) -> None:
        try:
            call()
        except BrokenPipeError:
            leave(self._stream)


def leave(stream: Any) -> None:
    """Redirect a stream to the null device, so that flushing its buffer raises nothing."""
    with contextlib.suppress(OSError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stream.fileno())
        os.close(nothing)


@contextlib.contextmanager
def reader_may_leave(when: bool) -> Iterator[None]:
    """Finish the work after ``| head`` has exited: a requested report is still written."""
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
    """Let any character be printed; closed streams (``>&-``) go to the null device."""
    # In the order of their numbers: each takes the free one, which no file may get.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            # Stays open until the process ends.
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w":
            _reconfigure(stream, errors="backslashreplace")


def write_utf8_for_programs(args: argparse.Namespace) -> None:
    """Make standard output UTF-8 if it is for programs: JSON is UTF-8 in any locale, as files are."""
    thing = getattr(args, "thing", "")
    is_lines = thing == "schema" or (thing == "clean" and not args.text)
    is_report = any(target.endswith(":-") for target in getattr(args, "report", ()))
    is_output = getattr(args, "output", None) == STANDARD
    if getattr(args, "json", False) or is_lines or is_report or is_output:
        _reconfigure(sys.stdout, encoding="utf-8", errors="backslashreplace")


def _reconfigure(stream: object, **changes: str) -> None:
    # A replacement set by a Python caller of `main` may have no encoding.
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(**changes)


def width() -> int:
    """The width of the terminal in characters; 0 if standard output is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def coloured(line: str) -> str:
    """A line with its first word coloured."""
    match = _WORDS.match(line)
    if match is None or line[match.end() : match.end() + 1] not in (":", "", "\n", " "):
        return line
    return f"{_SIGNS[str(match.lastgroup)]}{match[0]}{_END}{line[match.end() :]}"


class _Painted(_Stream):
    _is_open = False

    def write(self, text: str) -> int:
        lines = text.splitlines(keepends=True)
        painted = [line if self._is_open and not at else coloured(line) for at, line in enumerate(lines)]
        if lines:
            self._is_open = not lines[-1].endswith("\n")
        self._stream.write("".join(painted))
        return len(text)


def in_colours(when: bool) -> contextlib.AbstractContextManager[object]:
    """Colour what is printed to standard output, if wanted."""
    return contextlib.redirect_stdout(_Painted(sys.stdout)) if when else contextlib.nullcontext()


@contextlib.contextmanager
def noting_sigterm() -> Iterator[list[int]]:
    """Raise `KeyboardInterrupt` on SIGTERM too, unless it has a handler; the list then records it."""
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
