"""Spans of OpenInference and OpenTelemetry GenAI: one transcript per trace."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_grounding._io.wording import counted
from pytest_grounding.errors import InputError
from pytest_grounding.importers.draft import Draft, Options
from pytest_grounding.importers.importer import Gathering
from pytest_grounding.importers.messages import split_turns, turns_of
from pytest_grounding.importers.runs import KINDS, MODEL, RERANKER, RETRIEVER, TraceRun, failure_of, read_runs
from pytest_grounding.importers.span_runs import TRACERS, TraceSpan, is_traced, run_of
from pytest_grounding.importers.table import python_literal
from pytest_grounding.importers.tool_calls import calls_in
from pytest_grounding.model.json_values import MAX_DEPTH, as_int, as_name, as_text, decoded
from pytest_grounding.model.members import as_list, as_map, first_of, list_or_one, maps_in

_VALUES = tuple(f"{kind}{end}" for kind in ("string", "bool", "int", "double") for end in ("Value", "_value"))
_KNOWN = ("gen_ai.", *TRACERS)  # prefixes of the attributes that are read
_OWN = ("gen_ai.", "openinference.", "attributes.openinference.", "attributes.input.", "attributes.llm.")
_PREFIX = re.compile(r"\A(?:openinference|gen_ai|retrieval|reranker|llm|input|output)\.")
_MOST = 10_000  # most members of a flattened list
_DOCUMENT = ("id", "content", "score", "metadata")


def is_spans(value: Any) -> bool:
    """Whether a value is a span, a list of spans, or an export with spans."""
    members = as_map(value)
    if any(isinstance(members.get(key), (list, tuple)) for key in ("resourceSpans", "resource_spans")):
        return True
    if any(isinstance(key, str) and key.startswith(_OWN) for key in members):
        return True
    if "attributes" not in members or isinstance(members.get("data"), Mapping):
        return False
    return bool({"context", "trace_id", "traceId", "span_id", "spanId"} & set(members))


def spans_of(value: Any) -> Iterator[TraceSpan]:
    """The spans of a value."""
    members = as_map(value)
    exported = first_of(members, "resourceSpans", "resource_spans")
    if exported is None:
        yield _span_of(members)
    for resource in maps_in(exported):
        for scope in maps_in(first_of(resource, "scopeSpans", "scope_spans")):
            yield from map(_span_of, maps_in(scope.get("spans")))


def _span_of(members: Mapping[str, Any]) -> TraceSpan:
    if any(isinstance(key, str) and key.startswith("attributes.") for key in members):
        members = _undotted(members)
    context = as_map(members.get("context") or members.get("spanContext"))
    parent = first_of(members, "parent_id", "parentSpanId", "parent_span_id", "parentId")
    if isinstance(members.get("parent"), Mapping):
        parent = first_of(members["parent"], "span_id", "spanId")
    raw = members.get("attributes", members)
    ids = {**members, **context}
    trace, own = first_of(ids, "trace_id", "traceId"), first_of(ids, "span_id", "spanId")
    start = first_of(members, "start_time", "startTimeUnixNano", "start_time_unix_nano", "startTime")
    trace, own, parent = (as_name(name) or "" for name in (trace, own, parent))
    attributes = dict(_flattened(_span_attributes(decoded(raw))))
    if "openinference.span.kind" not in attributes and isinstance(members.get("span_kind"), str):
        attributes["openinference.span.kind"] = members["span_kind"]  # as Phoenix returns it
    names = ("dropped_attributes_count", "droppedAttributesCount", "dropped_attributes")
    dropped = as_int(first_of(members, *names))
    order = str(start or "").rjust(40)
    return TraceSpan(trace, own, parent, order, attributes, failure_of(members), dropped or 0)


def _undotted(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The span in a row of Phoenix's data frame, whose columns are ``context.…`` and ``attributes.…``."""
    found: dict[str, Any] = {"attributes": {}, "context": {}}
    for key, held in row.items():
        group, _, name = key.partition(".")
        if held is None or held == "" or held != held:
            continue
        value = python_literal(held) if isinstance(held, str) and held[:1] in ("[", "{") else held
        if group in ("attributes", "context"):
            found[group] |= {name: value} if name else as_map(value)
        else:
            found[key] = value
    return found


def _span_attributes(raw: Any) -> Mapping[str, Any]:
    if isinstance(raw, Mapping):
        return raw
    return {str(pair["key"]): _otlp(pair.get("value")) for pair in maps_in(raw) if "key" in pair}


