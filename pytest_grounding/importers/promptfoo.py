"""promptfoo: the results of an evaluation, whole (``results.json``) or one a line (``results.jsonl``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.gathering import Found, Gathering, finished
from pytest_grounding.importers.langchain import document_of
from pytest_grounding.importers.openinference import QUESTIONS
from pytest_grounding.importers.reading import as_list, as_map, as_text, decoded, first_of, first_text
from pytest_grounding.importers.runs import answer_of

#: Where an output, its metadata or the variables of a test hold what was retrieved, in this order.
_CONTEXTS = ("context", "contexts", "chunks", "documents", "retrieved_contexts", "sources")


class Promptfoo(Gathering):
    """Reads each result: the question and the context are variables of the test, or parts of the output."""

    name = "promptfoo"
    how: ClassVar[Mapping[str, str]] = {
        "question": "name the variable question, query or input",
        "chunks": "name the variable context, or let the provider return it in its output or metadata",
        "answer": "let the provider return a text, or an object with the text as answer",
    }

    def belongs(self, value: Any) -> bool:
        """Whether the value is a result, or a file of results."""
        members = as_map(value)
        return _is_result(members) or any(_is_result(as_map(item)) for item in _results(members)[:3])

    def gather(self, values: Sequence[Any], folder: str | None) -> Iterator[tuple[int, Found]]:
        """One transcript a result."""
        drafts = []
        for index, value in enumerate(values):
            members = as_map(value)
            day = as_text(as_map(members.get("results")).get("timestamp")) or ""
            for result in [members] if _is_result(members) else map(as_map, _results(members)):
                draft = self.draft()
                draft.known("recorded_at", day)
                _read(result, draft)
                drafts.append((index, draft))
        yield from finished(drafts)


def _results(members: Mapping[str, Any]) -> Sequence[Any]:
    """The results in a file: an object of its own since release 0.20, a list in a list before."""
    return as_list(as_map(members.get("results")).get("results"))


def _is_result(members: Mapping[str, Any]) -> bool:
    marks = {"testCase", "promptIdx", "testIdx", "gradingResult", "namedScores", "latencyMs"}
    return isinstance(members.get("vars"), Mapping) and "prompt" in members and len(marks & set(members)) > 1


def _read(result: Mapping[str, Any], draft: Draft) -> None:
    given = as_map(result.get("vars"))
    response = as_map(result.get("response"))
    output = decoded(response.get("output"))
    question = first_text(given, *QUESTIONS)
    if question is None:
        texts = [item for key, item in given.items() if isinstance(item, str) and key not in _CONTEXTS]
        question = texts[0] if len(texts) == 1 else ""
    draft.question = question
    draft.answer = answer_of(output)
    for place in (as_map(output), as_map(response.get("metadata")), as_map(result.get("metadata")), given):
        held = first_of(place, *_CONTEXTS)
        if held is not None and not draft.chunks:
            for item in [held] if isinstance(held, (str, Mapping)) else as_list(held):
                _add(draft, item)
    draft.known("provider", as_map(result.get("provider")).get("id"))
    draft.known("prompt", as_map(result.get("prompt")).get("label"))
    if not draft.chunks:
        draft.gap("chunks", "the result holds no context", "warning")
    if not draft.answer:
        why = as_text(first_of(result, "error") or response.get("error")) or "it holds no output"
        draft.gap("answer", f"the result holds no answer: {why[:200]}", "warning")


def _add(draft: Draft, item: Any) -> None:
    document = document_of(item)
    if document is None:
        draft.chunk_of(item)
    else:
        draft.chunk(document.get("page_content"), metadata=as_map(document.get("metadata")))
