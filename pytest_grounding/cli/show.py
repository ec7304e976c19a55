"""``pytest-grounding show``: one module of this package for each thing to show."""

from __future__ import annotations

import argparse

from pytest_grounding.cli import add_parsers


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add one subcommand for each thing of ``commands.tsv``."""
    things = parser.add_subparsers(dest="thing", metavar="THING", required=True)
    list(add_parsers(things, "thing", run="show"))


def run(args: argparse.Namespace) -> int:
    """Show one of them."""
    status: int = args.show(args)
    return status
