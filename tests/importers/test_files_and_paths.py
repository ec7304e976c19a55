"""Files that are no text, printed objects, paths to members, and many equal errors of one file."""

import json
import pickle
import zipfile

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.engine.transcript_input import as_transcript
from pytest_grounding.importers.paths import MISSING, at_path

QUESTION, ANSWER = "How many books may a reader borrow?", "A reader may borrow eight books."
BOOKS = "A reader may borrow eight books at a time."


@each(
    ("a.json", b"PK\x03\x04....", "zip archive"),
    ("a.jsonl", b"SQLite format 3\x00", "SQLite database"),
    ("a.json", pickle.dumps({"a": 1}), "pickle"),
    ("a.json", b"PAR1....", "name it *.parquet"),
    ("run.trec", b"301 Q0 FR940202-2-00150 104 2.129133 STANDARD\n", "run file of TREC"),
    ("run.jsonl", b"q1\tQ0\tgifts.md\t1\t-3.2e-05\tbm25", "run file of TREC"),
    ("run.csv", b"q1 0 gifts.md 1 3.2 bm25\nq1 0 loans.md 2 3.1 bm25\n", "write JSON lines"),
    ("trace.pb", b"\n\x92\x01\x00\x01", "protocol buffer"),
)
def test_a_binary_file_is_named_with_the_export_to_use(name, content, words, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(pg.InputError, match=words.replace("*", r"\*")):
        pg.load_transcripts(tmp_path / name)


@each("run.jsonl", "run.trec", "run.txt")
def test_a_run_file_of_trec_is_one_error(name, tmp_path, capsys):
    lines = (f"301 Q0 document-{number} {number} {9 - number}.5 bm25" for number in range(1, 9))
    (tmp_path / name).write_text("\n".join(lines) + "\n")
    assert main(["check", str(tmp_path / name)]) == 2
    error = capsys.readouterr().err
    assert error.count("ranks and scores alone") == 1
    assert '{"question": ..., "chunks": [{"id": ..., "text": ...}], "answer": ...}' in error


def test_an_archive_is_one_error(tmp_path, capsys):
    with zipfile.ZipFile(tmp_path / "a.jsonl", "w") as archive:
        archive.writestr("a", "x" * 5000)
    assert main(["check", str(tmp_path / "a.jsonl")]) == 2
    assert capsys.readouterr().err.count("zip archive") == 1


@each(
    f"page_content='{BOOKS}' metadata={{'source': 'loans.md'}}",
    f"Document(id='k', metadata={{'source': 'loans.md'}}, page_content='{BOOKS}')",
)
def test_a_printed_document_is_read_with_a_note(text):
    found = as_transcript({"question": QUESTION, "answer": ANSWER, "contexts": [text]})
    assert [chunk.text for chunk in found.chunks] == [BOOKS]
    assert "printed object" in " ".join(note.message for note in found.notes)


def test_a_printed_object_without_its_text_is_a_warning():
    text = "<app.models.Passage object at 0x7f3c2a1b4d90>"
    found = as_transcript({"question": QUESTION, "answer": ANSWER, "contexts": [text]})
    assert ("import_loss", "warning") in {(note.rule, note.severity) for note in found.notes}


def test_a_redacted_text_is_missing():
    found = as_transcript({"question": QUESTION, "answer": ANSWER, "contexts": ["__REDACTED__", BOOKS]})
    assert [chunk.text for chunk in found.chunks] == ["", BOOKS]
    assert "1 of 2 chunks has no text" in " ".join(note.message for note in found.notes)


@each(
    ("a", 1),
    ("b.c", 2),
    ("b.d.e", [3, 4]),
    ("b.d.1.e", 4),
    ("f.g", 5),
    ("j.k", 6),
    ("b.x", MISSING),
    ("b.d.9.e", MISSING),
)
def test_a_path_leads_through_objects_and_lists(path, expected):
    value = {"a": 1, "b": {"c": 2, "d": [{"e": 3}, {"e": 4}]}, "f.g": 5, "j": '{"k": 6}'}
    found = at_path(value, path)
    assert found is expected or found == expected


def test_columns_take_paths(tmp_path, capsys):
    row = {
        "input": {"text": QUESTION},
        "out": {"said": ANSWER},
        "retrieval": {"hits": [{"key": "b", "body": BOOKS}]},
    }
    file = tmp_path / "runs.jsonl"
    file.write_text(json.dumps(row) + "\n")
    columns = "columns=question=input.text, answer=out.said, chunks=retrieval.hits, text=body"
    assert main(["check", str(file), "--set", columns]) == 0
    row["out"]["said"] = "A reader may borrow twelve books."
    file.write_text(json.dumps(row) + "\n")
    assert main(["check", str(file), "--set", columns]) == 1
    capsys.readouterr()


def test_a_path_that_leads_nowhere_is_one_error(tmp_path, capsys):
    file = tmp_path / "runs.jsonl"
    file.write_text(
        json.dumps({"input": QUESTION, "said": ANSWER}) * 1
        + "\n"
        + (json.dumps({"input": "b"}) + "\n") * 1199
    )
    columns = "columns=question=input, answer=said.text, chunks=hits"
    assert main(["check", str(file), "--set", columns]) == 2
    said = capsys.readouterr().err
    assert "names 'said.text' for the answer" in said
    assert said.count("said.text") <= 2
    assert len(said) < 2_000


def test_a_path_to_the_text_that_no_chunk_has_is_one_error(tmp_path, capsys):
    row = {"ask": QUESTION, "said": ANSWER, "found": {"hits": [{"key": "b", "body": BOOKS}]}}
    file = tmp_path / "runs.jsonl"
    file.write_text((json.dumps(row) + "\n") * 30)
    columns = "columns=question=ask, answer=said, chunks=found.hits, text="
    assert main(["check", str(file), "--set", f"{columns}body"]) == 0
    assert main(["check", str(file), "--set", f"{columns}bdy"]) == 2
    said = capsys.readouterr().err
    assert f"{file.name}:1: chunks: the setting columns names 'bdy' for the text" in said
    assert "'key', 'body'" in said
    assert len(said) < 1_000
    file.write_text(json.dumps({**row, "found": {"hits": []}}) + "\n")
    assert main(["check", str(file), "--set", f"{columns}bdy"]) != 2
    named = f"{columns}bdy".removeprefix("columns=")
    for hits in ([BOOKS], [BOOKS, {"key": "b"}], [{"bdy": BOOKS}, {"content": BOOKS}]):
        found = as_transcript({**row, "found": {"hits": hits}}, {"columns": named})
        assert found.chunks[0].text == BOOKS
    file.write_text(json.dumps({**row, "found": {"hits": [{}]}}) + "\n")
    capsys.readouterr()
    assert main(["check", str(file), "--set", f"{columns}bdy"]) == 2
    assert "it has no member" in capsys.readouterr().err
