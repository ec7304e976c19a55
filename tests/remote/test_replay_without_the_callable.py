"""Recorded answers are used where the program that gave them cannot be imported, as in CI."""

import json
import sys

import pytest

from pytest_grounding.cli import main
from pytest_grounding.scorers.remote import scorer_factory as remote

QUESTION = "How long is it?"
PROGRAM = """
def answer(question):
    return {"chunks": [{"id": "c", "text": "It is long."}], "answer": "It is long [1]."}
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Writes a module that can be imported, and takes it away again."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def write(name, text):
        path = tmp_path / f"{name}.py"
        path.write_text(text)

        def remove():
            path.unlink()
            sys.modules.pop(name, None)
            remote.reset()

        return remove

    yield write
    remote.reset()


def test_recorded_answers_need_no_program(tmp_path, module, capsys):
    remove = module("my_program", PROGRAM)
    (tmp_path / "questions.jsonl").write_text(json.dumps(QUESTION) + "\n")
    command = ["record", "my_program:answer", "questions.jsonl", "-o", "out"]
    assert main(command) == 0
    remove()
    capsys.readouterr()
    assert main(command) == 0
    assert "0 recorded, 1 were there already" in capsys.readouterr().out
    assert main([*command, "--all"]) == 2
    (tmp_path / "questions.jsonl").write_text(json.dumps("What else is there?") + "\n")
    capsys.readouterr()
    assert main(command) == 2
    assert "'my_program:answer' cannot be loaded: No module named 'my_program'" in capsys.readouterr().err
