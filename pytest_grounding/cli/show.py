"""``pytest-grounding show``: one module of this package for each thing that can be shown."""

from __future__ import annotations

import argparse

from pytest_grounding.cli import add_parser

HELP = "show settings, schemas, cassettes, what a judge is asked, local detectors, or cleaned answers"

#: What can be shown; each is a module of this package as a command is.
THINGS = ("cassette", "clean", "judge", "model", "schema", "settings")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add one sub-command for each of `THINGS`."""
    things = parser.add_subparsers(dest="thing", metavar="THING", required=True)
    for name in THINGS:
        add_parser(things, name, run="show")


def run(args: argparse.Namespace) -> int:
    """Show one of them."""
    status: int = args.show(args)
    return status
