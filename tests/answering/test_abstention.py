"""The cells of abstention, and their rates in every report."""

import json

import pytest
from every import each, table

from pytest_grounding import validate
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.reports import junit
from pytest_grounding.reports.report_links import LinkContext
from pytest_grounding.settings import Settings
from pytest_grounding.suite.suite_figures import decide_suite

HELD = "A harbour pass costs 35 euros."
OTHER = "The harbour was built in 1902."
QUESTION = "How much does a harbour pass cost?"


def judged(chunk, answer, name="t", question=QUESTION):
    chunks = [{"id": "c1", "text": chunk, "score": 0.9}]
    return validate({"id": name, "question": question, "chunks": chunks, "answer": answer})


CELLS = table(__file__, "CELLS")


@pytest.mark.row(47)
@each(*CELLS)
def test_each_cell(chunk, answer, cell):
    assert judged(chunk, answer).abstention == cell


@each("", "   ", "Hello!")
def test_an_answer_that_claims_nothing_is_in_no_cell(answer):
    assert judged(HELD, answer).abstention == "unknown"


def run():
    verdicts = [judged(chunk, answer, f"t{n}") for n, (chunk, answer, _) in enumerate(CELLS)]
    return decide_suite(RunReport.of(verdicts), Settings())


def test_the_summary_counts_cells():
    summary = run().summary
    assert summary.abstention == {
        "answered": 1, "over_refusal": 2, "rightly_declined": 3,
        "answered_absent": 2, "half_declined": 2, "unknown": 0,
    }  # fmt: skip


@pytest.mark.row(59)
def test_the_cells_stand_in_reports_for_programs():
    report = run()
    assert 'name="grounding.abstention.over_refusal" value="2"' in junit.render_junit(report, LinkContext())
    assert json.loads(report.to_json())["summary"]["abstention"]["over_refusal"] == 2


def test_a_suite_limit_on_complete_answers():
    question = "What does a harbour pass cost, and when was the harbour built?"
    verdict = judged(f"{HELD} {OTHER}", HELD, question=question)
    whole = judged(f"{HELD} {OTHER}", f"{HELD} {OTHER}", "u", question=question)
    report = decide_suite(RunReport.of([verdict, whole]), Settings())
    assert report.gate is not None
    assert report.summary is not None
    (item,) = [item for item in report.gate.thresholds if item.name == "completeness"]
    assert (item.count, item.total, item.outcome) == (1, 2, "pass")
    assert item.low is not None
    assert report.summary.completeness == 0.5
    free = decide_suite(RunReport.of([verdict, whole]), Settings())
    assert {item.outcome for item in free.gate.thresholds if item.name == "completeness"} == {"pass"}
