"""Standard input and output of a command: files named -, readers that leave, colours, and Ctrl-C."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_grounding._io.jsonio import STANDARD, standard_input, standard_output
from pytest_grounding.cli import standard
from pytest_grounding.errors import GroundingError, InputError


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


#: Arguments that are read whole as one file. Transcripts are not among them: their readers know ``-``.
_READ = ("baseline", "corpus", "file", "files", "labels", "questions", "used")
#: Arguments that are written.
_WRITTEN = ("html", "output")


@contextlib.contextmanager
def streams(args: argparse.Namespace) -> Iterator[None]:
    """Let a command that knows files alone read standard input and write standard output."""
    standard_input.cache_clear()
    with contextlib.ExitStack() as stack:
        if is_written(args):
            stack.enter_context(standard_output(sys.stdout))
            stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        if not _reads(args):
            yield
            return
        folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        copy = Path(folder) / "standard input"
        copy.write_bytes(standard_input())
        for name in _files(args):
            value = getattr(args, name, None)
            if value == STANDARD:
                setattr(args, name, str(copy))
            elif isinstance(value, list):
                setattr(args, name, [str(copy) if item == STANDARD else item for item in value])
        try:
            yield
        except GroundingError as error:
            if str(copy) not in str(error):
                raise
            # The copy is nobody's business: what is wrong is wrong with standard input.
            raise InputError(str(error).replace(str(copy), STANDARD)) from error


def _files(args: argparse.Namespace) -> tuple[str, ...]:
    is_log = getattr(args, "action", None) == "show" and hasattr(args, "since")
    return (*_READ, "path") if is_log else _READ


def is_written(args: argparse.Namespace) -> bool:
    """Whether a file that a command writes is standard output."""
    written = [name for name in _WRITTEN if getattr(args, name, None) == STANDARD]
    if _is_new_baseline(args) and args.file == STANDARD:
        if args.prune:
            hint = "name the file of the baseline"
            raise InputError("standard output cannot be pruned", field="FILE", hint=hint)
        written.append("file")
    if len(written) > 1:
        raise InputError(
            "standard output can take one file", field=", ".join(written), hint="name the others"
        )
    return bool(written)


def _is_new_baseline(args: argparse.Namespace) -> bool:
    return hasattr(args, "allow_new") and hasattr(args, "file") and bool(args.paths)


def _reads(args: argparse.Namespace) -> bool:
    given: list[object] = []
    for name in _files(args):
        value = getattr(args, name, None)
        if name == "file" and _is_new_baseline(args):
            continue
        given += value if isinstance(value, list) else [value]
    transcripts: list[object] = []
    for name in {"paths", "subjects", "path", "check", "transcripts"}.difference(_files(args)):
        value = getattr(args, name, None)
        transcripts += value if isinstance(value, list) else [value]
    if (given + transcripts).count(STANDARD) > 1:
        raise InputError("standard input can be read as one file", field=STANDARD, hint="name the others")
    return STANDARD in given


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
    return getattr(args, "json", False) or is_lines or is_report or standard.is_written(args)


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


class _Painted:
    """A stream that colours the lines that are written to it; for the rest it is the stream itself."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._is_open = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

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
