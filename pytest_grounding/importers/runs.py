"""Runs of a program as observability services keep them: read to one exchange a trace."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pytest_grounding.errors import InputError
from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.gathering import Found, Gathering, finished
from pytest_grounding.importers.langchain import document_of
from pytest_grounding.importers.openinference import answer_in, question_in
from pytest_grounding.importers.reading import as_list, as_map, as_name, as_text, decoded, first_of

MODEL, RETRIEVER = "model", "retriever"
_DOCUMENTS = ("documents", "context", "contexts", "source_documents", "chunks", "results", "output", "result")
#: Where the result of a whole program holds what it retrieved; "output" is its answer.
_CONTEXTS = ("context", "contexts", "source_documents", "documents", "retrieved_contexts")
_SCORES = ("relevance_score", "score", "_score", "similarity_score", "similarity")


@dataclass(frozen=True, slots=True)
class Run:
    """One step of a trace.

    Attributes:
        trace: id of its trace; "" where it has none.
        id: its own id.
        parent: id of the step around it; "" for the whole program.
        kind: `MODEL`, `RETRIEVER`, or "" for any other step.
        start: its start, as text that sorts within one trace.
        inputs: what went in.
        outputs: what came out.
        error: why it failed, or "".
        model: name of the model, or "".
    """

    trace: str
    id: str
    parent: str
    kind: str
    start: str
    inputs: Any
    outputs: Any
    error: str = ""
    model: str = ""


class OfTraces(Gathering):
    """An importer of runs that belong to traces: one transcript a trace.

    Attributes:
        untold: what is wrong with values that hold no exchange, and the field that would tell one.
    """

    untold: ClassVar[tuple[str, str]]

    @abstractmethod
    def runs_of(self, members: Mapping[str, Any]) -> Iterator[Run]:
        """The runs of one value."""

    def gather(self, values: Sequence[Any], folder: str | None) -> Iterator[tuple[int, Found]]:
        """One transcript a trace."""
        traces: dict[str, tuple[int, list[Run]]] = {}
        for index, value in enumerate(values):
            for run in self.runs_of(as_map(decoded(value))):
                traces.setdefault(run.trace or f"value {index}", (index, []))[1].append(run)
        drafts = []
        for index, runs in traces.values():
            if tells(runs):
                draft = self.draft()
                read(runs, draft)
                drafts.append((index, draft))
        yield from finished(drafts)
        if values and not drafts:
            problem, field = self.untold
            yield 0, InputError(problem, field=field, hint=self.how["chunks"])


def tells(runs: Sequence[Run]) -> bool:
    """Whether the runs hold an exchange: something was retrieved, or a model was asked."""
    return any(run.kind for run in runs) or any(_context(run.outputs) for run in runs)


def read(runs: Sequence[Run], draft: Draft) -> None:
    """Fill the draft from the runs of one trace: the outermost tells question and answer."""
    ordered = sorted(runs, key=lambda run: run.start)
    known = {run.id for run in ordered}
    root = next((run for run in ordered if run.parent not in known), ordered[0])
    models = [run for run in ordered if run.kind == MODEL]
    retrievers = [run for run in ordered if run.kind == RETRIEVER]
    for run in (root, *models, *retrievers):
        if not draft.question:
            draft.question, draft.history = question_in(run.inputs)
    for run in (root, *reversed(models)):
        draft.answer = draft.answer or answer_of(run.outputs)
    seen: set[tuple[str | None, str]] = set()
    for run in retrievers:
        for item in _documents(run.outputs):
            _add(draft, item, seen)
    if not retrievers:
        for item in _context(root.outputs) or _context(root.inputs):
            _add(draft, item, seen)
    draft.known("trace_id", root.trace)
    draft.known("recorded_at", root.start)
    draft.known("model_version", next((run.model for run in reversed(models) if run.model), ""))
    for run in ordered:
        if run.error and run.kind:
            draft.gap("run", f"the {run.kind} failed: {run.error[:200]}", "warning")
    if not draft.chunks:
        draft.gap("chunks", "the trace holds no retrieved documents", "warning")
    if not draft.answer:
        draft.gap("answer", "the trace holds no answer", "warning")


def answer_of(value: Any) -> str:
    """The answer in an output: text, a message, an object that holds it, or a model's generations."""
    held = as_map(decoded(value))
    batch = as_list(held.get("generations"))
    if batch:
        first = as_map(as_list(batch[0])[0] if as_list(batch[0]) else batch[0])
        return as_text(first.get("text")) or _message(first.get("message"))
    for name in ("output", "answer", "result"):
        text = _message(held.get(name))
        if text:
            return text
    return answer_in(value)


def _message(value: Any) -> str:
    """The words of a message that LangChain dumped, else ""."""
    kwargs = as_map(as_map(value).get("kwargs"))
    return answer_in({"content": kwargs["content"]}) if isinstance(kwargs.get("content"), str) else ""


def _documents(value: Any) -> Sequence[Any]:
    """The documents in the output of a retriever: a list, or an object that holds one."""
    held = decoded(value)
    if isinstance(held, Mapping):
        held = decoded(first_of(held, *_DOCUMENTS))
    return held if isinstance(held, (list, tuple)) else [held] if isinstance(held, str) else ()


def _context(value: Any) -> Sequence[Any]:
    held = decoded(first_of(as_map(decoded(value)), *_CONTEXTS))
    return held if isinstance(held, (list, tuple)) else [held] if isinstance(held, str) else ()


def _add(draft: Draft, item: Any, seen: set[tuple[str | None, str]]) -> None:
    """Add a document once; several retrievers of one trace find the same passage."""
    document = document_of(item)
    if document is None:
        key = (None, item if isinstance(item, str) else repr(as_map(item)))
        if key not in seen:
            seen.add(key)
            draft.chunk_of(item)
        return
    metadata = as_map(document.get("metadata"))
    text = as_text(document.get("page_content")) or ""
    name = as_name(first_of(document, "id")) or as_name(first_of(metadata, "id", "chunk_id"))
    if (name, text) not in seen:
        seen.add((name, text))
        score = document.get("score") if document.get("score") is not None else first_of(metadata, *_SCORES)
        draft.chunk(text, id=name, score=score, metadata=metadata)
