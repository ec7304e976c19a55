"""OpenAI Responses: output items with annotated text, and the results of file searches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.format import Format
from pytest_grounding.importers.messages import split_turns, turns_of
from pytest_grounding.importers.openai_notes import Annotated, add_results, cite
from pytest_grounding.importers.reading import as_list, as_map, as_text, first_text
from pytest_grounding.importers.recording import Recording
from pytest_grounding.importers.tool_results import add_tool_results, in_items


class OpenAIResponses(Format):
    """Reads a response with its request; the question is the last input of the user."""

    name = "openai-responses"
    how: ClassVar[Mapping[str, str]] = {
        "question": 'write {"request": {"input": ...}, "response": ...}',
        "text": 'ask for include=["file_search_call.results"]',
        "chunks": 'ask for include=["file_search_call.results"]',
    }

    def fits(self, recording: Recording) -> bool:
        """Whether it is a response object with output items."""
        body = recording.body
        return body.get("object") == "response" and isinstance(body.get("output"), (list, tuple))

    def read(self, recording: Recording, draft: Draft) -> None:
        """Fill the draft from the response and its request."""
        body = recording.body
        asked = recording.request.get("input")
        question, history = split_turns(turns_of(asked if asked is not None else body.get("input") or []))
        draft.question, draft.history = draft.question or question, history
        draft.known("response_id", body.get("id"))
        draft.known("model_version", body.get("model"))
        draft.ended(as_map(body.get("incomplete_details")).get("reason"))
        if body.get("status") == "failed":
            draft.failed(first_text(as_map(body.get("error")), "message", "code") or "status failed")
        searched = withheld = 0
        parts: list[Annotated] = []
        for item in as_list(body.get("output")):
            output = as_map(item)
            if output.get("type") == "file_search_call":
                searched += 1
                withheld += not isinstance(output.get("results"), (list, tuple))
                add_results(output.get("results"), draft)
            elif output.get("type", "message") == "message":
                # Before it calls a tool, a model often says so in a message of its own.
                draft.answer += "\n\n" if draft.answer.strip() else ""
                parts += _message(output, draft)
        if withheld:
            draft.gap(
                "chunks",
                f"the results of {withheld} of {searched} file searches are not in the recording",
                "warning",
            )
        cite(parts, draft)
        if not draft.chunks:
            add_tool_results([*in_items(asked), *in_items(body.get("output"))], draft)
        if not draft.chunks and not withheld:
            draft.gap("chunks", "the recording holds no retrieved chunks", "warning")


def _message(output: Mapping[str, Any], draft: Draft) -> list[Annotated]:
    parts = []
    for item in as_list(output.get("content")):
        block = as_map(item)
        text = as_text(block.get("text"))
        if block.get("type") == "refusal":
            text = as_text(block.get("refusal"))
        if text is None:
            continue
        notes = tuple(as_map(note) for note in as_list(block.get("annotations")))
        parts.append(Annotated(len(draft.answer), notes))
        draft.answer += text
    return parts
