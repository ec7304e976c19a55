"""What tools said to a model: passages without an id, where a recording holds nothing better."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounding._wording import counted
from pytest_grounding.importers.draft import GAP, LOSS, Draft
from pytest_grounding.importers.messages import role_of, text_of
from pytest_grounding.importers.reading import (
    as_list,
    as_map,
    as_name,
    as_text,
    bounded,
    first_of,
    first_text,
)

_TOOLS = ("tool", "function")


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What one call of a tool gave.

    Attributes:
        text: its words, as the model read them.
        tool: name of the tool; "" where it is not recorded.
        is_error: the call failed, so its words say why, and nothing of the question.
    """

    text: str
    tool: str = ""
    is_error: bool = False


def add_tool_results(results: Iterable[ToolResult], draft: Draft) -> None:
    """Let the words of each result stand for a passage, and say so; those of failed calls are left out."""
    told = [result for result in results if result.text.strip()]
    failed = sum(result.is_error for result in told)
    for result in told:
        if not result.is_error:
            draft.chunk(result.text, metadata={"tool": result.tool or None})
    if failed:
        draft.note(LOSS, f"the words of {counted(failed, 'failed call')} of a tool are left out")
    if len(told) > failed:
        draft.note(GAP, "the tools give no documents; the text of each of their messages stands for one")


def in_chat(messages: Any) -> list[ToolResult]:
    """The results among the messages of a chat after its last question, as OpenAI or Anthropic has them."""
    listed = [as_map(item) for item in as_list(messages)]
    named = _names(listed)
    found: list[ToolResult] = []
    for message in listed:
        blocks = [as_map(block) for block in as_list(message.get("content"))]
        carried = [block for block in blocks if block.get("type") == "tool_result"]
        if role_of(message) in _TOOLS:
            found.append(_result(message, named, is_error=message.get("status") == "error"))
        elif carried:
            found += [_result(block, named, is_error=bool(block.get("is_error"))) for block in carried]
        elif role_of(message) == "user":
            found = []
    return found


def in_items(items: Any) -> list[ToolResult]:
    """The results among the items of OpenAI Responses, in its input after the last question or its output."""
    listed = [as_map(item) for item in as_list(items)]
    named = {as_name(item.get("call_id")): as_name(item.get("name")) for item in listed if item.get("name")}
    found: list[ToolResult] = []
    for item in listed:
        if item.get("type") in ("function_call_output", "custom_tool_call_output"):
            found.append(
                ToolResult(text_of(item.get("output")), named.get(as_name(item.get("call_id"))) or "")
            )
        elif item.get("type") == "mcp_call":
            tool = as_name(item.get("name")) or ""
            found.append(ToolResult(text_of(item.get("output")), tool, is_error=bool(item.get("error"))))
        elif role_of(item) == "user":
            found = []
    return found


def in_contents(contents: Any) -> list[ToolResult]:
    """The results among the contents of Gemini after the last question."""
    found: list[ToolResult] = []
    for item in as_list(contents):
        parts = [as_map(part) for part in as_list(as_map(item).get("parts"))]
        given = [as_map(first_of(part, "functionResponse", "function_response")) for part in parts]
        if any(given):
            found += [
                ToolResult(_said(as_map(part.get("response"))), as_name(part.get("name")) or "")
                for part in given
                if part
            ]
        elif role_of(as_map(item)) == "user":
            found = []
    return found


def _names(messages: Sequence[Mapping[str, Any]]) -> dict[str | None, str]:
    """The names of the called tools by the ids of their calls."""
    calls = [
        as_map(call)
        for message in messages
        for member in ("tool_calls", "content")
        for call in as_list(message.get(member))
    ]
    return {
        as_name(call.get("id")): as_name(first_of({**as_map(call.get("function")), **call}, "name")) or ""
        for call in calls
        if call.get("id") is not None
    }


def _result(held: Mapping[str, Any], named: Mapping[str | None, str], *, is_error: bool) -> ToolResult:
    called = as_name(first_of(held, "tool_call_id", "tool_use_id"))
    return ToolResult(
        text_of(held.get("content")), as_name(held.get("name")) or named.get(called, ""), is_error
    )


def _said(response: Mapping[str, Any]) -> str:
    """The words of a function's response: those of its one usual member, else all of it as JSON."""
    text = first_text(response, "result", "output", "content", "text")
    if text is None and response:
        text = json.dumps(bounded(response), ensure_ascii=False, sort_keys=True)
    return as_text(text) or ""
