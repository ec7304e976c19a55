"""``python -m pytest_grounding.mcp_server``: the validation core as tools for agents."""

from __future__ import annotations

import argparse
import sys

from pytest_grounding import __version__
from pytest_grounding.cli import configuration
from pytest_grounding.cli.mcp_server.server import serve
from pytest_grounding.cli.mcp_server.tools import Rules, Tools
from pytest_grounding.cli.parser import whole_number
from pytest_grounding.settings import refuse_missing_folder

HELP = "serve validation as tools of the Model Context Protocol, over standard input and output"
EPILOG = (
    "Started by an MCP client, which talks to it over standard input and output; its log goes to standard "
    "error. It opens no connection, writes no file, and reads files only in the source_root that --set names."
)

_LEVELS = ("debug", "info", "warning", "error")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument(
        "--max-total",
        type=whole_number(1),
        default=500_000,
        metavar="CHARS",
        help="most characters in all texts of a call (default: 500000)",
    )
    parser.add_argument(
        "--log-level", choices=_LEVELS, default="warning", help="what the log tells (default: warning)"
    )
    configuration.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until the input ends; 0 then, 2 where the server cannot start."""
    effective = configuration.effective(args)
    root = effective.settings.source_root
    explicit = effective.origin["source_root"] == "command line"
    if root and not explicit:
        print(
            f"pytest-grounding: source_root = {root} of {effective.origin['source_root']} is not used; "
            "name the folder that calls may read with --set source_root=DIR",
            file=sys.stderr,
        )
        root = ""
    if root:
        refuse_missing_folder(effective.settings)
    import logging

    logging.basicConfig(
        stream=sys.stderr,
        level=args.log_level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )

    tools = Tools(Rules(effective.layers, effective.profiles, root), args.max_total)
    if sys.stdin.isatty():
        print(
            "pytest-grounding: waiting for an MCP client on standard input; Ctrl-D ends it", file=sys.stderr
        )
    serve(tools, version=__version__)
    return 0
