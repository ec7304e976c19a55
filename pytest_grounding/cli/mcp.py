"""``python -m pytest_grounding.mcp_server``: the validation core as tools for agents.

Only the functions that serve import the SDK, from the extra ``mcp``. No call writes a file, opens
a connection or runs code chosen by its caller; the only folder that a call can read is the source root
given when the server was started.
"""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import threading
from collections.abc import Mapping
from functools import partial
from typing import Any

from pytest_grounding import __version__
from pytest_grounding._io.jsonio import canonical_json
from pytest_grounding._io.optional import require
from pytest_grounding._io.wording import one_line
from pytest_grounding.cli import configuration
from pytest_grounding.cli.mcp_tools import TOOLS, Rules, Tools
from pytest_grounding.cli.parser import whole_number
from pytest_grounding.errors import GroundingError
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
        "--log-level", choices=_LEVELS, default="warning", help="log level (default: warning)"
    )
    configuration.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until the input ends, then return 0; 2 if the server cannot start."""
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


_EXTRA = "mcp"
#: Most characters of an error message; it may quote the caller's input.
_LONGEST = 1000
_log = logging.getLogger("pytest_grounding.mcp")

NAME = "pytest-grounding"
INSTRUCTIONS = (
    "Checks RAG answers against the passages that were retrieved for them, offline and deterministically. "
    "Start with validate_answer; ask explain_claim about a claim that it does not accept, check_citations "
    "about the citations alone, and validate_retrieval about passages without an answer. An error names the "
    "field and says what to write instead."
)


def serve(tools: Tools, *, version: str = "") -> None:
    """Serve over standard input and output until the input ends."""
    anyio = require("anyio", extra=_EXTRA)
    server = build(tools, version=version)
    stdio = require("mcp.server.stdio", extra=_EXTRA)

    async def run() -> None:
        async with stdio.stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    if threading.current_thread() is threading.main_thread():
        # The thread that waits for input cannot be interrupted; without this, exit would wait for it.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
    anyio.run(run)


def build(tools: Tools, *, version: str = "") -> Any:
    """The SDK's server with the tools, for any of its transports."""
    anyio = require("anyio", extra=_EXTRA)
    types = require("mcp.types", extra=_EXTRA)
    lowlevel = require("mcp.server.lowlevel", extra=_EXTRA)
    listed = types.ListToolsResult(tools=[types.Tool.model_validate(tool) for tool in TOOLS])
    limiter: list[Any] = []

    async def list_tools(_: Any, __: Any) -> Any:
        return listed

    async def call_tool(_: Any, params: Any) -> Any:
        if not limiter:
            # One call at a time: each uses a whole processor anyway.
            limiter.append(anyio.CapacityLimiter(1))
        work = partial(answer, tools, params.name, params.arguments or {})
        # In a thread, so that pings and cancellations are handled meanwhile.
        result = await anyio.to_thread.run_sync(work, limiter=limiter[0])
        return types.CallToolResult.model_validate(result)

    return lowlevel.Server(
        NAME,
        version=version,
        title="pytest-grounding",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def answer(tools: Tools, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The result of a call in the protocol's form; an error is also a result, so that the model reads it."""
    try:
        found = tools.call(name, arguments)
        return {"content": [_text(canonical_json(found))], "structuredContent": found}
    except GroundingError as error:
        told = one_line(str(error), _LONGEST)
    except Exception as error:  # a bug of ours must not stop the server
        _log.exception("%s failed", name)
        told = (
            f"{name} failed: {type(error).__name__}; this is a fault of pytest-grounding, its log says more"
        )
    return {"content": [_text(told)], "isError": True}


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}
