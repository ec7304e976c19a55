"""Inputs of runs in parts: packed files, Parquet, patterns and addresses."""

from __future__ import annotations

import functools
import gzip
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pyarrow
import pytest
import zstandard
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


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def _report(capsys: pytest.CaptureFixture[str], *words: str, name: str = "") -> str:
    """The report in JSON, with the name of the input as the plain one has it."""
    capsys.readouterr()
    assert main(["check", *words, "--json"]) == 1
    told = capsys.readouterr()
    assert told.err == ""
    return told.out.replace(name, "a.jsonl") if name else told.out


def test_packed_files_and_addresses_are_read_as_what_they_hold(
    folder: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write_rows(folder / "a.jsonl", 14)
    (folder / "a.jsonl.gz").write_bytes(gzip.compress(source.read_bytes()))
    # Two frames one after the other, as tools that append write them.
    halves = source.read_bytes()[:2000], source.read_bytes()[2000:]
    (folder / "a.jsonl.zst").write_bytes(b"".join(zstandard.compress(half) for half in halves))
    plain = _report(capsys, "a.jsonl")
    assert _report(capsys, "a.jsonl.gz", name="a.jsonl.gz") == plain
    assert _report(capsys, "a.jsonl.zst", name="a.jsonl.zst") == plain
    assert _report(capsys, f"{address}/a.jsonl", name=f"{address}/a.jsonl") == plain
    assert _report(capsys, f"{address}/a.jsonl.gz", name=f"{address}/a.jsonl.gz") == plain
    pattern = f"file://{folder.as_posix()}/*.jsonl"
    found = _report(capsys, pattern, name=f"file://{folder.as_posix()}/a.jsonl")
    assert found.replace(pattern, "a.jsonl") == plain


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
    folder: Path, address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_rows(folder / "good.jsonl", 2)
    (folder / "cut.jsonl.gz").write_bytes(gzip.compress(b'{"id": "a"}\n' * 5000)[:-40])
    (folder / "bad.jsonl.zst").write_bytes(b"no frame")
    (folder / "bad.parquet").write_bytes(b"PAR1 no table PAR1")
    (folder / "none.jsonl.gz").write_bytes(gzip.compress(b"\n \n"))
    names = ["good.jsonl", "cut.jsonl.gz", "bad.jsonl.zst", "bad.parquet", "none.jsonl.gz"]
    names += [f"{address}/gone.jsonl", "file:///nowhere/at/all/*.jsonl", "foo://bucket/a.jsonl"]
    assert main(["check", *names, "--json"]) == 2
    told = capsys.readouterr()
    assert len(json.loads(told.out)["transcripts"]) == 2
    errors = told.err.splitlines()
    assert len(errors) == 7, told.err
    expected = [
        "is cut off or damaged",
        "cannot be",
        "cannot be read as Parquet",
        "is empty; write one transcript",
    ]
    expected += ["gone.jsonl: does not exist", "matches nothing; expected objects", "foo"]
    for text, words in zip(errors, expected, strict=True):
        assert words in text
    monkeypatch.delenv("GROUNDING_JOBS")
    assert main(["check", "s3://bucket/runs/*.jsonl"]) == 2
    assert "s3://bucket/runs/*.jsonl: is read in parts alone; add --jobs auto" in capsys.readouterr().err
