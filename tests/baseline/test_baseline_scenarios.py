"""Runs and commands with a baseline, and with ``baseline_gate = new``; see the table beside this."""

import pytest
from recorded_suites import BAD, rows, transcript
from scenarios import Stage, scenarios

from pytest_grounding.settings import ENVIRONMENT


def bad(identifier):
    return transcript(identifier, BAD)


def expecting(status, answer):
    """A transcript that expects a status of itself."""
    return {**transcript("wanted", answer), "metadata": {"expected_status": status}}


@pytest.mark.parametrize("scenario", scenarios(__file__))
def test_with_a_baseline(scenario, pytester, monkeypatch, capsys):
    for name in (*ENVIRONMENT, "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "CI", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    makers = {"good": transcript, "bad": bad, "rows": rows, "expecting": expecting}
    Stage(pytester, monkeypatch, capsys, **makers).play(scenario)
