"""A judge whose answers nobody recorded: one short reason a claim, and the command once for the run."""

import json
from pathlib import Path

from worded import NUMBER, OTHER_WORDS, transcript

from pytest_grounding.cli import main


def test_the_gate_names_the_command_once(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CI", "1")
    given = [{**transcript(OTHER_WORDS, NUMBER), "id": f"t{number}"} for number in range(3)]
    Path("a.transcripts.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in given))
    assert main(["check", "a.transcripts.jsonl", "--set", "judge=openai"]) == 1
    said = capsys.readouterr().out
    gate = said[said.index("gate: FAIL") :]
    assert gate.count("pytest --grounding-record=new") == 1
    assert "<<<question>>>" not in said
    assert "the judge could not decide: its answer is not recorded" in said
    assert not Path("grounding.cassette.jsonl").exists()
