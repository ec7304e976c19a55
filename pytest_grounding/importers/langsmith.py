"""LangSmith: runs as its client and its export give them, nested or one a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pytest_grounding.errors import InputError
from pytest_grounding.importers.gathering import Found, Gathering, finished
from pytest_grounding.importers.reading import MAX_DEPTH, as_list, as_map, as_name, as_text, decoded
from pytest_grounding.importers.runs import MODEL, RETRIEVER, Run, read, tells

_KINDS = {"llm": MODEL, "retriever": RETRIEVER}


class LangSmith(Gathering):
    """Reads runs; those of one trace are one exchange, whether they lie in ``child_runs`` or apart."""

    name = "langsmith"
    how: ClassVar[Mapping[str, str]] = {
        "question": "export the root run with its inputs",
        "text": "trace the retriever with run_type retriever and its documents as outputs",
        "chunks": "export the runs of type retriever with the root run, or the root run with child_runs",
        "answer": "export the root run with its outputs",
        "id": "give each Document an id",
    }

    def belongs(self, value: Any) -> bool:
        """Whether the value is a run."""
        members = as_map(decoded(value))
        return isinstance(members.get("run_type"), str) and "inputs" in members

    def gather(self, values: Sequence[Any], folder: str | None) -> Iterator[tuple[int, Found]]:
        """One transcript a trace."""
        traces: dict[str, tuple[int, list[Run]]] = {}
        for index, value in enumerate(values):
            for run in _runs(as_map(decoded(value)), "", "", MAX_DEPTH):
                key = run.trace or f"value {index}"
                traces.setdefault(key, (index, []))[1].append(run)
        drafts = []
        for index, runs in traces.values():
            if tells(runs):
                draft = self.draft()
                read(runs, draft)
                drafts.append((index, draft))
        yield from finished(drafts)
        if values and not drafts:
            problem = "these runs hold neither a retriever nor a model"
            yield 0, InputError(problem, field="run_type", hint=self.how["chunks"])


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
