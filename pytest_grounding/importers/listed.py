"""A plain answer with the list of its sources, as services return them: question, answer, sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.format import Format
from pytest_grounding.importers.reading import as_list, as_map, as_name, bounded, first_of
from pytest_grounding.importers.recording import Recording

_QUESTIONS = ("question", "query")
_ANSWERS = ("answer", "response", "result")
_LISTS = ("sources", "source_documents", "documents", "contexts", "context", "passages", "retrieved_chunks")
_TEXTS = ("content", "text", "page_content", "excerpt", "snippet")
#: Members that go to the field of their name.
_FIELDS = ("language", "filters", "confidence", "missing_information", "history", "cited_indices")


def are_sources(found: Any) -> bool:
    """Whether this is a list, perhaps an empty one, of objects that have a text."""
    if not isinstance(found, (list, tuple)):
        return False
    return all(any(isinstance(as_map(item).get(name), str) for name in _TEXTS) for item in found)


class Listed(Format):
    """Reads ``{question or query, answer, sources}``; a source has ``content`` or ``text``."""

    name = "sources"
    how: ClassVar[Mapping[str, str]] = {
        "question": "write it as question or query",
        "text": "write the words of a source as content",
        "id": "write chunkId or id",
        "chunks": "write the list of sources",
    }

    def fits(self, recording: Recording) -> bool:
        """Whether there is a question, an answer in words, and a list of sources that have a text."""
        body = as_map(recording.whole)
        if not isinstance(first_of(body, *_QUESTIONS), str) or not isinstance(first_of(body, *_ANSWERS), str):
            return False
        return are_sources(first_of(body, *_LISTS))

    def read(self, recording: Recording, draft: Draft) -> None:
        """Fill the draft; members that have no meaning here are kept in the metadata."""
        body = as_map(recording.whole)
        draft.id = draft.id or as_name(body.get("id"))
        draft.question = str(first_of(body, *_QUESTIONS))
        draft.answer = str(first_of(body, *_ANSWERS))
        draft.metadata.update(as_map(bounded(as_map(body.get("metadata")))))
        for key in _FIELDS:
            if body.get(key) is not None:
                draft.fields[key] = bounded(body[key])
        for item in as_list(first_of(body, *_LISTS)):
            value = dict(as_map(item))
            if "excerpt" in value:
                value.setdefault("text", value["excerpt"])
            draft.chunk_of(value)
        if not draft.chunks:
            draft.gap("chunks", "the list of sources is empty")
        read: set[str] = {"id", "metadata", *_QUESTIONS, *_ANSWERS, *_LISTS, *_FIELDS}
        rest: dict[str, Any] = {key: bounded(value) for key, value in body.items() if key not in read}
        draft.metadata.update({key: value for key, value in rest.items() if value is not None})
