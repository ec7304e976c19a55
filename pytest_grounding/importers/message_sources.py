"""Sources and citations that providers put inside of messages: blocks, annotations, grounding metadata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_grounding.importers.anthropic import AnthropicSources
from pytest_grounding.importers.conversation import CONTENTS
from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.gemini import read_grounding
from pytest_grounding.importers.messages import TOOLS, text_of_content
from pytest_grounding.importers.openai import KINDS, add_results, cite
from pytest_grounding.importers.parts import find_passages
from pytest_grounding.lexicon import member_names, member_values
from pytest_grounding.model.json_values import as_int, as_text
from pytest_grounding.model.members import as_list, as_map, first_of, maps_in

_ASIDE = member_names("beside words")
#: Members of a message that are its words, or its part in the conversation.
_OWN = frozenset(("tool_calls", "role", "type", *CONTENTS))
_SEARCHES = ("file_search_call", "file_search_result", "server_tool_result")
_LOCATIONS = member_values("annotation places")
_INDICES = ("index", "file_index")
Note = tuple[int, str, Mapping[str, Any]]


class MessageSources:
    """Reads the sources of the messages of an exchange, then the citations of its answer."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._anthropic = AnthropicSources(draft)

    def collect(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Add what providers retrieved for an exchange, from its question to its answer."""
        for message in messages:
            content = message.get("content")
            if isinstance(content, (list, tuple)):
                self._anthropic.collect(content)
            for block in (message, *maps_in(content)):
                if block.get("type") in _SEARCHES:
                    add_results(first_of(block, "results", "result", "output"), self._draft)
            for output in maps_in(as_map(message.get("additional_kwargs")).get("tool_outputs")):
                add_results(output.get("results"), self._draft)
            if message.get("role") in TOOLS:
                results = maps_in(as_map(content).get("results"))
                if results and all("file_id" in item for item in results):
                    add_results(results, self._draft)

    def read_answer(self, answer: Mapping[str, Any]) -> None:
        """Add the citations of the answer."""
        notes = _notes_of(answer.get("content"))
        for base, text, note in notes:
            if str(note.get("type", "")).endswith("_location"):
                ids, quote = self._anthropic.resolve(note), self._anthropic.quote(note)
                self._draft.cite(base, base + len(text), ids, text=text, quote=quote)
        parts = [(base, note) for base, _, note in notes if note.get("type") in KINDS]
        parts += [(0, note) for note in maps_in(as_map(answer.get("provider_details")).get("citations"))]
        if parts:
            cite([(base, {**note, "index": first_of(note, *_INDICES)}) for base, note in parts], self._draft)
        for base, _, note in notes:
            if note.get("type") == "reference":
                names = list(map(str, as_list(note.get("reference_ids"))))
                known = [found for name in names for found in self._draft.names(name) or [name]]
                self._draft.cite(base, base, known, text="")
        self._anthropic.finish()

    def read_beside(self, answer: Mapping[str, Any]) -> None:
        """Passages and lists in the other members of the answer's message."""
        for metadata in (as_map(answer.get("response_metadata")), answer):
            read_grounding(first_of(metadata, "grounding_metadata", "groundingMetadata"), self._draft)
        rest = {key: held for key, held in answer.items() if key not in _OWN}
        said = self._draft.answer
        if not self._draft.chunks:
            places = [rest, *maps_in(rest.get("attachments"))]
            parts = (find_passages(place, said) for place in places)
            found = [part for part in parts if part is not None and part.value]
            for part in found[:1] if found and "attachments" not in rest else found:
                self._draft.used.add(part.path[-1])
                self._draft.chunks_of(part.value)
        for place in (rest, *(as_map(rest.get(name)) for name in _ASIDE)):
            self._draft.cite_lists({key: held for key, held in place.items() if key != "annotations"})


def _notes_of(content: Any) -> list[Note]:
    """The citations of the blocks of an answer: where their block begins, its text, and the citation."""
    found: list[Note] = []
    base = 0
    for item in as_list(content):
        block = as_map(item)
        text = text_of_content([item])
        if block.get("type") == "reference":
            found.append((base, "", block))
        inner = as_map(block.get("text"))
        lists = (block.get("annotations"), block.get("citations"), inner.get("annotations"))
        details = as_map(block.get("provider_details")).get("citations")
        for held in (*lists, details):
            found += [(base, text, _standard(note)) for note in maps_in(held)]
        base += len(text)
    return found


def _standard(note: Mapping[str, Any]) -> Mapping[str, Any]:
    if note.get("type") != "citation":
        return note
    extras = as_map(note.get("extras"))
    whole = {**extras, **note}
    named = [name for name in _LOCATIONS if as_text(whole.get(name)) or as_int(whole.get(name)) is not None]
    kind = _LOCATIONS[named[0]] if named else ""
    if kind:
        return {**whole, "type": kind}
    if whole.get("url"):
        return {**whole, "type": "url_citation"}
    return {**whole, "type": "file_citation"} if whole.get("file_id") else whole
