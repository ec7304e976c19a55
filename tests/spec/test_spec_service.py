"""Sections 8 to 11 and 13 of the specification: settings, audit, suite figures, metrics, names."""

import pytest
from answers import SAID, verdict
from every import table

from pytest_grounding.__main__ import main
from pytest_grounding.settings import ENVIRONMENT

GOOD, BAD = f"{SAID} [1].", f"{SAID} [9]."


@pytest.mark.row(18)
@pytest.mark.parametrize(("variable", "value", "setting", "read"), table(__file__, "test_the_variables"))
def test_the_variables(variable, value, setting, read, tmp_path, monkeypatch, capsys):
    assert ENVIRONMENT[variable] == setting
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(variable, value)
    assert main(["show", "settings"]) in (0, None)
    shown = [line for line in capsys.readouterr().out.splitlines() if line.split()[:1] == [setting]]
    assert shown, setting
    assert str(read).lower() in shown[0].lower()


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
