"""RAGAS: rows of an evaluation data set, of release 0.2 and later or the older names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.format import Format
from pytest_grounding.importers.listed import are_sources
from pytest_grounding.importers.messages import split_turns, turns_of
from pytest_grounding.importers.passages import add_passages
from pytest_grounding.importers.reading import as_list, as_text, decoded, first_of
from pytest_grounding.importers.recording import Recording

_COLUMNS = (
    *("question", "answer", "contexts", "user_input", "response", "retrieved_contexts"),
    *("confidence", "missing_information"),
)


class Ragas(Format):
    """Reads a sample; ids of contexts lie in a list of their own. A conversation's last turn is the one."""

    name = "ragas"
    how: ClassVar[Mapping[str, str]] = {
        "question": "write it as user_input",
        "id": "write retrieved_context_ids beside retrieved_contexts",
        "chunks": "write retrieved_contexts",
        "text": "write each of retrieved_contexts as a text",
    }

    def fits(self, recording: Recording) -> bool:
        """Whether the members have RAGAS's names, old or new."""
        body = recording.body
        if isinstance(body.get("user_input"), (str, list)):
            return "response" in body or "retrieved_contexts" in body or isinstance(body["user_input"], list)
        if not ("question" in body and "contexts" in body and "answer" in body):
            return False
        # RAGAS has texts; objects with a text are the sources of a service, which `Listed` reads.
        return not (body["contexts"] and are_sources(body["contexts"]))

    def convert(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """One transcript a row; a data set that was written by columns is taken apart."""
        if isinstance(value, Mapping) and isinstance(value.get("question"), (list, tuple)):
            columns = {key: value[key] for key in _COLUMNS if isinstance(value.get(key), (list, tuple))}
            for index in range(len(value["question"])):
                row = {key: column[index] for key, column in columns.items() if index < len(column)}
                yield from super().convert(row)
            return
        yield from super().convert(value)

    def read(self, recording: Recording, draft: Draft) -> None:
        """Fill the draft from one sample."""
        body = recording.body
        asked = first_of(body, "user_input", "question")
        turns = turns_of(asked) if isinstance(asked, (list, tuple)) else []
        answer = as_text(first_of(body, "response", "answer"))
        if turns:
            if answer is None and turns[-1][0] == "assistant":
                answer = turns.pop()[1]
            draft.question, draft.history = split_turns(turns)
        else:
            draft.question = as_text(asked) or ""
        draft.answer = answer or ""
        listed = "contexts" if body.get("retrieved_contexts") is None else "retrieved_contexts"
        ids = as_list(decoded(body.get("retrieved_context_ids")))
        add_passages(draft, body.get(listed), listed, ids)
        if not draft.chunks:
            draft.gap("chunks", "the sample holds no retrieved contexts", "warning")
        reference = as_text(first_of(body, "reference", "ground_truth"))
        if reference:
            draft.metadata["reference"] = reference
