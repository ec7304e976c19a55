"""Settings are read upward from the paths, as pytest does, and not from where the command is called."""

import json

import pytest

from pytest_grounding.cli import main

RIGHT = {"id": "a", "question": "How long?", "chunks": [{"id": "c", "text": "It takes 14 days."}]}
STRICT = "[pytest]\ngrounding_require_citations = error\n"
LOOSE = "[pytest]\ngrounding_require_citations = off\n"


def write(folder, answer="It takes 14 days.", **metadata):
    folder.mkdir(parents=True, exist_ok=True)
    row = {**RIGHT, "answer": answer, "metadata": metadata}
    (folder / "a.transcripts.jsonl").write_text(json.dumps(row), encoding="utf-8")


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A strict project beside a loose one, which is the current folder."""
    write(tmp_path / "proj" / "answers")
    (tmp_path / "proj" / "pytest.ini").write_text(STRICT, encoding="utf-8")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "pytest.ini").write_text(LOOSE, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "proj"


@pytest.mark.parametrize(
    "path", ["../proj", "../proj/answers", "../proj/answers/a.transcripts.jsonl", "../proj/answers/*.jsonl"]
)
@pytest.mark.usefixtures("project")
def test_the_file_above_the_paths_counts_and_is_named(path, capsys):
    assert main(["check", path]) == 1
    printed = capsys.readouterr().out
    assert "configuration file: ../proj/pytest.ini" in printed
    assert "require_citations=error" in printed


@pytest.mark.parametrize("is_first", [True, False])
def test_of_several_paths_the_first_file_counts(project, is_first, capsys):
    """As in pytest, which looks above all of them, then above each."""
    write(project.parent / "other")
    (project / "answers" / "a.transcripts.jsonl").rename(project / "b.transcripts.jsonl")
    row = {**RIGHT, "id": "b", "answer": "It takes 14 days."}
    (project / "b.transcripts.jsonl").write_text(json.dumps(row), encoding="utf-8")
    paths = ["../proj", "../other"] if is_first else ["../other", "../proj"]
    assert main(["check", *paths]) == 1
    assert "configuration file: ../proj/pytest.ini" in capsys.readouterr().out
    (project.parent / "setup.py").touch()
    assert main(["check", *paths]) == 0


def test_the_current_folder_counts_where_no_file_is_above_the_paths(project, capsys):
    (project / "pytest.ini").unlink()
    assert main(["check", "../proj"]) == 0
    assert "configuration file" not in capsys.readouterr().out
    write(project.parent / "here" / "own")
    assert main(["check", "own"]) == 0
    assert "configuration file: pytest.ini" not in capsys.readouterr().out


@pytest.mark.parametrize(("folder", "is_named"), [("answers", False), ("answer", True)])
def test_a_folder_with_settings_that_is_not_there_is_named(project, folder, is_named, capsys):
    lines = f"{LOOSE}grounding_directories =\n  {folder}: accept_confidence=0.8\n"
    (project / "pytest.ini").write_text(lines, encoding="utf-8")
    main(["check", "../proj"])
    told = "grounding_directories names answer, and there is no such folder"
    assert (told in capsys.readouterr().err) == is_named


@pytest.mark.parametrize(
    ("answer", "status", "shown"),
    [
        ("It takes 15 days.", "reject", "no transcript counts: 1 answer expected to be rejected"),
        ("It takes 14 days.", "pass", "gate: PASS"),
    ],
)
def test_a_run_in_which_no_transcript_counts_does_not_pass(project, answer, status, shown, capsys):
    (project / "pytest.ini").write_text(LOOSE, encoding="utf-8")
    write(project / "answers", answer, expected_status=status)
    assert main(["check", "../proj"]) == (status == "reject")
    assert shown in capsys.readouterr().out
