"""DeepEval: test cases, dumped in camel case or saved as a data set in snake case."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.format import Format
from pytest_grounding.importers.messages import split_turns, turns_of
from pytest_grounding.importers.passages import add_passages
from pytest_grounding.importers.reading import as_list, as_map, as_name, as_text, first_of
from pytest_grounding.importers.recording import Recording

_UPPER = re.compile(r"(?<!^)([A-Z])")


class DeepEval(Format):
    """Reads a test case. ``retrieval_context`` is what was retrieved; ``context`` is the ideal."""

    name = "deepeval"
    how: ClassVar[Mapping[str, str]] = {
        "question": "write it as input",
        "text": "write each of retrieval_context as a text",
        "chunks": "write retrieval_context; context is the ideal and not what was retrieved",
    }

    def fits(self, recording: Recording) -> bool:
        """Whether the members have DeepEval's names."""
        body = recording.body
        if "input" in body and ("actual_output" in body or "actualOutput" in body):
            return True
        return any(
            "retrieval_context" in as_map(turn) or "retrievalContext" in as_map(turn)
            for turn in as_list(body.get("turns"))
        )

    def read(self, recording: Recording, draft: Draft) -> None:
        """Fill the draft from a test case, or from the last turn of a conversation."""
        body = _snake(recording.body)
        turns = [_snake(as_map(turn)) for turn in as_list(body.get("turns"))]
        if turns:
            last = next((i for i in range(len(turns) - 1, -1, -1) if turns[i].get("role") == "assistant"), -1)
            draft.question, draft.history = split_turns(turns_of(turns[: max(last, 0)]))
            body = {**body, "actual_output": turns[last].get("content"), **_retrieved(turns[last])}
        else:
            draft.question = as_text(body.get("input")) or ""
        draft.answer = as_text(body.get("actual_output")) or ""
        draft.id = draft.id or as_name(body.get("name"))
        add_passages(draft, body.get("retrieval_context"), "retrieval_context")
        if not draft.chunks:
            draft.gap("chunks", "the test case holds no retrieval_context", "warning")
        expected = first_of(body, "expected_output")
        if isinstance(expected, str):
            draft.metadata["reference"] = expected


def _retrieved(turn: Mapping[str, Any]) -> dict[str, Any]:
    return {"retrieval_context": turn.get("retrieval_context")}


def _snake(value: Mapping[str, Any]) -> dict[str, Any]:
    return {_UPPER.sub(r"_\1", str(key)).lower(): item for key, item in value.items()}
