"""MLflow traces: attributes that are encoded twice, a root with the exchange, and retriever spans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.format import Format
from pytest_grounding.importers.openinference import answer_in, question_in
from pytest_grounding.importers.reading import as_list, as_map, as_name, decoded, first_of
from pytest_grounding.importers.recording import Recording

_SCORES = ("relevance_score", "score", "_score", "similarity_score")


class MLflow(Format):
    """Reads a trace as ``Trace.to_dict()`` gives it."""

    name = "mlflow"
    how: ClassVar[Mapping[str, str]] = {
        "question": "name the argument of the traced function question or query",
        "text": "return documents with page_content from the retriever",
        "score": 'put the score into each document\'s metadata as "relevance_score"',
        "id": "give each document an id",
        "chunks": 'trace the retriever with span_type="RETRIEVER"',
    }

    def fits(self, recording: Recording) -> bool:
        """Whether there is a trace's info beside its spans."""
        body = recording.body
        info = as_map(body.get("info"))
        return ("trace_id" in info or "request_id" in info) and isinstance(
            as_map(body.get("data")).get("spans"), (list, tuple)
        )

    def read(self, recording: Recording, draft: Draft) -> None:
        """Fill the draft from the trace."""
        body = recording.body
        info = as_map(body.get("info"))
        draft.known("trace_id", first_of(info, "trace_id", "request_id"))
        spans = [as_map(item) for item in as_list(as_map(body.get("data")).get("spans"))]
        root = next((span for span in spans if not first_of(span, "parent_span_id", "parent_id")), {})
        question, draft.history = question_in(_attribute(root, "spanInputs"))
        draft.question = draft.question or question
        draft.answer = answer_in(_attribute(root, "spanOutputs"))
        found = [
            (kind, _attribute(span, "spanOutputs"))
            for span in spans
            if (kind := _attribute(span, "spanType")) in ("RETRIEVER", "RERANKER")
        ]
        kept = [output for kind, output in found if kind == "RERANKER"][-1:] or [
            output for _, output in found
        ]
        for output in kept:
            for item in as_list(output):
                self._document(item, draft)
        if not draft.chunks:
            draft.gap("chunks", "the trace holds no span of a retriever with documents", "warning")
        if not draft.answer:
            draft.gap("answer", "the root span has no output, so there is no answer", "warning")

    @staticmethod
    def _document(item: Any, draft: Draft) -> None:
        document = as_map(item)
        metadata = as_map(document.get("metadata"))
        score = first_of(metadata, *_SCORES)
        if "page_content" in document:
            name = as_name(document.get("id")) or as_name(metadata.get("chunk_id"))
            draft.chunk(document["page_content"], id=name, score=score, metadata=metadata)
        else:
            draft.chunk_of(item)


def _attribute(span: Mapping[str, Any], name: str) -> Any:
    """An attribute, which is JSON in text; older traces keep inputs and outputs as members."""
    held = as_map(span.get("attributes")).get(f"mlflow.{name}")
    plain = {"spanInputs": "inputs", "spanOutputs": "outputs", "spanType": "span_type"}[name]
    return decoded(held if held is not None else span.get(plain))
