"""Expected and forbidden facts are looked for in what a reader sees stated."""

import json
from pathlib import Path

import pytest

import pytest_grounding as pg

ROWS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
FACT = "The fee is 14 euros"


def misses(answer, key):
    """Whether the fact as an expected or forbidden one is a finding."""
    chunk = {"id": "c", "text": "The fee is 14 euros. Pets are free."}
    told = {"id": "t", "question": "How much is it?", "chunks": [chunk], "answer": answer, key: [FACT]}
    return "expected_fact" in {cause.rule for cause in pg.validate(told).causes}


@pytest.mark.parametrize("answer", ROWS["unseen"])
def test_what_is_not_shown_or_not_claimed_meets_nothing(answer):
    assert misses(answer, "expected")
    assert not misses(answer, "forbidden")


@pytest.mark.parametrize("answer", ROWS["seen"])
def test_no_dress_hides_what_a_reader_sees(answer):
    assert not misses(answer, "expected")
    assert misses(answer, "forbidden")
