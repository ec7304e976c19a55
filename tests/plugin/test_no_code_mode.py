"""Transcripts as tests without code, and what is skipped when validation is off."""

import json
import xml.etree.ElementTree as ET

import pytest
import warm_starts
from recorded import bad, good, section, write

import pytest_grounding.suite.compare  # noqa: F401 -- numpy is loaded once a process


def test_a_good_transcript_is_a_passing_test(pytester):
    write(pytester.path, "a.transcript.json", good("hr"))
    result = pytester.runpytest_inprocess("-v")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["a.transcript.json::hr PASSED*"])
    assert result.ret == 0


def test_a_bad_one_fails_with_claim_place_evidence_and_advice(pytester):
    write(pytester.path, "a.transcripts.jsonl", good(), bad())
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1, failed=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "[[]7]: there is no source 7: 1 chunk was retrieved",
            '  claim:  "The cafeteria serves grilled octopus *[[]7].*" (a.transcripts.jsonl:2)',
            "  do:     *",
            "FAILED a.transcripts.jsonl::bad - [[]7]: there is no source 7*",
        ]
    )
    result.stdout.no_fnmatch_line("*Captured log*")
    result = pytester.runpytest_inprocess("-v")
    result.stdout.fnmatch_lines(['REJECT: transcript "bad": *', "diagnosis: *", "confidence: 0.* (learned*"])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*collector.py*")


def test_a_bad_row_is_one_sentence_and_the_others_are_validated(pytester):
    write(
        pytester.path, "a.transcripts.jsonl", good("one"), '{"id": "two", ', '{"id": "three"}', good("four")
    )
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(
        ["a.transcripts.jsonl:2: is not JSON: *", "a.transcripts.jsonl:3: * is missing*"]
    )
    assert "unreadable: a.transcripts.jsonl:2: is not JSON" in "\n".join(section(result))


@pytest.mark.parametrize("content", ["", "[", "7", "\ufeff", "null"])
def test_a_file_without_a_transcript_fails_and_does_not_interrupt(pytester, content):
    write(pytester.path, "a.transcript.json", content)
    write(pytester.path, "b.transcript.json", good())
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1, failed=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["a.transcript.json*: *"])


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_a_file_of_lines_that_holds_none_fails_beside_others(pytester, content):
    write(pytester.path, "a.transcripts.jsonl", content)
    write(pytester.path, "b.transcript.json", good())
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["a.transcripts.jsonl:1: is empty; write one transcript a line*"])


def test_a_file_that_is_no_utf_8_fails_with_a_sentence(pytester):
    (pytester.path / "a.transcript.json").write_bytes(b'{"id": "\xff"}')
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["a.transcript.json*: is not UTF-8*"])


def test_duplicate_ids_name_both_places_in_one_file_and_across_files(pytester):
    write(pytester.path, "a.transcripts.jsonl", good("x"), good("x"))
    write(pytester.path, "b.transcript.json", good("x"))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1, failed=2)
    text = result.stdout.str()
    assert (
        "a.transcripts.jsonl:2: id: 'x' is the id of another transcript too, at a.transcripts.jsonl:1" in text
    )
    assert (
        "b.transcript.json:1: id: 'x' is the id of another transcript too, at a.transcripts.jsonl:1" in text
    )


def test_one_transcript_can_be_chosen_by_its_node_id(pytester):
    write(pytester.path, "a.transcripts.jsonl", good("x"), bad("y"))
    result = pytester.runpytest_inprocess("a.transcripts.jsonl::x")
    result.assert_outcomes(passed=1)
    assert result.ret == 0


def test_ids_of_any_kind_are_names_of_tests(pytester):
    names = ["with space", "ü/ß", "[x]", "a::b", "line\nfeed", "\x1b[31mred"]
    write(pytester.path, "a.transcripts.jsonl", *(good(name) for name in names))
    result = pytester.runpytest_inprocess("-v")
    result.assert_outcomes(passed=len(names))
    assert "\x1b[31mred" not in result.stdout.str()
    assert "line\\x0afeed PASSED" in result.stdout.str()


def test_other_files_are_left_alone(pytester):
    write(pytester.path, "a.json", good())
    write(pytester.path, "transcript.json", good())
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_the_patterns_are_a_setting(pytester):
    pytester.makeini("[pytest]\ngrounding_files = *.rag.json *.rag.jsonl\n")
    write(pytester.path, "a.rag.json", good())
    write(pytester.path, "b.transcript.json", bad())
    pytester.runpytest_inprocess().assert_outcomes(passed=1)


@pytest.mark.parametrize(("fail_on", "outcome"), [("review", {"failed": 1}), ("reject", {"passed": 1})])
def test_review_fails_unless_the_setting_says_otherwise(pytester, fail_on, outcome):
    write(pytester.path, "a.transcript.json", good(answer="Hello, how are you?"))
    result = pytester.runpytest_inprocess(f"--grounding-fail-on={fail_on}", "--grounding-suite=off")
    result.assert_outcomes(**outcome)


def test_an_expected_status_passes_and_counts_for_no_figure(pytester):
    write(pytester.path, "a.transcripts.jsonl", good(), bad(metadata={"expected_status": "reject"}))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=2)
    assert result.ret == 0
    assert "transcripts: 1 (1 passed, 0 to review, 0 rejected)" in section(result)
    assert "expected to fail, and in no figure: 1" in section(result)


def test_an_expected_status_that_does_not_come_fails(pytester):
    write(pytester.path, "a.transcript.json", good(metadata={"expected_status": "reject"}))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*expected_status = reject, but it is pass:*"])


def test_collecting_only_decides_nothing(pytester):
    write(pytester.path, "a.transcript.json", bad())
    result = pytester.runpytest_inprocess("--collect-only", "-q")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["a.transcript.json::bad"])
    result.stdout.no_fnmatch_line("*gate:*")


@pytest.mark.parametrize("listing", ["--fixtures", "--fixtures-per-test", "--setup-plan", "--setup-only"])
def test_what_runs_no_test_decides_nothing(pytester, listing):
    write(pytester.path, "a.transcript.json", good())
    pytester.makepyfile("def test_it(tmp_path): pass")
    result = pytester.runpytest_inprocess(listing, "--junitxml=out.xml", "--grounding-json=out.json")
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*gate:*")
    assert not (pytester.path / "out.json").exists()
    assert "grounding.gate" not in (pytester.path / "out.xml").read_text()


@pytest.mark.parametrize(
    ("option", "advice"),
    [
        ("--grounding-json", "for the terminal write --grounding-report=json:-"),
        ("--grounding-shard-report", "name one"),
        ("--grounding-baseline", "name one"),
    ],
)
def test_a_dash_is_no_file(pytester, option, advice):
    result = pytester.runpytest_inprocess(f"{option}=-")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"grounding: {option}=- is not a file; {advice}" in result.stderr.str()
    assert not (pytester.path / "-").exists()


def test_switched_off_is_skipped_and_said(pytester, monkeypatch):
    monkeypatch.setenv("VALIDATION_ENABLED", "false")
    write(pytester.path, "a.transcript.json", bad())
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["grounding: switched off: enabled", "gate: OFF"])


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
