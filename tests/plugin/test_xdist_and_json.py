"""The same run gives the same bytes, however it is cut up; and what a dead worker held is missed."""

import json

import pytest
from recorded import bad, good, section, write

pytest.importorskip("xdist")

TESTS = """
import pytest, pytest_grounding as pg

@pytest.mark.transcripts("marked/*.json")
def test_marked(transcript, grounding):
    grounding.validate(transcript)
    pg.assert_citations_valid(transcript)

def test_expected():
    with pytest.raises(AssertionError):
        pg.assert_grounded("expected.json")
"""


@pytest.fixture
def suite(pytester):
    names = [f"t{number:02}" for number in range(12)]
    write(
        pytester.path,
        "a.transcripts.jsonl",
        *(good(name) for name in names),
        bad(),
        "{",
        good("ünicode 日本"),
    )
    write(pytester.path, "marked/b.json", good("marked"))
    write(pytester.path, "expected.json", bad("expected"))
    pytester.makepyfile(TESTS)
    return pytester


def report_of(pytester, *arguments):
    result = pytester.runpytest_subprocess("--grounding-json=out.json", "-p", "no:cacheprovider", *arguments)
    path = pytester.path / "out.json"
    content = path.read_bytes() if path.exists() else b""
    path.unlink(missing_ok=True)
    return result, content


def test_the_report_is_equal_to_the_byte_with_workers_and_without(suite, monkeypatch):
    runs = []
    for seed, arguments in (("0", []), ("1", ["-n2"]), ("1", ["-n2", "--dist=loadfile"]), ("2", [])):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        result, content = report_of(suite, *arguments)
        result.assert_outcomes(passed=15, failed=2)
        assert result.ret == 1
        runs.append((content, section(result)))
    assert all(run == runs[0] for run in runs)
    report = json.loads(runs[0][0])
    ids = [item["id"] for item in report["transcripts"]]
    assert ids == sorted(ids)
    assert len(ids) == 15
    assert report["run"]["expected"] == ["expected"]
    assert [problem["place"] for problem in report["run"]["problems"]] == ["a.transcripts.jsonl:14"]
    assert runs[0][0].endswith(b"}\n")
    assert str(suite.path) not in runs[0][0].decode()


def test_a_suite_threshold_fails_a_run_of_workers(pytester):
    answer = "Employees receive 25 vacation days per year. The office is painted purple."
    write(pytester.path, "a.transcripts.jsonl", good("x"), good("y", answer=answer))
    result, _ = report_of(
        pytester,
        "-n2",
        "--grounding-fail-on=reject",
        "--grounding-set=max_hallucination_rate=1",
        "--grounding-set=confidence_model=self_rag",
    )
    result.assert_outcomes(passed=2)
    assert result.ret == 1
    assert "gate: FAIL" in section(result)


@pytest.mark.parametrize("narrowed", [(), ("-k", "not z")])
def test_what_a_crashed_worker_held_is_named_and_fails(pytester, narrowed):
    write(pytester.path, "a.transcripts.jsonl", *(good(name) for name in ("x", "y", "z")))
    pytester.makeconftest(
        "import os\ndef pytest_runtest_setup(item):\n    if item.name == 'y': os._exit(1)\n"
    )
    result, content = report_of(pytester, "-n2", *narrowed)
    assert result.ret == 1
    report = json.loads(content)
    assert [item["id"] for item in report["transcripts"]] == (["x"] if narrowed else ["x", "z"])
    assert report["gate"]["status"] == "fail", "a part of the suite fails by what died in it"
    assert report["run"]["missing"] == {"y": "its worker crashed"}
    assert any("y (its worker crashed)" in line for line in section(result))


def test_a_crash_of_the_only_worker_is_named_too(pytester):
    write(pytester.path, "a.transcript.json", good("y"))
    pytester.makeconftest("import os\ndef pytest_runtest_setup(item): os._exit(1)\n")
    result, content = report_of(pytester, "-n1", "--max-worker-restart=0")
    assert result.ret == 1
    assert json.loads(content)["run"]["missing"] == {"y": "its worker crashed"}


def test_a_skipped_and_an_unvalidated_transcript_are_missed_under_workers(pytester):
    write(pytester.path, "x.json", good("x"))
    write(pytester.path, "y.json", good("y"))
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.skip(reason="later")
        @pytest.mark.transcripts("x.json")
        def test_skipped(transcript): pass

        @pytest.mark.transcripts("y.json")
        def test_idle(transcript): pass
        """
    )
    result, content = report_of(pytester, "-n2")
    assert result.ret == 1
    assert json.loads(content)["run"]["missing"] == {"x": "skipped: later", "y": "no test validated it"}


def test_narrowing_is_seen_under_workers(pytester):
    write(pytester.path, "a.transcripts.jsonl", good("x"), good("y"))
    result, _ = report_of(pytester, "-n2", "-k", "x")
    assert result.ret == 0
    assert "gate: UNDECIDED" in section(result)


def test_a_promise_is_kept_account_of_under_workers(pytester):
    pytester.makepyfile("def test_it(): pass")
    result, _ = report_of(pytester, "-n2", "--grounding")
    assert result.ret == 1
    assert "gate: FAIL" in section(result)


def test_a_wrong_setting_is_a_usage_error_under_workers(pytester):
    pytester.makepyfile("def test_it(): pass")
    assert report_of(pytester, "-n2", "--grounding-expect=-1")[0].ret == pytest.ExitCode.USAGE_ERROR


def test_a_wrong_mark_fails_its_test_under_workers(pytester):
    pytester.makepyfile(
        """
        import pytest, pytest_grounding as pg

        @pytest.mark.grounding(acept_confidence=1)
        def test_it(): pass

        @pytest.mark.transcripts("x.json")
        def test_that_forgot_its_argument(): pass
        """
    )
    write(pytester.path, "x.json", good("x"))
    result, _ = report_of(pytester, "-n2")
    assert result.ret == 1
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["*setting 'acept_confidence' (from marker) is unknown*"])
    result.stdout.fnmatch_lines(["*takes no argument named transcript; add it*"])


def test_an_unused_plugin_is_silent_under_workers(pytester):
    pytester.makepyfile("def test_it(): pass")
    result = pytester.runpytest_subprocess("-n2")
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*= grounding =*")


def test_a_report_that_was_asked_for_is_written_without_a_transcript_too(pytester):
    pytester.makepyfile("def test_it(): pass")
    result, content = report_of(pytester)
    assert result.ret == 0
    assert json.loads(content)["transcripts"] == []
