"""The tools over standard input and output; the only module that imports the SDK."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Mapping
from functools import partial
from typing import Any

from pytest_grounding._io.jsonio import canonical_json
from pytest_grounding._io.optional import require
from pytest_grounding._io.wording import one_line
from pytest_grounding.cli.mcp_server.tools import TOOLS, Tools
from pytest_grounding.errors import GroundingError

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
    listed = types.ListToolsResult(tools=[types.Tool.model_validate(tool) for tool in TOOLS])
    limiter: list[Any] = []

    async def list_tools(_: Any, __: Any) -> Any:
        return listed

    async def call_tool(_: Any, params: Any) -> Any:
        if not limiter:
            # One call at a time: it takes a whole processor anyway.
            limiter.append(anyio.CapacityLimiter(1))
        work = partial(answer, tools, params.name, params.arguments or {})
        # In a thread, so that pings and cancellations are heard meanwhile.
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
