"""Sections 8 to 11 and 13 of the specification: settings, audit, suite figures, metrics, names."""

import logging

import pytest
from answers import SAID, verdict
from every import table

import pytest_grounding as pg
from pytest_grounding.__main__ import main
from pytest_grounding.settings import ENVIRONMENT

GOOD, BAD = f"{SAID} [1].", f"{SAID} [9]."


@pytest.mark.parametrize(("variable", "value", "setting", "read"), table(__file__, "test_the_variables"))
def test_the_variables(variable, value, setting, read, tmp_path, monkeypatch, capsys):
    assert ENVIRONMENT[variable] == setting
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(variable, value)
    assert main(["show", "settings"]) in (0, None)
    shown = [line for line in capsys.readouterr().out.splitlines() if line.split()[:1] == [setting]]
    assert shown, setting
    assert str(read).lower() in shown[0].lower()


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
