"""A cassette is replayed where the callable that it was recorded from cannot be imported, as in CI."""

import json
import sys

import pytest

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.scorers import remote

EMBED = "def embed(texts):\n    return [[1.0, float(len(text))] for text in texts]\n"
QUESTION = "How long is it?"
CHUNKS = ["It is long.", "It is very long indeed."]
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


def settings(tmp_path, mode, **more):
    given = {"scorer": "embeddings", "embeddings": "here_only:embed", "embeddings_recorded": True}
    return {**given, "cassette": str(tmp_path / "c.jsonl"), "record": mode, **more}


def test_recorded_vectors_need_no_callable(tmp_path, module):
    remove = module("here_only", EMBED)
    before = pg.validate_retrieval(QUESTION, CHUNKS, settings(tmp_path, "new"))
    assert before.scorer == "embeddings"
    remove()
    for mode in ("none", "new"):
        after = pg.validate_retrieval(QUESTION, CHUNKS, settings(tmp_path, mode))
        assert (after.scorer, after.relevance) == ("embeddings", before.relevance)
        remote.reset()


def test_only_a_miss_says_that_it_cannot_be_imported(tmp_path, module):
    remove = module("here_only", EMBED)
    pg.validate_retrieval(QUESTION, CHUNKS, settings(tmp_path, "new"))
    remove()
    other = pg.validate_retrieval("What else is there?", CHUNKS, settings(tmp_path, "none"))
    said = " ".join(map(str, other.scorer_failures))
    assert "is not on the cassette" in said
    assert "embeddings = 'here_only:embed' cannot be loaded: No module named 'here_only'" in said
    remote.reset()
    recording = pg.validate_retrieval("What else is there?", CHUNKS, settings(tmp_path, "new"))
    assert "cannot be loaded: No module named 'here_only'" in " ".join(map(str, recording.scorer_failures))


def test_a_name_of_the_wrong_form_and_recording_all_are_wrong_settings(tmp_path):
    wrong = [
        settings(tmp_path, "none", embeddings="here_only"),
        settings(tmp_path, "all"),
        settings(tmp_path, "none", embeddings_recorded=False),
    ]
    for given in wrong:
        with pytest.raises(pg.SettingsError, match="here_only"):
            pg.validate_retrieval(QUESTION, CHUNKS, given)


def test_recorded_answers_need_no_program(tmp_path, module, capsys):
    remove = module("my_program", PROGRAM)
    (tmp_path / "questions.jsonl").write_text(json.dumps(QUESTION) + "\n")
    command = ["record", "my_program:answer", "questions.jsonl", "-o", "out", "-q"]
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
