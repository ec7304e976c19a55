"""Conversations and states of agents, in the messages of any library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_grounding.importers.conversation import conversation_of, words_of_turn
from pytest_grounding.importers.draft import Draft, has_text
from pytest_grounding.importers.importer import Format, Recording
from pytest_grounding.importers.messages import TOOLS, turns_of
from pytest_grounding.importers.tool_calls import read_tools
from pytest_grounding.model.json_values import as_name
from pytest_grounding.model.members import as_list, as_map, first_of, first_text

_CONTEXTS = ("context", "source_documents", "documents", "retrieved_documents", "sources")
#: Members of a request to a service, whose messages are no recording.
_TALK = frozenset(("messages", "steps", "content", "output", "values", "chat"))
_REQUEST = frozenset(("model", "max_tokens", "temperature"))


class LangGraph(Format):
    """Reads the messages of an agent; tools that return documents as artifacts give chunks with metadata."""

    name = "langgraph"

    def _fits(self, recording: Recording) -> bool:
        body = recording.response if isinstance(recording.response, list) else recording.body
        if isinstance(body, Mapping) and _REQUEST & body.keys():
            return False
        return conversation_of(body) is not None

    def _read(self, recording: Recording, draft: Draft) -> None:
        # The last answered question, and what followed it.
        body = recording.body
        messages = conversation_of(recording.response) or []
        roles = [message["role"] for message in messages]
        last = max(index for index, role in enumerate(roles) if role == "assistant")
        # Results of tools may be in messages of the user.
        users = [n for n in range(last) if roles[n] == "user"]
        asked = max((n for n in users if words_of_turn(messages[n]).strip()), default=max(users, default=0))
        draft.id = draft.id or as_name(body.get("id"))
        said = first_text(recording.beside, "question", "query", "user_input")
        draft.question = said or words_of_turn(messages[asked])
        draft.history = [{"role": role, "content": text} for role, text in turns_of(messages[:asked])]
        self._answer(messages[last], as_map(body.get("structured_response")), draft)
        calls = messages[last].get("tool_calls")
        if (calls or any(role in TOOLS for role in roles[last:])) and not body.get("structured_response"):
            draft.ended("the messages end with a call of a tool, and not with an answer")
        if body.get("next"):
            draft.ended("the snapshot of the graph has a next step")
        self._chunks(body, messages[asked:last], messages[last], draft)
        draft.need_chunks("the state contains no documents, and no tool returned anything")

    def _answer(self, message: Mapping[str, Any], structured: Mapping[str, Any], draft: Draft) -> None:
        text = words_of_turn(message)
        if structured:
            draft.say_value(structured)
        if text.strip():
            draft.answer = text
        told = as_map(message.get("response_metadata"))
        reason = first_of(told, "finish_reason", "stop_reason", "done_reason") or message.get("finish_reason")
        draft.answered(message.get("id"), first_of(told, "model_name", "model"), reason)

    def _chunks(
        self,
        body: Mapping[str, Any],
        messages: Sequence[Mapping[str, Any]],
        answer: Mapping[str, Any],
        draft: Draft,
    ) -> None:
        """The documents of the state, else those of messages, else those of the tools, else their texts."""
        from pytest_grounding.importers.message_sources import MessageSources
        from pytest_grounding.importers.parts import find_passages

        for name in _CONTEXTS:
            held = body.get(name)
            if not draft.chunks and isinstance(held, (list, tuple, str)) and held:
                draft.used.add(name)
                draft.add(held, name)
        for message in () if draft.chunks else messages:
            for item in as_list(message.get("artifact")):
                if not isinstance(item, str) and has_text(item):
                    draft.chunk_of(item)
        sources = MessageSources(draft)
        if not draft.chunks:
            sources.collect([*messages, answer])
        if not draft.chunks:
            rest = {key: held for key, held in body.items() if key not in _TALK}
            found = find_passages(rest, draft.answer)
            if found is not None:
                draft.used |= set(found.path)
                draft.chunks_of(found.value)
        # The sources beside the answer come before the bare texts of tools.
        sources.read_beside(answer)
        read_tools(messages, draft)
        sources.read_answer(answer)
