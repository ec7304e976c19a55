"""The second distribution, found as if it were installed; the environment of the tests does without it."""

import os
import sys
from pathlib import Path

import pytest

import pytest_grounding as pg

FOLDER = Path(__file__).resolve().parents[2] / "extras"
sys.path.insert(0, str(FOLDER))


@pytest.fixture(autouse=True)
def extension():
    """The extension, for the time of a test."""
    from pytest_grounding_extras import extension

    pg.register(extension)
    yield extension
    pg.unregister(extension)


@pytest.fixture
def installed(tmp_path_factory):
    """The variables with which another process finds the distribution by its entry point."""
    folder = tmp_path_factory.mktemp("installed")
    info = folder / "pytest_rag_grounding_extras-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: pytest-rag-grounding-extras\nVersion: 0.1.0\n"
    )
    (info / "entry_points.txt").write_text("[pytest_grounding]\nextras = pytest_grounding_extras.extension\n")
    return {"PYTHONPATH": os.pathsep.join((str(FOLDER), str(folder)))}
