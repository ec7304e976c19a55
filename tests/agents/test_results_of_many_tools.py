"""Results of tools in four languages, written before the code met them: which ones report a failure."""

import json
from pathlib import Path

import pytest

import pytest_grounding as pg

ROWS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
#: Shares of the wrong claims that are stopped at least, and of the right ones at most.
STOPPED, STOPPED_RIGHT = 0.95, 0.03
#: Written one after the other, each when the code had met those before.
SETS = ("", " apart", " last")


def is_stopped(row):
    call = {"name": row["tool"], "arguments": {}, "result": row["result"]}
    told = {"id": "t", "question": row["question"], "chunks": [], "answer": row["answer"]}
    causes = pg.validate(told | {"tool_calls": [call]}).causes
    return "claims_action" in {cause.rule for cause in causes if cause.severity != "info"}


@pytest.mark.parametrize("name", SETS)
def test_claims_after_failed_calls_are_stopped(name):
    rows = ROWS[f"failing{name}"]
    passed = [(row["what"], row["result"]) for row in rows if not is_stopped(row)]
    assert len(passed) <= (1 - STOPPED) * len(rows), passed


@pytest.mark.parametrize("name", SETS)
def test_claims_after_calls_that_worked_are_not(name):
    rows = ROWS[f"working{name}"]
    stopped = [(row["what"], row["result"]) for row in rows if is_stopped(row)]
    assert len(stopped) <= STOPPED_RIGHT * len(rows), stopped
