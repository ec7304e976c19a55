"""Anthropic Messages with citations: the cited span is the text block, and places lie in the source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pytest_grounding.importers.anthropic_sources import Sources
from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.format import Format
from pytest_grounding.importers.messages import split_turns, turns_of
from pytest_grounding.importers.reading import as_list, as_map, as_text
from pytest_grounding.importers.recording import Recording
from pytest_grounding.importers.tool_results import add_tool_results, in_chat


class AnthropicMessages(Format):
    """Reads a message with its request: documents and search results become chunks, in their order."""

    name = "anthropic"
    how: ClassVar[Mapping[str, str]] = {
        "question": 'the response does not repeat it: write {"request": {"messages": ...}, "response": ...}',
        "chunks": "record the request with its documents beside the response",
        "text": "record the request with its documents beside the response",
    }

    def fits(self, recording: Recording) -> bool:
        """Whether the content is blocks of Anthropic's kinds."""
        body = recording.body
        blocks = as_list(body.get("content"))
        if body.get("object") or not all(isinstance(block, Mapping) for block in blocks[:3]):
            return False
        if body.get("role", "assistant") != "assistant":
            return False
        if not blocks:
            # A model that refuses, or has nothing to add, sends no block.
            return body.get("type") == "message" and "stop_reason" in body
        if body.get("type") == "message" or "stop_reason" in body:
            return True
        kinds = {block.get("type") for block in blocks if isinstance(block, Mapping)}
        cited = any(
            str(as_map(note).get("type", "")).endswith("_location")
            for block in blocks
            for note in as_list(as_map(block).get("citations"))
        )
        return cited and kinds <= {
            "text",
            "thinking",
            "tool_use",
            "server_tool_use",
            "web_search_tool_result",
        }

    def read(self, recording: Recording, draft: Draft) -> None:
        """Fill the draft from the response and its request."""
        body, request = recording.body, recording.request
        question, history = split_turns(turns_of(_conversation(request.get("messages"))))
        draft.question, draft.history = draft.question or question, history
        draft.known("response_id", body.get("id"))
        draft.known("model_version", body.get("model"))
        draft.ended(body.get("stop_reason"))
        sources = Sources(draft)
        for message in as_list(request.get("messages")):
            sources.collect(as_map(message).get("content"))
        sources.collect(body.get("content"))
        cited: list[tuple[int, str, Mapping[str, Any]]] = []
        is_parted = False
        for item in as_list(body.get("content")):
            block = as_map(item)
            text = as_text(block.get("text"))
            if block.get("type") != "text" or text is None:
                is_parted = bool(draft.answer)
                continue
            # What stands before a call of a tool is a statement of its own.
            draft.answer += "\n\n" if is_parted and not draft.answer.endswith("\n") else ""
            is_parted = False
            cited += [(len(draft.answer), text, as_map(note)) for note in as_list(block.get("citations"))]
            draft.answer += text
        # First all, then resolve: a source that only citations show is one chunk with all of their words.
        for start, text, note in cited:
            ids = sources.resolve(note)
            draft.cite(start, start + len(text), ids, text=text, quote=sources.quote(note))
        sources.finish()
        if not draft.chunks:
            add_tool_results(in_chat(request.get("messages")), draft)
        if not draft.chunks:
            draft.gap("chunks", "the recording holds no documents", "warning")


def _conversation(messages: Any) -> list[Any]:
    """The messages without those that only carry the results of tools."""
    kept = []
    for item in as_list(messages):
        content = as_map(item).get("content")
        if isinstance(content, list):
            content = [block for block in content if as_map(block).get("type", "text") == "text"]
        kept.append({**as_map(item), "content": content})
    return kept
