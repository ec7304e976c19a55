"""``pytest-grounding waive``: list, waive, take back."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_grounding.cli import main
from pytest_grounding.gate.waivers import read

FILE = "grounding.waivers.jsonl"
CHUNKS = [{"id": "c1", "text": "Refunds are paid within 14 days of the return.", "score": 0.9}]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answers = {
        "a": "Refunds are paid within 45 days of the return [1].",
        "b": "Refunds are paid within 45 days of the return [9].",
        "c": "Refunds are paid within 14 days of the return [1].",
    }
    for name, answer in answers.items():
        given = {"id": name, "question": "How long do refunds take?", "chunks": CHUNKS}
        (tmp_path / f"{name}.transcript.json").write_text(json.dumps({**given, "answer": answer}), "utf-8")
    return tmp_path


def said(capsys, *words):
    status = main(["waive", *words])
    out = capsys.readouterr()
    return status, out.out, out.err


@pytest.mark.parametrize("name", ["-a", "it's $(touch x); rm b", "refunds/EU & UK"])
def test_the_command_that_is_shown_waives_that_finding(folder, capsys, name):
    place = folder / "a b.transcript.json"
    place.write_text(json.dumps({**json.loads((folder / "a.transcript.json").read_text()), "id": name}))
    _, out, _ = said(capsys, place.name)
    shown = next(line for line in out.splitlines() if line.startswith("waive one with: "))
    program, *words = shlex.split(shown.removeprefix("waive one with: "))
    assert (program, words[0]) == ("pytest-grounding", "waive")
    assert main([*words[:-1], "the law"]) == 0
    assert [item.transcript for item in read(FILE)] == [name]


@pytest.mark.skipif(sys.platform == "win32", reason="the limit is one of POSIX")
def test_a_file_that_cannot_be_written_is_named(folder):
    words = [sys.executable, "-m", "pytest_grounding", "waive", "--id=a", "--number=1", "--reason=the law"]
    command = f"ulimit -f 0; exec {shlex.join(words)}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stdout
    assert f"error: {FILE}: cannot be written (File too large); the file is unchanged" in done.stderr
    assert not Path(FILE).exists()
