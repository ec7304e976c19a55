"""LangChain: the result of a retrieval chain, with documents in any of their serial forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.format import Format
from pytest_grounding.importers.messages import split_turns, text_of, turns_of
from pytest_grounding.importers.passages import add_passages
from pytest_grounding.importers.reading import as_list, as_map, as_name, first_of, first_text
from pytest_grounding.importers.recording import Recording

_CONTEXTS = ("context", "source_documents", "documents")
_QUESTIONS = ("input", "question", "query")
_ANSWERS = ("answer", "result", "output", "response", "generation")
_SCORES = ("relevance_score", "score", "_score", "similarity_score", "similarity")


class LangChain(Format):
    """Reads ``create_retrieval_chain`` and the older chains; citations are the markers in the answer."""

    name = "langchain"
    how: ClassVar[Mapping[str, str]] = {
        "question": "record the chain's whole result, which holds its input",
        "score": 'put the score into each document\'s metadata as "relevance_score"',
        "id": "give each Document an id",
        "chunks": "record the chain's whole result, which holds its context",
    }

    def fits(self, recording: Recording) -> bool:
        """Whether there is a context of documents beside an answer."""
        if "run_type" in recording.body:
            return False  # a run of LangSmith, which has an importer of its own
        body = _unpacked(recording.body)
        found = first_of(body, *_CONTEXTS)
        if not isinstance(found, (list, tuple)) or not any(name in body for name in _ANSWERS):
            return False
        if found:
            return document_of(found[0]) is not None
        return isinstance(body.get("context"), (list, tuple)) and "input" in body and "answer" in body

    def read(self, recording: Recording, draft: Draft) -> None:
        """Fill the draft from the chain's result."""
        body = _unpacked(recording.body)
        asked = first_of(body, *_QUESTIONS)
        if isinstance(asked, Mapping):
            asked = first_text(asked, *_QUESTIONS, "content") or asked.get("messages")
        question, history = split_turns(turns_of(asked if asked is not None else body.get("messages") or []))
        draft.question = draft.question or question
        draft.history = history or [
            {"role": role, "content": text} for role, text in turns_of(body.get("chat_history") or [])
        ]
        draft.answer = _message_text(first_of(body, *_ANSWERS))
        for index, item in enumerate(as_list(first_of(body, *_CONTEXTS))):
            document = document_of(item)
            if document is None:
                name = next(key for key in _CONTEXTS if body.get(key) is not None)
                add_passages(draft, [item], name, first=index)
                continue
            metadata = as_map(document.get("metadata"))
            score = (
                document.get("score") if document.get("score") is not None else first_of(metadata, *_SCORES)
            )
            draft.chunk(
                document.get("page_content"), id=as_name(document.get("id")), score=score, metadata=metadata
            )


def _unpacked(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """The result itself, also out of a run as LangSmith keeps it: ``{"inputs": …, "outputs": …}``."""
    outputs = value.get("outputs")
    if isinstance(outputs, Mapping) and isinstance(value.get("inputs"), Mapping):
        return {**value["inputs"], **outputs}
    return value


def document_of(item: Any) -> Mapping[str, Any] | None:
    """The members of a document: dumped, constructed (``lc``), or the older plain form; None otherwise."""
    if isinstance(item, (list, tuple)) and len(item) == 2:
        # A search with scores gives pairs.
        inner = document_of(item[0]) if isinstance(item[0], Mapping) else None
        return None if inner is None else {**inner, "score": item[1]}
    value = as_map(item)
    if value.get("lc") and isinstance(value.get("kwargs"), Mapping):
        value = value["kwargs"]
    return value if "page_content" in value else None


def _message_text(value: Any) -> str:
    if isinstance(value, Mapping):
        if value.get("lc") and isinstance(value.get("kwargs"), Mapping):
            value = value["kwargs"]
        answer = first_text(value, "answer", "content", "text", "output")
        return answer if answer is not None else text_of(value.get("content"))
    return text_of(value)
