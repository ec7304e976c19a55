"""A result that reports a failure, in any dress, does not carry the action that the answer claims."""

import json
from pathlib import Path

import pytest

import pytest_grounding as pg

ROWS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))


def rules_of(row):
    calls = [{"name": row["tool"], "arguments": {}, "result": row["result"]}]
    told = {
        "id": "t",
        "question": row["question"],
        "chunks": [],
        "answer": row["answer"],
        "tool_calls": calls,
    }
    causes = pg.validate(told).causes
    return {cause.rule for cause in causes if cause.severity != "info"}


@pytest.mark.parametrize("row", ROWS["failing"], ids=lambda row: row["what"])
def test_a_failed_call_carries_no_claim(row):
    assert "claims_action" in rules_of(row)


@pytest.mark.parametrize("row", ROWS["working"], ids=lambda row: row["what"])
def test_a_call_that_worked_carries_it(row):
    assert "claims_action" not in rules_of(row)
