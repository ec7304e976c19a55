"""``clean``: what is printed, and that nothing is written."""

import json
from pathlib import Path

import pytest

from pytest_grounding.cli import main


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [
        {
            "id": name,
            "question": "How long do refunds take?",
            "chunks": [{"id": "c1", "text": "Refunds take 14 days."}],
            "answer": answer,
        }
        for name, answer in (("a", "Refunds take 14 days [1][9]."), ("b", "Refunds take 14 days [1]."))
    ]
    path = tmp_path / "a.transcripts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_invalid_markers_are_gone_and_the_file_is_as_it_was(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = file.read_bytes()
    assert main(["show", "clean", file.name]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows == [
        {"id": "a", "answer": "Refunds take 14 days [1].", "changed": True},
        {"id": "b", "answer": "Refunds take 14 days [1].", "changed": False},
    ]
    assert file.read_bytes() == before
    assert sorted(path.name for path in file.parent.iterdir()) == [file.name]


def test_text_alone(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "clean", "--text", file.name]) == 0
    assert capsys.readouterr().out == "Refunds take 14 days [1].\n\nRefunds take 14 days [1].\n"


def test_a_row_that_cannot_be_read_is_told_and_the_others_are_cleaned(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text("{}\n" + file.read_text())
    assert main(["show", "clean", file.name]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"{file.name}:1: ")
    assert len(captured.out.splitlines()) == 2
