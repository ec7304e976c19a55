"""The parser of the command line, and what it says of a slip of the pen."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

_UNKNOWN = re.compile(r"unrecognized arguments: (.*)", re.DOTALL)
_REQUIRED = "the following arguments are required: "
_CHOICE = "invalid choice: '"


class Parser(argparse.ArgumentParser):
    """Says what was meant where an option, a command or a word of a choice is not known."""

    _words: Sequence[str] = ()

    def load(self) -> None:
        """Add the arguments that are only known once this parser is used."""

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """As the base does; what was written is kept, to say what was meant."""
        self.load()
        self._words = list(sys.argv[1:] if args is None else args)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Print usage and problem, with the nearest name that there is or what is missing, and end with 2."""
        if "argument COMMAND: " in message or message == f"{_REQUIRED}COMMAND":
            self.exit(2, f"{self.prog}: error: {self._no_command(message)}\n")
        near = self._nearest(message)
        super().error(f"{message}; did you mean {near}?" if near else f"{message}{self._missing(message)}")

    def _no_command(self, message: str) -> str:
        written = message.partition(_CHOICE)[2].partition("'")[0]
        if not written:
            return f"no command; write {self.prog} check FILE, or {self.prog} --help"
        near = f"{self.prog} check {written}" if Path(written).exists() else self._nearest(message)
        advice = f"did you mean {near}?" if near else f"see {self.prog} --help"
        return f"{written!r} is no command; {advice}"

    def _missing(self, message: str) -> str:
        names = message.partition(_REQUIRED)[2].split(", ")
        return "".join(
            f"; {action.metavar}: {action.help}"
            for action in self._actions
            if action.metavar in names and not action.option_strings
        )

    def _nearest(self, message: str) -> str:
        _, is_choice, rest = message.partition(_CHOICE)
        if is_choice:
            written, _, known = rest.rpartition("' (choose from ")
            return _near(written, re.findall(r"[\w.-]+", known))
        unknown = _UNKNOWN.search(message)
        words = [word for word in unknown[1].split() if word.startswith("-")] if unknown else []
        found = [_near(word.partition("=")[0], list(_options(self, self._words))) for word in words]
        return ", ".join(name for name in found if name)


def _near(word: str, known: list[str]) -> str:
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, known, n=1)), "")


def _options(parser: argparse.ArgumentParser, words: Sequence[str]) -> Iterator[str]:
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            given = [word for word in words if word in action.choices]
            for name in given[:1] or action.choices:
                yield from _options(action.choices[name], words)


def choose_colour() -> bool:
    """Whether standard output gets colours: where a terminal shows them, or FORCE_COLOR is set."""
    forced = os.environ.get("FORCE_COLOR")
    shown = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return not os.environ.get("NO_COLOR") and (bool(forced) or shown)
