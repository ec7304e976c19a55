"""Values that follow from those of the sources: each with its formula, and the wrong result beside it."""

import json
from pathlib import Path

import pytest

import pytest_grounding as pg

FOLDER = Path(__file__).parent
ROWS = [
    row
    for name in ("rates", "asked_plainly", "derived")
    for row in json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    if row["id"].startswith(("change", "area", "clock", "computed", "difference")) and "missed" not in row
]


def facts_of(row, answer):
    chunks = [{"id": "c1", "text": row["source"]}]
    verdict = pg.validate({"id": "t", "question": row["question"], "answer": answer, "chunks": chunks})
    return [fact for claim in verdict.claims for fact in claim.facts]


@pytest.mark.row(77)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_right_result_shows_its_formula_and_a_wrong_one_is_not_computed(row):
    right = [fact for fact in facts_of(row, row["right"]) if fact.status == "computed"]
    assert right, "nothing is computed"
    assert all(fact.formula for fact in right)
    assert any(fact.is_unsettled for fact in facts_of(row, row["wrong"]))
