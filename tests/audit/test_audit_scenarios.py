"""The audit log of runs and commands, and what shows it; see the table beside this."""

import pytest
from scenarios import Stage, scenarios

from pytest_grounding.settings import ENVIRONMENT
from pytest_grounding.testing import Example

EXAMPLE = Example(
    "How many vacation days do employees receive per year?",
    [{"id": "hr-1", "text": "Employees receive 25 vacation days per year.", "score": 0.9}],
)


def good(identifier="good", session=""):
    more = {"metadata": {"session_id": session}} if session else {}
    return EXAMPLE.answered("Employees receive 25 vacation days per year [1].", id=identifier, **more)


def bad(identifier="bad", session=""):
    return {**good(identifier, session), "answer": "Employees receive 30 vacation days per year [9]."}


@pytest.mark.parametrize("scenario", scenarios(__file__))
def test_with_an_audit_log(scenario, pytester, monkeypatch, capsys):
    for name in (*ENVIRONMENT, "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)
    Stage(pytester, monkeypatch, capsys, good=good, bad=bad).play(scenario)
