"""``python -m pytest_grounding.mcp_server``: the validation core as tools for agents."""

from __future__ import annotations

import argparse
import sys

from pytest_grounding.cli import configuration
from pytest_grounding.cli.mcp_server.request_limits import Limits

HELP = "serve validation as tools of the Model Context Protocol, over standard input and output"
EPILOG = (
    "Started by an MCP client, which talks to it over standard input and output; its log goes to standard "
    "error. It opens no connection, writes no file, and reads files only in the source_root that --set names."
)

_LEVELS = ("debug", "info", "warning", "error")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    group = parser.add_argument_group("limits", "sizes that one call must keep to")
    usual = Limits()
    for option, metavar, default, text in (
        ("--max-answer", "CHARS", usual.answer, "longest answer"),
        ("--max-chunks", "N", usual.chunks, "most chunks"),
        ("--max-chunk", "CHARS", usual.chunk, "longest text of a chunk"),
        ("--max-total", "CHARS", usual.total, "most characters in all texts of a call"),
    ):
        help_text = f"{text} (default: {default})"
        group.add_argument(option, type=_size, default=default, metavar=metavar, help=help_text)
    parser.add_argument(
        "--log-level", choices=_LEVELS, default="warning", help="what the log tells (default: warning)"
    )
    configuration.add_arguments(parser)


def _size(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write a whole number from 1")
    return int(text)


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
        from pytest_grounding.settings import refuse_missing_folder

        refuse_missing_folder(effective.settings)
    import logging

    logging.basicConfig(
        stream=sys.stderr,
        level=args.log_level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    from pytest_grounding import __version__
    from pytest_grounding.cli.mcp_server.request_limits import Rules
    from pytest_grounding.cli.mcp_server.server import serve
    from pytest_grounding.cli.mcp_server.tools import Tools

    limits = Limits(args.max_answer, args.max_chunks, args.max_chunk, args.max_total)
    tools = Tools(Rules(effective.layers, effective.profiles, root), limits)
    if sys.stdin.isatty():
        print(
            "pytest-grounding: waiting for an MCP client on standard input; Ctrl-D ends it", file=sys.stderr
        )
    serve(tools, version=__version__)
    return 0
