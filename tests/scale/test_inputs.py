"""Inputs of runs in parts: packed files and Parquet."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet
from scale_runs import row, write_rows

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


def test_parquet_is_read_by_row_groups(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row(number, is_right=number % 6 != 5) for number in range(14)]
    write_rows(folder / "a.jsonl", 14)
    parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "a.parquet", row_group_size=4)
    plain = json.loads(_report(capsys, "a.jsonl"))["transcripts"]
    found = json.loads(_report(capsys, "a.parquet"))["transcripts"]
    assert [item["line"] for item in found] == [item["line"] for item in plain]
    ignored = {"source", "line", "answer_line"}
    for one, other in zip(found, plain, strict=True):
        assert {k: v for k, v in one.items() if k not in ignored} == {
            k: v for k, v in other.items() if k not in ignored
        }
    assert main(["check", "a.parquet", "--work", "work", "--quiet"]) == 1
    assert len(list((folder / "work").glob("0*.jsonl"))) == 4
    # Chunks as JSON, as texts, and in columns of other names.
    shapes = [
        {**rows[0], "chunks": json.dumps(rows[0]["chunks"])},
        {"id": "t", "question": "How long?", "answer": "It takes 4 days.", "contexts": ["It takes 3 days."]},
        {"id": "u", "question": "How long?", "answer": "It takes 4 days.", "chunks": ["It takes 3 days."]},
    ]
    for number, shape in enumerate(shapes):
        parquet.write_table(pyarrow.Table.from_pylist([shape]), folder / f"s{number}.parquet")
    capsys.readouterr()
    assert main(["check", "s0.parquet", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["check", "s1.parquet", "s2.parquet", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [(item["id"], item["status"]) for item in told["transcripts"]] == [
        ("t", "reject"),
        ("u", "reject"),
    ]


def test_what_cannot_be_read_is_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_rows(folder / "good.jsonl", 2)
    (folder / "cut.jsonl.gz").write_bytes(gzip.compress(b'{"id": "a"}\n' * 5000)[:-40])
    (folder / "bad.jsonl.gz").write_bytes(b"not packed")
    (folder / "bad.parquet").write_bytes(b"PAR1 no table PAR1")
    (folder / "none.jsonl.gz").write_bytes(gzip.compress(b"\n \n"))
    wrong = {
        "cut.jsonl.gz": "cut.jsonl.gz: cannot be unpacked (",
        "bad.jsonl.gz": "it is cut off or damaged",
        "bad.parquet": "cannot be read as Parquet",
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
    for name in ("none.jsonl.gz", "bad.parquet"):
        assert main(["check", name]) == 2
        assert f"{name}: is read in parts alone; add --jobs auto" in capsys.readouterr().err
