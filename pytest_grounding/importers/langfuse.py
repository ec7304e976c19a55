"""Langfuse: traces with their observations, or observations one a line, as its API and exports give them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pytest_grounding.importers.reading import as_list, as_map, as_name, as_text, decoded, first_of
from pytest_grounding.importers.runs import MODEL, RETRIEVER, OfTraces, Run

_KINDS = {"GENERATION": MODEL, "RETRIEVER": RETRIEVER}
#: Types of observations.
_TYPES = frozenset(_KINDS) | {
    *("SPAN", "EVENT", "AGENT", "TOOL", "CHAIN", "EMBEDDING", "EVALUATOR", "GUARDRAIL"),
}


class Langfuse(OfTraces):
    """Reads traces and observations; a span whose name speaks of retrieval is a retriever."""

    name = "langfuse"
    how: ClassVar[Mapping[str, str]] = {
        "question": "export the trace with its input",
        "text": "give the retriever's documents as the output of its observation",
        "chunks": "export the observation of type RETRIEVER with the trace",
        "answer": "export the trace with its output",
        "id": "give each document an id",
    }

    untold: ClassVar[tuple[str, str]] = (
        "these observations hold neither a retriever nor a generation",
        "type",
    )

    def belongs(self, value: Any) -> bool:
        """Whether the value is a trace, an observation, or a page of observations."""
        members = as_map(decoded(value))
        if _is_observation(members):
            return True
        held = as_list(members.get("observations") if "observations" in members else members.get("data"))
        return bool(held) and all(_is_observation(as_map(item)) for item in held[:3])

    def runs_of(self, members: Mapping[str, Any]) -> Iterator[Run]:
        """The runs of one value."""
        return _runs(members)


def _is_observation(members: Mapping[str, Any]) -> bool:
    if "attributes" in members or not isinstance(first_of(members, "traceId", "trace_id"), str):
        return False
    return members.get("type") in _TYPES and ("startTime" in members or "start_time" in members)


def _runs(members: Mapping[str, Any]) -> Iterator[Run]:
    """The observations of a value; a trace stands around its own."""
    if _is_observation(members):
        yield _run(members, "")
        return
    root = ""
    if "observations" in members:
        root = as_name(members.get("id")) or ""
        yield Run(
            trace=root,
            id=f"trace {root}",
            parent="",
            kind="",
            start=as_name(members.get("timestamp")) or "",
            inputs=members.get("input"),
            outputs=members.get("output"),
        )
    for item in as_list(members.get("observations") if "observations" in members else members.get("data")):
        yield _run(as_map(item), f"trace {root}" if root else "")


def _run(members: Mapping[str, Any], trace: str) -> Run:
    kind = _KINDS.get(str(members.get("type")), "")
    name = (as_text(members.get("name")) or "").lower()
    if not kind and members.get("type") == "SPAN" and "retriev" in name:
        kind = RETRIEVER
    failed = members.get("level") == "ERROR"
    return Run(
        trace=as_name(first_of(members, "traceId", "trace_id")) or "",
        id=as_name(members.get("id")) or "",
        parent=as_name(first_of(members, "parentObservationId", "parent_observation_id")) or trace,
        kind=kind,
        start=as_name(first_of(members, "startTime", "start_time")) or "",
        inputs=members.get("input"),
        outputs=members.get("output"),
        error=(as_text(first_of(members, "statusMessage", "status_message")) or "error") if failed else "",
        model=as_text(first_of(members, "model", "providedModelName")) or "",
    )
