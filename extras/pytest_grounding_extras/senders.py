"""Reports that are sent: scores for Langfuse, spans with scores for OpenTelemetry."""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from pytest_grounding._io.wording import counted, one_line
from pytest_grounding.errors import GroundingError, require
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports.report_links import LinkContext
from pytest_grounding_extras import DISTRIBUTION

_TRACE = re.compile(r"[0-9a-f]{32}")
_LONGEST = 500
#: Event of the semantic conventions of OpenTelemetry for generative AI.
_EVENT = "gen_ai.evaluation.result"


class Score(NamedTuple):
    """One figure of an answer: its name, its value (a number, or the status), and why."""

    name: str
    value: float | str
    reason: str


def scores_of(verdict: Verdict) -> Iterator[Score]:
    """Status, confidence, hallucination rate and citation accuracy, as far as they have a value."""
    reason = one_line(verdict.reason, _LONGEST)
    yield Score("grounding.status", verdict.shown_status, reason)
    for name, value in (
        ("confidence", verdict.confidence),
        ("hallucination_rate", verdict.hallucination_rate),
        ("citation_accuracy", verdict.citation_accuracy),
    ):
        if value is not None:
            yield Score(f"grounding.{name}", value, one_line(verdict.diagnosis, _LONGEST))


def trace_of(verdict: Verdict, context: LinkContext) -> str:
    """The trace of an answer: ``metadata.trace_id``, or one derived from the id of its transcript."""
    transcript = context.transcript(verdict)
    given = str(transcript.metadata.get("trace_id") or "") if transcript is not None else ""
    plain = given.lower().replace("-", "").removeprefix("0x")
    return plain if _TRACE.fullmatch(plain) else hashlib.sha256(verdict.id.encode()).hexdigest()[:32]


def langfuse(report: RunReport, context: LinkContext) -> str:
    """Send the scores to Langfuse (LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY, LANGFUSE_BASE_URL).

    Each score has a fixed id, so that sending it again overwrites it.
    """
    sdk = require("langfuse", extra="langfuse", distribution=DISTRIBUTION)
    missing = [name for name in ("LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY") if not os.environ.get(name)]
    if missing:
        raise GroundingError(f"the report langfuse needs the variable {missing[0]}")
    client: Any = sdk.Langfuse()
    # The SDK sends in the background, and only logs errors.
    problems = _Problems()
    logging.getLogger("langfuse").addHandler(problems)
    number = 0
    for verdict in report.transcripts:
        trace = trace_of(verdict, context)
        for score in scores_of(verdict):
            number += 1
            client.create_score(
                name=score.name,
                value=score.value,
                data_type="CATEGORICAL" if isinstance(score.value, str) else "NUMERIC",
                comment=score.reason,
                trace_id=trace,
                score_id=f"{trace}-{score.name}",
            )
    client.flush()
    logging.getLogger("langfuse").removeHandler(problems)
    if problems.first:
        raise GroundingError(f"the scores could not be sent to Langfuse ({problems.first})")
    return _summary(number, report, "Langfuse")


class _Problems(logging.Handler):
    """Keeps the first logged error."""

    first = ""

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR:
            self.first = self.first or one_line(record.getMessage(), _LONGEST)


def otel(report: RunReport, context: LinkContext) -> str:
    """Send a span for each answer, with an event for each score (OTEL_EXPORTER_OTLP_ENDPOINT)."""
    name = "opentelemetry.exporter.otlp.proto.http.trace_exporter"
    exporter = require(name, extra="otel", distribution=DISTRIBUTION).OTLPSpanExporter()
    api: Any = require("opentelemetry.trace", extra="otel", distribution=DISTRIBUTION)
    sdk: Any = require("opentelemetry.sdk.trace", extra="otel", distribution=DISTRIBUTION)
    export: Any = require("opentelemetry.sdk.trace.export", extra="otel", distribution=DISTRIBUTION)
    resources: Any = require("opentelemetry.sdk.resources", extra="otel", distribution=DISTRIBUTION)
    failed: list[str] = []

    class _Noting(export.SimpleSpanProcessor):  # type: ignore[misc]
        def on_end(self, span: Any) -> None:
            if self.span_exporter.export((span,)) is not export.SpanExportResult.SUCCESS:
                failed.append(span.name)

    resource = resources.Resource.create({"service.name": "pytest-rag-grounding"})
    provider = sdk.TracerProvider(resource=resource)
    provider.add_span_processor(_Noting(exporter))
    tracer = provider.get_tracer("pytest_grounding")
    number = 0
    for verdict in report.transcripts:
        trace = int(trace_of(verdict, context), 16)
        parent = api.SpanContext(trace, trace & 0xFFFFFFFFFFFFFFFF or 1, True, api.TraceFlags(1))
        within = api.set_span_in_context(api.NonRecordingSpan(parent))
        with tracer.start_as_current_span("grounding.validate", context=within) as span:
            span.set_attribute("grounding.transcript_id", verdict.id)
            for score in scores_of(verdict):
                number += 1
                kind = "label" if isinstance(score.value, str) else "value"
                known = {"name": score.name, f"score.{kind}": score.value, "explanation": score.reason}
                span.add_event(_EVENT, {f"gen_ai.evaluation.{key}": item for key, item in known.items()})
    provider.shutdown()
    if failed:
        problem = f"{counted(len(failed), 'span')} could not be sent"
        raise GroundingError(f"{problem}; see the variable OTEL_EXPORTER_OTLP_ENDPOINT")
    return _summary(number, report, "OpenTelemetry")


def _summary(number: int, report: RunReport, where: str) -> str:
    answers = counted(len(report.transcripts), "answer")
    return f"{counted(number, 'score')} of {answers} sent to {where}\n"


#: Reports with this mark are sent, and their text is a message for the terminal.
langfuse.sends = otel.sends = True  # type: ignore[attr-defined]
