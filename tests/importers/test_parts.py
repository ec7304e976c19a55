"""Recordings that no importer names: read by the names of their members, at any depth."""

import json

import pytest
from every import table

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import as_transcript
from pytest_grounding.importers.native import Importers

QUESTION = "How many books may a reader borrow?"
RIGHT, WRONG = "A reader may borrow eight books.", "A reader may borrow twelve books."
BOOKS = "A reader may borrow eight books at a time."


def filled(value, answer):
    text = json.dumps(value).replace("QUESTION", QUESTION).replace("ANSWER", answer).replace("BOOKS", BOOKS)
    return json.loads(text)


def load(tmp_path, value):
    file = tmp_path / "recording.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    return pg.load_transcripts(file)


@pytest.mark.parametrize(("tool", "value"), table(__file__, "exchanges"))
def test_question_answer_and_passages_are_found(tool, value, tmp_path):
    [right] = load(tmp_path, filled(value, RIGHT))
    assert (right.question, right.answer.removesuffix(" [1]"), right.chunks[0].text) == (
        QUESTION,
        RIGHT,
        BOOKS,
    ), tool
    assert pg.validate(right).status == "pass", tool
    [wrong] = load(tmp_path, filled(value, WRONG))
    assert pg.validate(wrong).status != "pass", tool


@pytest.mark.parametrize(("what", "value"), table(__file__, "refused"))
def test_what_is_no_exchange_is_not_guessed_at(what, value):
    assert Importers().of(filled(value, RIGHT)) is None, what


def test_rows_within_an_object_are_transcripts_of_their_own(tmp_path):
    row = {"query": QUESTION, "reply": RIGHT, "retrieved": [{"text": BOOKS}]}
    found = load(tmp_path, {"name": "run", "results": [row, {**row, "reply": WRONG}]})
    assert [pg.validate(item).status for item in found] == ["pass", "reject"]


def test_an_ideal_context_is_read_only_where_nothing_was_retrieved():
    row = {"question": QUESTION, "answer": RIGHT, "ground_truth_context": [BOOKS]}
    alone = as_transcript(row)
    assert "what was retrieved is not recorded" in " ".join(note.message for note in alone.notes)
    both = as_transcript({**row, "retrieved_context": ["Films are lent for seven days."]})
    assert [chunk.text for chunk in both.chunks] == ["Films are lent for seven days."]
    assert pg.validate(both).status == "reject"


def test_expectations_of_any_row_count():
    row = {"query": QUESTION, "reply": RIGHT, "hits": [{"text": BOOKS, "id": "b"}]}
    for field, held in (
        ("expected", ["two weeks"]),
        ("forbidden", ["eight books"]),
        ("expected_sources", ["zz"]),
    ):
        assert pg.validate(as_transcript(row)).status == "pass"
        assert pg.validate(as_transcript({**row, field: held})).status == "reject", field


def test_a_row_without_an_answer_loses_no_other_row(tmp_path):
    row = {"query": QUESTION, "retrieved": [{"text": BOOKS}]}
    found = load(tmp_path, {"results": [row, {**row, "reply": RIGHT}]})
    assert [pg.validate(item).status for item in found] == ["reject", "pass"]
