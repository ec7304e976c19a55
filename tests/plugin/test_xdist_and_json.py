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


def test_the_report_is_the_same_with_and_without_workers(suite, monkeypatch):
    runs = []
    for seed, arguments in (("0", []), ("1", ["-n2"])):
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


@pytest.mark.parametrize("narrowed", [(), ("-k", "not z")])
def test_names_the_transcript_of_a_crashed_worker(pytester, narrowed):
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


def test_names_the_transcript_of_the_only_worker(pytester):
    write(pytester.path, "a.transcript.json", good("y"))
    pytester.makeconftest("import os\ndef pytest_runtest_setup(item): os._exit(1)\n")
    result, content = report_of(pytester, "-n1", "--max-worker-restart=0")
    assert result.ret == 1
    assert json.loads(content)["run"]["missing"] == {"y": "its worker crashed"}


def test_workers_report_skipped_and_unvalidated_transcripts(pytester):
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


def test_a_narrowed_run_of_workers_is_undecided(pytester):
    write(pytester.path, "a.transcripts.jsonl", good("x"), good("y"))
    result, _ = report_of(pytester, "-n2", "-k", "x")
    assert result.ret == 0
    assert "gate: UNDECIDED" in section(result)


@pytest.mark.parametrize(
    ("options", "status"), [((), 0), (("--grounding",), 1), (("--grounding-expect=-1",), 4)]
)
def test_a_run_of_workers_without_transcripts(pytester, options, status):
    pytester.makepyfile("def test_it(): pass")
    result, content = report_of(pytester, "-n2", *options)
    assert result.ret == status
    assert status == 4 or json.loads(content)["transcripts"] == []
    assert ("gate: FAIL" in result.stdout.lines) == (status == 1)


def test_a_wrong_mark_fails_its_test_in_a_worker(pytester):
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
