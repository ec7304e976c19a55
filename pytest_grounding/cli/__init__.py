"""The command line: one file per command.

A command is a module of this package with ``add_arguments(parser)`` and ``run(args) -> int``, listed in
``commands.tsv`` and imported when used. Exit status: 0 nothing failed, 1 the gate failed, 2 usage error or
unreadable input, 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pytest_grounding._io.jsonio import standard_input
from pytest_grounding._io.tables import rows_beside
from pytest_grounding.cli.checked_outputs import refuse as refuse_losses
from pytest_grounding.cli.parser import Parser, add_rows, choose_colour
from pytest_grounding.cli.standard_streams import (
    in_colours,
    leave,
    make_printable,
    noting_sigterm,
    write_utf8_for_programs,
)
from pytest_grounding.errors import GroundingError

USAGE_ERROR = 2
#: New objects after which the collector of garbage runs in a command; Python's own number is 700.
_RARELY = 20_000


@dataclass(frozen=True, slots=True)
class CommandText:
    """What the help says of a command, of a thing that ``show`` shows, or of a program of its own."""

    kind: str
    name: str
    module: str
    help: str
    epilog: str


#: The commands, in the order of the help.
TEXTS = tuple(CommandText(*row) for row in rows_beside(__file__, "commands.tsv"))
COMMANDS = tuple(text.name for text in TEXTS if text.kind == "command")
#: The help lists these, which everybody needs.
FIRST = COMMANDS[:6]


def command_text(name: str) -> CommandText:
    """What the help says of a command, thing or program."""
    return next(text for text in TEXTS if text.name == name)


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from pytest_grounding import __version__
        from pytest_grounding.engine.pipeline import ENGINE_VERSION

        print(f"pytest-grounding {__version__} (engine {ENGINE_VERSION})")
        parser.exit()


class _Command(Parser):
    module = ""
    run = "run"

    def load(self) -> None:
        if self.module:
            name, self.module = self.module, ""
            module = import_module(f"{__name__}.{name}")
            self.set_defaults(**{self.run: module.run})
            add_rows(self, name)
            if hasattr(module, "add_arguments"):
                module.add_arguments(self)


def build_parser(*, is_whole: bool = False) -> argparse.ArgumentParser:
    """The parser with a subcommand for each of `COMMANDS`; `is_whole` adds all their arguments."""
    parser = Parser(
        prog="pytest-grounding",
        description="Check that recorded RAG answers are grounded in what was retrieved.",
        epilog=f"More: {', '.join(COMMANDS[len(FIRST) :])}; pytest-grounding COMMAND --help.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the versions and exit")
    shown: dict[str, Any] = {"title": "commands", "metavar": "COMMAND"}
    subparsers = parser.add_subparsers(**shown, required=True, parser_class=_Command)
    for child in add_parsers(subparsers, "command"):
        child.set_defaults(command=child.module)
        if is_whole:
            child.load()
    return parser


def add_parsers(
    subparsers: argparse._SubParsersAction[Any], kind: str, run: str = "run"
) -> Iterator[_Command]:
    """Add a parser for each text of a kind; `run` is the argument that names the function of its module."""
    for text in TEXTS:
        if text.kind == kind:
            is_listed = kind != "command" or text.name in FIRST
            listed: dict[str, Any] = {"help": text.help} if is_listed else {}
            described: dict[str, Any] = {
                "description": _sentence_of(text.help),
                "epilog": text.epilog or None,
            }
            child: _Command = subparsers.add_parser(text.name, **listed, **described)
            child.module, child.run = text.module, run
            yield child


def _sentence_of(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def build_program(name: str, package: str) -> argparse.ArgumentParser:
    """The parser of a module that runs on its own, as ``python -m package``."""
    text = command_text(name)
    parser = _Command(prog=f"python -m {package}", description=_sentence_of(text.help), epilog=text.epilog)
    parser.module = name
    parser.set_defaults(command=name)
    parser.load()
    return parser


def program(name: str, package: str, arguments: Sequence[str] | None = None) -> int:
    """Run a module that runs on its own."""
    return main(arguments, lambda: build_program(name, package))


def main(
    arguments: Sequence[str] | None = None, build: Callable[[], argparse.ArgumentParser] | None = None
) -> int:
    """Run one command."""
    make_printable()
    with noting_sigterm() as received, _collecting_rarely():
        try:
            return _main(arguments, build or build_parser)
        except KeyboardInterrupt as stopped:
            if str(stopped):
                print(f"pytest-grounding: {_neutral(str(stopped))}", file=sys.stderr)
            return 128 + (received or [signal.SIGINT])[-1]


@contextlib.contextmanager
def _collecting_rarely() -> Iterator[None]:
    """Within a command nearly all that is made is kept: search it for garbage less often."""
    before = gc.get_threshold()
    gc.set_threshold(_RARELY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _main(arguments: Sequence[str] | None, build: Callable[[], argparse.ArgumentParser]) -> int:
    try:
        args = build().parse_args(arguments)
        write_utf8_for_programs(args)
        standard_input.cache_clear()
        refuse_losses(args)
        args.color = choose_colour()
        with in_colours(args.color and not getattr(args, "json", False)):
            status: int = args.run(args)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader (head, less) has exited: redirect stdout so that we exit silently.
        leave(sys.stdout)
        return 141
    except (GroundingError, OSError) as error:
        # An output file that cannot be written is a usage error: 1 would mean that the gate failed.
        said = str(error) if isinstance(error, GroundingError) else _unusable(error)
        print(f"pytest-grounding: error: {_neutral(said)}", file=sys.stderr)
        return USAGE_ERROR


def _neutral(text: str) -> str:
    # Not through the reports, which import the engine: the error may be about a failed import.
    from pytest_grounding.reports.escaping import terminal

    return terminal(text)


def _unusable(error: OSError) -> str:
    name = error.filename2 or error.filename
    why = error.strerror or str(error)
    return f"{os.fsdecode(name)}: cannot be used ({why})" if isinstance(name, (str, bytes)) else why
