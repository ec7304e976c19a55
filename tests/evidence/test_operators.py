"""Denials, scopes, comparisons, turned words and values of neighbours: a right and a wrong answer each.

Rows that the engine misses say so; one that it no longer misses must lose its mark.
"""

import json
from pathlib import Path

import pytest

import pytest_grounding as pg

FOLDER = Path(__file__).parent
FILES = (
    "denials kinds neighbours conditions labels layouts paraphrases derived attributed reworded "
    "members refused framed contrasts replaced exchanged plain prose siblings named siblings_abroad "
    "rates acts handed asked_plainly spans excepted yes_or_no as_tables ranked counts parallel "
    "openers follows orders software cases"
).split()
ROWS = [row for name in FILES for row in json.loads((FOLDER / f"{name}.json").read_text())]


def cases(side):
    found = []
    for row in ROWS:
        is_missed = side in row.get("missed", ())
        mark = [pytest.mark.xfail(strict=True, reason="known miss")] if is_missed else []
        found.append(pytest.param(row, id=row["id"], marks=mark))
    return found


def status_of(row, answer):
    given = {"id": "page", "question": row.get("question", "What is said about it?"), "answer": answer}
    return pg.validate({**given, "chunks": [{"id": "page", "text": row["source"]}]}).status


@pytest.mark.parametrize("row", cases("right"))
def test_a_right_answer_passes(row):
    assert status_of(row, row["right"]) == "pass"


@pytest.mark.parametrize("row", cases("wrong"))
def test_a_wrong_answer_does_not(row):
    assert status_of(row, row["wrong"]) != "pass"
