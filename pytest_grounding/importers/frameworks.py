"""Frameworks: LangChain, LlamaIndex and Haystack."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_grounding._io.wording import counted
from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.importer import Format, Recording, recording_of
from pytest_grounding.importers.messages import question_in, text_of_content, turns_of
from pytest_grounding.model.chunks import read_chunk
from pytest_grounding.model.json_values import as_int, as_name
from pytest_grounding.model.members import as_list, as_map, first_of, first_text, maps_in

_CONTEXTS = ("context", "source_documents", "documents")
_QUESTIONS = ("input", "question", "query", "user_input")
_ANSWERS = ("answer", "result", "output", "response", "generation")
_NUMBERED = re.compile(r"\ASource (\d{1,4}):\s*\n")  # before the text of each node, by CitationQueryEngine
_STABLE = ("file_name", "file_path", "source", "url", "title")
_MAX_PLACES = 100


class LangChain(Format):
    """Reads ``create_retrieval_chain`` and the older chains; citations are the markers in the answer."""

    name = "langchain"

    def _fits(self, recording: Recording) -> bool:
        if "run_type" in recording.body:
            return False  # a run of LangSmith, which has its own importer
        body = _unpacked_object(recording.body)
        found = first_of(body, *_CONTEXTS)
        if isinstance(found, str):
            # The documents joined to the content of the prompt.
            is_asked = first_of(body, *_QUESTIONS) is not None
            return found == body.get("context") and is_asked and first_of(body, *_ANSWERS) is not None
        if not isinstance(found, (list, tuple)) or not any(name in body for name in _ANSWERS):
            return False
        is_chain = isinstance(body.get("context"), (list, tuple)) and "input" in body and "answer" in body
        return is_document(found[0]) or (isinstance(found[0], str) and is_chain) if found else is_chain

    def _read(self, recording: Recording, draft: Draft) -> None:
        body = _unpacked_object(recording.body)
        asked = first_of(body, *_QUESTIONS)
        question, history = question_in(asked if asked is not None else body.get("messages"))
        draft.id = draft.id or as_name(body.get("id"))
        draft.question = draft.question or question
        earlier = turns_of(body.get("chat_history") or [])
        draft.history = history or [{"role": role, "content": text} for role, text in earlier]
        draft.say_value(first_of(body, *_ANSWERS))
        name = next(key for key in _CONTEXTS if body.get(key) is not None)
        draft.used.add(name)
        draft.add(body[name], name)


def _unpacked_object(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """The result itself, also within a run as LangSmith stores it: ``{"inputs": …, "outputs": …}``."""
    outputs = value.get("outputs")
    if isinstance(outputs, Mapping) and isinstance(value.get("inputs"), Mapping):
        return {**value["inputs"], **outputs}
    return value


def is_document(item: Any) -> bool:
    """Whether it is a document of LangChain, dumped, constructed (``lc``) or paired with its score."""
    if isinstance(item, (list, tuple)) and len(item) == 2:
        return isinstance(item[0], Mapping) and is_document(item[0])
    value = as_map(item)
    return "page_content" in (as_map(value.get("kwargs")) if value.get("lc") else value)


class LlamaIndex(Format):
    """Reads a response; markers count its source nodes from 1. The response does not include the question."""

    name = "llamaindex"

    def _fits(self, recording: Recording) -> bool:
        body = recording.body
        is_said = "response" in body or "answer" in body
        return is_said and isinstance(body.get("source_nodes"), (list, tuple))

    def _read(self, recording: Recording, draft: Draft) -> None:
        body = recording.body
        draft.question = draft.question or first_text(body, "question", "query", "query_str") or ""
        draft.id = draft.id or as_name(body.get("id"))
        draft.say_value(first_of(body, "response", "answer"))
        empty: dict[str, Any] = {"text": None, "metadata": {}}
        nodes = [read_chunk(item) or empty for item in as_list(body.get("source_nodes"))]
        if all(_NUMBERED.match(node["text"] or "") for node in nodes):
            nodes.sort(key=lambda node: int(_NUMBERED.match(node["text"])[1]))  # type: ignore[index]
        for node in nodes:
            match = _NUMBERED.match(node["text"] or "")
            if match is not None:
                # The engine gives its pieces new ids in every run; the file name is stable.
                stable = first_text(node["metadata"], *_STABLE) or f"source-{match[1]}"
                other = {"other_id": node["id"]} if node.get("id") not in (None, stable) else {}
                node |= {"text": node["text"][match.end() :], "id": stable, "is_shared": True}
                node["metadata"] = {**other, **node["metadata"]}
            draft.put(node)


class Haystack(Format):
    """Reads answers; markers count the documents given to the builder, stored as ``source_index``."""

    name = "haystack"

    def _fits(self, recording: Recording) -> bool:
        return bool(_answers_in(recording.body))

    def convert(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """One transcript per generated answer."""
        recording = recording_of(value)
        for answer in _answers_in(recording.body):
            draft = self.draft()
            draft.beside(recording.beside)
            self._read(Recording(answer, recording.request, recording.beside, answer), draft)
            yield draft.finish()

    def _read(self, recording: Recording, draft: Draft) -> None:
        body = recording.body
        draft.question = draft.question or first_text(body, "query") or ""
        draft.answer = text_of_content(body.get("data"))
        documents = [read_chunk(_fields_of_object(item)) or {} for item in as_list(body.get("documents"))]
        places = [as_int(as_map(document.get("metadata")).get("source_index")) for document in documents]
        known = [place for place in places if place is not None and 1 <= place <= _MAX_PLACES]
        if known and len(known) == len(places) == len(set(known)):
            # At the positions that markers count, with empty chunks for those left out.
            by_place = dict(zip(known, documents, strict=True))
            empty: dict[str, Any] = {"text": "", "metadata": {}}
            every = range(1, max(known) + 1)
            documents = [by_place.get(place, {**empty, "id": f"not-recorded-{place}"}) for place in every]
            if missing := len(documents) - len(known):
                left_out = counted(missing, "retrieved document")
                problem = f"not recorded: {left_out} that the answer does not refer to"
                draft.gap("chunks", problem, "warning")
        for document in documents:
            draft.put(document)
        if not documents:
            draft.gap("chunks", "the answer contains no documents", "warning")


def _answers_in(value: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if _is_answer(value):
        return [_fields_of_object(value)]
    for held in (value.get("answers"), *(as_map(part).get("answers") for part in list(value.values())[:50])):
        if isinstance(held, (list, tuple)) and held and all(map(_is_answer, maps_in(held))):
            return list(map(_fields_of_object, held))
    return []


def _is_answer(value: Mapping[str, Any]) -> bool:
    members = _fields_of_object(value)
    return "data" in members and "query" in members and isinstance(members.get("documents"), (list, tuple))


def _fields_of_object(item: Any) -> Mapping[str, Any]:
    """The fields of an object, also of release 2, which wraps them."""
    value = as_map(item)
    inner = value.get("init_parameters")
    return inner if isinstance(inner, Mapping) and "type" in value else value
