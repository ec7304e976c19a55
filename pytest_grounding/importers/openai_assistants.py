"""OpenAI Assistants: a message of a thread, its annotations, and the file searches of its run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.format import Format
from pytest_grounding.importers.messages import role_of, split_turns
from pytest_grounding.importers.openai_notes import Annotated, add_results, cite
from pytest_grounding.importers.reading import as_list, as_map, as_text
from pytest_grounding.importers.recording import Recording


class Assistants(Format):
    """Reads a message, or the list of a thread's messages; the newest stands first in such a list."""

    name = "openai-assistants"
    how: ClassVar[Mapping[str, str]] = {
        "question": "record the thread's messages as a list, or the question beside the message",
        "text": 'record the run\'s steps as "steps" beside the message, with their file search results',
        "chunks": 'record the run\'s steps as "steps" beside the message, with their file search results',
    }

    def fits(self, recording: Recording) -> bool:
        """Whether it is a message of a thread, or a list of such."""
        return bool(_messages(recording))

    def read(self, recording: Recording, draft: Draft) -> None:
        """Fill the draft from the messages and the run's steps."""
        messages = _messages(recording)
        newest_first = sorted(enumerate(messages), key=lambda pair: (_age(pair[1]), -pair[0]), reverse=True)
        ordered = [message for _, message in newest_first][::-1]
        answers = [index for index, message in enumerate(ordered) if role_of(message) == "assistant"]
        last = answers[-1] if answers else len(ordered) - 1
        turns = [(role_of(message), "".join(_texts(message))) for message in ordered[:last]]
        question, history = split_turns([turn for turn in turns if turn[1].strip()])
        draft.question, draft.history = draft.question or question, history
        draft.known("response_id", ordered[last].get("id"))
        for steps in (
            recording.beside.get("steps"),
            recording.beside.get("run_steps"),
            _beside(recording, "steps"),
        ):
            self._steps(steps, draft)
        cite(_parts(ordered[last], draft), draft)
        if not draft.chunks:
            draft.gap("chunks", "the recording holds no file search results", "warning")

    def _steps(self, steps: Any, draft: Draft) -> None:
        for item in as_list(as_map(steps).get("data", steps)):
            details = as_map(as_map(item).get("step_details"))
            for call in as_list(details.get("tool_calls")):
                add_results(as_map(as_map(call).get("file_search")).get("results"), draft)


def _beside(recording: Recording, name: str) -> Any:
    return recording.body.get(name) if recording.beside.get(name) is None else None


def _messages(recording: Recording) -> list[Mapping[str, Any]]:
    body = recording.body
    found = [body]
    if body.get("object") == "list" or "messages" in body:
        held = body.get("data") if body.get("object") == "list" else body.get("messages")
        found = [as_map(item) for item in as_list(held)]
    elif isinstance(recording.response, (list, tuple)):
        found = [as_map(item) for item in recording.response]
    if not found or not all(message.get("object") == "thread.message" for message in found):
        return []
    return found


def _age(message: Mapping[str, Any]) -> float:
    created = message.get("created_at")
    return float(created) if isinstance(created, (int, float)) and abs(created) < 1e15 else 0.0


def _texts(message: Mapping[str, Any]) -> list[str]:
    found = []
    for item in as_list(message.get("content")):
        text = as_map(item).get("text")
        found.append(as_text(as_map(text).get("value")) or as_text(text) or "")
    return found


def _parts(message: Mapping[str, Any], draft: Draft) -> list[Annotated]:
    parts = []
    for item, text in zip(as_list(message.get("content")), _texts(message), strict=True):
        notes = as_list(as_map(as_map(item).get("text")).get("annotations"))
        parts.append(Annotated(len(draft.answer), tuple(as_map(note) for note in notes)))
        draft.answer += text
    return parts
