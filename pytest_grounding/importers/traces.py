"""Traces of OpenInference and OpenTelemetry GenAI: their spans, gathered to one transcript a trace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pytest_grounding.errors import InputError
from pytest_grounding.importers import openinference, otel
from pytest_grounding.importers.corpus import fill
from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.gathering import Found, Gathering, finished
from pytest_grounding.importers.reading import decoded
from pytest_grounding.importers.spans import TraceSpan, is_spans, spans_of


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
