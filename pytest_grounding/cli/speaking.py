"""Colours and width of a terminal."""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
from collections.abc import Iterator
from typing import Any

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
