"""Forty forms in which an answer does not state a fact, and forty in which it does."""

import json
from pathlib import Path

import pytest

import pytest_grounding as pg

ROWS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
FACT = "The pool opens at 7:30"


def misses(answer, key):
    """Whether the fact as an expected or forbidden one is a finding."""
    chunk = {"id": "c", "text": "The pool opens at 7:30 in the morning. The sauna is closed on Mondays."}
    told = {"id": "t", "question": "When does it open?", "chunks": [chunk], "answer": answer, key: [FACT]}
    return "expected_fact" in {cause.rule for cause in pg.validate(told).causes}


@pytest.mark.parametrize("answer", ROWS["unseen"])
def test_a_fact_that_is_not_stated_meets_nothing(answer):
    assert (misses(answer, "expected"), misses(answer, "forbidden")) == (True, False)


@pytest.mark.parametrize("answer", ROWS["seen"])
def test_a_stated_fact_is_met_in_each_form(answer):
    assert (misses(answer, "expected"), misses(answer, "forbidden")) == (False, True)
