"""The exit status of a run in each of its endings, with workers of xdist and without."""

import sys

import pytest
from recorded_suites import BAD, transcript, write

from pytest_grounding.settings import ENVIRONMENT

STOP = """
import os, signal, time

def test_stops():
    pid = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    os.kill(pid, signal.SIGINT)
    time.sleep(5)
"""
BREAK = """
def pytest_runtest_logreport(report):
    if report.when == "teardown":
        raise RuntimeError("a plugin broke")
"""
#: Every answer is in a test that expects nothing of it, so that only the suite decides.
VALIDATING = """
import json, pathlib, pytest, pytest_grounding as pg

@pytest.mark.parametrize("row", pathlib.Path(__file__).with_name("rows.txt").read_text().splitlines())
def test_row(row, grounding):
    grounding.validate(json.loads(row))
"""


@pytest.fixture(params=[(), pytest.param(("-n1",), marks=pytest.mark.slow)], ids=["alone", "xdist"])
def suite(pytester, monkeypatch, request):
    if request.param:
        pytest.importorskip("xdist")
    # The outer run may be a worker of xdist itself; the run inside must not take itself for one.
    for name in (*ENVIRONMENT, "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments):
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *request.param, *arguments)

    pytester.run_suite = run
    return pytester


def said(result, text):
    return any(text in line for line in result.stdout.lines)


def rows(pytester, bad, good):
    """Answers that only the suite judges."""
    pytester.makepyfile(VALIDATING)
    names = [(f"q{number}", BAD) for number in range(bad)]
    names += [(f"q{number}", None) for number in range(bad, bad + good)]
    made = [transcript(name, answer) if answer else transcript(name) for name, answer in names]
    write(pytester.path, *made, name="rows.txt")


LOOSE = (
    "--grounding-set=suite_min_citation_accuracy=0",
    "--grounding-set=suite_max_ungrounded_answers=1",
    "--grounding-set=suite_max_hallucination_rate=1",
    "--grounding-set=suite_min_confident_share=0",
    "--grounding-baseline=b.json",
)


def test_the_suite_decides(suite):
    rows(suite, bad=0, good=3)
    passed = suite.run_suite(*LOOSE, "--grounding-baseline-update")
    assert (passed.ret, said(passed, "gate: PASS"), said(passed, "baseline written")) == (0, True, True)
    rows(suite, bad=1, good=2)
    threshold = suite.run_suite()
    assert (threshold.ret, said(threshold, "gate: FAIL")) == (1, True)
    threshold.assert_outcomes(passed=3)
    regressed = suite.run_suite(*LOOSE)
    regressed.assert_outcomes(passed=3)
    assert (regressed.ret, said(regressed, "baseline: 1 transcript flipped to the worse: q0")) == (1, True)
    unsure = suite.run_suite(*LOOSE, "--grounding-set=baseline_policy=significant=0.05")
    assert (unsure.ret, said(unsure, "baseline: inconclusive"), said(unsure, "gate: PASS")) == (0, True, True)


def test_a_failed_test(suite):
    write(suite.path, transcript("a"), transcript("b", BAD))
    result = suite.run_suite()
    result.assert_outcomes(passed=1, failed=1)
    assert result.ret == 1


def test_wrong_use(suite):
    write(suite.path, transcript("a"))
    result = suite.run_suite("--grounding-baseline=none.json")
    assert result.ret == 4
    assert "write it with: pytest --grounding-baseline=none.json --grounding-baseline-update" in (
        result.stderr.str()
    )


def test_nothing_collected(suite):
    assert suite.run_suite("--grounding").ret == 5


def test_ctrl_c(suite, monkeypatch):
    # The parent of a warm worker is not the run.
    monkeypatch.setattr(suite, "_getpytestargs", lambda: (sys.executable, "-mpytest"))
    write(suite.path, transcript("a"))
    suite.makepyfile(STOP)
    result = suite.run_suite("--grounding-shard-report=s.json", "--grounding-baseline=b.json")
    assert result.ret == 2
    assert not said(result, "gate: PASS")


def test_an_internal_error(suite):
    write(suite.path, transcript("a"))
    suite.makeconftest(BREAK)
    result = suite.run_suite()
    assert result.ret == 3
    assert not said(result, "gate: PASS")
