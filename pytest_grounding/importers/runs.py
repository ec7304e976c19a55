"""Runs of a program as stored by Langfuse, LangSmith and MLflow: one exchange per trace."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pytest_grounding.errors import InputError
from pytest_grounding.importers.draft import HOW_TO_RECORD, Draft, has_text
from pytest_grounding.importers.endings import why_unfinished
from pytest_grounding.importers.importer import Format, Gathering, Recording
from pytest_grounding.importers.messages import answer_of, question_in
from pytest_grounding.lexicon import member_fields
from pytest_grounding.model.chunks import read_chunk
from pytest_grounding.model.json_values import MAX_DEPTH, as_name, as_text, decoded
from pytest_grounding.model.members import as_list, as_map, first_of, maps_in

MODEL, RETRIEVER, RERANKER = "model", "retriever", "reranker"
_DOCUMENTS = ("documents", "context", "contexts", "source_documents", "chunks", "results", "output", "result")
#: Where the result of a whole program has the retrieved passages; "output" is its answer.
_CONTEXTS = ("context", "contexts", "source_documents", "documents", "retrieved_contexts")
KINDS = {"GENERATION": MODEL, "LLM": MODEL, "RETRIEVER": RETRIEVER, "RERANKER": RERANKER}
_LANGFUSE = member_fields("langfuse")  # where each service stores the parts of a run
_LANGSMITH = member_fields("langsmith")
_TYPES = "GENERATION RETRIEVER SPAN EVENT AGENT TOOL CHAIN EMBEDDING EVALUATOR GUARDRAIL".split()


@dataclass(frozen=True, slots=True)
class TraceRun:
    """One step of a trace; ``kind`` is `MODEL`, `RETRIEVER`, `RERANKER` or "", ``start`` gives the order."""

    trace: str
    id: str
    parent: str
    kind: str
    start: str
    inputs: Any
    outputs: Any
    error: str = ""
    model: str = ""
    metadata: Any = None


def _run_from(members: Mapping[str, Any], paths: Mapping[str, tuple[str, ...]], **known: str) -> TraceRun:
    """A run by the paths of its service; ``known`` replaces missing members."""
    found: dict[str, Any] = {name: first_of(members, *paths.get(name, ())) for name in _LANGFUSE}
    for name in ("trace", "id", "parent", "kind", "start", "error", "model"):
        found[name] = as_name(found[name]) or known.get(name, "")
    return TraceRun(**{**found, "kind": KINDS.get(found["kind"].upper(), "")})


class OfTraces(Gathering):
    """An importer of runs that belong to traces: one transcript per trace."""

    untold: ClassVar[tuple[str, str]]

    @abstractmethod
    def _runs_of(self, members: Mapping[str, Any]) -> Iterator[TraceRun]: ...

    def _drafts(self, values: Sequence[Any]) -> Iterator[tuple[int, Draft | InputError]]:
        traces: dict[str, tuple[int, list[TraceRun]]] = {}
        for index, value in enumerate(values):
            for run in self._runs_of(as_map(decoded(value))):
                traces.setdefault(run.trace or f"value {index}", (index, []))[1].append(run)
        is_reported = False
        for index, runs in traces.values():
            if any(run.kind or _context_list(run.outputs) for run in runs):
                is_reported = True
                draft = self.draft()
                read_runs(runs, draft)
                yield index, draft
        if values and not is_reported:
            problem, field = self.untold
            yield 0, InputError(problem, field=field, hint=HOW_TO_RECORD[self.name, "chunks"])


def read_runs(runs: Sequence[TraceRun], draft: Draft) -> None:
    """Fill the draft from the runs of one trace: question and answer are those of the outermost."""
    ordered = sorted(runs, key=lambda run: run.start)
    known = {run.id for run in ordered}
    root = next((run for run in ordered if run.parent not in known), ordered[0])
    models = [run for run in ordered if run.kind == MODEL]
    retrievers = [run for run in ordered if run.kind == RETRIEVER]
    for run in (root, *models, *retrievers):
        if not draft.question:
            draft.question, draft.history = question_in(run.inputs)
    for run in (root, *reversed(models)):
        if not draft.answer:
            held = decoded(run.outputs)
            draft.say_value(held if isinstance(held, Mapping) else answer_of(run.outputs))
    for members in (as_map(decoded(root.inputs)), as_map(decoded(root.metadata))):
        draft.expect(members)
    # The output of a reranker is what the model saw.
    reranked = [run for run in ordered if run.kind == RERANKER and documents_in(run.outputs)][-1:]
    found = [documents_in(run.outputs) for run in reranked or retrievers]
    if reranked and sum(len(documents_in(run.outputs)) for run in retrievers) > len(found[0]):
        draft.lose("the chunks are those that the reranker kept, not all that were retrieved", "info")
    if not found:
        found = [_context_list(root.outputs) or _context_list(root.inputs) or _context_list(root.metadata)]
    add_once(found, draft)
    draft.known("trace_id", root.trace)
    draft.known("recorded_at", root.start)
    draft.known("model_version", next((run.model for run in reversed(models) if run.model), ""))
    last = models[-1:]
    for run in ordered:
        if run.error and (run is root or run in last):
            draft.ended(f"the {run.kind or 'run'} failed: {run.error[:200]}")
        elif run.error and run.kind:
            draft.gap("run", f"the {run.kind} failed: {run.error[:200]}", "warning")
    draft.need_chunks("the trace contains no retrieved documents")
    if not draft.answer:
        draft.gap("answer", "the trace contains no answer", "warning")


def add_once(retrievals: Sequence[Sequence[Any]], draft: Draft) -> None:
    """Add each passage of each retrieval at its place; one that an earlier retrieval found is added once."""
    seen: set[tuple[str | None, str]] = set()
    for items in retrievals:
        own: set[tuple[str | None, str]] = set()
        for item in items:
            found = read_chunk(item)
            if found is None or item == {}:
                continue
            key = (found.get("id"), found["text"] or "")
            if key not in seen:
                draft.put(found)
            own.add(key)
        seen |= own


def documents_in(value: Any, depth: int = 4) -> Sequence[Any]:
    """The passages in the output of a retriever: a list, or an object with one."""
    held = decoded(value)
    if isinstance(held, str):
        return [held] if held.strip() else []
    if not isinstance(held, Mapping):
        return as_list(held)
    if has_text(held):
        return [held]
    inner = first_of(held, *_DOCUMENTS)
    return documents_in(inner, depth - 1) if depth and inner is not None else []


def _context_list(value: Any) -> Sequence[Any]:
    members = as_map(decoded(value))
    held = decoded(first_of(members, *_CONTEXTS))
    if isinstance(held, str):
        return [held]
    return held if isinstance(held, (list, tuple)) else ()


class Langfuse(OfTraces):
    """Reads traces and observations; a span with "retriev" in its name is a retriever."""

    name = "langfuse"
    untold = "these observations contain neither a retriever nor a generation", "type"

    def belongs(self, value: Any) -> bool:
        """Whether the value is a trace, an observation, or a page of observations."""
        members = as_map(decoded(value))
        if _is_observation(members):
            return True
        held = as_list(members.get("observations") if "observations" in members else members.get("data"))
        return bool(held) and all(map(_is_observation, maps_in(held[:3])))

    def _runs_of(self, members: Mapping[str, Any]) -> Iterator[TraceRun]:
        if _is_observation(members):
            yield _observation(members)
            return
        root = as_name(members.get("id")) or ""
        if "observations" in members:
            yield replace(_run_from(members, _LANGFUSE, trace=root), id=f"trace {root}", kind="", model="")
        for item in maps_in(first_of(members, "observations", "data")):
            yield _observation(item, f"trace {root}" if root else "")


def _is_observation(members: Mapping[str, Any]) -> bool:
    if "attributes" in members or not isinstance(first_of(members, "traceId", "trace_id"), str):
        return False
    return members.get("type") in _TYPES and ("startTime" in members or "start_time" in members)


def _observation(members: Mapping[str, Any], trace: str = "") -> TraceRun:
    run = _run_from(members, _LANGFUSE, parent=trace, error="error")
    is_retriever = members.get("type") == "SPAN" and "retriev" in str(members.get("name")).lower()
    kind = RETRIEVER if is_retriever else run.kind
    return replace(run, kind=kind, error=run.error if members.get("level") == "ERROR" else "")


class LangSmith(OfTraces):
    """Reads runs; those of one trace are one exchange, whether nested in ``child_runs`` or separate."""

    name = "langsmith"
    untold = "these runs contain neither a retriever nor a model", "run_type"

    def belongs(self, value: Any) -> bool:
        """Whether the value is a run."""
        members = as_map(decoded(value))
        return isinstance(members.get("run_type"), str) and "inputs" in members

    def _runs_of(
        self, members: Mapping[str, Any], trace: str = "", parent: str = "", depth: int = MAX_DEPTH
    ) -> Iterator[TraceRun]:
        extra = as_map(as_map(members.get("extra")).get("metadata"))
        own = as_name(members.get("id")) or ""
        model = as_text(extra.get("ls_model_name")) or ""
        run = _run_from(members, _LANGSMITH, trace=trace or own, parent=parent, model=model)
        run = replace(run, error=run.error or why_unfinished(members))
        yield run
        for child in maps_in(members.get("child_runs")) if depth else ():
            yield from self._runs_of(child, run.trace, own, depth - 1)


class MLflow(Format):
    """Reads a trace from ``Trace.to_dict()``: attributes are encoded twice."""

    name = "mlflow"

    def _fits(self, recording: Recording) -> bool:
        body = trace_in(recording.body)
        info = as_map(body.get("info"))
        spans = as_map(body.get("data")).get("spans")
        return ("trace_id" in info or "request_id" in info) and isinstance(spans, (list, tuple))

    def _read(self, recording: Recording, draft: Draft) -> None:
        body = trace_in(recording.body)
        info = as_map(body.get("info"))
        trace = as_name(first_of(info, "trace_id", "request_id")) or ""
        runs = []
        for number, span in enumerate(maps_in(as_map(body.get("data")).get("spans"))):
            parent = as_name(first_of(span, "parent_span_id", "parent_id")) or ""
            # The retriever's query may be the question in other words.
            inputs = None if parent else _attribute(span, "spanInputs")
            named = str(_attribute(span, "spanType"))
            kind = KINDS[named] if named in ("RETRIEVER", "RERANKER") else ""
            name = as_name(first_of(span, "span_id", "id")) or f"span {number}"
            outputs = _attribute(span, "spanOutputs")
            error = failure_of(span)
            runs.append(TraceRun(trace, name, parent, kind, f"{number:06}", inputs, outputs, error))
        if not runs:
            raise InputError("the trace contains no spans", field="data.spans", hint="record it again")
        read_runs(runs, draft)
        draft.ended(why_unfinished(info))
        draft.metadata.pop("recorded_at", None)


def trace_in(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The trace in a row of ``search_traces``: in its column ``trace``, or as its columns."""
    whole = as_map(decoded(row.get("trace")))
    if whole:
        return whole
    spans = decoded(row.get("spans"))
    if isinstance(spans, (list, tuple)) and ("trace_id" in row or "request_id" in row):
        return {"info": row, "data": {"spans": spans}}
    return row


def failure_of(span: Mapping[str, Any]) -> str:
    """The error in the status of a span; "" for none."""
    status = as_map(span.get("status"))
    code = first_of(status, "status_code", "code", "statusCode") or span.get("status_code")
    if str(code).upper().rpartition("_")[2] not in ("ERROR", "2"):
        return ""
    return as_text(first_of(status, "message", "description") or span.get("status_message")) or "status ERROR"


def _attribute(span: Mapping[str, Any], name: str) -> Any:
    """An attribute, which is JSON in text."""
    return decoded(as_map(span.get("attributes")).get(f"mlflow.{name}"))
