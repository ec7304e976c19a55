"""Tool calls in recorded messages of any origin: OpenAI, Anthropic, Gemini, LangGraph, MCP."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_grounding._io.wording import counted
from pytest_grounding.importers.draft import GAP, Draft
from pytest_grounding.importers.messages import TOOLS, role_of, text_of_content
from pytest_grounding.lexicon import member_names
from pytest_grounding.model.json_values import as_name, bounded_json, decoded
from pytest_grounding.model.members import as_list, as_map, first_of, first_text, maps_in

_CALLS = ("function_call", "custom_tool_call", "tool_use", "tool_call", "function", "mcp_call")
_RESULTS = member_names("tool results")
#: Members of a block of a message, which an object that a tool returned lacks.
_BLOCK = frozenset(("type", "block_type", "content_type", "part_kind", "call_id", "tool_call_id"))
_WITHIN = frozenset(("tool_call_result", "toolResult"))  # members of a block that is a tool's result


def read_tools(messages: Any, draft: Draft) -> None:
    """Store the tool calls; their results after the last question are passages if there are none."""
    draft.called(calls_in(messages))
    if draft.chunks:
        return
    items = as_list(decoded(messages))
    users = (n for n, item in enumerate(items) if role_of(as_map(item)) == "user")
    asked = (n for n in users if not _results_of_messages([items[n]]))
    results = _results_of_messages(items[max(asked, default=-1) + 1 :])
    names = {call.get("id"): call["name"] for call in calls_in(items)}
    told = 0
    for identifier, name, known in results:
        records = records_in(known.get("result"))
        for record in records:
            draft.chunk_of(record)
        if not records and (text := _as_passage(known.get("result"))):
            draft.chunk(text, metadata={"tool": name or names.get(identifier)})
            told += 1
    if failed := sum("error" in known for _, _, known in results):
        draft.lose(f"the words of {counted(failed, 'failed call')} of a tool are left out", "info")
    if told:
        draft.note(GAP, "the tools give no documents; the text of each of their messages counts as one")


def _results_of_messages(messages: Any) -> list[tuple[str | None, str | None, dict[str, Any]]]:
    return [result for part in _parts_of_messages(messages) for result in _results_in(part)]


def _results_in(part: Mapping[str, Any]) -> list[tuple[str | None, str | None, dict[str, Any]]]:
    is_result = _call(part) is None or part.get("type") == "mcp_call"
    result = _result_of(part) if is_result else None
    return [] if result is None else [result]


def records_in(result: Any) -> list[Any]:
    """The passages in a tool's result: a list, as JSON, as Python prints it, or within an object."""
    from pytest_grounding.importers.parts import find_passages, passages_within
    from pytest_grounding.importers.table import python_literal

    held = decoded(result)
    if isinstance(held, str) and held.lstrip()[:1] in ("[", "{"):
        held = python_literal(held)
    if isinstance(held, str):
        return []
    listed = passages_within(held, "results")
    if listed is None and isinstance(held, Mapping):
        found = find_passages(held)
        listed = found.value if found is not None else None
    return list(listed or ())


def _as_passage(result: Any) -> str:
    """The words of a result: those of its one usual member, else all of it as JSON."""
    if isinstance(result, str):
        return result if result.strip() else ""
    if not result:
        return ""
    words = first_text(as_map(result), "result", "output", "content", "text")
    return words or json.dumps(bounded_json(result), ensure_ascii=False, sort_keys=True)


def calls_in(messages: Any) -> list[dict[str, Any]]:
    """The calls in our own format, each with its result or error if the messages have it, in order."""
    found: list[dict[str, Any]] = []
    for part in _parts_of_messages(messages):
        call = _call(part)
        if call is not None:
            found.append(call)
        for identifier, name, known in _results_in(part):
            open_ones = (call for call in found if "result" not in call and "error" not in call)
            for other in open_ones:
                if other.get("id") == identifier if identifier else other["name"] == name:
                    other.update(known)
                    break
    return found


def _parts_of_messages(messages: Any) -> Iterator[Mapping[str, Any]]:
    for item in maps_in(decoded(messages)):
        inner = as_map(item.get("kwargs")) if item.get("lc") else item
        yield inner
        for key in ("content", "parts", "tool_calls"):
            yield from maps_in(inner.get(key))


def _call(part: Mapping[str, Any]) -> dict[str, Any] | None:
    inner = as_map(first_of(part, "functionCall", "function_call", "function", "tool_call"))
    if "tool_name" in inner:
        inner = {**inner, "name": inner["tool_name"]}
    if part.get("method") == "tools/call":
        inner = as_map(part.get("params"))
    kind = part.get("type")
    if not inner and kind not in _CALLS and not ("name" in part and "args" in part):
        return None
    merged = {**part, **inner}
    name = as_name(merged.get("name"))
    if not name or (kind not in (None, *_CALLS) and not inner):
        return None
    given = decoded(first_of(merged, "arguments", "args", "input", "parameters"))
    arguments: Mapping[str, Any] = {} if given in (None, "") else {"input": given}
    if isinstance(given, Mapping):
        arguments = given
    call: dict[str, Any] = {"name": name, "arguments": bounded_json(dict(arguments))}
    identifier = as_name(first_of(part, "call_id", "id")) or as_name(inner.get("id"))
    return {**call, "id": identifier} if identifier else call


def _result_of(part: Mapping[str, Any]) -> tuple[str | None, str | None, dict[str, Any]] | None:
    given = as_map(first_of(part, "functionResponse", "function_response"))
    if isinstance(part.get("tool_call_result"), Mapping):
        inner = part["tool_call_result"]
        origin = as_map(inner.get("origin"))
        told = _result_data(inner.get("result"), failed=bool(inner.get("error")))
        return as_name(origin.get("id")), as_name(origin.get("tool_name")), told
    identifier = as_name(first_of(part, "tool_call_id", "tool_use_id", "call_id", "id"))
    if given:
        return as_name(given.get("id")), as_name(given.get("name")), _result_data(given.get("response"))
    if "jsonrpc" in part and "method" not in part:
        if part.get("error"):
            error = text_of_content(as_map(part["error"]).get("message")) or "error"
            return identifier, None, {"error": error}
        held = as_map(part.get("result"))
        told = _result_data(held.get("structuredContent") or held, failed=bool(held.get("isError")))
        return identifier, None, told
    if role_of(part) not in TOOLS and part.get("type") not in _RESULTS:
        return None
    if part.get("error"):
        return identifier, as_name(part.get("name")), {"error": _words_of_error(part["error"])}
    failed = bool(part.get("is_error")) or part.get("status") in ("error", "failed")
    held = first_of(part, "output", "response", "result", "content")
    if any(item.keys() & _WITHIN for item in maps_in(held)):
        return None  # its blocks are results themselves
    return identifier, as_name(part.get("name")), _result_data(held, failed=failed)


def _result_data(held: Any, *, failed: bool = False) -> dict[str, Any]:
    if failed:
        return {"error": _words_of_error(held)}
    # Blocks have a type; objects without one are the records that the tool returned.
    items = maps_in(held)
    is_records = bool(items) and all(len(item) > 1 and not _BLOCK & item.keys() for item in items)
    return {"result": bounded_json(held) if is_records else text_of_content(held) or bounded_json(held)}


def _words_of_error(held: Any) -> str:
    return text_of_content(held) or str(first_of(as_map(held), "message", "code") or held or "error")
