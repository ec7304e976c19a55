"""The tools over standard input and output; the only module that imports the SDK."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Mapping
from functools import partial
from importlib.metadata import version as version_of
from typing import Any

from pytest_grounding._io.jsonio import canonical_json
from pytest_grounding._io.optional import DISTRIBUTION, require
from pytest_grounding._io.wording import one_line
from pytest_grounding.cli.mcp_server.tools import Tool, Tools
from pytest_grounding.errors import GroundingError, MissingExtraError

_EXTRA = "mcp"
#: Longest message of an error, in characters; it may quote what the caller wrote.
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
    """Answer over standard input and output until the input ends."""
    anyio = require("anyio", extra=_EXTRA)
    server = build(tools, version=version)
    stdio = require("mcp.server.stdio", extra=_EXTRA)

    async def run() -> None:
        async with stdio.stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    if threading.current_thread() is threading.main_thread():
        # The thread that waits for input cannot be woken; without this, the end would wait for it.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
    anyio.run(run)


def build(tools: Tools, *, version: str = "") -> Any:
    """The SDK's server with the tools, for any of its transports."""
    anyio = require("anyio", extra=_EXTRA)
    types = require("mcp.types", extra=_EXTRA)
    lowlevel = require("mcp.server.lowlevel", extra=_EXTRA)
    _refuse_old_sdk()
    listed = types.ListToolsResult(tools=[types.Tool.model_validate(described(tool)) for tool in tools.all])
    turn = threading.Lock()
    limiter: list[Any] = []

    async def list_tools(_: Any, __: Any) -> Any:
        return listed

    async def call_tool(_: Any, params: Any) -> Any:
        if not limiter:
            limiter.append(anyio.CapacityLimiter(1))
        given_up = threading.Event()
        work = partial(in_turn, turn, given_up, tools, params.name, params.arguments or {})
        try:
            # In a thread, so that pings and cancellations are heard meanwhile.
            result = await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=limiter[0])
        finally:
            given_up.set()
        return types.CallToolResult.model_validate(result)

    return lowlevel.Server(
        NAME,
        version=version,
        title="pytest-grounding",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _refuse_old_sdk() -> None:
    """Servers are built otherwise before version 2 of the SDK."""
    installed = version_of("mcp")
    if installed.partition(".")[0] == "1":
        raise MissingExtraError(
            f"mcp {installed} is installed, and the extra {_EXTRA!r} needs 2.0 or newer: "
            f"pip install '{DISTRIBUTION}[{_EXTRA}]'"
        )


def described(tool: Tool) -> dict[str, Any]:
    """A tool as the protocol describes it."""
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": dict(tool.input_schema),
        "outputSchema": dict(tool.output_schema),
        "annotations": {
            "title": tool.title,
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
    }


def in_turn(
    turn: threading.Lock, given_up: threading.Event, tools: Tools, name: str, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """`answer`, one call at a time; a call that was cancelled while it waited is not served any more."""
    with turn:
        return {} if given_up.is_set() else answer(tools, name, arguments)


def answer(tools: Tools, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The result of one call as the protocol writes it; an error is one too, so that a model reads it."""
    try:
        found = tools.call(name, arguments)
        return {"content": [_text(canonical_json(found))], "structuredContent": found}
    except GroundingError as error:
        told = one_line(str(error), _LONGEST)
    except Exception as error:  # a fault of ours must not end the server
        _log.exception("%s failed", name)
        told = (
            f"{name} failed: {type(error).__name__}; this is a fault of pytest-grounding, its log says more"
        )
    return {"content": [_text(told)], "isError": True}


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}
