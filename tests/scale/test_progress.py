"""What a run in parts says of how far it is: to a terminal, to a program, and to nobody."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from scale_runs import check, command, write_rows


def test_a_program_reads_lines_of_json(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.transcripts.jsonl", 30)
    words = ["a.transcripts.jsonl", "--quiet", "--jobs", "1", "--part-size", "2000", "--progress", "json"]
    done = check(tmp_path, *words, "--work", "work")
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    last = lines[-1]
    assert last["parts"] == last["parts_done"] == 4
    assert (last["parts_resumed"], last["parts_not_scored"]) == (0, 0)
    assert (last["rows"], last["failed"], last["seconds_left"]) == (30, 5, 0.0)
    assert last["rows_per_second"] > 0
    for path in ("000001", "000003"):
        (tmp_path / f"work/{path}.result.json").unlink()
    again = json.loads(check(tmp_path, *words, "--work", "work").stderr.splitlines()[-1])
    assert (again["parts_done"], again["parts_resumed"]) == (4, 2)
    # What an earlier run finished is done, and what failed there failed; only the speed is that of this run.
    assert (again["rows"], again["failed"]) == (30, 5)
    begun = json.loads(check(tmp_path, *words, "--work", "work").stderr.splitlines()[0])
    assert (begun["rows"], begun["failed"], begun["rows_per_second"]) == (30, 5, 0.0)


def test_nothing_is_said_where_nobody_looks(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.transcripts.jsonl", 6)
    assert check(tmp_path, "a.transcripts.jsonl", "--jobs", "1").stderr == b""
    assert check(tmp_path, "a.transcripts.jsonl", "--jobs", "1", "--progress", "off").stderr == b""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo terminal")
def test_a_terminal_has_one_line_that_is_gone_at_the_end(tmp_path: Path) -> None:
    import pty

    write_rows(tmp_path / "a.transcripts.jsonl", 60)
    ours, theirs = pty.openpty()
    words = ["a.transcripts.jsonl", "--quiet", "--jobs", "1", "--part-size", "2000"]
    process = subprocess.Popen(
        command(*words), cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=theirs, close_fds=True
    )
    os.close(theirs)
    told = b""
    try:
        while part := os.read(ours, 4096):
            told += part
    except OSError:
        # Linux says so where the other end is closed.
        pass
    os.close(ours)
    assert process.wait() == 1
    text = told.decode()
    assert "\n" not in text
    shown = [line for line in text.split("\r\x1b[K") if line]
    assert "8/8 parts, 60 rows, " in shown[-1]
    assert shown[-1].endswith("0:00 left, 10 failed")
    assert text.endswith("\r\x1b[K"), "the line is taken away"
