"""The confidence and missing information that a pipeline reports about itself."""

import json

import pytest
from every import each, table
from made_verdicts import verdict

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports.report_links import LinkContext
from pytest_grounding.reports.write import render_report
from pytest_grounding.settings import Settings
from pytest_grounding.suite.suite_figures import decide_suite
from pytest_grounding.testing import Example

CHUNKS = [
    {"id": "c1", "text": "Refunds are paid within 14 days of the return.", "score": 0.9},
    {"id": "c2", "text": "The shop sells garden tools.", "score": 0.4},
]
RIGHT = "Refunds are paid within 14 days of the return [1]."
WRONG = "Refunds are paid within 45 days of the return [1]."
DECLINES = "I don't have that information."


def recorded(answer=RIGHT, **more):
    return Example("How long do refunds take?", CHUNKS, id="a").answered(answer, **more)


def rules(found):
    return {cause.rule: cause for cause in found.causes}


# -- where the confidence is read


@pytest.mark.row(70, 71)
@each(*table(__file__, "test_reads_the_confidence_of_the_pipeline"))
def test_reads_the_confidence_of_the_pipeline(fields, reported):
    found = pg.validate(recorded(**fields))
    assert found.reported_confidence == reported
    assert json.loads(found.to_json())["reported_confidence"] == reported
    assert Verdict.model_validate_json(found.to_json()).reported_confidence == reported


@each(87, -0.1, True, "high", [0.4], float("nan"))
def test_reports_a_confidence_outside_of_0_to_1(value):
    found = pg.validate(recorded(metadata={"confidence_score": value}))
    cause = rules(found)["import_loss"]
    assert cause.severity == "info"
    assert cause.message.startswith("metadata.confidence_score is ")
    assert found.status == "pass"


