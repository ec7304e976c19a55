"""OpenAI Chat Completions: the first choice, with the links that its annotations name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pytest_grounding.importers.draft import LOSS, Draft
from pytest_grounding.importers.format import Format
from pytest_grounding.importers.messages import split_turns, text_of, turns_of
from pytest_grounding.importers.openai_notes import Annotated, cite
from pytest_grounding.importers.reading import as_list, as_map, as_text
from pytest_grounding.importers.recording import Recording
from pytest_grounding.importers.tool_results import add_tool_results, in_chat


class ChatCompletions(Format):
    """Reads a completion with its request. The interface knows no retrieval: chunks stand beside it."""

    name = "openai-chat"
    how: ClassVar[Mapping[str, str]] = {
        "question": 'write {"request": {"messages": ...}, "response": ...}',
        "chunks": 'write what you retrieved as "chunks" beside "response"',
        "text": 'write what you retrieved as "chunks" beside "response"',
    }

    def fits(self, recording: Recording) -> bool:
        """Whether there are choices with a message."""
        choices = as_list(recording.body.get("choices"))
        return bool(choices) and isinstance(as_map(choices[0]).get("message"), Mapping)

    def read(self, recording: Recording, draft: Draft) -> None:
        """Fill the draft from the completion and its request."""
        body = recording.body
        turns = turns_of(recording.request.get("messages") or [])
        question, history = split_turns(turns)
        draft.question, draft.history = draft.question or question, history
        draft.known("response_id", body.get("id"))
        draft.known("model_version", body.get("model"))
        choices = as_list(body.get("choices"))
        if len(choices) > 1:
            draft.note(LOSS, f"the completion has {len(choices)} choices; the first is the answer")
        choice = as_map(choices[0])
        draft.ended(choice.get("finish_reason"))
        message = as_map(choice.get("message"))
        draft.answer = text_of(message.get("content")) or as_text(message.get("refusal")) or ""
        self._context(message, body, draft)
        notes = tuple(as_map(note) for note in as_list(message.get("annotations")))
        cite([Annotated(0, notes)], draft)
        if not draft.chunks:
            add_tool_results(in_chat(recording.request.get("messages")), draft)
        if not draft.chunks:
            draft.gap("chunks", "a chat completion holds no retrieved chunks", "warning")

    def _context(self, message: Mapping[str, Any], body: Mapping[str, Any], draft: Draft) -> None:
        """What services with a search of their own add, in the order in which the answer numbers it."""
        found = as_list(as_map(message.get("context")).get("citations")) or as_list(
            body.get("search_results")
        )
        if not draft.chunks:
            for item in found:
                draft.chunk_of(item)
