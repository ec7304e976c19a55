"""Runs without what the machine or its user set."""

import pytest

from pytest_grounding.settings import ENVIRONMENT


@pytest.fixture(autouse=True)
def _nothing_from_outside(monkeypatch):
    for name in (*ENVIRONMENT, "PYTEST_ADDOPTS", "CI", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
