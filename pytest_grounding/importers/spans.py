"""Spans of traces: OpenTelemetry's exports in their several shapes, gathered to one exchange a trace."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounding.importers.reading import MAX_DEPTH, as_list, as_map, as_name, decoded, first_of

_OTLP = {
    "stringValue": str,
    "boolValue": bool,
    "intValue": int,
    "doubleValue": float,
    "string_value": str,
    "bool_value": bool,
    "int_value": int,
    "double_value": float,
}
_PREFIX = re.compile(r"\A(?:openinference|gen_ai|retrieval|reranker|llm|input|output)\.")
_MAX_ATTRIBUTES = 100_000


@dataclass(frozen=True, slots=True)
class TraceSpan:
    """One span.

    Attributes:
        trace: id of its trace; "" where it has none.
        id: its own id.
        parent: id of its parent; "" for a root.
        name: its name.
        start: its start, as text that sorts within one export.
        attributes: its attributes with flat, dotted names.
    """

    trace: str
    id: str
    parent: str
    name: str
    start: str
    attributes: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """OpenInference's kind of span, in upper case."""
        kind = self.attributes.get("openinference.span.kind")
        return kind.upper() if isinstance(kind, str) else ""


def is_spans(value: Any) -> bool:
    """Whether a value is a span, a list of spans, or an export that holds some."""
    members = as_map(value)
    if any(isinstance(members.get(key), (list, tuple)) for key in ("resourceSpans", "resource_spans")):
        return True
    if any(isinstance(key, str) and key.startswith(("gen_ai.", "openinference.")) for key in members):
        return True
    if "attributes.openinference.span.kind" in members:
        return True
    if "attributes" not in members or isinstance(members.get("data"), Mapping):
        return False
    return bool({"context", "trace_id", "traceId", "span_id", "spanId"} & set(members))


def spans_of(value: Any) -> Iterator[TraceSpan]:
    """The spans of a value."""
    members = as_map(value)
    exported = first_of(members, "resourceSpans", "resource_spans")
    if exported is not None:
        for resource in as_list(exported):
            for scope in as_list(first_of(as_map(resource), "scopeSpans", "scope_spans")):
                for span in as_list(as_map(scope).get("spans")):
                    yield _span(as_map(span))
        return
    yield _span(members)


def _span(members: Mapping[str, Any]) -> TraceSpan:
    context = as_map(members.get("context") or members.get("spanContext"))
    parent = first_of(members, "parent_id", "parentSpanId", "parent_span_id", "parentId")
    if isinstance(members.get("parent"), Mapping):
        parent = first_of(members["parent"], "span_id", "spanId")
    raw = members.get("attributes", members)
    if "attributes" not in members:
        # A table of spans has one column an attribute.
        raw = {key.removeprefix("attributes."): item for key, item in members.items() if isinstance(key, str)}
    trace = first_of(context, "trace_id", "traceId") or first_of(
        members, "trace_id", "traceId", "context.trace_id"
    )
    own = first_of(context, "span_id", "spanId") or first_of(members, "span_id", "spanId", "context.span_id")
    start = first_of(members, "start_time", "startTimeUnixNano", "start_time_unix_nano", "startTime")
    return TraceSpan(
        as_name(trace) or "",
        as_name(own) or "",
        as_name(parent) or "",
        as_name(members.get("name")) or "",
        str(start or "").rjust(40),
        dict(_flat(_attributes(decoded(raw)))),
    )


def _attributes(raw: Any) -> Mapping[str, Any]:
    """Attributes as a mapping; OTLP's list of pairs is taken out of its wrapping."""
    if isinstance(raw, Mapping):
        return raw
    pairs = (as_map(item) for item in as_list(raw))
    return {str(pair["key"]): _otlp(pair.get("value")) for pair in pairs if "key" in pair}


def _otlp(value: Any, depth: int = MAX_DEPTH) -> Any:
    wrapped = as_map(value)
    for key, kind in _OTLP.items():
        if key in wrapped:
            held = wrapped[key]
            if kind is int and isinstance(held, str) and held.lstrip("-").isdecimal() and len(held) < 20:
                return int(held)
            return held
    if depth <= 0:
        return None
    listed = first_of(wrapped, "arrayValue", "array_value")
    if listed is not None:
        return [_otlp(item, depth - 1) for item in as_list(as_map(listed).get("values"))]
    paired = first_of(wrapped, "kvlistValue", "kvlist_value")
    if paired is not None:
        pairs = (as_map(item) for item in as_list(as_map(paired).get("values")))
        return {str(pair.get("key")): _otlp(pair.get("value"), depth - 1) for pair in pairs}
    return None if wrapped else value


def _flat(value: Mapping[str, Any], prefix: str = "", depth: int = MAX_DEPTH) -> Iterable[tuple[str, Any]]:
    """Dotted names for nested attributes, as Phoenix exports them; lists count their members."""
    found: list[tuple[str, Any]] = []
    for key, item in value.items():
        name = f"{prefix}{key}"
        if isinstance(item, Mapping) and depth > 0 and not name.endswith(".metadata"):
            found += _flat(item, f"{name}.", depth - 1)
        elif isinstance(item, (list, tuple)) and depth > 0 and item and _is_nested(name, item):
            for index, member in enumerate(item[:_MAX_ATTRIBUTES]):
                found += _flat(as_map(member), f"{name}.{index}.", depth - 1)
        else:
            found.append((name, item))
    return found


def _is_nested(name: str, items: Sequence[Any]) -> bool:
    """Whether a list is one that OpenInference flattens; those of ``gen_ai`` stay lists."""
    return not name.startswith("gen_ai.") and isinstance(items[0], Mapping) and bool(_PREFIX.match(name))


def numbered(attributes: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """The members of a flattened list, ordered by number: ``10`` comes after ``9``, not after ``1``."""
    found: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        if not key.startswith(f"{prefix}."):
            continue
        number, _, rest = key[len(prefix) + 1 :].partition(".")
        if number.isdecimal() and len(number) < 7 and rest:
            found.setdefault(int(number), {})[rest] = value
    return [found[number] for number in sorted(found)]
