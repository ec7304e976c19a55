"""Messages of a conversation: questions, answers, and tool results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_grounding.model.json_values import as_text, decoded
from pytest_grounding.model.members import as_list, as_map, first_text

_ROLES = {"human": "user", **dict.fromkeys(("ai", "model", "chatbot", "bot"), "assistant")}
TOOLS = ("tool", "function")
#: Names of a question and of an answer in the inputs and outputs of programs, best first.
QUESTIONS = tuple("question query user_input input prompt q text message user_query content".split())
ANSWERS = ("answer", "response", "output", "result", "content", "text", "generation", "message")
_TALKS = ("messages", "input")  # members of an input with the messages of a conversation
_TEXTS = ("text", "content", "value")
_TEXT_BLOCKS = ("", "text", "input_text", "output_text")


def role_of(message: Mapping[str, Any]) -> str:
    """``user``, ``assistant`` or another role in lower case; "" without one."""
    named = message.get("role") or message.get("type") or ""
    if named in ("constructor", "message"):
        path = as_list(message.get("id"))
        named = str(path[-1]).removesuffix("Chunk").removesuffix("Message") if path else named
    named = getattr(named, "value", named)
    # LangChain calls streamed messages "AIMessageChunk".
    role = named.removesuffix("MessageChunk").lower() if isinstance(named, str) else ""
    return _ROLES.get(role, role)


def text_of_content(content: Any) -> str:
    """The text of a message's content: text, a list of blocks or parts, or an object with one."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        inner = next((content[name] for name in _TEXTS if isinstance(content.get(name), str)), None)
        nested = content.get("parts") or content.get("content") or content.get("blocks")
        if inner is not None or not isinstance(nested, (list, tuple)):
            return inner or ""
        return text_of_content(nested)
    texts = []
    for block in as_list(content):
        members = as_map(block)
        kind = members.get("type") or members.get("block_type") or members.get("content_type") or ""
        is_text = not isinstance(kind, str) or kind in _TEXT_BLOCKS
        if isinstance(block, str):
            texts.append(block)
        elif is_text and not members.get("thought"):
            # The threads of OpenAI's assistants have the words and their annotations in an object.
            inner = as_map(members.get("text")).get("value")
            known = map(as_text, (inner, members.get("text"), members.get("content")))
            texts.append(next((text for text in known if text is not None), ""))
    return "".join(texts)


def turns_of(messages: Any) -> list[tuple[str, str]]:
    """Role and text of each user or assistant message with text, in order."""
    found: list[tuple[str, str]] = []
    for item in _message_items(messages):
        message = as_map(item)
        if "kwargs" in message and message.get("lc"):
            inner = as_map(message["kwargs"])
            role, text = role_of(message), text_of_content(inner.get("content"))
            role = role if role in ("user", "assistant") else role_of(inner)
        else:
            role = role_of(message)
            content = next((message[key] for key in ("content", "parts", "blocks") if message.get(key)), None)
            text = text_of_content(content)
        if role in ("user", "assistant") and text.strip():
            found.append((role, text))
    return found


def _message_items(messages: Any) -> Iterable[Any]:
    value = decoded(messages)
    if isinstance(value, str):
        return ({"role": "user", "content": value},)
    if isinstance(value, Mapping):
        return (value,)
    items = as_list(value)
    # Some frameworks store a batch: a list of conversations.
    return as_list(items[0]) if len(items) == 1 and isinstance(items[0], (list, tuple)) else items


def split_turns(turns: list[tuple[str, str]]) -> tuple[str, list[dict[str, str]]]:
    """The last question, and the turns before it."""
    last = max((index for index, (role, _) in enumerate(turns) if role == "user"), default=None)
    if last is None:
        return "", []
    return turns[last][1], [{"role": role, "content": text} for role, text in turns[:last]]


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
        return turns[-1][1] if turns else text_of_content(held) or as_text(value) or ""
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
    members = (held.get(key) for key in (*ANSWERS, "parsed", "kwargs"))
    nested = next((member for member in members if isinstance(member, Mapping)), None)
    if nested is not None and depth:
        return answer_of(nested, depth - 1)
    blocks = next((held[key] for key in ("content", "blocks", "parts") if as_list(held.get(key))), None)
    if blocks is not None:
        return text_of_content(blocks)
    turns = next((turns for key in ("messages", "output") if (turns := turns_of(held.get(key) or []))), [])
    return turns[-1][1] if turns else ""
