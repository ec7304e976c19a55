"""The command line: one file per command.

A command is a module of this package with ``add_arguments(parser)`` and ``run(args) -> int``, listed in
`HELP` and imported when used. Exit status: 0 nothing failed, 1 the gate failed, 2 usage error or
unreadable input, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from pytest_grounding._io.jsonio import standard_input
from pytest_grounding.cli.checked_outputs import refuse as refuse_losses
from pytest_grounding.cli.parser import Parser, choose_colour
from pytest_grounding.cli.standard_streams import (
    in_colours,
    leave,
    make_printable,
    noting_sigterm,
    write_utf8_for_programs,
)
from pytest_grounding.errors import GroundingError

#: Each command and what it does; the help lists the first six, which everybody needs.
HELP = {
    "init": "set up a project with recorded answers: settings, what is known, and a build",
    "check": "validate transcripts, print the verdicts and decide the gate",
    "explain": "explain why a transcript got its verdict and what would make it pass, or what a rule means",
    "review": "review what changed against the goldens: accept or reject it",
    "waive": "list the findings that hold transcripts back, and waive those that are wrong or accepted",
    "record": "ask a program every question of a file, and keep each answer as a transcript",
    "baseline": "write the accepted figures of a suite to a baseline file, or show one",
    "calibrate": "choose settings, and fit the confidence, on labelled answers",
    "compare": "compare two recordings of the same questions: verdicts and values must agree",
    "merge": "merge the shard reports of several jobs and decide, or write other reports of one run",
    "mutate": "plant known faults into your transcripts and report which ones the gate catches",
    "show": "show settings, schemas, cassettes, detectors, requests to judges, clean answers, transcripts",
}
COMMANDS = tuple(HELP)
FIRST = COMMANDS[:6]

USAGE_ERROR = 2


class _Version(argparse.Action):
    """Print the versions of package and engine, which are looked up only when needed."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from pytest_grounding import __version__
        from pytest_grounding.engine.pipeline import ENGINE_VERSION

        print(f"pytest-grounding {__version__} (engine {ENGINE_VERSION})")
        parser.exit()


class _Command(Parser):
    """The parser of a command; imports the command's module when used."""

    module = ""
    run = "run"

    def load(self) -> None:
        """Add the arguments of the command."""
        if self.module:
            module = import_module(f"{__name__}.{self.module}")
            self.module = ""
            self.epilog = getattr(module, "EPILOG", None)
            self.set_defaults(**{self.run: module.run})
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
    for name, text in HELP.items():
        child = add_parser(subparsers, name, text, is_listed=name in FIRST)
        child.set_defaults(command=name)
        if is_whole:
            child.load()
    return parser


def add_parser(
    subparsers: argparse._SubParsersAction[Any],
    name: str,
    text: str,
    run: str = "run",
    *,
    is_listed: bool = True,
    module: str = "",
) -> _Command:
    """Add a parser for a module of this package; `run` is the argument that names its function."""
    listed: dict[str, Any] = {"help": text} if is_listed else {}
    child: _Command = subparsers.add_parser(name, **listed, description=_sentence(text))
    child.module, child.run = module or name, run
    return child


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def build_program(name: str, package: str) -> argparse.ArgumentParser:
    """The parser of a module that runs on its own, as ``python -m package``."""
    parser = _Command(
        prog=f"python -m {package}", description=_sentence(import_module(f"{__name__}.{name}").HELP)
    )
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
    with noting_sigterm() as received:
        try:
            return _main(arguments, build or build_parser)
        except KeyboardInterrupt as stopped:
            if str(stopped):
                print(f"pytest-grounding: {_neutral(str(stopped))}", file=sys.stderr)
            return 128 + (received or [signal.SIGINT])[-1]


def _main(arguments: Sequence[str] | None, build: Callable[[], argparse.ArgumentParser]) -> int:
    try:
        args = build().parse_args(arguments)
        write_utf8_for_programs(args)
        standard_input.cache_clear()
        status = _run(args)
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


def _run(args: argparse.Namespace) -> int:
    refuse_losses(args)
    args.color = choose_colour()
    with in_colours(args.color and not getattr(args, "json", False)):
        status: int = args.run(args)
    return status


def _neutral(text: str) -> str:
    # Not through the reports, which import the engine: the error may be about a failed import.
    from pytest_grounding.reports.escaping import terminal

    return terminal(text)


def _unusable(error: OSError) -> str:
    name = error.filename2 or error.filename
    why = error.strerror or str(error)
    return f"{os.fsdecode(name)}: cannot be used ({why})" if isinstance(name, (str, bytes)) else why
