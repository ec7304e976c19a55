"""Runs out of spans whose attributes are those of Langfuse, Traceloop or another tracer of functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounding.importers.parts import passages_within
from pytest_grounding.importers.runs import KINDS, MODEL, RETRIEVER, TraceRun
from pytest_grounding.lexicon import member_names
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.model.json_values import as_text, decoded
from pytest_grounding.model.members import as_list, as_map, first_of

_INPUTS = member_names("span inputs")
_OUTPUTS = member_names("span outputs")
_KINDS = member_names("span kinds")
_NAMES = ("traceloop.entity.name", "gen_ai.tool.name", "name")
TRACERS = ("langfuse.", "traceloop.")  # prefixes of attributes by which these tracers are known
_MODELS = frozenset(("CHAT", "TEXT_COMPLETION", "GENERATE_CONTENT", "GENERATION", "LLM", "COMPLETION"))
_FINDS = plain("recorded", "finding_span")


@dataclass(frozen=True, slots=True)
class TraceSpan:
    """One span: ``parent`` is "" for a root, ``start`` orders within one export, attributes are flat."""

    trace: str
    id: str
    parent: str
    start: str
    attributes: Mapping[str, Any]
    error: str = ""
    dropped: int = 0  # attributes that the library left out

    @property
    def kind(self) -> str:
        """OpenInference's kind of span, in upper case."""
        kind = self.attributes.get("openinference.span.kind")
        return kind.upper() if isinstance(kind, str) else ""


def is_traced(attributes: Mapping[str, Any]) -> bool:
    """Whether a span is one of these tracers."""
    return any(name.startswith(TRACERS) for name in attributes)


def run_of(span: TraceSpan) -> TraceRun:
    """The run of one span."""
    attributes = span.attributes
    inputs, outputs = (_value(attributes, names) for names in (_INPUTS, _OUTPUTS))
    given = as_text(first_of(attributes, *_KINDS)) or ""
    kind = MODEL if given.upper() in _MODELS else KINDS.get(given.upper(), "")
    name = " ".join(str(attributes[key]) for key in _NAMES if attributes.get(key))
    is_finding = not kind and bool(span.parent) and _FINDS.search(name) is not None
    if is_finding and passages_within(decoded(outputs), "documents"):
        kind = RETRIEVER
    model = as_text(first_of(attributes, "gen_ai.response.model", "langfuse.observation.model.name")) or ""
    place = (span.trace, span.id, span.parent, kind, span.start)
    return TraceRun(*place, _arguments(inputs), outputs, span.error, model)


def _value(attributes: Mapping[str, Any], names: Sequence[str]) -> Any:
    held = decoded(first_of(attributes, *names))
    if isinstance(held, list) and all("parts" in as_map(item) or "role" in as_map(item) for item in held):
        return {"messages": held}
    return held


def _arguments(inputs: Any) -> Any:
    """The one argument of a traced function: ``{"args": ["…"], "kwargs": {}}``."""
    members = as_map(inputs)
    if "args" not in members:
        return inputs
    named = as_map(members.get("kwargs"))
    listed = as_list(members.get("args"))
    return named or (listed[0] if listed else inputs)
