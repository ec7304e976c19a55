"""Haystack: a GeneratedAnswer of release 2 or 3, alone or within the result of a pipeline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pytest_grounding._wording import counted
from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.format import Format
from pytest_grounding.importers.messages import text_of
from pytest_grounding.importers.reading import as_int, as_list, as_map, as_name, as_text
from pytest_grounding.importers.recording import Recording, recording_of

_MAX_PLACES = 100
_DOCUMENT_FIELDS = {"id", "content", "blob", "score", "embedding", "sparse_embedding", "meta", "dataframe"}


class Haystack(Format):
    """Reads answers; markers count the documents as the builder got them, kept as ``source_index``."""

    name = "haystack"
    how: ClassVar[Mapping[str, str]] = {
        "question": "pass the query to the AnswerBuilder",
        "text": "record documents with their content",
        "score": "use a retriever that scores its documents",
        "chunks": "pass the documents to the AnswerBuilder, with return_only_referenced_documents=False",
    }

    def fits(self, recording: Recording) -> bool:
        """Whether there is a generated answer."""
        return bool(_answers(recording.body))

    def convert(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """One transcript for each generated answer."""
        recording = recording_of(value)
        for answer in _answers(recording.body):
            draft = self.draft()
            draft.beside(recording.beside)
            self.read(Recording(answer, recording.request, recording.beside, answer), draft)
            yield draft.finish()

    def read(self, recording: Recording, draft: Draft) -> None:
        """Fill the draft from one generated answer."""
        body = recording.body
        draft.question = draft.question or as_text(body.get("query")) or ""
        draft.answer = as_text(body.get("data")) or text_of(body.get("data"))
        documents = [_members(item) for item in as_list(body.get("documents"))]
        places = [as_int(_meta(document).get("source_index")) for document in documents]
        known = [place for place in places if place is not None]
        if (
            len(known) == len(places) == len(set(known))
            and known
            and min(known) >= 1
            and max(known) <= _MAX_PLACES
        ):
            self._in_place(dict(zip(known, documents, strict=True)), draft)
        else:
            for document in documents:
                _add(document, draft)
        if not documents:
            draft.gap("chunks", "the answer holds no documents", "warning")

    def _in_place(self, documents: Mapping[int, Mapping[str, Any]], draft: Draft) -> None:
        """Put the documents at the positions that markers count, with empty chunks for those left out."""
        missing = 0
        for place in range(1, max(documents) + 1):
            if place in documents:
                _add(documents[place], draft)
            else:
                missing += 1
                draft.chunk("", id=f"not-recorded-{place}")
        if missing:
            draft.gap(
                "chunks",
                f"not recorded: {counted(missing, 'retrieved document')} that the answer does not refer to",
                "warning",
            )


def _answers(value: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The generated answers of an answer, a component's result, or a pipeline's result."""
    if _is_answer(value):
        return [_members(value)]
    held = value.get("answers")
    if isinstance(held, (list, tuple)) and held and all(_is_answer(as_map(item)) for item in held):
        return [_members(item) for item in held]
    for part in list(value.values())[:50]:
        inner = as_map(part).get("answers")
        if isinstance(inner, (list, tuple)) and inner and all(_is_answer(as_map(item)) for item in inner):
            return [_members(item) for item in inner]
    return []


def _is_answer(value: Mapping[str, Any]) -> bool:
    members = _members(value)
    return "data" in members and "query" in members and isinstance(members.get("documents"), (list, tuple))


def _members(item: Any) -> Mapping[str, Any]:
    """The fields of an object, also from release 2, which wraps them."""
    value = as_map(item)
    inner = value.get("init_parameters")
    return inner if isinstance(inner, Mapping) and "type" in value else value


def _meta(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Its metadata; a flattened document keeps it among its own members."""
    if isinstance(document.get("meta"), Mapping):
        return as_map(document["meta"])
    return {key: value for key, value in document.items() if key not in _DOCUMENT_FIELDS}


def _add(document: Mapping[str, Any], draft: Draft) -> None:
    draft.chunk(
        document.get("content"),
        id=as_name(document.get("id")),
        score=document.get("score"),
        metadata=_meta(document),
    )
