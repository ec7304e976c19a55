"""Statements that differ in one value: it is stated, or it says which one is meant."""

import json
from pathlib import Path

import pytest

import pytest_grounding as pg

ANSWERS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))


def status_of(answer):
    """The status of an answer that repeats its only source."""
    chunks = [{"id": "page", "text": answer}]
    row = {"id": "page", "question": "What holds?", "chunks": chunks, "answer": answer}
    return pg.validate(row).status


@pytest.mark.parametrize("answer", ANSWERS["which_one"])
def test_a_value_that_says_which_one_holds_nothing_back(answer):
    assert status_of(answer) == "pass"


def test_another_value_of_one_subject_is_a_warning():
    stopped = [answer for answer in ANSWERS["another_value"] if status_of(answer) != "pass"]
    assert len(stopped) >= 11, stopped


@pytest.mark.parametrize("answer", ANSWERS["opposite"])
def test_an_opposite_of_one_subject_is_a_warning(answer):
    assert status_of(answer) != "pass"
