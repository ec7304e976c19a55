"""Long work says how far it has come, on a terminal and without one, with workers and without."""

import json
import os
import re
import subprocess
import sys

import pytest

from pytest_grounding._io import progress
from pytest_grounding.cli import main

STATE = re.compile(r"\d+ rows?, \d+ a second, \d+ failed so far")


@pytest.fixture
def rows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    chunk = {"id": "c", "text": "The fee is 14 euros."}
    made = [
        {
            "id": f"r{n}",
            "question": "How much?",
            "chunks": [chunk],
            "answer": f"The fee is {14 + n % 2} euros.",
        }
        for n in range(8)
    ]
    (tmp_path / "a.transcripts.jsonl").write_text("\n".join(map(json.dumps, made)), encoding="utf-8")
    monkeypatch.delenv("GROUNDING_JOBS", raising=False)


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("more", [[], ["--jobs", "1"]])
def test_without_a_terminal_a_line_is_written_where_it_is_time(more, monkeypatch, capsys):
    assert main(["check", "a.transcripts.jsonl", "--quiet", *more]) == 1
    assert capsys.readouterr().err == "", "short work says nothing"
    monkeypatch.setattr(progress, "_EACH_LINE_S", 0.0)
    assert main(["check", "a.transcripts.jsonl", "--quiet", *more]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines
    assert all(STATE.match(line) for line in lines), lines
    assert "4 failed so far" in lines[-1] or "3 failed so far" in lines[-1]


@pytest.mark.usefixtures("rows")
def test_on_a_terminal_the_line_is_written_over_and_cleared():
    pty = pytest.importorskip("pty")
    often = "from pytest_grounding._io import progress; progress._EACH_S = 0.0; "
    often += "from pytest_grounding.cli import main; raise SystemExit(main(['check', '.', '--quiet']))"
    ours, theirs = pty.openpty()
    run = subprocess.run([sys.executable, "-c", often], stdout=subprocess.PIPE, stderr=theirs, check=False)
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert run.returncode == 1
    assert STATE.search(shown)
    assert "\n" not in shown
    assert shown.endswith("\r\x1b[K")
    assert b"so far" not in run.stdout
