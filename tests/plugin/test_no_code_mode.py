"""Transcripts as tests without code, and what is skipped when validation is off."""

import json
import xml.etree.ElementTree as ET

import pytest
import warm_starts
from recorded import bad, good, section, write

import pytest_grounding.suite.compare  # noqa: F401 -- numpy is loaded once a process


def test_a_good_transcript_passes(pytester):
    write(pytester.path, "a.transcript.json", good("hr"))
    result = pytester.runpytest_inprocess("-v")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["a.transcript.json::hr PASSED*"])
    assert result.ret == 0


def test_a_bad_transcript_fails_with_claim_place_and_advice(pytester):
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


def test_a_malformed_row_fails_alone(pytester):
    write(
        pytester.path, "a.transcripts.jsonl", good("one"), '{"id": "two", ', '{"id": "three"}', good("four")
    )
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(
        ["a.transcripts.jsonl:2: is not JSON: *", "a.transcripts.jsonl:3: * is missing*"]
    )
    assert "unreadable: a.transcripts.jsonl:2: is not JSON" in "\n".join(section(result))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        *(("a.transcript.json", text, ": *") for text in (b"", b"[", b"7", b"\xef\xbb\xbf", b"null")),
        ("a.transcript.json", b'{"id": "\xff"}', ": is not UTF-8*"),
        ("a.transcripts.jsonl", b"", ":1: is empty; write one transcript a line*"),
        ("a.transcripts.jsonl", b"\n \n", ":1: is empty; write one transcript a line*"),
    ],
)
def test_a_file_without_a_transcript_fails_alone(pytester, name, content, message):
    (pytester.path / name).write_bytes(content)
    write(pytester.path, "b.transcript.json", good())
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1, failed=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines([f"{name}*{message}"])


def test_duplicate_ids_name_both_places(pytester):
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


def test_selects_a_transcript_by_node_id(pytester):
    write(pytester.path, "a.transcripts.jsonl", good("x"), bad("y"))
    result = pytester.runpytest_inprocess("a.transcripts.jsonl::x")
    result.assert_outcomes(passed=1)
    assert result.ret == 0


def test_any_id_can_name_a_test(pytester):
    names = ["with space", "ü/ß", "[x]", "a::b", "line\nfeed", "\x1b[31mred"]
    write(pytester.path, "a.transcripts.jsonl", *(good(name) for name in names))
    result = pytester.runpytest_inprocess("-v")
    result.assert_outcomes(passed=len(names))
    assert "\x1b[31mred" not in result.stdout.str()
    assert "line\\x0afeed PASSED" in result.stdout.str()


def test_a_setting_says_which_files_are_transcripts(pytester):
    for name in ("a.json", "transcript.json"):
        write(pytester.path, name, good(name))
    assert pytester.runpytest_inprocess().ret == pytest.ExitCode.NO_TESTS_COLLECTED
    pytester.makeini("[pytest]\ngrounding_files = *.rag.json *.rag.jsonl\n")
    write(pytester.path, "a.rag.json", good())
    write(pytester.path, "b.transcript.json", bad())
    pytester.runpytest_inprocess().assert_outcomes(passed=1)


@pytest.mark.parametrize(("fail_on", "outcome"), [("review", {"failed": 1}), ("reject", {"passed": 1})])
def test_a_setting_decides_whether_review_fails(pytester, fail_on, outcome):
    write(pytester.path, "a.transcript.json", good(answer="Hello, how are you?"))
    result = pytester.runpytest_inprocess(f"--grounding-fail-on={fail_on}", "--grounding-suite=off")
    result.assert_outcomes(**outcome)


def test_an_expected_failure_passes_and_does_not_count(pytester):
    write(pytester.path, "a.transcripts.jsonl", good(), bad(metadata={"expected_status": "reject"}))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=2)
    assert result.ret == 0
    assert "transcripts: 1 (1 passed, 0 to review, 0 rejected)" in section(result)
    assert "expected to fail, and in no figure: 1" in section(result)


def test_an_unmet_expected_status_fails(pytester):
    write(pytester.path, "a.transcript.json", good(metadata={"expected_status": "reject"}))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*expected_status = reject, but it is pass:*"])


@pytest.mark.parametrize(
    "listing", ["--collect-only", "--fixtures", "--fixtures-per-test", "--setup-plan", "--setup-only"]
)
def test_options_that_run_no_test_decide_nothing(pytester, listing):
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
def test_rejects_a_dash_as_file(pytester, option, advice):
    result = pytester.runpytest_inprocess(f"{option}=-")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"grounding: {option}=- is not a file; {advice}" in result.stderr.str()
    assert not (pytester.path / "-").exists()


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


def test_checks_that_are_still_on_fail_both(pytester, monkeypatch):
    monkeypatch.setenv("HALLUCINATION_DETECTION_ENABLED", "false")
    write(pytester.path, "kept/a.transcripts.jsonl", good("one"), bad("two"))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(skipped=1, failed=1)
    result = check(pytester, "kept")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["skipped: one (*", "REJECT two: *"])


def test_skips_an_expected_failure_too(pytester, monkeypatch):
    monkeypatch.setenv("VALIDATION_ENABLED", "false")
    write(pytester.path, "kept/a.transcript.json", {**bad("two"), "metadata": {"expected_status": "reject"}})
    pytester.runpytest_inprocess().assert_outcomes(skipped=1)
    assert check(pytester, "kept").ret == 0


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


def test_a_folder_can_switch_off_detection(pytester):
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


def test_the_audit_log_omits_what_was_not_validated(pytester, monkeypatch):
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


def test_switching_off_leaves_the_baseline_alone(pytester, monkeypatch):
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