def _otlp(value: Any, depth: int = MAX_DEPTH) -> Any:
    wrapped = as_map(value)
    for key in _VALUES:
        if key in wrapped:
            held = wrapped[key]
            is_number = isinstance(held, str) and held.lstrip("-").isdecimal() and len(held) < 20
            return int(held) if "int" in key and is_number else held
    if depth <= 0:
        return None
    listed = first_of(wrapped, "arrayValue", "array_value")
    if listed is not None:
        return [_otlp(item, depth - 1) for item in as_list(as_map(listed).get("values"))]
    paired = first_of(wrapped, "kvlistValue", "kvlist_value")
    if paired is not None:
        pairs = maps_in(as_map(paired).get("values"))
        return {str(pair.get("key")): _otlp(pair.get("value"), depth - 1) for pair in pairs}
    return None if wrapped else value


def _flattened(value: Mapping[str, Any], prefix: str = "", depth: int = MAX_DEPTH) -> list[tuple[str, Any]]:
    """Dotted names for nested attributes, as Phoenix exports them; list members are numbered."""
    found: list[tuple[str, Any]] = []
    for key, item in value.items():
        name = f"{prefix}{key}"
        # OpenInference flattens lists of objects; those of ``gen_ai`` stay lists.
        is_flat = not name.startswith("gen_ai.") and bool(_PREFIX.match(name))
        is_listed = (
            is_flat and isinstance(item, (list, tuple)) and isinstance(next(iter(item), None), Mapping)
        )
        if isinstance(item, Mapping) and depth > 0 and not name.endswith(".metadata"):
            found += _flattened(item, f"{name}.", depth - 1)
        elif is_listed and depth > 0:
            for index, member in enumerate(item):
                found += _flattened(as_map(member), f"{name}.{index}.", depth - 1)
        else:
            found.append((name, item))
    return found


