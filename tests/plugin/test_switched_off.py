"""What is skipped where validation, or the detection of hallucinations, is switched off."""

import json
import xml.etree.ElementTree as ET

import pytest
import warm_starts
from recorded import good, write

import pytest_grounding.suite.compare  # noqa: F401 -- numpy is loaded once a process

OFF = {
    "VALIDATION_ENABLED": "validation is switched off: nothing was checked",
    "HALLUCINATION_DETECTION_ENABLED": "hallucination detection is switched off: no claim was checked",
}
KINDS = (
    *("html", "junit", "sarif", "gitlab", "prometheus", "github-summary", "pr-comment"),
    *("github-annotations", "terminal", "json"),
)


def check(pytester, *arguments):
    return pytester.run(warm_starts.python(), "-m", "pytest_grounding", "check", *arguments)


@pytest.mark.parametrize("variable", list(OFF))
def test_pytest_and_check_skip_the_same_when_switched_off(pytester, monkeypatch, variable):
    monkeypatch.setenv(variable, "false")
    write(pytester.path, "kept/a.transcripts.jsonl", good("one"), good("two"))
    result = pytester.runpytest_inprocess("--grounding-json=run.json", "-rs")
    result.assert_outcomes(skipped=2)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["grounding: switched off: *", f"SKIPPED * {OFF[variable]}"])
    if variable == "VALIDATION_ENABLED":
        result.stdout.fnmatch_lines(["gate: OFF"])
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
def test_reports_show_switched_off_transcripts_as_skipped(pytester, monkeypatch, variable):
    monkeypatch.setenv(variable, "false")
    write(pytester.path, "a.transcript.json", good("one"))
    reports = [f"--grounding-report={kind}:r.{kind}" for kind in KINDS]
    result = pytester.runpytest_inprocess(*reports)
    assert result.ret == 0
    junit = ET.parse(pytester.path / "r.junit").getroot()
    case = junit.find(".//testcase[@name='one']")
    assert case.find("skipped").get("message") == OFF[variable]
    assert junit.find("testsuite").get("skipped") == "1"
    assert '<span class="pill">skipped</span>' in (pytester.path / "r.html").read_text()
    assert "1 skipped" in (pytester.path / "r.terminal").read_text()
    assert "1 skipped" in (pytester.path / "r.github-summary").read_text()
    assert 'grounding_answers_total{status="skipped"} 1' in (pytester.path / "r.prometheus").read_text()
    assert 'grounding_answers_total{status="pass"} 0' in (pytester.path / "r.prometheus").read_text()
    results = json.loads((pytester.path / "r.sarif").read_text())["runs"][0]["results"]
    assert {item["level"] for item in results} == {"note"}


def test_skips_assertions_when_switched_off(pytester, monkeypatch):
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


def test_switching_off_leaves_goldens_alone(pytester, monkeypatch):
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
