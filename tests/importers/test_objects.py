"""Objects of libraries are read by their shape: pydantic models, objects with to_dict, dataclasses."""

from __future__ import annotations

import datetime
import enum
from dataclasses import dataclass, field
from typing import Any

import pytest
from every import each
from payloads import HOURS, MARKED, QUESTION
from pydantic import BaseModel

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import as_transcript
from pytest_grounding.importers.objects import is_foreign, plain


class Document(BaseModel):
    page_content: str
    metadata: dict[str, Any] = {}
    id: str | None = None


@dataclass
class Response:
    response: str
    source_nodes: list[Any] = field(default_factory=list)


class Answer:
    def __init__(self) -> None:
        self.parts = {
            "data": MARKED,
            "query": QUESTION,
            "documents": [{"id": "a", "content": HOURS, "meta": {}}],
        }

    def to_dict(self) -> dict[str, Any]:
        return self.parts


class Color(enum.Enum):
    RED = "red"


def test_models_within_a_mapping() -> None:
    chain = {"input": QUESTION, "context": [Document(page_content=HOURS)], "answer": f"{HOURS} [1]"}
    assert as_transcript(chain).chunks[0].text == HOURS
    pg.assert_citations_valid(chain)


def test_dataclasses_and_objects_that_turn_into_mappings() -> None:
    response = Response(MARKED, [{"node": {"text": HOURS, "id_": "n"}, "score": 0.5}])
    assert as_transcript(response, {"question": QUESTION}).chunks[0].score == 0.5
    assert as_transcript({"question": QUESTION, "response": response}).answer == MARKED
    pg.assert_citations_valid(Answer().to_dict() | {"data": f"{HOURS} [1]"})
    assert as_transcript(Answer()).question == QUESTION


def test_values_that_json_does_not_know() -> None:
    value = {
        "when": datetime.date(2026, 1, 2),
        "color": Color.RED,
        "raw": b"ab",
        "set": {2, 1},
        "none": object(),
    }
    shown = {"when": "2026-01-02", "color": "red", "raw": "YWI=", "set": [1, 2], "none": None}
    assert plain(value) == shown


def test_an_object_that_holds_itself_is_an_error() -> None:
    loop: dict[str, Any] = {}
    loop["again"] = loop
    with pytest.raises(pg.InputError, match="levels deep"):
        as_transcript(loop)


@each(1, 1.5, None, object(), Document, lambda: None)
def test_what_has_no_shape_is_refused(value: Any) -> None:
    assert not is_foreign(value)
    with pytest.raises(TypeError, match="cannot be validated"):
        pg.assert_grounded(value)


def test_a_number_that_is_none_does_not_become_a_missing_score() -> None:
    value = {
        "id": "a",
        "question": "Q?",
        "chunks": [{"id": "c", "text": "x", "score": float("nan")}],
        "answer": "x",
    }
    with pytest.raises(pg.InputError, match="score"):
        as_transcript(value)
