"""Floors of the rates on our own labelled answers; the locked third is scored by the benchmarks alone."""

from pathlib import Path

import pytest
from every import each

from benchmarks.labelled import judged, rows_of
from benchmarks.own import declining as abstention
from benchmarks.own import parts as completeness

DATA = Path("../shared/data")


@pytest.mark.row(60)
@each("completeness", "abstention")
def test_enough_rows_and_about_a_third_locked(folder):
    rows = rows_of(folder)
    locked = sum(row["role"] == "locked" for row in rows)
    assert len(rows) >= 200
    assert 0.25 < locked / len(rows) < 0.45
    assert {row["dataset"] for row in rows} == {folder}


def test_incomplete_answers_are_told_from_complete_ones():
    rows = [
        (row, completeness.called(judged(row))) for row in rows_of("completeness") if row["role"] == "tune"
    ]
    right = sum(completeness.is_right(row["label"], name) for row, name in rows)
    assert right / len(rows) >= 0.8
    whole = [(row, name) for row, name in rows if row["label"] in ("complete", "open", "single")]
    assert sum(completeness.is_right(row["label"], name) for row, name in whole) / len(whole) >= 0.85


def test_the_cells_of_abstention_are_told_apart():
    rows = [(row, judged(row).abstention) for row in rows_of("abstention") if row["role"] == "tune"]
    assert sum(row["label"] == name for row, name in rows) / len(rows) >= 0.81
    declining = {"over_refusal", "rightly_declined", "half_declined", "unknown"}
    # Whether an answer declines does not hang on what the sources hold.
    asserting = [name for row, name in rows if row["label"] in ("answered", "answered_absent")]
    assert sum(name in ("answered", "answered_absent") for name in asserting) / len(asserting) >= 0.95
    refusing = [name for row, name in rows if row["label"] in declining]
    assert sum(name in declining for name in refusing) / len(refusing) >= 0.95


@pytest.mark.skipif(not (DATA / "mtrag.jsonl").exists(), reason="the rows of mtRAG are not here")
def test_few_answerable_questions_of_mtrag_are_called_unanswerable():
    rows = [item for item in abstention.mtrag(DATA) if item[0]["role"] == "tune"]
    answerable = [cell for row, cell, _ in rows if str(row["answerability"]) == "['ANSWERABLE']"]
    assert answerable
    assert sum(cell in ("rightly_declined", "over_refusal") for cell in answerable) / len(answerable) <= 0.03
    partial = [cell for row, cell, _ in rows if str(row["answerability"]) == "['PARTIAL']"]
    assert "half_declined" in partial
