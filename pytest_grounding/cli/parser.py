"""The parser of the command line, and its messages for misspelt input."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from pytest_grounding._io.jsonio import STANDARD
from pytest_grounding._io.tables import rows_beside
from pytest_grounding._io.wording import listed, one_line
from pytest_grounding.errors import InputError

_REQUIRED = "the following arguments are required: "
_CHOICE = "invalid choice: '"
_LISTED = 10  # most names listed in a message
_LONGEST = 200


class Parser(argparse.ArgumentParser):
    """Suggests the nearest command for an unknown one, and what stands in for one that is gone."""

    def load(self) -> None:
        """Add the arguments that are only needed once this parser is used."""

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """Parse as the base class does, with all arguments."""
        self.load()
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Print usage and problem, and exit with 2."""
        if "argument COMMAND: " in message or message == f"{_REQUIRED}COMMAND":
            self.exit(2, f"{self.prog}: error: {self._no_command(message)}\n")
        super().error(message)

    def _no_command(self, message: str) -> str:
        written = message.partition(_CHOICE)[2].partition("'")[0]
        if not written:
            return f"no command; write {self.prog} check FILE, or {self.prog} --help"
        known = re.findall(r"[\w.-]+", message.partition("' (choose from ")[2])
        from difflib import get_close_matches

        close = get_close_matches(written, known, n=1)
        near = f"{self.prog} check {written}" if Path(written).exists() else "".join(close)
        advice = f"did you mean {near}?" if near else f"see {self.prog} --help"
        return f"{written!r} is not a command; {advice}"


def choose_colour() -> bool:
    """Whether standard output is coloured: a terminal with colours, or FORCE_COLOR is set."""
    forced = os.environ.get("FORCE_COLOR")
    shown = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return not os.environ.get("NO_COLOR") and (bool(forced) or shown)


def add_rows(parser: argparse.ArgumentParser, command: str) -> None:
    """Add the arguments of a command: names, kind, metavar, keywords of `argparse` and help by row."""
    place: argparse._ActionsContainer = parser
    for name, names, kind, metavar, more, text in rows_beside(__file__, "arguments.tsv"):
        if name != command:
            continue
        if kind == "include":
            add_rows(parser, names)
        elif kind == "group":
            place = parser.add_argument_group(names, text or None)
        elif kind == "either":
            place = parser.add_mutually_exclusive_group()
        else:
            place.add_argument(*names.split(), help=text, **_keywords(kind, metavar, more))


def _keywords(kind: str, metavar: str, more: str) -> dict[str, Any]:
    found: dict[str, Any] = dict(pair.split("=", 1) for pair in more.split())
    if kind == "switch":
        return found | {"action": "store_true"}
    if kind == "repeated":
        found |= {"action": "append", "default": []}
    read = _TYPES.get(found.get("type", kind))
    if read is not None:
        found["type"] = read
    if "choices" in found:
        found["choices"] = found["choices"].split(",")
    if "default" in found and found.get("nargs") == "*":
        found["default"] = [found["default"]]
    return found | ({"metavar": metavar} if metavar else {})


def whole_number(least: int) -> Callable[[str], int]:
    """An `argparse` type for whole numbers of at least ``least``."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            problem = f"{text!r} is not a whole number; write one from {least}"
        else:
            if number >= least:
                return number
            problem = f"{number} is below {least}; write a whole number from {least}"
        raise argparse.ArgumentTypeError(problem)

    return read


def share(text: str) -> float:
    """A share in [0, 1]."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number; write one such as 0.5") from None
    if 0.0 <= number <= 1.0:
        return number
    raise argparse.ArgumentTypeError(f"{text} is out of range; write a number from 0 to 1")


def named(text: str) -> str:
    """The name of a file or folder; an empty one (an unset variable) would count as no option."""
    if text == STANDARD:
        raise argparse.ArgumentTypeError("names no file; write /dev/stdin or /dev/stdout")
    if not text.strip():
        raise argparse.ArgumentTypeError("names nothing; write a file or folder, or leave the option out")
    return text


#: Kind of an argument -> how its text is read.
_TYPES: dict[str, Callable[[str], Any]] = {
    "named": named,
    "share": share,
    "int": int,
    "whole": whole_number(1),
}


def no_source(sources: Sequence[str], known: Sequence[str]) -> InputError:
    """The error that no transcript uses these sources, with the nearest known names."""
    from difflib import get_close_matches

    asked = [one_line(name, _LONGEST) for name in sources]
    near = [match for name in asked for match in get_close_matches(name, known, n=1)]
    hint = f"did you mean {near[0]!r}?" if near else f"sources are: {listed(known, _LISTED) or 'none'}"
    return InputError(f"no transcript retrieved or cites {', '.join(asked)}", field="--source", hint=hint)


def folders(names: Sequence[str]) -> list[Path]:
    """Folders to search; a misspelt one would contain nothing, which looks like success."""
    for name in names:
        if not Path(name).is_dir():
            raise InputError("is not a folder", path=name, hint="check the path")
    return list(map(Path, names))
