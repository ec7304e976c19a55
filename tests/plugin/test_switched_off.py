"""What is switched off is skipped: pytest and check agree, every report says so, and nothing is passed."""

import json
import xml.etree.ElementTree as ET

import pytest
import warm_starts
from recorded import bad, good, write

import pytest_grounding.suite.compare  # noqa: F401 -- numpy is loaded once a process

OFF = {
    "VALIDATION_ENABLED": "validation is switched off: nothing was checked",
    "HALLUCINATION_DETECTION_ENABLED": "hallucination detection is switched off: no claim was checked",
}
KINDS = {
    "html": "r.html",
    "junit": "r.xml",
    "sarif": "r.sarif",
    "gitlab": "r.gitlab.json",
    "prometheus": "r.prom",
    "github-summary": "r.md",
    "pr-comment": "r.comment.md",
    "github-annotations": "r.annotations",
    "terminal": "r.txt",
    "json": "r.json",
}


def check(pytester, *arguments):
    return pytester.run(warm_starts.python(), "-m", "pytest_grounding", "check", *arguments)


@pytest.mark.parametrize("variable", list(OFF))
def test_pytest_and_check_skip_alike(pytester, monkeypatch, variable):
    monkeypatch.setenv(variable, "false")
    write(pytester.path, "kept/a.transcripts.jsonl", good("one"), good("two"))
    result = pytester.runpytest_inprocess("--grounding-json=run.json", "-rs")
    result.assert_outcomes(skipped=2)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["grounding: switched off: *", f"SKIPPED * {OFF[variable]}"])
    mine = json.loads((pytester.path / "run.json").read_text())
    result = check(pytester, "kept")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [f"skipped: one ({OFF[variable]})", "*0 passed, 0 to review, 0 rejected, 2 skipped*"]
    )
    assert "pass:" not in result.stdout.str()
    theirs = json.loads(check(pytester, "kept", "--json").stdout.str())
    assert mine["summary"] == theirs["summary"]
    assert mine["summary"]["skipped"] == 2
    assert mine["summary"]["passed"] == mine["summary"]["review"] == 0
    assert {item["confidence"] for item in mine["transcripts"]} == {None}
    assert mine["gate"]["status"] == theirs["gate"]["status"]
    outcomes = {item["name"]: item["outcome"] for item in mine["gate"]["thresholds"]}
    assert outcomes["confident_share"] == outcomes["hallucination_rate"] == "off"
    if variable == "VALIDATION_ENABLED":
        assert set(outcomes.values()) == {"off"}
        assert mine["gate"]["status"] == "off"


@pytest.mark.parametrize("variable", list(OFF))
def test_every_report_is_written_and_none_says_passed(pytester, monkeypatch, variable):
    monkeypatch.setenv(variable, "false")
    write(pytester.path, "a.transcript.json", good("one"))
    reports = [f"--grounding-report={kind}:{name}" for kind, name in KINDS.items()]
    result = pytester.runpytest_inprocess(*reports)
    assert result.ret == 0
    junit = ET.parse(pytester.path / "r.xml").getroot()
    case = junit.find(".//testcase[@name='one']")
    assert case.find("skipped").get("message") == OFF[variable]
    assert junit.find("testsuite").get("skipped") == "1"
    assert '<span class="pill">skipped</span>' in (pytester.path / "r.html").read_text()
    assert "1 skipped" in (pytester.path / "r.txt").read_text()
    assert "1 skipped" in (pytester.path / "r.md").read_text()
    assert 'grounding_answers_total{status="skipped"} 1' in (pytester.path / "r.prom").read_text()
    assert 'grounding_answers_total{status="pass"} 0' in (pytester.path / "r.prom").read_text()
    results = json.loads((pytester.path / "r.sarif").read_text())["runs"][0]["results"]
    assert {item["level"] for item in results} == {"note"}


def test_what_is_still_checked_fails_both(pytester, monkeypatch):
    monkeypatch.setenv("HALLUCINATION_DETECTION_ENABLED", "false")
    write(pytester.path, "kept/a.transcripts.jsonl", good("one"), bad("two"))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(skipped=1, failed=1)
    result = check(pytester, "kept")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["skipped: one (*", "REJECT two: *"])


def test_a_transcript_that_is_meant_to_be_bad_is_skipped_too(pytester, monkeypatch):
    monkeypatch.setenv("VALIDATION_ENABLED", "false")
    write(pytester.path, "kept/a.transcript.json", {**bad("two"), "metadata": {"expected_status": "reject"}})
    pytester.runpytest_inprocess().assert_outcomes(skipped=1)
    assert check(pytester, "kept").ret == 0


