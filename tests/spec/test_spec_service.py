"""Sections 8 to 11 and 13 of the specification: settings, audit, suite figures, metrics, names."""

import json
import logging
import uuid
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from answers import SAID, TEXT, transcript, verdict
from every import each, table

import pytest_grounding as pg
from pytest_grounding.__main__ import main
from pytest_grounding.settings import ENVIRONMENT, resolve

GOOD, BAD = f"{SAID} [1].", f"{SAID} [9]."


def write(folder: Path, *answers: str) -> Path:
    path = folder / "answers.transcripts.jsonl"
    rows = [{**transcript(answer), "id": f"t{number}"} for number, answer in enumerate(answers)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def check(path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    status = main(["check", str(path), "--json", *words])
    out = capsys.readouterr().out
    return int(status or 0), json.loads(out) if out.strip() else {}


# -- 8, variables and precedence


@pytest.mark.parametrize(("variable", "value", "setting", "read"), table(__file__, "test_the_variables"))
def test_the_variables(variable, value, setting, read, tmp_path, monkeypatch, capsys):
    assert ENVIRONMENT[variable] == setting
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(variable, value)
    assert main(["show", "settings"]) in (0, None)
    shown = [line for line in capsys.readouterr().out.splitlines() if line.split()[:1] == [setting]]
    assert shown, setting
    assert str(read).lower() in shown[0].lower()


def test_the_precedence_of_layers():
    layers = [
        ("ini", {"max_hallucination_rate": 0.5, "accept_confidence": 0.5, "profile": "strict"}),
        ("environment", {"max_hallucination_rate": 0.4}),
        ("command line", {"max_hallucination_rate": 0.35}),
    ]
    settings, _ = resolve(layers)
    assert (settings.max_hallucination_rate, settings.accept_confidence) == (0.35, 0.5)
    assert settings.nothing_checked == "fail"  # of the profile


@each("strict", "default", "lenient")
def test_named_profiles(profile):
    assert verdict(settings={"profile": profile}).status == "pass"


def test_a_setting_out_of_range_is_a_usage_error_that_names_it(tmp_path, capsys):
    path = write(tmp_path, GOOD)
    with pytest.raises(pg.SettingsError, match="max_hallucination_rate"):
        pg.validate(transcript(), {"max_hallucination_rate": 1.5})
    assert main(["check", str(path), "--set", "max_hallucination_rate=1.5"]) == 2
    assert "max_hallucination_rate" in capsys.readouterr().err


def test_a_check_that_is_off_is_said_to_be_off():
    assert verdict(settings={"hallucination_detection": False}).switched_off
    assert verdict(settings={"enabled": False}).switched_off


# -- 9, the audit log


def test_the_fields_of_a_record(tmp_path):
    path = tmp_path / "audit.jsonl"
    log = pg.AuditLog(path)
    row = transcript(BAD, metadata={"session_id": "s1", "response_id": "r1", "model_version": "m1"})
    log.append(pg.validate(row), row)
    record = json.loads(path.read_text().splitlines()[0])
    uuid.UUID(record["audit_id"])
    assert datetime.fromisoformat(record["timestamp"]).utcoffset() is not None
    assert (record["session_id"], record["response_id"], record["model_version"]) == ("s1", "r1", "m1")
    assert record["query"] == row["question"]
    result = record["validation_result"]
    assert (result["status"], result["citations_validated"], result["citations_failed"]) == ("REJECT", 0, 1)
    assert result["hallucinations_detected"] == 0
    assert 0 <= result["confidence_score"] <= 1
    (cited,) = record["citations"]
    assert {"claim", "source", "line_range", "validation_status", "semantic_score"} <= set(cited)
    assert {"processing_time_ms", "settings_hash"} <= set(record)


def test_records_are_kept_for_90_days_by_default():
    assert pg.Settings().audit_retention_days == 90


# -- 10, suite figures as thresholds


@each(
    ("suite_min_citation_accuracy", 0.99),
    ("suite_max_ungrounded_answers", 0.01),
    ("suite_confidence", 0.7),
    ("suite_min_confident_share", 0.7),
)
def test_the_thresholds_of_a_suite(setting, value):
    assert getattr(pg.Settings(), setting) == value


def test_check_prints_a_run_report_and_exits_0_1_or_2(tmp_path, capsys):
    status, report = check(write(tmp_path, GOOD), capsys)
    assert (status, report["gate"]["status"]) == (0, "pass")
    assert {"transcripts", "summary", "gate"} <= set(report)
    status, report = check(write(tmp_path, GOOD, BAD), capsys)
    assert (status, report["gate"]["status"]) == (1, "fail")
    (tmp_path / "answers.transcripts.jsonl").write_text('{"id": "a"}\n')
    assert check(tmp_path / "answers.transcripts.jsonl", capsys)[0] == 2
    assert main(["check", str(tmp_path / "nothing.jsonl")]) == 2


def test_no_transcript_where_some_were_promised_is_no_pass(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    assert main(["check", str(tmp_path / "empty")]) != 0
    assert capsys.readouterr().err


# -- 11, metrics and logs


def test_the_metrics(tmp_path):
    metrics = pg.PrometheusMetrics()
    for answer in (GOOD, BAD, f"{SAID}.", f"{SAID.replace('30', '45')} [1]."):
        metrics.observe(verdict(answer), seconds=0.004)
    text = metrics.text()
    for line in (
        'citation_validation_total{status="valid"}',
        'citation_validation_total{status="invalid_removed"}',
        'citation_validation_total{status="missing"}',
        "citation_hallucinations_total{",
        *(
            f'citation_validation_duration_seconds_bucket{{le="{edge}"}}'
            for edge in (0.001, 0.005, 0.01, 0.025, 0.05, 0.1)
        ),
    ):
        assert line in text


def test_a_hallucinated_citation_is_logged_as_a_warning(caplog):
    with caplog.at_level(logging.DEBUG, logger="pytest_grounding"):
        verdict(BAD)
    warned = [item for item in caplog.records if item.levelno == logging.WARNING]
    assert [item for item in warned if "9" in item.getMessage() and "3" in item.getMessage()]
    assert [item for item in caplog.records if item.levelno == logging.INFO]
    assert [item for item in caplog.records if item.levelno == logging.DEBUG]


# -- 13, names


def test_the_names_of_a_verdict():
    found = verdict(f"{SAID} [1][9]. Our shops repair bicycles.")
    assert found.status in ("pass", "review", "reject")
    assert 0 <= found.confidence <= 1
    assert set(found.confidences) >= {"self_rag", "tiered"}
    assert found.confidence_breakdown.terms
    for rate in ("hallucination_rate", "citation_accuracy", "citation_precision", "citation_recall"):
        value = getattr(found, rate)
        assert value is None or 0 <= value <= 1
    claim, citation, finding = found.claims[0], found.citations[0], found.findings[0]
    for name in "text start end kind checked status support method evidence citations".split():
        assert hasattr(claim, name)
    for name in "text start end syntax target valid findings chunk_id claim".split():
        assert hasattr(citation, name)
    for name in "rule severity message span suggestion".split():
        assert hasattr(finding, name)
    for name in "rating reason question_type relevance answer_present evidence".split():
        assert hasattr(found.retrieval, name)
    assert found.diagnosis.endswith((".", "!"))
    assert found.to_json() == verdict(f"{SAID} [1][9]. Our shops repair bicycles.").to_json()


def test_support_of_one_claim_is_the_engine_alone():
    score = pg.support(SAID, [TEXT])
    assert score.probability > 0.9
    assert score.evidence[0].text == TEXT
    assert pg.support(SAID.replace("30", "45"), [TEXT]).conflicts
