"""LangChain agents and LangGraph: a state with the messages of user, tools and model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pytest_grounding.importers.draft import CUT_SHORT, Draft
from pytest_grounding.importers.format import Format
from pytest_grounding.importers.messages import role_of, text_of, turns_of
from pytest_grounding.importers.passages import add_passages, holds_text
from pytest_grounding.importers.reading import as_list, as_map, as_name, decoded, first_of, first_text
from pytest_grounding.importers.recording import Recording
from pytest_grounding.importers.tool_results import add_tool_results, in_chat

_ROLES = frozenset({"user", "assistant", "system", "developer", "tool", "function"})
_TOOLS = ("tool", "function")
_CONTEXTS = ("context", "documents", "source_documents")
_QUESTIONS = ("question", "query", "user_input")
#: Where a structured answer has its text.
_ANSWERS = ("answer", "response", "output", "result", "content", "text")


class LangGraph(Format):
    """Reads the state of an agent; tools that return documents as artifacts give chunks with metadata."""

    name = "langgraph"
    how: ClassVar[Mapping[str, str]] = {
        "question": "record the whole state, whose messages hold it",
        "chunks": 'let the tool return documents as its artifact, or write "context" beside "messages"',
    }

    def fits(self, recording: Recording) -> bool:
        """Whether there are messages, one of them of a model after one of a user."""
        body = recording.body
        held = as_list(decoded(body.get("messages")))
        if not held or "model" in body:
            return False  # with a model, it is what a service was asked
        roles = [role_of(members) for item in held if (members := _members(item))]
        if len(roles) < len(held) or not _ROLES.issuperset(roles) or "user" not in roles:
            return False
        return "assistant" in roles[roles.index("user") :]

    def read(self, recording: Recording, draft: Draft) -> None:
        """Fill the draft from the state: the last question that was answered, and what followed it."""
        body = recording.body
        messages = [_members(item) for item in as_list(decoded(body.get("messages")))]
        roles = [role_of(message) for message in messages]
        last = max(index for index, role in enumerate(roles) if role == "assistant")
        asked = max((index for index in range(last) if roles[index] == "user"), default=0)
        said = text_of(messages[asked].get("content"))
        draft.id = draft.id or as_name(body.get("id"))
        draft.question = first_text(recording.beside, *_QUESTIONS) or said or draft.question
        draft.history = [{"role": role, "content": text} for role, text in turns_of(messages[:asked])]
        _answer(messages[last], body, draft)
        is_called = bool(messages[last].get("tool_calls")) or any(role in _TOOLS for role in roles[last:])
        if is_called and not body.get("structured_response"):
            draft.note(CUT_SHORT, "the messages end with a call of a tool, and not with an answer", "warning")
        results = [messages[index] for index in range(asked + 1, last) if roles[index] in _TOOLS]
        _chunks(body, results, draft)


def _members(item: Any) -> Mapping[str, Any]:
    """The members of a message with its role, out of each form in which LangChain dumps one."""
    message = as_map(item)
    if message.get("lc") and isinstance(message.get("kwargs"), Mapping):
        return {"type": role_of(message), **message["kwargs"]}
    if isinstance(message.get("data"), Mapping) and "content" not in message:
        return {"type": message.get("type"), **message["data"]}
    return message


def _answer(message: Mapping[str, Any], body: Mapping[str, Any], draft: Draft) -> None:
    told = as_map(message.get("response_metadata"))
    structured = as_map(body.get("structured_response"))
    text = text_of(message.get("content"))
    draft.answer = text if text.strip() else first_text(structured, *_ANSWERS) or ""
    draft.known("response_id", message.get("id"))
    draft.known("model_version", first_of(told, "model_name", "model"))
    draft.ended(first_of(told, "finish_reason", "stop_reason", "done_reason"))


def _chunks(body: Mapping[str, Any], results: Sequence[Mapping[str, Any]], draft: Draft) -> None:
    """The documents of the state, else those of the tools, else what the tools said."""
    if draft.chunks:
        return
    for name in _CONTEXTS:
        # Other states keep settings in a member of this name.
        if not draft.chunks and isinstance(body.get(name), (list, tuple, str)):
            add_passages(draft, body[name], name)
    if draft.chunks:
        return
    for message in results:
        for item in _documents(message.get("artifact")):
            draft.chunk_of(item)
    if draft.chunks:
        return
    add_tool_results(in_chat(results), draft)
    if not draft.chunks:
        draft.gap("chunks", "the state holds no documents, and no tool said anything", "warning")


def _documents(artifact: Any) -> list[Any]:
    """The documents of a tool's artifact: a list, one alone, or a list within an object."""
    if isinstance(artifact, Mapping) and not holds_text(artifact):
        artifact = first_of(artifact, *_CONTEXTS, "docs", "chunks", "results")
    items = artifact if isinstance(artifact, (list, tuple)) else [artifact]
    return [item for item in items if not isinstance(item, str) and holds_text(item)]