def test_assertions_are_skipped_and_nothing_is_missing(pytester, monkeypatch):
    monkeypatch.setenv("HALLUCINATION_DETECTION_ENABLED", "false")
    write(pytester.path, "kept/a.json", good("one"))
    pytester.makepyfile(
        "import pytest\nimport pytest_grounding as pg\n\n"
        "@pytest.mark.transcripts('kept/a.json')\n"
        "@pytest.mark.parametrize('check', [pg.assert_grounded, pg.assert_confidence_at_least])\n"
        "def test_answer(check, transcript):\n    check(transcript)\n\n"
        "@pytest.mark.transcripts('kept/a.json')\n"
        "def test_citations(transcript):\n    pg.assert_citations_valid(transcript)\n"
    )
    result = pytester.runpytest_inprocess("-rs")
    result.assert_outcomes(skipped=2, passed=1)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*hallucination detection is switched off, so nothing was asserted*"])


def test_a_mark_switches_off_for_its_test_alone(pytester):
    write(pytester.path, "a.transcript.json", good("one"))
    write(pytester.path, "loose/b.transcript.json", good("two"))
    pytester.makeini("[pytest]\ngrounding_directories =\n    loose: hallucination_detection=false\n")
    result = pytester.runpytest_inprocess("--grounding-json=run.json")
    result.assert_outcomes(passed=1, skipped=1)
    run = json.loads((pytester.path / "run.json").read_text())
    figures = {item["name"]: (item["count"], item["total"]) for item in run["gate"]["thresholds"]}
    # What is switched off is asked for no confidence; no pipeline reports one of its own.
    assert figures["confident_share"] == (1, 1)
    assert figures["with_confidence"] == (0, 0)
    assert run["gate"]["status"] == "pass"


def test_an_audit_log_holds_no_validation_that_was_none(pytester, monkeypatch):
    monkeypatch.setenv("VALIDATION_ENABLED", "false")
    write(pytester.path, "kept/a.transcript.json", good("one"))
    pytester.runpytest_inprocess("--grounding-audit=log.jsonl").assert_outcomes(skipped=1)
    check(pytester, "kept", "--set", "audit=log.jsonl")
    assert not (pytester.path / "log.jsonl").exists()
    monkeypatch.delenv("VALIDATION_ENABLED")
    monkeypatch.setenv("HALLUCINATION_DETECTION_ENABLED", "false")
    pytester.runpytest_inprocess("--grounding-audit=log.jsonl").assert_outcomes(skipped=1)
    record = json.loads((pytester.path / "log.jsonl").read_text())
    assert record["validation_result"]["confidence_score"] is None
    assert record["validation_result"]["status"] == "REVIEW"


def test_a_baseline_is_neither_written_nor_broken_by_what_is_off(pytester, monkeypatch):
    write(pytester.path, "kept/a.transcript.json", good("one"))
    base = ("--grounding-baseline=base.json",)
    assert pytester.runpytest_inprocess(*base, "--grounding-baseline-update").ret == 0
    before = (pytester.path / "base.json").read_text()
    for variable in OFF:
        monkeypatch.setenv(variable, "false")
        result = pytester.runpytest_inprocess(*base)
        result.assert_outcomes(skipped=1)
        assert result.ret == 0
        monkeypatch.delenv(variable)
    monkeypatch.setenv("HALLUCINATION_DETECTION_ENABLED", "false")
    result = pytester.runpytest_inprocess(*base)
    result.stdout.fnmatch_lines(["*1 transcript of the baseline skipped, as a check is switched off: one"])
    monkeypatch.setenv("VALIDATION_ENABLED", "false")
    result = pytester.runpytest_inprocess(*base, "--grounding-baseline-update")
    assert (pytester.path / "base.json").read_text() == before
    assert "not checked (validation is switched off)" in result.stdout.str() + result.stderr.str()


def test_a_golden_is_neither_compared_nor_written(pytester, monkeypatch):
    write(pytester.path, "a.transcript.json", good("one"))
    pytester.runpytest_inprocess("--grounding-golden=new").assert_outcomes(passed=1)
    golden = {path: path.read_text() for path in pytester.path.rglob("*.golden.json")}
    assert golden
    for variable in OFF:
        monkeypatch.setenv(variable, "false")
        result = pytester.runpytest_inprocess("--grounding-golden=update")
        result.assert_outcomes(skipped=1)
        monkeypatch.delenv(variable)
    assert {path: path.read_text() for path in pytester.path.rglob("*.golden.json")} == golden
