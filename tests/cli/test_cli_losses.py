"""Nothing that a command reads is written over, and no two files are written to one."""

import json
from pathlib import Path

import pytest

from pytest_grounding.cli import main
from pytest_grounding.testing import Example

FACT = "Refunds are paid within 14 days of the return."
A = "two/a.transcripts.jsonl"


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Two recordings, their baseline, the report of a run, and the work folder of one in parts."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "two").mkdir()
    for name in "ab":
        value = Example("How long do refunds take?", [FACT], id=name, score=0.9).answered(f"{FACT[:-1]} [1].")
        (tmp_path / f"two/{name}.transcripts.jsonl").write_text(json.dumps(value) + "\n")
    assert main(["baseline", "b.json", "two"]) == 0
    assert main(["check", "two", "--quiet", "--report", "json:run.json"]) == 0
    assert main(["check", "two", "--quiet", "--jobs", "1", "--work", "w"]) == 0
    capsys.readouterr()
    return tmp_path


def held(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


#: A command that would lose something, and the file that its sentence names.
LOSSES = [
    (f"baseline {A} two/b.transcripts.jsonl", A),
    (f"check two --report json:{A}", A),
    (f"check two --jobs 2 --report json:{A}", A),
    (f"check two/*.jsonl --report json:./two/../{A}", A),
    ("check two --baseline b.json --report json:b.json", "b.json"),
    ("check two --jobs 1 --work two", "two"),
    ("merge run.json --report html:run.json", "run.json"),
    (f"merge run.json --report html:{A}", A),
    (f"show transcripts {A} -o {A}", A),
    (f"merge w --baseline {A} --baseline-update", A),
    ("merge w --baseline run.json --baseline-update", "run.json"),
    ("baseline run.json two", "run.json"),
    ("check two --report html:o.html --report junit:o.html", "o.html"),
]


def test_a_file_that_is_read_is_never_written_over(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = held(suite)
    for command, named in LOSSES:
        assert main(command.split()) == 2, command
        captured = capsys.readouterr()
        assert captured.out == ""
        (said,) = captured.err.splitlines()
        assert named in said.partition("; ")[0], command
        assert "; " in said
        assert held(suite) == before, command


def test_a_link_to_a_file_that_is_read_is_that_file(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (suite / "link.json").symlink_to(suite / A)
    before = held(suite)
    assert main(["check", "two", "--report", "json:link.json"]) == 2
    assert "is read" in capsys.readouterr().err
    assert held(suite) == before


@pytest.mark.parametrize("rest", ["", "<<<<<<< ours\n", '{"engine_version": "1", "fig'])
def test_what_is_left_of_a_baseline_is_written_anew(suite: Path, rest: str) -> None:
    whole = (suite / "b.json").read_text()
    (suite / "b.json").write_text(rest)
    assert main(["baseline", "b.json", "two"]) == 0
    assert (suite / "b.json").read_text() == whole


def test_what_others_add_to_as_well_takes_two(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(suite / "step.md"))
    twice = ["--report", "github-summary", "--report", "github-summary:step.md"]
    assert main(["check", "two", "--quiet", *twice, "--report", "json:run.json"]) == 0
    assert (suite / "step.md").read_text().count("## ") == 2
    assert main(["show", "transcripts", "two", "-o", "new.transcripts.jsonl"]) == 0
    assert main(["show", "transcripts", "two", "-o", "new.transcripts.jsonl"]) == 0


@pytest.mark.parametrize(
    "options",
    [
        (A, f"--grounding-report=html:{A}"),
        ("two", f"--grounding-report=html:{A}"),
        ("two", f"--grounding-json={A}"),
        ("two", f"--grounding-shard-report={A}"),
        ("two", f"--grounding-baseline={A}", "--grounding-baseline-update"),
        ("two", "--grounding-baseline=run.json", "--grounding-baseline-update"),
        ("two", "--grounding-baseline=b.json", "--grounding-report=json:b.json"),
        ("two", "--grounding-report=html:o.html", "--junitxml=o.html"),
    ],
)
def test_a_run_of_pytest_writes_over_nothing_that_it_reads(
    pytester: pytest.Pytester, suite: Path, options: tuple[str, ...]
) -> None:
    before = held(suite)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", f"--rootdir={suite}", *options)
    assert result.ret == 4
    assert "Traceback" not in result.stderr.str()
    assert len([line for line in result.stderr.lines if "; " in line]) == 1
    assert held(suite) == before
