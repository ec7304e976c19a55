"""Rows, folders and files of a check: nothing is lost without a word, and nothing of others is deleted."""

import json
import os
from pathlib import Path

import pytest

from pytest_grounding.cli import main
from pytest_grounding.testing import Example

FACT = "Refunds are paid within 14 days of the return."


def row(identifier: str, **more: object) -> str:
    example = Example("How long do refunds take?", [FACT], id=identifier, score=0.9)
    return json.dumps({**example.answered(f"{FACT[:-1]} [1]."), **more}) + "\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "a.jsonl").write_text("".join(row(f"r{number}") for number in range(7)))
    return tmp_path


def test_a_work_folder_loses_nothing_that_its_manifest_does_not_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = ["w/123456.jsonl", "w/.notes.tmp", "w/notes.txt", "w/inputs/kept.txt"]
    for name in theirs:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("mine")
    for _ in range(2):
        assert main(["check", "a.jsonl", "--jobs", "1", "--work", "w"]) == 0
        assert [(folder / name).read_text() for name in theirs] == ["mine"] * 4
    (folder / "v").mkdir()
    (folder / "v/000000.jsonl").write_text("mine")
    capsys.readouterr()
    assert main(["check", "a.jsonl", "--jobs", "1", "--work", "v"]) == 2
    assert "v: holds 000000.jsonl, which no run in parts wrote" in capsys.readouterr().err
    assert (folder / "v/000000.jsonl").read_text() == "mine"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no folder here is closed to all")
def test_jobs_in_a_read_only_folder_use_a_temporary_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "t").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder / "t"))
    monkeypatch.chdir("/proc")
    assert main(["check", str(folder / "a.jsonl"), "--jobs", "1"]) == 0
    assert not list((folder / "t").iterdir())


@pytest.mark.parametrize("jobs", [(), ("--jobs", "1")])
def test_a_row_that_is_nested_too_deeply_is_one_sentence_and_the_others_are_judged(
    folder: Path, capsys: pytest.CaptureFixture[str], jobs: tuple[str, ...]
) -> None:
    for depth in (250, 300, 600, 5000):
        nested = '{"a":' * depth + "1" + "}" * depth
        deep = row("deep", metadata={}).replace('"metadata": {}', f'"metadata": {nested}')
        (folder / "b.jsonl").write_text(deep + row("other"))
        assert main(["check", "b.jsonl", *jobs]) == 2
        told = capsys.readouterr()
        assert told.err == "b.jsonl:1: is not JSON that can be read: it is nested too deeply\n"
        assert "1 passed" in told.out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this machine has no named pipes")
@pytest.mark.parametrize("name", ["rows.jsonl", "one.transcript.json"])
def test_a_named_pipe_is_one_sentence(folder: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    os.mkfifo(folder / name)
    assert main(["check", name]) == 2
    told = f"{name}: is a named pipe, which can be read only once; write - for the path"
    assert told in capsys.readouterr().err


def test_recordings_in_a_folder_that_are_not_read_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "own").mkdir()
    for name in ("a.transcript.json", "b.transcripts.JSONL", "c.transcripts.json", "d.Transcript.json"):
        (folder / "own" / name).write_text(row(name[0]))
    (folder / "own/e.transcript.json").symlink_to("nowhere.json")
    assert main(["check", "own"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "not read: own/e.transcript.json (a link that leads nowhere)",
        "not read: own/b.transcripts.JSONL, own/c.transcripts.json, own/d.Transcript.json "
        "(name it to read it)",
    ]


KINDS = {
    "sarif": lambda text: {
        item["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for item in json.loads(text)["runs"][0]["results"]
    },
    "gitlab": lambda text: {item["location"]["path"] for item in json.loads(text)},
    "github-annotations": lambda text: {
        line.partition("file=")[2].partition(",")[0] for line in text.splitlines() if "file=" in line
    },
}


@pytest.mark.parametrize("machine", ["/", "C:\\", "elsewhere"])
def test_absolute_paths_are_relative_in_reports_for_a_repository(folder: Path, machine: str) -> None:
    (folder / "sub").mkdir()
    wrong = folder / "sub/wrong.transcript.json"
    wrong.write_text(row("w").replace("within 14 days of the return [1]", "within 45 days of the return [1]"))
    assert main(["check", str(wrong), "--json", "--report", "json:run.json"]) == 1
    text = (folder / "run.json").read_text()
    wanted = "sub/wrong.transcript.json"
    if machine == "C:\\":
        text, wanted = text.replace(f"{folder}/sub/", r"C:\\ci\\repo\\sub\\"), f"ci/repo/{wanted}"
    elif machine == "elsewhere":
        text, wanted = text.replace(f"{folder}/sub/", "/home/ci/repo/sub/"), f"home/ci/repo/{wanted}"
    (folder / "run.json").write_text(text)
    for kind, places in KINDS.items():
        assert main(["merge", "run.json", "--report", f"{kind}:out"]) == 0
        assert places((folder / "out").read_text()) == {wanted}, kind


def test_an_empty_file_of_pytest_ends_the_search_for_settings_as_in_pytest(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "pytest.ini").unlink()
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\ngrounding_profile = "lenient"\n')
    for name in ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini"):
        (folder / name).touch()
        assert main(["check", "a.jsonl"]) == 0
        assert "profile=lenient" not in capsys.readouterr().out, name
        (folder / name).unlink()


def test_a_baseline_with_more_known_findings_than_it_counted_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.jsonl").write_text(row("w").replace("14 days of the return [1]", "45 days of it [1]"))
    new = ("--set", "baseline_gate=new")
    assert main(["baseline", "b.json", "a.jsonl", "--allow-new", *new]) == 0
    text = (folder / "b.json").read_text()
    assert main(["check", "a.jsonl", "--baseline", "b.json", *new]) == 0
    (folder / "b.json").write_text(
        text.replace('"rule":"contradicted"', '"number":1000000,"rule":"contradicted"')
    )
    capsys.readouterr()
    assert main(["check", "a.jsonl", "--baseline", "b.json", *new]) == 2
    assert "b.json: counts more parts than the whole in the transcript 'w'" in capsys.readouterr().err