def numbered(attributes: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """The members of a flattened list at their numbers; one that was left out is empty."""
    found: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        if not key.startswith(f"{prefix}."):
            continue
        number, _, rest = key[len(prefix) + 1 :].partition(".")
        if number.isdecimal() and len(number) < 7 and rest:
            found.setdefault(int(number), {})[rest] = value
    return [found.get(number, {}) for number in range(max(found) + 1)] if found and max(found) < _MOST else []


def _read_spans(runs: Sequence[TraceRun], spans: Sequence[TraceSpan], draft: Draft) -> None:
    read_runs(runs, draft)
    draft.metadata.pop("recorded_at", None)
    note_dropped(spans, draft)


def _run_of_span(span: TraceSpan) -> TraceRun:
    kind, held = KINDS.get(span.kind, ""), span.attributes
    inputs, outputs = held.get("input.value"), held.get("output.value")
    if kind == MODEL:
        asked, said = (numbered(held, f"llm.{name}_messages") for name in ("input", "output"))
        inputs = {"messages": list(map(_message_of, asked))} if asked else inputs
        outputs = {"messages": [_message_of(item, "assistant") for item in said]} if said else outputs
    for prefix, of in (("retrieval.documents", RETRIEVER), ("reranker.output_documents", RERANKER)):
        if (documents := numbered(held, prefix)) and kind in ("", of):
            kind, outputs = of, []
            for number, document in enumerate(documents):
                item = {name: document.get(f"document.{name}") for name in _DOCUMENT}
                if not document:
                    item.update(id=f"not-recorded-{number}", content="")
                metadata = item["metadata"]
                outputs.append(
                    {**item, "metadata": as_map(decoded(metadata)) or {"document_metadata": metadata}}
                )
    if kind == RETRIEVER and not isinstance(outputs, list):
        outputs = []
    return TraceRun(span.trace, span.id, span.parent, kind, span.start, inputs, outputs, span.error)


def note_dropped(spans: Sequence[TraceSpan], draft: Draft) -> None:
    """Note documents that the library left out because a span had more attributes than its limit."""
    lacking = []
    for span in spans:
        for prefix in ("retrieval.documents", "reranker.output_documents"):
            items = enumerate(numbered(span.attributes, prefix))
            lacking += [number for number, item in items if not item]
    if lacking:
        shown = ", ".join(map(str, lacking))
        problem = f"the span lacks the documents {shown}: their attributes were dropped"
        draft.lose(f"{problem}; raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT, whose default is 128")
    elif dropped := sum(span.dropped for span in spans):
        problem = f"the library dropped {counted(dropped, 'attribute')} of these spans"
        draft.lose(f"{problem}; raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT, whose default is 128")


def _message_of(item: Mapping[str, Any], role: str = "user") -> dict[str, Any]:
    text = item.get("message.content")
    if text is None:
        parts = numbered(item, "message.contents")
        text = "".join(as_text(part.get("message_content.text")) or "" for part in parts)
    return {"role": item.get("message.role") or role, "content": text}


def _read_genai(spans: Sequence[TraceSpan], draft: Draft) -> None:
    for span in spans:
        asked = first_of(span.attributes, "gen_ai.input.messages", "gen_ai.prompt")
        question, history = split_turns(_turns(asked))
        if question:
            draft.question, draft.history = question, history
        said = first_of(span.attributes, "gen_ai.output.messages", "gen_ai.completion")
        answers = [text for role, text in _turns(said, "assistant") if role == "assistant"]
        if answers:
            draft.answer = answers[-1]  # the last model call of a trace is the answer to the user
        model = first_of(span.attributes, "gen_ai.response.model", "gen_ai.request.model")
        if isinstance(model, str):
            draft.metadata["model_version"] = model
        draft.chunks_of(as_list(decoded(span.attributes.get("gen_ai.retrieval.documents"))))
    draft.called(_calls_of_spans(spans))
    for span in spans:
        if span.error and (not span.parent or span is spans[-1]):
            draft.ended(f"the span failed: {span.error[:200]}")
    note_dropped(spans, draft)
    if not draft.question:
        asked = (as_text(span.attributes.get("gen_ai.retrieval.query.text")) for span in spans)
        draft.question = next((text for text in asked if text), "")
    if not draft.answer:
        draft.gap("answer", "the trace contains no gen_ai.output.messages, so no answer", "warning")
    draft.need_chunks("the trace contains no retrieved documents")


def _calls_of_spans(spans: Sequence[TraceSpan]) -> list[dict[str, Any]]:
    """The tool calls: those of the spans that ran them, else those in the messages."""
    ran = [span.attributes for span in spans if "gen_ai.tool.name" in span.attributes]
    parts = []
    for held in ran:
        failed = {"error": held["error.type"]} if held.get("error.type") else {}
        call = {"type": "tool_call", "name": held["gen_ai.tool.name"], "id": held.get("gen_ai.tool.call.id")}
        told = {"type": "tool_call_response", "id": call["id"], "result": held.get("gen_ai.tool.call.result")}
        parts += [{**call, "arguments": held.get("gen_ai.tool.call.arguments")}, {**told, **failed}]
    if not parts:
        last = [span for span in spans if "gen_ai.input.messages" in span.attributes][-1:]
        parts = [item for span in last for item in as_list(decoded(span.attributes["gen_ai.input.messages"]))]
    return calls_in(parts)


def _turns(value: Any, role: str = "user") -> list[tuple[str, str]]:
    held = decoded(value)
    if isinstance(held, str):
        return [(role, held)] if held.strip() else []
    return turns_of([{"role": role, **item} for item in maps_in(held)])


def _of_tracer(spans: Sequence[TraceSpan], options: Options) -> Draft:
    """The exchange of spans whose attributes hold the inputs and outputs of functions."""
    draft = Draft("spans", options)
    _read_spans([run_of(span) for span in spans], spans, draft)
    return draft


class Traces(Gathering):
    """Reads spans, one per line or in exports; a gatherer, because the spans of a trace are scattered."""

    name = "traces"

    def recognises(self, value: Any) -> bool:
        """Whether the value is a span, an export, or a list of spans."""
        return self.belongs(value) or (bool(as_list(value)) and all(map(self.belongs, value)))

    def belongs(self, value: Any) -> bool:
        """Whether the value is a span or an export of spans."""
        return is_spans(decoded(value))

    def _parts(self, value: Any) -> Sequence[Any]:
        return list_or_one(value)

    def _drafts(self, values: Sequence[Any]) -> Iterator[tuple[int, Draft | InputError]]:
        traces: dict[str, tuple[int, list[TraceSpan]]] = {}
        for index, value in enumerate(values):
            for span in spans_of(decoded(value)):
                # Attributes without ids are a separate exchange.
                key = span.trace or f"value {index}"
                traces.setdefault(key, (index, []))[1].append(span)
        drafts = []
        for index, spans in traces.values():
            names = (name for span in spans for name in span.attributes)
            if any(span.kind for span in spans) or any(name.startswith(_KNOWN) for name in names):
                drafts.append((index, self._draft_of(spans)))
        yield from drafts
        if values and not drafts:
            problem = "these spans contain neither an OpenInference retrieval nor a gen_ai operation"
            hint = "record the spans of the retriever and of the model, with their inputs and outputs"
            yield 0, InputError(problem, field="attributes", hint=hint)

    def _draft_of(self, spans: list[TraceSpan]) -> Draft:
        ordered = sorted(spans, key=lambda span: span.start)
        is_openinference = any(span.kind for span in ordered)
        if not is_openinference and any(is_traced(span.attributes) for span in ordered):
            return _of_tracer(ordered, self.options)
        draft = Draft("openinference" if is_openinference else "otel-genai", self.options)
        draft.known("trace_id", ordered[0].trace)
        if is_openinference:
            _read_spans([_run_of_span(span) for span in ordered if span.kind], ordered, draft)
        else:
            _read_genai(ordered, draft)
        return draft
