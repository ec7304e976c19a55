"""Runs of pytest inside the tests; what they load stays loaded, so that each is quick."""

import pytest

from pytest_grounding.settings import ENVIRONMENT


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch):
    for name in (*ENVIRONMENT, "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)
