"""A run that was interrupted or did not see everything decides nothing."""

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
    """Exit status and output of a merge of the shard that the run left."""
    capsys.readouterr()
    status = main(["merge", "shard.json"])
    return status, capsys.readouterr().out


@pytest.mark.parametrize(
    ("status", "workers"),
    [("returncode=0", ()), ("returncode=0", ("-n2",)), ("returncode=5", ()), ("", ())],
    ids=["0", "0 under xdist", "5", "none"],
)
def test_pytest_exit_leaves_the_run_undecided(pytester, capsys, status, workers):
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


def test_the_summary_says_what_ended_the_run(pytester):
    suite(pytester, "pytest.exit('enough', returncode=0)")
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "  the run was cut short: pytest.exit: enough" in section(result)
    assert "gate: UNDECIDED" in section(result)


def test_collected_tests_that_never_ran_leave_the_run_undecided(pytester):
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


def test_only_a_shard_marked_whole_passes(pytester, capsys):
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
def test_a_killed_run_leaves_no_report_of_the_run_before(pytester, capsys):
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


def test_names_what_xfail_and_skip_leave_out(pytester):
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


INVENTED = bad("invented")
HEADER = f"import contextlib, unittest\nimport pytest\nimport pytest_grounding as pg\nT = {INVENTED!r}\n"
#: Body of a test on a bad answer -> whether the caught failure still fails the test.
CAUGHT = {
    "try:\n        pg.assert_grounded(T)\n    except AssertionError:\n        pass": True,
    "with contextlib.suppress(AssertionError):\n        pg.assert_grounded(T)": True,
    "with pytest.raises(AssertionError):\n        pg.assert_grounded(T)": False,
    "pytest.raises(AssertionError, pg.assert_grounded, T)": False,
    "with unittest.TestCase().assertRaises(AssertionError):\n        pg.assert_grounded(T)": False,
    "unittest.TestCase().assertRaises(AssertionError, pg.assert_grounded, T)": False,
}


def test_a_caught_assertion_fails_its_test_unless_it_is_expected(pytester):
    bodies = enumerate(CAUGHT)
    pytester.makepyfile(HEADER + "".join(f"def test_{number}():\n    {body}\n" for number, body in bodies))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=sum(CAUGHT.values()), passed=len(CAUGHT) - sum(CAUGHT.values()))
    result.stdout.fnmatch_lines(["a failed assertion on invented was caught, *pytest.raises(AssertionError)"])


def test_another_marker_than_that_of_addopts_is_a_partial_run(pytester):
    pytester.makeini('[pytest]\naddopts = -m "not slow"\nmarkers = slow\n')
    pytester.makepyfile(
        HEADER + f"GOOD = {good()!r}\n@pytest.mark.slow\ndef test_slow(): pg.assert_grounded(GOOD)\n"
    )
    assert "gate: UNDECIDED" in section(pytester.runpytest_inprocess("-m", "slow"))


def test_warns_about_recordings_that_are_not_read(pytester):
    write(pytester.path, "a.transcript.json", good())
    names = ("b.transcripts.JSONL", "c.transcripts.json", "d.Transcript.json")
    for name in names:
        write(pytester.path, name, good(name))
    (pytester.path / "e.transcript.json").symlink_to("nowhere.json")
    write(pytester.path, "read.transcripts.json", good("read"))
    pytester.makepyfile(
        HEADER + "@pytest.mark.transcripts('read.transcripts.json')\ndef test_it(transcript): pass\n"
    )
    printed = pytester.runpytest_inprocess("-W", "default").stdout.str()
    assert [name for name in names if f"{name} is not read: tests are" not in printed] == []
    assert "e.transcript.json is not read: a link that leads nowhere" in printed
    assert "read.transcripts.json is not read" not in printed


#: Like pytest-rerunfailures: reports "rerun" for a failing test and runs it again.
RERUNS = """
from _pytest.runner import runtestprotocol


def pytest_runtest_protocol(item, nextitem):
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for attempt in range(2):
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        failed = any(report.failed for report in reports)
        for report in reports:
            if report.failed and not attempt:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
        if not failed:
            break
        item._initrequest()
    return True


def pytest_report_teststatus(report):
    if report.outcome == "rerun":
        return "rerun", "R", "RERUN"
"""


def test_the_last_attempt_of_a_rerun_test_counts(pytester):
    pytester.makeconftest(RERUNS)
    pytester.makepyfile(
        HEADER + f"GOOD = {good('invented')!r}\nanswers = [T, GOOD]\n"
        "def test_it(): pg.assert_grounded(answers.pop(0))\n"
    )
    result = pytester.runpytest_inprocess("--grounding-json=run.json", "--grounding-report=html:page.html")
    assert result.ret == 0
    run = json.loads((pytester.path / "run.json").read_text())
    assert (run["summary"]["transcripts"], run["summary"]["passed"]) == (1, 1)
    said = "1 test ran more than once; the last attempt counts"
    assert said in run["gate"]["notes"]
    assert said in (pytester.path / "page.html").read_text()
