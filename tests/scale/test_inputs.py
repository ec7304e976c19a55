"""Inputs of runs in parts: packed files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from scale_runs import write_rows

from pytest_grounding.cli import main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("GROUNDING_JOBS", "1")
    monkeypatch.setattr("pytest_grounding.scale.plan.SMALLEST", 1200)
    return tmp_path


def _report(capsys: pytest.CaptureFixture[str], *words: str, name: str = "") -> str:
    """The report in JSON, with the name of the input as the plain one has it."""
    capsys.readouterr()
    assert main(["check", *words, "--json"]) == 1
    told = capsys.readouterr()
    assert told.err == ""
    return told.out.replace(name, "a.jsonl") if name else told.out


def test_a_packed_file_is_read_as_what_it_holds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write_rows(folder / "a.jsonl", 14)
    (folder / "a.jsonl.gz").write_bytes(gzip.compress(source.read_bytes()))
    assert _report(capsys, "a.jsonl.gz", name="a.jsonl.gz") == _report(capsys, "a.jsonl")


def test_what_cannot_be_read_is_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_rows(folder / "good.jsonl", 2)
    (folder / "cut.jsonl.gz").write_bytes(gzip.compress(b'{"id": "a"}\n' * 5000)[:-40])
    (folder / "bad.jsonl.gz").write_bytes(b"not packed")
    (folder / "none.jsonl.gz").write_bytes(gzip.compress(b"\n \n"))
    wrong = {
        "cut.jsonl.gz": "cut.jsonl.gz: cannot be unpacked (",
        "bad.jsonl.gz": "it is cut off or damaged",
        "none.jsonl.gz": "is empty; write one transcript",
        "-": "-: cannot be read in parts; write it into a file, or leave out --jobs and GROUNDING_JOBS",
        "gone.jsonl": "gone.jsonl: does not exist",
    }
    for name, problem in wrong.items():
        assert main(["check", "good.jsonl", name, "--json"]) == 2
        told = capsys.readouterr()
        assert len(json.loads(told.out)["transcripts"]) == 2
        assert problem in told.err
        assert len(told.err.splitlines()) == 1, told.err
    monkeypatch.delenv("GROUNDING_JOBS")
    for name in ("none.jsonl.gz", "cut.jsonl.gz"):
        assert main(["check", name]) == 2
        assert f"{name}: is read in parts alone; add --jobs auto" in capsys.readouterr().err
