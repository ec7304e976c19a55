"""LlamaIndex: the response of a query engine, a chat engine or the CitationQueryEngine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from pytest_grounding.importers.draft import LOSS, Draft
from pytest_grounding.importers.format import Format
from pytest_grounding.importers.messages import text_of
from pytest_grounding.importers.reading import as_list, as_map, as_name, as_text, first_of, first_text
from pytest_grounding.importers.recording import Recording

#: The CitationQueryEngine writes this before the text of each node.
_NUMBERED = re.compile(r"\ASource (\d{1,4}):\s*\n")


class LlamaIndex(Format):
    """Reads a response; markers count its source nodes from 1. The question is not part of a response."""

    name = "llamaindex"
    how: ClassVar[Mapping[str, str]] = {
        "question": 'a Response does not hold it: write {"question": ..., "response": ...}',
        "score": "use a retriever that scores its nodes",
        "text": "record the source nodes with their text",
    }

    def fits(self, recording: Recording) -> bool:
        """Whether there are source nodes beside a response, or beside an answer."""
        body = recording.body
        return isinstance(body.get("source_nodes"), (list, tuple)) and (
            "response" in body or "answer" in body
        )

    def read(self, recording: Recording, draft: Draft) -> None:
        """Fill the draft from the response."""
        body = recording.body
        draft.question = draft.question or first_text(body, "question", "query", "query_str") or ""
        draft.id = draft.id or as_name(body.get("id"))
        answer = first_of(body, "response", "answer")
        if isinstance(answer, Mapping):
            answer = first_text(answer, "response", "text", "answer") or text_of(answer.get("blocks"))
        draft.answer = as_text(answer) or ""
        nodes = [_node(item) for item in as_list(body.get("source_nodes"))]
        numbers = [_NUMBERED.match(as_text(node.get("text")) or "") for node, _ in nodes]
        if nodes and all(numbers):
            order = sorted(range(len(nodes)), key=lambda index: int(numbers[index][1]))  # type: ignore[index]
            if order != list(range(len(nodes))):
                draft.note(
                    LOSS, "the source nodes are put in the order of their numbers, which the answer cites"
                )
            nodes = [nodes[index] for index in order]
        for node, score in nodes:
            _add(node, score, draft)


def _node(item: Any) -> tuple[Mapping[str, Any], Any]:
    value = as_map(item)
    inner = value.get("node")
    if isinstance(inner, Mapping):
        return as_map(inner.get("__data__", inner)), value.get("score")
    return value, value.get("score")


def _add(node: Mapping[str, Any], score: Any, draft: Draft) -> None:
    text = as_text(node.get("text"))
    if text is None:
        resource = as_map(node.get("text_resource"))
        text = as_text(resource.get("text")) or ""
    metadata = {**as_map(node.get("metadata") or node.get("extra_info"))}
    name = as_name(first_of(node, "id_", "node_id", "doc_id"))
    match = _NUMBERED.match(text)
    if match is None:
        draft.chunk(text, id=name, score=score, metadata=metadata)
        return
    # The engine gives its pieces fresh ids in every run; the name of the file stays.
    stable = first_text(metadata, "file_name", "file_path", "source", "url", "title")
    if name:
        metadata["node_id"] = name
    draft.chunk(
        text[match.end() :], id=stable or f"source-{match[1]}", score=score, metadata=metadata, shared_id=True
    )
