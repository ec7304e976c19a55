"""Which verdicts count for the figures of the suite."""

import json

import pytest
from recorded import bad, good, section, write

HEAD = """
import json, pathlib, pytest, pytest_grounding as pg

def load(path): return json.loads(pathlib.Path(path).read_text())
"""


def run(pytester, code, *arguments):
    write(pytester.path, "good.json", good())
    write(pytester.path, "bad.json", bad())
    pytester.makepyfile(HEAD + code)
    result = pytester.runpytest_inprocess("--grounding-json=out.json", *arguments)
    path = pytester.path / "out.json"
    report = json.loads(path.read_text()) if path.exists() else None
    return result, report


def ids(report):
    return [item["id"] for item in report["transcripts"]]


def test_an_assertion_that_holds_counts(pytester):
    result, report = run(pytester, "def test_it(): pg.assert_grounded('good.json')")
    assert result.ret == 0
    assert ids(report) == ["good"]
    assert report["gate"]["status"] == "pass"


def test_several_assertions_on_one_transcript_count_once(pytester):
    code = "def test_it():\n    pg.assert_grounded('good.json')\n    pg.assert_citations_valid('good.json')\n"
    _, report = run(pytester, code + "def test_again(): pg.assert_grounded('good.json')")
    assert ids(report) == ["good"]


def test_a_failure_that_the_test_expects_does_not_poison_the_suite(pytester):
    code = """
def test_it():
    pg.assert_confidence_at_least('bad.json', 0.0)
    with pytest.raises(AssertionError, match="not grounded"):
        pg.assert_grounded('bad.json')
"""
    result, report = run(pytester, code + "def test_good(): pg.assert_grounded('good.json')")
    result.assert_outcomes(passed=2)
    assert result.ret == 0
    assert ids(report) == ["good"]
    assert report["run"]["expected"] == ["bad"]


def test_xfail_declares_an_expected_failure(pytester):
    code = "@pytest.mark.xfail\ndef test_it(): pg.assert_grounded('bad.json')"
    result, report = run(pytester, code)
    result.assert_outcomes(xfailed=1)
    assert result.ret == 0
    assert ids(report) == []
    assert report["run"]["expected"] == ["bad"]


def test_a_marked_test_that_is_xfail_without_running_is_not_missing(pytester):
    code = """
@pytest.mark.xfail(run=False)
@pytest.mark.transcripts("bad.json")
def test_it(transcript): pass
"""
    result, report = run(pytester, code)
    assert result.ret == 0
    assert report["run"]["expected"] == ["bad"]


def test_a_failing_assertion_fails_the_transcript(pytester):
    result, report = run(pytester, "def test_it(): pg.assert_grounded('bad.json')")
    result.assert_outcomes(failed=1)
    assert report["gate"]["failed"] == ["bad"]
    assert report["gate"]["status"] == "fail"


def test_a_test_can_keep_its_verdicts_out(pytester):
    code = """
@pytest.mark.grounding(suite="off")
def test_it(grounding): assert grounding.validate(load("bad.json")).status == "reject"

def test_other(grounding): assert grounding.validate("bad.json", record=False).status == "reject"

def test_good(grounding): assert grounding.validate("good.json").status == "pass"
"""
    result, report = run(pytester, code)
    result.assert_outcomes(passed=3)
    assert result.ret == 0
    assert ids(report) == ["good"]


def test_the_fixture_counts_and_inspects(pytester):
    code = """
def test_it(grounding):
    v = grounding.validate(load("bad.json"))
    assert grounding.verdicts == [v]
    assert v.status == "reject"
"""
    result, report = run(pytester, code)
    result.assert_outcomes(passed=1)
    assert result.ret == 1
    assert ids(report) == ["bad"]
    assert report["gate"]["status"] == "fail"
    assert any(line.startswith("gate: FAIL") for line in section(result))


def test_a_fixture_that_validates_in_setup_counts(pytester):
    code = """
@pytest.fixture
def checked(): return pg.assert_grounded("good.json")

def test_it(checked): assert checked.status == "pass"
"""
    _, report = run(pytester, code)
    assert ids(report) == ["good"]


def test_a_held_transcript_that_nothing_validates_is_missing(pytester):
    code = """
@pytest.mark.transcripts("good.json")
def test_it(transcript): assert transcript.answer
"""
    result, report = run(pytester, code)
    result.assert_outcomes(passed=1)
    assert result.ret == 1
    assert report["run"]["missing"] == {"good": "no test validated it"}
    assert run(pytester, code, "--grounding-set=missing=warn")[0].ret == 0


def test_a_skipped_transcript_is_reported_and_fails(pytester):
    code = """
@pytest.mark.skip(reason="later")
@pytest.mark.transcripts("good.json")
def test_it(transcript): pg.assert_grounded(transcript)
"""
    result, report = run(pytester, code)
    assert result.ret == 1
    assert report["run"]["missing"] == {"good": "skipped: later"}


def test_two_contents_under_one_id_made_in_code_are_noted(pytester):
    code = """
def test_one(): pg.assert_grounded("good.json")
def test_two(): pg.assert_grounded({**load("good.json"), "chunks": load("good.json")["chunks"][:1]})
"""
    result, report = run(pytester, code)
    result.assert_outcomes(passed=2)
    assert result.ret == 0
    assert ids(report) == ["good", "good"]
    assert any("note: 2 different transcripts share the id 'good'" in line for line in section(result))


def test_an_assertion_outside_of_a_test_is_not_recorded(pytester):
    result, report = run(pytester, "pg.assert_grounded('good.json')\ndef test_it(): pass")
    assert result.ret == 0
    assert ids(report) == []


def test_a_run_that_keeps_everything_out_says_nothing(pytester):
    code = """
@pytest.mark.grounding(suite="off")
def test_it(): pg.assert_grounded("bad.json")
"""
    write(pytester.path, "bad.json", bad())
    pytester.makepyfile(HEAD + code)
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("gate: *")


@pytest.mark.skipif(pytest.version_tuple < (9, 0), reason="subtests are a part of pytest since 9.0")
def test_assertions_in_subtests_count(pytester):
    code = """
def test_it(subtests):
    with subtests.test("good"):
        pg.assert_grounded("good.json")
    with subtests.test("bad"):
        pg.assert_grounded("bad.json")
"""
    result, report = run(pytester, code)
    assert result.ret == 1
    assert ids(report) == ["bad", "good"]
    assert report["gate"]["failed"] == ["bad"]
