"""Standard input and pipes with ``--jobs``: copied into the work folder, then cut as a file is."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from pathlib import Path

import pytest
from scale_runs import python


def rows(count: int) -> str:
    lines = []
    for number in range(count):
        text = f"Refunds are paid within {number + 3} days of the return."
        days = number + 3 if number % 5 else 99
        lines.append(
            json.dumps(
                {
                    "id": f"r{number}",
                    "question": "How long do refunds take?",
                    "chunks": [{"id": "c1", "text": text}],
                    "answer": f"Refunds are paid within {days} days of the return [1].",
                    # So that there are parts of a few rows.
                    "metadata": {"note": "x" * 9_000},
                }
            )
        )
    return "\n".join(lines) + "\n"


def check(folder: Path, *argv: str, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [python(argv), "-m", "pytest_grounding", "check", *argv]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        command,
        cwd=folder,
        input=given,
        env=environ,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_standard_input_in_parts_gives_the_report_of_one_process(tmp_path: Path) -> None:
    given = rows(30)
    one = check(tmp_path, "-", "--json", given=given)
    many = check(tmp_path, "-", "--json", "--jobs", "2", given=given)
    assert json.loads(one.stdout)["summary"]["transcripts"] == 30
    assert (many.returncode, many.stdout) == (one.returncode, one.stdout)
    assert not list(tmp_path.iterdir())


def test_a_rerun_of_the_same_input_goes_on_where_parts_are_missing(tmp_path: Path) -> None:
    given, how = rows(30), ("--jobs", "2", "--work", "work", "--json")
    first = check(tmp_path, "-", *how, given=given)
    work = tmp_path / "work"
    parts = sorted(work.glob("0*.jsonl"))
    assert len(parts) > 2
    assert not (work / ".grounding-inputs").exists()
    kept = {part.name: part.stat().st_mtime_ns for part in parts}
    parts[1].unlink()
    again = check(tmp_path, "-", *how, given=given)
    assert again.stdout == first.stdout
    now = {part.name: part.stat().st_mtime_ns for part in work.glob("0*.jsonl")}
    assert [name for name in now if now[name] != kept[name]] == [parts[1].name]
    other = check(tmp_path, "-", *how, given=rows(31))
    assert other.returncode == 2
    assert "holds parts of another plan" in other.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this machine has no named pipes")
def test_a_named_pipe_is_read_too(tmp_path: Path) -> None:
    given = rows(10)
    os.mkfifo(tmp_path / "rows")
    writer = threading.Thread(target=(tmp_path / "rows").write_text, args=(given,), daemon=True)
    writer.start()
    found = check(tmp_path, "rows", "--jobs", "2", "--json")
    writer.join(60)
    assert json.loads(found.stdout)["summary"]["transcripts"] == 10


@pytest.mark.parametrize(
    ("given", "problem"), [("", "-: is empty"), ("[\n]\n", "-: holds one JSON document")]
)
def test_what_is_no_line_of_json_is_named(tmp_path: Path, given: str, problem: str) -> None:
    found = check(tmp_path, "-", "--jobs", "1", given=given)
    assert found.returncode == 2
    assert problem in found.stdout + found.stderr
