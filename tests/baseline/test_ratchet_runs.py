"""``baseline_gate = new`` in runs of pytest, with workers and shards, cut short, and on the command line."""

import pytest
from recorded_suites import KNOWN, rows, write

from pytest_grounding.cli import main
from pytest_grounding.settings import ENVIRONMENT

SUITE = "suite.transcripts.jsonl"


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch):
    for name in (*ENVIRONMENT, "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "CI", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def suite(pytester):
    """A suite with thirteen false alarms and their baseline."""
    write(pytester.path, *rows())
    pytester.makeini("[pytest]\ngrounding_baseline = b.json\ngrounding_baseline_gate = new\n")
    assert main(["baseline", "b.json", SUITE]) == 0
    return pytester


def run(pytester, *arguments):
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments)


def test_workers_know_the_baseline(suite):
    pytest.importorskip("xdist")
    write(suite.path, *rows(planted=True, repaired=(2,)))
    alone = run(suite, "--grounding-json=alone.json")
    shared = run(suite, "--grounding-json=shared.json", "-n2")
    for result in (alone, shared):
        result.assert_outcomes(passed=KNOWN + 9, failed=1)
        result.stdout.fnmatch_lines(["  12 known, 1 new, 1 gone"])
    assert (suite.path / "alone.json").read_bytes() == (suite.path / "shared.json").read_bytes()


LEAVING = """
import pytest

def pytest_runtest_teardown(item):
    if item.name == "known-05":
        pytest.exit("enough", returncode=0)
"""


def test_a_run_cut_short_writes_no_baseline(suite):
    suite.makeconftest(LEAVING)
    before = (suite.path / "b.json").read_bytes()
    result = suite.runpytest_subprocess("-p", "no:cacheprovider")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["  6 known, 0 new, 0 gone", "gate: UNDECIDED"])
    result = suite.runpytest_subprocess("--grounding-baseline=b.json", "--grounding-baseline-update")
    assert result.ret == 1
    assert (suite.path / "b.json").read_bytes() == before
