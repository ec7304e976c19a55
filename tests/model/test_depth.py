"""Values nested deeper than any report can hold are refused, from files, mappings and models alike."""

import json

import pytest
from pydantic import ValidationError

import pytest_grounding as pg

DEEPEST = 150
TEXT = "The ferry leaves at nine."
PLACES = {
    "metadata": lambda value: {"metadata": {"x": value}},
    "filters": lambda value: {"filters": {"x": value}},
    "chunk": lambda value: {"chunks": [{"id": "c", "text": TEXT, "metadata": {"x": value}}]},
    "arguments": lambda value: {"tool_calls": [{"name": "look_up", "arguments": {"x": value}}]},
    "result": lambda value: {"tool_calls": [{"name": "look_up", "result": value}]},
}


def nested(depth, kind):
    value = "end"
    for _ in range(depth):
        value = {"a": value} if kind is dict else [value]
    return value


def recording(place, value):
    base = {
        "id": "t",
        "question": "When does it leave?",
        "answer": TEXT,
        "chunks": [{"id": "c", "text": TEXT}],
    }
    return base | PLACES[place](value)


@pytest.mark.parametrize("depth", [DEEPEST + 10, 255, 300, 5000])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", [dict, list])
@pytest.mark.parametrize("call", [pg.validate, pg.assert_grounded, pg.clean_answer])
def test_what_is_nested_too_deeply_is_refused_with_its_sentence(call, kind, place, depth):
    with pytest.raises(pg.InputError, match="nested too deeply"):
        call(recording(place, nested(depth, kind)))


@pytest.mark.parametrize("place", PLACES)
def test_what_is_nested_less_deeply_is_read(place, tmp_path):
    given = recording(place, nested(DEEPEST - 10, dict))
    assert pg.validate(given).id == "t"
    path = tmp_path / "a.transcripts.jsonl"
    path.write_text(json.dumps(given), encoding="utf-8")
    assert [item.id for item in pg.load_transcripts(path)] == ["t"]


def test_a_model_of_its_own_is_refused_too():
    with pytest.raises(ValidationError, match="nested too deeply"):
        pg.Transcript.model_validate(recording("metadata", nested(300, dict)))


def test_a_value_that_holds_itself_is_refused():
    around = {}
    around["a"] = around
    with pytest.raises(pg.InputError, match="nested too deeply"):
        pg.validate(recording("metadata", around))
