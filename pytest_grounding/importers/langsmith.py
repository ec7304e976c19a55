"""LangSmith: runs as its client and its export give them, nested or one a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pytest_grounding.importers.reading import MAX_DEPTH, as_list, as_map, as_name, as_text, decoded
from pytest_grounding.importers.runs import MODEL, RETRIEVER, OfTraces, Run

_KINDS = {"llm": MODEL, "retriever": RETRIEVER}


class LangSmith(OfTraces):
    """Reads runs; those of one trace are one exchange, whether they lie in ``child_runs`` or apart."""

    name = "langsmith"
    how: ClassVar[Mapping[str, str]] = {
        "question": "export the root run with its inputs",
        "text": "trace the retriever with run_type retriever and its documents as outputs",
        "chunks": "export the runs of type retriever with the root run, or the root run with child_runs",
        "answer": "export the root run with its outputs",
        "id": "give each Document an id",
    }

    untold: ClassVar[tuple[str, str]] = ("these runs hold neither a retriever nor a model", "run_type")

    def belongs(self, value: Any) -> bool:
        """Whether the value is a run."""
        members = as_map(decoded(value))
        return isinstance(members.get("run_type"), str) and "inputs" in members

    def runs_of(self, members: Mapping[str, Any]) -> Iterator[Run]:
        """The runs of one value."""
        return _runs(members, "", "", MAX_DEPTH)


def _runs(members: Mapping[str, Any], trace: str, parent: str, depth: int) -> Iterator[Run]:
    """A run and those within it."""
    own = as_name(members.get("id")) or ""
    trace = as_name(members.get("trace_id")) or trace or own
    extra = as_map(as_map(members.get("extra")).get("metadata"))
    yield Run(
        trace=trace,
        id=own,
        parent=as_name(members.get("parent_run_id")) or parent,
        kind=_KINDS.get(str(members.get("run_type")).lower(), ""),
        start=as_name(members.get("start_time")) or "",
        inputs=members.get("inputs"),
        outputs=members.get("outputs"),
        error=as_text(members.get("error")) or "",
        model=as_text(extra.get("ls_model_name")) or "",
    )
    for child in as_list(members.get("child_runs")) if depth else ():
        yield from _runs(as_map(child), trace, own, depth - 1)
