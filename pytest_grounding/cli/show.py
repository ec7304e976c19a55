"""``pytest-grounding show``: one module of this package for each thing to show."""

from __future__ import annotations

import argparse

from pytest_grounding.cli import add_parser

#: What can be shown; each is a module of this package, as for commands.
THINGS = {
    "cassette": "list the judgements on a cassette, and list or prune those that are not used any more",
    "clean": "print answers without their invalid citation markers, or with those that are missing",
    "judge": "show the exact requests to a judge about a transcript, and whether they are recorded",
    "model": "list, fetch, describe or verify a local detector",
    "schema": "print the JSON Schema of a transcript, a verdict, a report or an audit record",
    "settings": "print every setting in force and where it came from",
    "transcripts": "turn recordings of other formats into transcripts",
}

#: The module of a thing, if named differently.
_MODULES = {"transcripts": "show_transcripts"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add one subcommand for each of `THINGS`."""
    things = parser.add_subparsers(dest="thing", metavar="THING", required=True)
    for name, text in THINGS.items():
        add_parser(things, name, text, run="show", module=_MODULES.get(name, name))


def run(args: argparse.Namespace) -> int:
    """Show one of them."""
    status: int = args.show(args)
    return status
