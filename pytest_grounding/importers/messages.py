"""Messages of a conversation, in the forms that model providers and frameworks give them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_grounding.importers.reading import as_list, as_map, as_text, decoded

_ROLES = {
    "human": "user",
    "ai": "assistant",
    "model": "assistant",
    "chatbot": "assistant",
    "bot": "assistant",
}
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
