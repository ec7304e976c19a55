"""A run that did not come to its end decides nothing, whatever ended it and whatever its exit status."""

import json
import signal
import subprocess
import sys

import pytest
import warm_starts
from recorded import bad, good, section, write

from pytest_grounding.cli import main


def suite(pytester, action, *more):
    """Three transcripts, between them a test that stops the run."""
    for number, name in enumerate(("x", "y", "z")):
        write(pytester.path, f"{'adg'[number]}.transcript.json", good(name))
    lines = ["import os, pytest", "def test_stop(request):", f"    {action}"]
    write(pytester.path, "b_test.py", "\n".join(lines))
    pytester.makeini("[pytest]\npython_files = *_test.py\n")


def shard_gate(pytester, capsys):
    """What a merge says of the shard that the run left, and its exit status."""
    capsys.readouterr()
    status = main(["merge", "shard.json"])
    return status, capsys.readouterr().out


@pytest.mark.parametrize(
    ("status", "workers"),
    [("returncode=0", ()), ("returncode=0", ("-n2",)), ("returncode=5", ()), ("", ())],
    ids=["0", "0 under xdist", "5", "none"],
)
def test_pytest_exit_leaves_the_run_undecided_and_never_exits_with_0(pytester, capsys, status, workers):
    if workers:
        pytest.importorskip("xdist")
    suite(pytester, f"pytest.exit('enough', {status})")
    result = pytester.runpytest_subprocess(
        *workers, "-p", "no:cacheprovider", "--grounding-json=out.json", "--grounding-shard-report=shard.json"
    )
    assert result.ret != 0
    report = json.loads((pytester.path / "out.json").read_text())
    assert report["run"]["whole"] is False
    assert report["run"]["interrupted"]
    assert report["gate"]["status"] in ("undecided", "fail")
    merged, said = shard_gate(pytester, capsys)
    assert merged == 1
    assert "gate: UNDECIDED" in said or "gate: FAIL" in said


def test_what_ended_the_run_is_said(pytester):
    suite(pytester, "pytest.exit('enough', returncode=0)")
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "  the run was cut short: pytest.exit: enough" in section(result)
    assert "gate: UNDECIDED" in section(result)


def test_tests_that_were_collected_and_never_run_leave_the_run_undecided(pytester):
    suite(pytester, "pass")
    pytester.makeconftest(
        "import pytest\n"
        "@pytest.hookimpl(tryfirst=True)\n"
        "def pytest_runtest_protocol(item):\n"
        "    return True if item.name == 'z' else None\n"
    )
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "  the run was cut short: 1 of 4 tests did not run to their end" in section(result)


@pytest.mark.parametrize("status", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_shard_whose_worker_died_merges_to_undecided(pytester, capsys, status):
    pytest.importorskip("xdist")
    suite(pytester, f"os._exit({status})")
    result = pytester.runpytest_subprocess(
        "-n2", "-p", "no:cacheprovider", "--grounding-json=out.json", "--grounding-shard-report=shard.json"
    )
    result.assert_outcomes(passed=3, failed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    report = json.loads((pytester.path / "out.json").read_text())
    assert report["run"]["whole"] is False
    assert report["run"]["interrupted"] == ["a worker died in b_test.py::test_stop"]
    merged, said = shard_gate(pytester, capsys)
    assert merged == 1
    assert "gate: UNDECIDED" in said
    assert "a worker died in b_test.py::test_stop" in said


def test_a_whole_shard_says_so_and_one_that_does_not_say_is_not_believed(pytester, capsys):
    suite(pytester, "pass")
    pytester.runpytest_inprocess("-p", "no:cacheprovider", "--grounding-shard-report=shard.json")
    path = pytester.path / "shard.json"
    shard = json.loads(path.read_text())
    assert shard["report"]["run"]["whole"] is True
    assert shard_gate(pytester, capsys)[0] == 0
    for whole in (None, False, "yes"):
        shard["report"]["run"]["whole"] = whole
        if whole is None:
            del shard["report"]["run"]["whole"]
        path.write_text(json.dumps(shard))
        status, said = shard_gate(pytester, capsys)
        assert status != 0
        assert "gate: PASS" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_the_reports_of_a_run_that_is_killed_do_not_stand_for_the_run_before(pytester, capsys):
    suite(pytester, "pass")
    arguments = ["-p", "no:cacheprovider", "--grounding-json=out.json", "--grounding-shard-report=shard.json"]
    assert pytester.runpytest_inprocess(*arguments).ret == 0
    assert shard_gate(pytester, capsys)[0] == 0
    write(
        pytester.path, "b_test.py", "import os, signal\ndef test_stop(): os.kill(os.getpid(), signal.SIGKILL)"
    )
    killed = subprocess.run(
        [warm_starts.python(), "-m", "pytest", *arguments], cwd=pytester.path, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    report = json.loads((pytester.path / "out.json").read_text())
    assert (report["gate"]["status"], report["run"]["whole"]) == ("undecided", False)
    status, said = shard_gate(pytester, capsys)
    assert status == 1
    assert "it was started and has not come to its end" in said


def test_listing_tests_leaves_the_reports_alone(pytester):
    suite(pytester, "pass")
    result = pytester.runpytest_inprocess(
        "-p", "no:cacheprovider", "--collect-only", "--grounding-json=out.json"
    )
    assert result.ret == 0
    assert not (pytester.path / "out.json").exists()


LEFT_OUT = """
import pytest, pytest_grounding as pg

@pytest.mark.transcripts("x.json")
def test_good(transcript): pg.assert_grounded(transcript)

@pytest.mark.xfail(reason="known")
@pytest.mark.transcripts("y.json")
def test_known(transcript): pg.assert_grounded(transcript)

@pytest.mark.skip(reason="later")
@pytest.mark.transcripts("z.json")
def test_later(transcript): pg.assert_grounded(transcript)
"""


def test_what_xfail_and_skip_leave_out_is_named_and_is_not_what_was_expected(pytester):
    write(pytester.path, "x.json", good("x"))
    write(pytester.path, "y.json", bad("y"))
    write(pytester.path, "z.json", good("z"))
    pytester.makepyfile(LEFT_OUT)
    arguments = ["-p", "no:cacheprovider", "--grounding-set=missing=pass", "--grounding-json=out.json"]
    result = pytester.runpytest_inprocess(*arguments, "--grounding-expect=1")
    assert result.ret == 0
    assert "left out by xfail or skip: 2: y (xfail), z (skipped: later)" in section(result)
    report = json.loads((pytester.path / "out.json").read_text())
    assert report["run"]["left_out"] == {"y": "xfail", "z": "skipped: later"}
    result = pytester.runpytest_inprocess(*arguments, "--grounding-expect=2")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "  1 transcript validated, at least 2 expected" in section(result)
