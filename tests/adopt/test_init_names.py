"""Names of folders that would change the file of a build are refused before anything is written."""

import json
import shlex
from pathlib import Path

import pytest
import yaml

from pytest_grounding.cli import main

ROW = {"id": "a", "question": "How long?", "chunks": [], "answer": "I do not know."}


@pytest.mark.parametrize("name", ["${{ github.token }}", "two\nlines", "a\ttab"])
@pytest.mark.parametrize("kind", ["github", "gitlab"])
def test_a_name_that_a_build_would_read_is_refused(name, kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).mkdir()
    (tmp_path / name / "a.transcripts.jsonl").write_text(json.dumps(ROW), encoding="utf-8")
    assert main(["init", "--ci", kind]) == 2
    assert "its name cannot stand in the file of a build" in capsys.readouterr().err
    assert [path.name for path in Path.cwd().iterdir()] == [name]


@pytest.mark.parametrize(
    "name",
    ["answers of today", "réponses", "$HOME", "{install}", "a'b", "-rf", "--set", "a: b", "#x", "`id`"],
)
def test_any_other_name_is_quoted_so_that_the_build_finds_it(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).mkdir()
    (tmp_path / name / "a.transcripts.jsonl").write_text(json.dumps(ROW), encoding="utf-8")
    assert main(["init", "--ci", "github"]) == 0
    build = (tmp_path / ".github/workflows/grounding.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(build)["jobs"].values()
    lines = [line for job in jobs for step in job["steps"] for line in step.get("run", "").splitlines()]
    (check,) = [line.strip() for line in lines if "pytest-grounding check" in line]
    assert main(shlex.split(check)[1:]) == 0
