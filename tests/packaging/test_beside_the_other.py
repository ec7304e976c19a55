"""The other project whose name is alike, pytest-grounding, can be installed beside this one."""

import tomllib
from pathlib import Path

import pytest

from pytest_grounding.cli import build_parser

ROOT = Path(__file__).resolve().parents[2]

#: What the other one brings, of version 0.0.4: module, script, name of its plugin, options, fixture.
THEIRS = """
import pytest

def pytest_addoption(parser):
    group = parser.getgroup("grounding")
    group.addoption("--grounding-out", action="store", default=None)
    group.addoption("--grounding-fresh", "--no-merge", action="store_true", dest="grounding_fresh")

def pytest_configure(config):
    config.addinivalue_line("markers", "claim(id): a claim")

@pytest.fixture(autouse=True)
def _grounding_capture(request):
    yield
"""
TEST = """
import pytest

@pytest.mark.claim("a")
def test_ours(grounding):
    chunks = [{"id": "c", "text": "The shop opens at nine."}]
    given = {"id": "a", "question": "When does the shop open?", "chunks": chunks}
    assert grounding.validate(given | {"answer": "The shop opens at nine [1]."}).status == "pass"
"""


@pytest.mark.parametrize("comes_first", [True, False])
def test_both_plugins_run_side_by_side(comes_first, pytester):
    pytester.makepyfile(grounding=THEIRS, test_it=TEST)
    pytester.syspathinsert()
    if not comes_first:
        pytester.makeconftest('pytest_plugins = ["grounding"]')
    words = ["--strict-markers", "--grounding", "--grounding-out=x", "--no-merge"]
    done = pytester.runpytest_subprocess(*(["-p", "grounding"] if comes_first else []), *words)
    done.assert_outcomes(passed=1)
    done.stdout.fnmatch_lines(["gate: PASS*"])


def test_no_name_collides_with_the_other_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == "pytest-rag-grounding"
    assert set(project["scripts"]) == {"pytest-grounding"}
    assert set(project["entry-points"]["pytest11"]) == {"pytest_grounding"}
    assert build_parser().prog == "pytest-grounding"
    assert not (ROOT / "grounding").exists()
