"""``pytest-grounding show``: one module of this package for each thing that can be shown."""

from __future__ import annotations

import argparse
from importlib import import_module

HELP = "show settings, schemas, cassettes, what a judge is asked, local detectors, or cleaned answers"

#: What can be shown; each is a module of this package as a command is.
THINGS = ("cassette", "clean", "judge", "model", "schema", "settings")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add one sub-command for each of `THINGS`."""
    things = parser.add_subparsers(dest="thing", metavar="THING", required=True)
    for name in THINGS:
        module = import_module(f"pytest_grounding.cli.{name}")
        help_text: str = module.HELP
        child = things.add_parser(
            name,
            help=help_text,
            description=f"{help_text[0].upper()}{help_text[1:]}.",
            epilog=getattr(module, "EPILOG", None),
        )
        module.add_arguments(child)
        child.set_defaults(show=module.run)


def run(args: argparse.Namespace) -> int:
    """Show one of them."""
    status: int = args.show(args)
    return status
