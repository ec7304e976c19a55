"""Traces of OpenInference and OpenTelemetry GenAI: their spans, gathered to one transcript a trace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pytest_grounding._jsonio import read_records
from pytest_grounding.errors import InputError
from pytest_grounding.importers import openinference, otel
from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.gathering import Found, Gathering, finished
from pytest_grounding.importers.metadata import chunk_metadata
from pytest_grounding.importers.reading import as_map, as_name, decoded, first_of, first_text
from pytest_grounding.importers.spans import TraceSpan, is_spans, spans_of

_IDS = ("docid", "id", "_id", "doc_id", "pid")
_TEXTS = ("segment", "text", "contents", "content", "passage", "body")


def fill(drafts: Sequence[Draft], corpus: str) -> None:
    """Give the chunks without a text the text of the corpus, in one pass over it."""
    if not corpus:
        return
    wanted: dict[str, list[dict[str, Any]]] = {}
    for draft in drafts:
        for chunk in draft.chunks:
            if not chunk["text"].strip():
                wanted.setdefault(chunk["id"], []).append(chunk)
    for record in read_records(corpus) if wanted else ():
        passage = as_map(record.value)
        chunks = wanted.pop(as_name(first_of(passage, *_IDS)) or "", [])
        inner = as_map(passage.get("doc")) or passage
        text = first_text(inner, *_TEXTS)
        for chunk in chunks:
            chunk["text"] = text or ""
            known = {key: inner[key] for key in ("title", "url", "headings") if inner.get(key)}
            chunk["metadata"].update(chunk_metadata(known))
        if not wanted:
            break


class Traces(Gathering):
    """Reads spans, one a line or in exports; a gatherer, for the spans of a trace lie apart.

    Args:
        options: what is said beside the recordings.
    """

    name = "traces"

    def recognises(self, value: Any) -> bool:
        """Whether the value is a span, an export, or a list of spans."""
        return self.belongs(value) or (
            isinstance(value, (list, tuple)) and bool(value) and all(map(self.belongs, value))
        )

    def belongs(self, value: Any) -> bool:
        """Whether the value is a span or an export of spans."""
        return is_spans(decoded(value))

    def parts(self, value: Any) -> Sequence[Any]:
        """The spans or exports of one value."""
        return value if isinstance(value, (list, tuple)) else [value]

    def gather(self, values: Sequence[Any], folder: str | None) -> Iterator[tuple[int, Found]]:
        """One transcript a trace; a trace without a retrieval and an answer of a model is left out."""
        traces: dict[str, tuple[int, list[TraceSpan]]] = {}
        for index, value in enumerate(values):
            for span in spans_of(decoded(value)):
                # Attributes without any ids are an exchange of their own.
                key = span.trace or f"value {index}"
                traces.setdefault(key, (index, []))[1].append(span)
        drafts = [(index, self._draft(spans)) for index, spans in traces.values() if any(map(_tells, spans))]
        fill([draft for _, draft in drafts], self.options.corpus)
        yield from finished(drafts)
        if values and not drafts:
            problem = "these spans hold neither an OpenInference retrieval nor a gen_ai operation"
            hint = "record the spans of the retriever and of the model, with their inputs and outputs"
            yield 0, InputError(problem, field="attributes", hint=hint)

    def _draft(self, spans: list[TraceSpan]) -> Draft:
        ordered = sorted(spans, key=lambda span: span.start)
        reader = openinference if any(map(openinference.tells, ordered)) else otel
        draft = Draft(reader.NAME, self.options, reader.HOW)
        draft.known("trace_id", ordered[0].trace)
        reader.read(ordered, draft)
        return draft


def _tells(span: TraceSpan) -> bool:
    return openinference.tells(span) or otel.tells(span)
