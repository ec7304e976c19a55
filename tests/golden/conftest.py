"""Stores and verdicts of goldens, without settings from outside."""

import pytest

# Loaded once here, so that the runs inside of tests need not.
import pytest_grounding.plugin.aggregate
import pytest_grounding.plugin.golden_checks  # noqa: F401
from pytest_grounding import Settings, Transcript, validate
from pytest_grounding.golden.golden_file import Golden
from pytest_grounding.golden.golden_store import GoldenStore
from pytest_grounding.settings import ENVIRONMENT


@pytest.fixture(autouse=True)
def _nothing_from_outside(monkeypatch):
    for name in (*ENVIRONMENT, "PYTEST_ADDOPTS", "CI", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def judged():
    """Make a golden of a recording and its verdict."""

    def make(row, settings=None, name=""):
        transcript = Transcript.model_validate(row)
        return Golden.of(transcript, validate(transcript, settings), name)

    return make


@pytest.fixture
def store(tmp_path):
    return GoldenStore.beside(tmp_path)


@pytest.fixture
def settings():
    return Settings()
