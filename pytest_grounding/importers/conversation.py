"""One conversation out of the messages of any library: their roles, texts, tool calls and results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_grounding.importers.messages import TOOLS, role_of, text_of_content
from pytest_grounding.lexicon import member_values
from pytest_grounding.model.json_values import as_name, as_text, decoded
from pytest_grounding.model.members import as_list, as_map, first_of, first_text, maps_in

_ITEMS = member_values("turn items")
_EVENTS = member_values("autogen events")  # kinds of AutoGen's messages and events
_ROLES = frozenset({"user", "assistant", "system", "developer", *TOOLS})
_PARTS = member_values("pydantic-ai parts")  # parts of a pydantic-ai message, by the role that sent them
#: Members of a message with its words, best first.
CONTENTS = ("content", "parts", "blocks", "items", "text", "message", "_content")
#: Where exports of chat programs have their messages.
_HELD = ("messages", "chat_messages", "history", "conversation", "turns", "output", "items", "new_messages")


def conversation_of(value: Any) -> list[Mapping[str, Any]] | None:
    """The messages in a list, state, result or export of a chat, with role and content; None without."""
    held = decoded(value)
    items = _listed_messages(held)
    if not items:
        return None
    messages = [message for item in items for message in normal(item)]
    roles = [message.get("role") for message in messages]
    if not messages or not _ROLES.issuperset(roles) or "user" not in roles:
        return None
    return messages if "assistant" in roles[roles.index("user") :] else None


def _listed_messages(value: Any) -> Sequence[Any]:
    if isinstance(value, (list, tuple)):
        return value
    members = as_map(value)
    if "steps" in members and "output" in members:
        return _of_steps(members)
    for places in (members, *(as_map(members.get(name)) for name in ("chat", "values", "data"))):
        for name in _HELD:
            inner = decoded(places.get(name))
            if isinstance(inner, (list, tuple)) and inner:
                return inner
            held = as_map(inner).get("messages")
            if isinstance(held, Mapping):
                return _branch(as_map(inner))
            if isinstance(held, (list, tuple)):
                return held
    return ()


def _branch(history: Mapping[str, Any]) -> list[Any]:
    """The messages from the first one to the current one of a tree."""
    table = as_map(history.get("messages"))
    at = as_name(first_of(history, "currentId", "current_id", "currentMessageId"))
    at = at if at in table else next(reversed(list(table)), None)
    found: list[Any] = []
    while at is not None and at in table and len(found) < len(table):
        message = as_map(table[at])
        found.append(message)
        at = as_name(first_of(message, "parentId", "parent_id", "parentMessageId"))
    return found[::-1]


def _of_steps(run: Mapping[str, Any]) -> list[Any]:
    """The task, observations and answer of a run in steps (smolagents)."""
    found: list[Any] = []
    said = run.get("output")
    for step in maps_in(run.get("steps")):
        if first_text(step, "task") is not None:
            found.append({"role": "user", "content": step["task"]})
        for call in maps_in(step.get("tool_calls")):
            if as_map(call.get("function")).get("name") not in (None, "final_answer"):
                found.append({"role": "assistant", "content": "", "tool_calls": [call]})
        observed = (first_text(step, "observations") or "").removeprefix("Observation:").strip()
        if observed and not step.get("is_final_answer") and observed != said:
            found.append({"role": "tool", "content": observed})
    return [*found, {"role": "assistant", "content": said}] if isinstance(said, str) else found


def normal(item: Any) -> Iterator[Mapping[str, Any]]:
    """The messages in one item under common names."""
    message = as_map(item)
    if message.get("lc") and isinstance(message.get("kwargs"), Mapping):
        message = {"type": role_of(message), **message["kwargs"]}
    elif isinstance(message.get("data"), Mapping) and "content" not in message and "type" in message:
        message = {**message["data"], "type": message["type"]}
    if isinstance(message.get("parts"), (list, tuple)) and message.get("kind") in ("request", "response"):
        yield from _of_parts(message)
        return
    if not message:
        return
    role = _role(message)
    yield {**message, "role": role, "content": _content_of_turn(message, role)}


def _role(message: Mapping[str, Any]) -> str:
    kind = message.get("type")
    if isinstance(kind, str) and kind in _ITEMS and "role" not in message:
        return _ITEMS[kind]
    if "isCreatedByUser" in message:
        return "user" if message["isCreatedByUser"] else "assistant"
    source = message.get("source")
    if isinstance(source, str) and "role" not in message and isinstance(kind, str) and kind[:1].isupper():
        return _EVENTS.get(kind) or ("user" if source == "user" else "assistant")
    label = as_map(message.get("role")).get("label") or as_map(message.get("role")).get("value")
    named = label or message.get("_role")
    role = role_of({**message, "role": named} if named else message)
    return role or role_of({"role": as_text(message.get("sender")) or as_text(message.get("author"))})


def _content_of_turn(message: Mapping[str, Any], role: str) -> Any:
    if role in TOOLS and message.get("output") is not None:
        return message["output"]
    held = next((message[name] for name in CONTENTS if message.get(name)), "")
    items = as_list(held)
    if role in TOOLS and len(items) == 1 and as_map(items[0]).get("result") is not None:
        return as_map(items[0])["result"]  # of semantic-kernel
    return held


def _of_parts(message: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    said: list[Mapping[str, Any]] = []
    calls: list[Mapping[str, Any]] = []
    for part in maps_in(message.get("parts")):
        kind = as_text(part.get("part_kind")) or ""
        role = _PARTS.get(kind)
        if kind == "builtin-tool-call":
            continue  # its result is in the same message
        if kind == "tool-call":
            calls.append(
                {"name": part.get("tool_name"), "args": part.get("args"), "id": part.get("tool_call_id")}
            )
        elif role == "assistant":
            said.append({**part, "type": "text", "text": part.get("content")})
        elif role is not None:
            yield {**part, "role": role, "name": part.get("tool_name"), "content": part.get("content")}
    if said or calls:
        rest = {key: held for key, held in message.items() if key != "parts"}
        yield {**rest, "role": "assistant", "content": said, "tool_calls": calls}


def words_of_turn(message: Mapping[str, Any]) -> str:
    """The text of a message, also one that stands under another name."""
    return text_of_content(message.get("content")) or first_text(message, "text", "message") or ""
