"""Recordings in the shapes of tools, and chunks in the shapes of stores and libraries, read as they are."""

from pathlib import Path

import pytest

import pytest_grounding as pg
from pytest_grounding.cli import main

FOLDER = Path(__file__).parent / "recordings"
QUESTION = "How many books may a reader borrow?"
BOOKS = "A reader may borrow eight books at a time."
FILMS = "Films are lent for seven days."
ANSWER = "A reader may borrow eight books [1]."
FILE_ANSWER = "A reader may borrow eight books [doc1]."

#: File, and ids of its chunks.
READ = [
    ("mlflow_documents.json", ["loans.md", "films.md"]),
    ("mlflow_results.json", ["loans-1", "films-1"]),
    ("azure_context.sse", ["loans.md#0", "films.md#0"]),
    ("perplexity.sse", ["https://library.example/loans", "https://library.example/films"]),
    ("status_events.sse", ["loans-1", "films-1"]),
    ("qdrant_points.json", ["loans.md", "loans.md#2"]),
]


def test_each_recording_is_read():
    for name, ids in READ:
        [found] = pg.load_transcripts(FOLDER / name)
        verdict = pg.validate(found)
        assert (found.question, found.answer) in ((QUESTION, ANSWER), (QUESTION, FILE_ANSWER)), name
        assert [chunk.id for chunk in found.chunks] == ids, name
        assert [chunk.text.split("\n")[0] for chunk in found.chunks] == [BOOKS, FILMS], name
        assert [use.chunk_id for use in verdict.citations if use.start >= 0] == [ids[0]], name
        assert verdict.status == "pass", name


def test_unknown_columns_are_an_error_that_names_the_setting(capsys):
    file = FOLDER / "german_columns.jsonl"
    with pytest.raises(pg.InputError, match=r"german_columns\.jsonl:1: .*'Frage'.*the setting columns"):
        pg.load_transcripts(file)
    columns = "columns=question=Frage, answer=Antwort, chunks=Kontext"
    assert main(["check", str(file), "--set", columns]) == 0
    capsys.readouterr()


def test_the_check_command_gives_a_verdict_or_one_sentence(capsys):
    for file in sorted(FOLDER.iterdir()):
        status = main(["check", str(file)])
        told = capsys.readouterr()
        assert (status == 2) == ("transcripts: 1 (" not in told.out), file.name
        assert "Traceback" not in told.out + told.err, file.name
        if status == 2:
            assert told.err.count(file.name) == 1