def test_importers_keep_reported_values(tmp_path):
    file = tmp_path / "rows.jsonl"
    structured = {"answer": RIGHT, "citations": [1], "confidence": 0.4, "missing_information": "the fee"}
    source = {"chapter_id": "1", "section_number": "2", "section_title": "t", "excerpt": "x"}
    chat = {"answer": RIGHT, "metadata": {"confidence": 0.3}, "sources": [{**source, "relevance_score": 0.5}]}
    asked = {"request": {"question": "How long?"}}
    rows = [
        {**asked, "response": structured, "chunks": CHUNKS},
        {**asked, "response": chat},
        {"user_input": "How long?", "retrieved_contexts": ["x"], "response": RIGHT, "confidence": 0.7},
        {"question": "How long?", "contexts": ["x"], "answer": RIGHT, "metadata": {"confidence_score": 0.8}},
        {"query": "How?", "result": RIGHT, "source_documents": [{"page_content": "x"}], "confidence": 0.6},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    table = tmp_path / "rows.csv"
    cells = (
        "question,answer,contexts,confidence,missing_information",
        "How?,A.,x,0.2,the fee",
        "Why?,A.,x,0.1,",
    )
    table.write_text("\n".join(cells) + "\n")
    cut = pg.load_transcripts(table)
    assert [item.reported_confidence for item in cut] == [0.2, 0.1]
    assert [item.reported_missing for item in cut] == [("the fee",), None]
    found = pg.load_transcripts(file)
    assert [item.reported_confidence for item in found] == [0.4, 0.3, 0.7, 0.8, 0.6]
    assert [item.reported_missing for item in found] == [("the fee",), None, None, None, None]


# -- the rule self_report


@each((WRONG, 0.95, "more"), (RIGHT, 0.2, "less"), ("The Moon is made of cheese.", 1.0, "more"))
def test_notes_a_confidence_far_from_the_computed_one(answer, reported, difference):
    found = pg.validate(recorded(answer, confidence=reported))
    without = pg.validate(recorded(answer))
    cause = rules(found)["self_report"]
    assert cause.severity == "info"
    assert (
        f"{abs(reported - found.confidence):.2f} {difference} than the {found.confidence:.2f}"
        in cause.message
    )
    assert cause.details["difference"] == pytest.approx(reported - found.confidence)
    assert found.is_over_confident == (difference == "more")
    # It decides nothing by itself.
    assert (found.status, found.confidence) == (without.status, without.confidence)


def test_does_not_compare_the_confidence_of_a_refusal():
    for reported in (0.0, 1.0):
        assert "self_report" not in rules(pg.validate(recorded(DECLINES, confidence=reported)))


# -- what the pipeline says is missing


@each(
    (None, None),
    ("", ()),
    ([], ()),
    (" None. ", ()),
    ("N/A", ()),
    (["", "nothing"], ()),
    ("the fee", ("the fee",)),
    (["the fee ", ""], ("the fee",)),
)
def test_reads_missing_information(given, missing):
    found = pg.validate(recorded(missing_information=given))
    assert found.reported_missing == missing


def test_the_diagnosis_quotes_missing_information():
    said = "The pipeline says what is missing: “the duration of refunds”."
    apart = [{"id": "c2", "text": "The shop sells garden tools."}]
    for answer, chunks in ((DECLINES, apart), (DECLINES, CHUNKS), (WRONG, CHUNKS), (RIGHT, apart)):
        given = recorded(answer, chunks=chunks, missing_information="the duration of refunds")
        assert pg.validate(given).diagnosis.endswith(said)
    assert said not in pg.validate(recorded(missing_information="the duration of refunds")).diagnosis


@each("", [], "none", "N/A")
def test_notes_a_wrong_claim_that_nothing_is_missing(nothing):
    apart = [{"id": "c2", "text": "The shop sells garden tools."}]
    given = recorded(RIGHT, chunks=apart, missing_information=nothing)
    found = pg.validate(given)
    assert found.retrieval.answer_present == "none"
    assert rules(found)["self_report"].severity == "info"
    for silent in (
        recorded(RIGHT, missing_information=nothing),
        recorded(RIGHT, chunks=apart),
        recorded(RIGHT, chunks=apart, missing_information="the duration"),
        recorded(DECLINES, chunks=apart, missing_information=nothing),
        recorded("", chunks=apart, missing_information=nothing),
    ):
        assert "self_report" not in rules(pg.validate(silent))


# -- the suite


def report_of(verdicts, **settings):
    return decide_suite(RunReport.of(verdicts), Settings(**settings))


def figure(report, name):
    return next((item for item in report.gate.thresholds if item.name == name), None)


def saying(name, reported, **more):
    return pg.validate({**recorded(**more), "id": name, "confidence": reported})


def test_the_suite_counts_answers_with_a_confidence():
    mixed = report_of([saying("a", 0.9), saying("b", None), saying("c", 1.0)])
    found = figure(mixed, "with_confidence")
    assert (found.count, found.total, found.outcome) == (2, 3, "fail")
    assert mixed.gate.status == "fail"
    assert any(reason.startswith("answers with a confidence: 0.667") for reason in mixed.gate.reasons)
    whole = report_of([saying("a", 0.9), saying("c", 1.0)])
    assert (figure(whole, "with_confidence").value, whole.gate.status) == (1.0, "pass")


def test_the_suite_measures_nothing_without_reported_confidences():
    silent = [saying("a", None), saying("b", None)]
    found = figure(report_of(silent), "with_confidence")
    assert (found.value, found.outcome) == (None, "nothing")
    assert report_of(silent).gate.status == "pass"
    assert figure(report_of(silent), "over_confident") is None


def test_the_suite_shows_over_confident_answers():
    verdicts = [saying("a", 0.9), saying("b", 0.95, answer=WRONG), saying("c", 0.1, answer=DECLINES)]
    report = report_of(verdicts)
    differences = [item.reported_confidence - item.confidence for item in verdicts[:2]]
    assert report.summary.confidence_difference == pytest.approx(sum(differences) / 2)
    assert (report.summary.answers_reporting, report.summary.answers_over_confident) == (3, 1)
    over = figure(report, "over_confident")
    assert (over.count, over.total, over.outcome) == (1, 3, "pass")
    for kind in ("html", "github-summary"):
        assert "answers that report too high a confidence" in render_report(report, kind, LinkContext({}))


def test_reads_reports_of_older_releases():
    old = report_of([verdict("a")]).as_dict()
    for name in ("answers_reporting", "answers_with_both", "answers_compared", "answers_over_confident"):
        del old["summary"][name]
    for item in old["transcripts"]:
        del item["reported_confidence"], item["reported_missing"]
    assert report_of(RunReport.model_validate(old).transcripts).gate.status == "pass"


def test_a_waived_difference_does_not_count():
    differs = Finding(rule="self_report", severity="info", message="m", details={"difference": 0.5})
    assert verdict("a", reported_confidence=1.0, findings=(differs,)).is_over_confident
    assert not verdict("a", findings=()).is_over_confident


def test_check_fails_by_the_share_of_reported_confidences(tmp_path, capsys):
    rows = [{**recorded(), "id": "a", "confidence": 0.9}, {**recorded(), "id": "b"}]
    file = tmp_path / "s.transcripts.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["check", str(file)]) == 1
    out = capsys.readouterr().out
    assert "answers with a confidence: 0.500 (1 of 2), must be >= 1" in out
