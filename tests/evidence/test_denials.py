"""What denies and what does not, in other words than the source's: a right and a wrong answer each."""

import json
from pathlib import Path

import pytest

import pytest_grounding as pg

ROWS = json.loads(Path(__file__).with_name("denials.json").read_text())


def status_of(row, answer):
    given = {"id": "page", "question": "What is said about it?", "answer": answer}
    return pg.validate({**given, "chunks": [{"id": "page", "text": row["source"]}]}).status


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_a_right_answer_passes(row):
    assert status_of(row, row["right"]) == "pass"


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_a_wrong_answer_does_not(row):
    assert status_of(row, row["wrong"]) != "pass"
