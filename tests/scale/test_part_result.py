from __future__ import annotations

import pytest
from made_verdicts import verdict
from pydantic import ValidationError

from pytest_grounding import Settings
from pytest_grounding.model.run import Problem
from pytest_grounding.scale.result import Line, PartResult, Place, Worst
from pytest_grounding.scale.tally import Tally

PLAN = "a" * 64


def _result(**changes: object) -> PartResult:
    tally = Tally(Settings())
    tally.add(verdict("one"))
    tally.add(verdict("two", status="reject", confidence=0.25))
    values = {
        "plan": PLAN,
        "place": Place(index=3, path="runs/a.jsonl", start=100, end=900, line=17),
        "file": "00003.jsonl",
        "sha256": "b" * 64,
        "size": 800,
        "rows": 2,
        "counts": tally.counts,
        "tables": tally.tables,
        "worst": (Worst(key=(0, 250_000, 3, 1), id="two", offset=400),),
        **changes,
    }
    return PartResult(**values)  # type: ignore[arg-type]


def test_a_result_is_read_back_as_it_was_written():
    result = _result()
    again = PartResult.of_json(result.to_json())
    assert again == result
    assert again.to_json() == result.to_json()


def test_counts_are_integers_alone():
    result = _result()
    assert result.counts["transcripts"] == 2
    assert result.tables["status"]["reject"] == 1
    assert all(type(value) is int for value in result.counts.values())
    assert all(type(number) is int for table in result.tables.values() for number in table.values())
    with pytest.raises(ValidationError, match="int"):
        _result(counts={"transcripts": 2.5})


def test_a_tally_of_two_halves_is_the_tally_of_the_whole():
    both, first, second = (Tally(Settings()) for _ in range(3))
    one, two = verdict("one"), verdict("two", status="reject", confidence=0.25)
    both.add(one)
    both.add(two)
    first.add(one)
    second.add(two)
    names = both.counts.keys() | first.counts.keys() | second.counts.keys()
    assert {
        name: first.counts.get(name, 0) + second.counts.get(name, 0) for name in sorted(names)
    } == both.counts
    assert both.tables["confidence"] != first.tables["confidence"]


def test_a_line_holds_a_verdict_or_a_problem():
    line = Line(verdict=verdict("one"), wanted="pass")
    assert Line.model_validate_json(line.model_dump_json()) == line
    bad = Line(problem=Problem(place="runs/a.jsonl:17", message="is no JSON"))
    assert Line.model_validate_json(bad.model_dump_json()).verdict is None
