"""Messages of a conversation: questions, answers, and what tools gave."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounding._wording import counted
from pytest_grounding.importers.draft import GAP, Draft
from pytest_grounding.model.json_values import (
    as_list,
    as_map,
    as_name,
    as_text,
    bounded,
    decoded,
    first_of,
    first_text,
)

_ROLES = {
    "human": "user",
    "ai": "assistant",
    "model": "assistant",
    "chatbot": "assistant",
    "bot": "assistant",
}
TOOLS = ("tool", "function")
#: Names of a question and of an answer in the inputs and outputs of programs, the best first.
QUESTIONS = (
    *("question", "query", "user_input", "input", "prompt", "q", "text", "message", "user_query", "content"),
)
ANSWERS = ("answer", "response", "output", "result", "content", "text", "generation", "message")
#: Members of an input that hold the messages of a conversation.
_TALKS = ("messages", "input")
_TEXT_BLOCKS = {"", "text", "input_text", "output_text"}


def role_of(message: Mapping[str, Any]) -> str:
    """``user``, ``assistant`` or another role in lower case; "" where there is none."""
    named = message.get("role") or message.get("type") or ""
    if named in ("constructor", "message"):
        path = as_list(message.get("id"))
        named = str(path[-1]).removesuffix("Chunk").removesuffix("Message") if path else named
    named = getattr(named, "value", named)
    # Streamed messages of LangChain are called "AIMessageChunk".
    role = named.removesuffix("MessageChunk").lower() if isinstance(named, str) else ""
    return _ROLES.get(role, role)


def text_of(content: Any) -> str:
    """The text of a message's content: text, a list of blocks or parts, or an object that holds it."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        for name in ("text", "content", "value"):
            inner = content.get(name)
            if isinstance(inner, str):
                return inner
        nested = content.get("parts") or content.get("content") or content.get("blocks")
        return text_of(nested) if isinstance(nested, (list, tuple)) else ""
    texts = []
    for block in as_list(content):
        if isinstance(block, str):
            texts.append(block)
        elif as_map(block).get("type", "") in _TEXT_BLOCKS and not as_map(block).get("thought"):
            text = as_text(as_map(block).get("text"))
            if text is None:
                text = as_text(as_map(block).get("content"))
            texts.append(text or "")
    return "".join(texts)


def turns_of(messages: Any) -> list[tuple[str, str]]:
    """Role and text of each message of a user or an assistant that holds text, in order."""
    found: list[tuple[str, str]] = []
    for item in _flat(messages):
        message = as_map(item)
        if "kwargs" in message and message.get("lc"):
            inner = as_map(message["kwargs"])
            role, text = role_of(message), text_of(inner.get("content"))
            role = role if role in ("user", "assistant") else role_of(inner)
        else:
            role = role_of(message)
            content = next((message[key] for key in ("content", "parts", "blocks") if message.get(key)), None)
            text = text_of(content)
        if role in ("user", "assistant") and text.strip():
            found.append((role, text))
    return found


def _flat(messages: Any) -> Iterable[Any]:
    value = decoded(messages)
    if isinstance(value, str):
        return ({"role": "user", "content": value},)
    if isinstance(value, Mapping):
        return (value,)
    items = as_list(value)
    # Some frameworks keep a batch: a list of conversations.
    return as_list(items[0]) if len(items) == 1 and isinstance(items[0], (list, tuple)) else items


def split_turns(turns: list[tuple[str, str]]) -> tuple[str, list[dict[str, str]]]:
    """The last question, and the turns before it."""
    for index in range(len(turns) - 1, -1, -1):
        if turns[index][0] == "user":
            history = [{"role": role, "content": text} for role, text in turns[:index]]
            return turns[index][1], history
    return "", []


def question_in(value: Any) -> tuple[str, list[dict[str, str]]]:
    """The question and the turns before it in an input: text, JSON in text, messages, or an object."""
    held = decoded(value)
    if not isinstance(held, Mapping):
        return split_turns(turns_of(held)) if as_list(held) else (as_text(held) or "", [])
    inner: Mapping[str, Any] = next(
        (held[key] for key in (*QUESTIONS, "request") if isinstance(held.get(key), Mapping)), {}
    )
    for members in (held, inner):
        text = first_text(members, *QUESTIONS)
        if text is not None:
            return text, []
        talk = next((members[key] for key in _TALKS if as_list(members.get(key))), None)
        if talk is not None:
            return split_turns(turns_of(talk))
    texts = [item for item in held.values() if isinstance(item, str) and item.strip()]
    return texts[0] if len(texts) == 1 else "", []


def answer_of(value: Any, depth: int = 6) -> str:
    """The answer in an output: text, JSON in text, a message, an object, or a model's generations."""
    held = decoded(value)
    if isinstance(held, (list, tuple)):
        turns = turns_of(held)
        return turns[-1][1] if turns else text_of(held) or as_text(value) or ""
    if not isinstance(held, Mapping):
        return "" if value == "null" else as_text(held) or as_text(value) or ""
    for name in ("generations", "choices"):
        first = as_list(held.get(name))[:1]
        while first and isinstance(first[0], (list, tuple)):
            first = first[0][:1]
        if first and depth:
            return answer_of(first[0], depth - 1)
    text = first_text(held, *ANSWERS)
    if text is not None:
        return text
    nested = next((held[key] for key in (*ANSWERS, "kwargs") if isinstance(held.get(key), Mapping)), None)
    if nested is not None and depth:
        return answer_of(nested, depth - 1)
    blocks = next((held[key] for key in ("content", "blocks", "parts") if as_list(held.get(key))), None)
    if blocks is not None:
        return text_of(blocks)
    turns = next((turns for key in ("messages", "output") if (turns := turns_of(held.get(key) or []))), [])
    return turns[-1][1] if turns else ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What one call of a tool gave, as the model read it; the words of a failed one only say why."""

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
        draft.lose(f"the words of {counted(failed, 'failed call')} of a tool are left out", "info")
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
        if role_of(message) in TOOLS:
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
