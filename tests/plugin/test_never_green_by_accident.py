"""A run that did not see or decide everything says so, and what was lost is named."""

import json
import shlex

import pytest
import warm_starts
from recorded import bad, good, section, write

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


def test_a_failed_assertion_that_is_caught_fails_its_test_unless_it_is_expected(pytester):
    bodies = enumerate(CAUGHT)
    pytester.makepyfile(HEADER + "".join(f"def test_{number}():\n    {body}\n" for number, body in bodies))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=sum(CAUGHT.values()), passed=len(CAUGHT) - sum(CAUGHT.values()))
    result.stdout.fnmatch_lines(["a failed assertion on invented was caught, *pytest.raises(AssertionError)"])


OPTIONS = ('-m "not slow"', '-k "a or b"', "--ignore=docs", "--deselect=x.transcript.json", "--lf")


@pytest.mark.parametrize("source", ["addopts", "command line", "variable"])
def test_a_narrowed_run_is_partial_wherever_the_option_stands(pytester, monkeypatch, source):
    write(pytester.path, "a.transcript.json", good())
    for option in OPTIONS:
        addopts = f"addopts = {option}" if source == "addopts" else ""
        pytester.makeini(f"[pytest]\nmarkers = slow\n{addopts}\n")
        monkeypatch.setenv("PYTEST_ADDOPTS", option if source == "variable" else "")
        lines = section(
            pytester.runpytest_inprocess(*(shlex.split(option) if source == "command line" else ()))
        )
        assert "gate: UNDECIDED" in lines, option
        assert any(f"a partial run ({option[:2]}" in line for line in lines), option


def test_another_marker_than_that_of_addopts_is_a_partial_run(pytester):
    pytester.makeini('[pytest]\naddopts = -m "not slow"\nmarkers = slow\n')
    pytester.makepyfile(
        HEADER + f"GOOD = {good()!r}\n@pytest.mark.slow\ndef test_slow(): pg.assert_grounded(GOOD)\n"
    )
    assert "gate: UNDECIDED" in section(pytester.runpytest_inprocess("-m", "slow"))


@pytest.mark.parametrize("promise", [("--grounding",), ("--grounding-expect=2",)])
def test_detection_that_is_switched_off_breaks_the_promise_to_validate(pytester, monkeypatch, promise):
    monkeypatch.setenv("HALLUCINATION_DETECTION_ENABLED", "false")
    write(pytester.path, "a.transcripts.jsonl", good("one"), good("two"))
    result = pytester.runpytest_inprocess(*promise)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["gate: FAIL*", "*hallucination detection is switched off for all 2 *"])


def test_recordings_that_are_not_read_are_named(pytester):
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


@pytest.mark.parametrize("options", [(), ("-W", "ignore"), ("-p", "no:warnings")])
def test_a_misspelt_key_ends_the_run_whatever_becomes_of_warnings(pytester, options):
    pytester.makeini("[pytest]\ngrounding_profle = strict\n")
    write(pytester.path, "a.transcript.json", good())
    result = pytester.runpytest_inprocess(*options)
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*'profle'*did you mean 'profile'?"])


#: What pytest-rerunfailures does with a test that fails: its reports say "rerun", and it runs again.
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


def test_of_a_test_that_ran_again_the_last_attempt_counts_and_the_page_says_so(pytester):
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


def test_what_a_run_used_is_not_written_over_a_recording(pytester):
    held = write(pytester.path, "a.transcript.json", good())
    before = held.read_text()
    result = pytester.runpytest_inprocess("--grounding-used=a.transcript.json")
    assert result.ret == 4
    assert held.read_text() == before
    result.stderr.fnmatch_lines(
        ["*a.transcript.json: is read, so that --grounding-used would write over it*"]
    )


def test_one_shard_of_two_that_deselected_is_undecided_without_a_number_of_jobs(pytester):
    write(pytester.path, "a.transcripts.jsonl", good("one"), good("two"))
    for name in ("one", "two"):
        pytester.runpytest_inprocess("-k", name, f"--grounding-shard-report={name}.json")
    merge = ("-m", "pytest_grounding", "merge")
    half = pytester.run(warm_starts.python(), *merge, "one.json")
    assert half.ret == 1
    half.stdout.fnmatch_lines(["gate: UNDECIDED", "*1 test left out by a shard and run by none*two*"])
    whole = pytester.run(warm_starts.python(), *merge, "one.json", "two.json")
    assert whole.ret == 0
    whole.stdout.fnmatch_lines(["gate: PASS"])


def test_an_answer_that_fails_becomes_no_golden_without_a_person(pytester):
    write(pytester.path, "a.transcripts.jsonl", good("right"), bad("wrong"))
    pytester.runpytest_inprocess("--grounding-golden=new").assert_outcomes(passed=1, failed=1)
    names = {path.name for path in pytester.path.rglob("*.golden.json")}
    assert names == {"right.golden.json"}
    again = pytester.runpytest_inprocess("--grounding-golden=new")
    again.assert_outcomes(passed=1, failed=1)
    again.stdout.fnmatch_lines(["no golden is made of an answer that fails; *review accept wrong"])
    review = (warm_starts.python(), "-m", "pytest_grounding", "review", "accept", "wrong")
    assert pytester.run(*review).ret == 0
    pytester.runpytest_inprocess("--grounding-golden=new").assert_outcomes(passed=2)
