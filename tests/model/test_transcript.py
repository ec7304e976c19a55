"""Transcripts: limits, ids, surrogates, and what a person is told who writes one wrong."""

import errno
import json
import os
from pathlib import Path

import pytest
from every import each, table
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.errors import DuplicateIdError, InputError
from pytest_grounding.importers.native import to_transcript
from pytest_grounding.importers.searching import find_files


def mapping(**changes):
    return {
        "id": "t1",
        "question": "How long do refunds take?",
        "chunks": [{"id": "c1", "text": "Refunds take 30 days."}],
        "answer": "Refunds take 30 days [1].",
        **changes,
    }


def write(path, *values):
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    else:
        path.write_text(json.dumps(values[0], indent=1), encoding="utf-8")
    return path


def test_minimal_and_full_round_trip():
    full = mapping(
        language="en-GB",
        filters={"tenant": 4},
        history=[{"role": "user", "content": "Hello"}],
        citations=[{"start": 0, "end": 7, "text": "Refunds", "chunk_ids": ["c1"], "quote": "x"}],
        cited_indices=[1],
        confidence=0.5,
        missing_information="none",
        metadata={"session_id": "s", "deep": {"er": [1]}},
        schema_version=1,
    )
    for value in (mapping(), full):
        transcript = pg.Transcript.model_validate(value)
        assert pg.Transcript.model_validate(transcript.model_dump(mode="json")) == transcript
        assert pg.Transcript.model_validate_json(transcript.model_dump_json()) == transcript


def test_it_is_frozen():
    transcript = pg.Transcript.model_validate(mapping())
    with pytest.raises(ValueError, match="frozen"):
        transcript.answer = "other"


@each(1, 2000)
def test_question_lengths_that_are_fine(length):
    assert len(to_transcript(mapping(question="q" * length)).question) == length


@each("", "   \n", "q" * 2001)
def test_question_lengths_that_are_errors(question):
    with pytest.raises(InputError, match=r"^question: (is empty|has 2001 characters); write"):
        to_transcript(mapping(question=question))


def test_the_longest_question_is_a_setting():
    assert to_transcript(mapping(question="q" * 2001), question_max_length=2001)
    verdict = pg.validate(mapping(question="q " * 1500), {"question_max_length": 3000})
    assert verdict.id == "t1"


def test_an_empty_answer_and_no_chunks_are_no_errors():
    assert to_transcript(mapping(answer="", chunks=[])).chunks == ()


@each(*table(__file__, "invalid"), ({"confidence": float("nan")}, "confidence", "number"))
def test_an_invalid_transcript_is_explained(changes, field, words):
    with pytest.raises(InputError) as caught:
        to_transcript(mapping(**changes))
    message = str(caught.value)
    assert message.startswith(field)
    assert words in message
    assert "\n" not in message


def test_chunks_without_ids_are_named_by_their_position():
    made = to_transcript(mapping(chunks=[{"text": "x"}, {"text": "y", "score": 0.5}, "z"]))
    assert [(chunk.id, chunk.text, chunk.score) for chunk in made.chunks] == [
        ("chunk-1", "x", None),
        ("chunk-2", "y", 0.5),
        ("chunk-3", "z", None),
    ]


def test_a_field_of_another_tool_is_recognised():
    value = mapping()
    value["prompt"] = value.pop("question")
    with pytest.raises(
        InputError, match=r"^prompt: is not a known field .*question.*; write it as 'question'"
    ):
        to_transcript(value)


def test_two_chunks_with_one_id():
    chunks = [{"id": "c", "text": "x"}, {"id": "c", "text": "y"}]
    with pytest.raises(InputError, match=r"chunks\[0\] and chunks\[1\] share the id 'c'"):
        to_transcript(mapping(chunks=chunks))


def test_the_error_names_file_line_and_field(tmp_path):
    bad = mapping(chunks=[{"id": "1", "text": "x"}, {"id": "2", "text": "y", "score": 2}])
    file = write(tmp_path / "a.json", bad)
    line = next(n for n, text in enumerate(file.read_text().splitlines(), 1) if '"score"' in text)
    with pytest.raises(InputError) as caught:
        pg.load_transcripts(file)
    assert str(caught.value).startswith(f"{file.as_posix()}:{line}: chunks[1].score: is too large (2")


def test_a_member_of_a_list_is_named_by_its_own_line(tmp_path):
    file = write(tmp_path / "a.json", [mapping(), mapping(id="t2", answr="x")])
    line = next(n for n, text in enumerate(file.read_text().splitlines(), 1) if "answr" in text)
    with pytest.raises(InputError, match=f"a.json:{line}: answr"):
        pg.load_transcripts(file)


def test_one_bad_line_does_not_lose_the_others(tmp_path):
    file = tmp_path / "a.jsonl"
    rows = [
        json.dumps(mapping()),
        '{"id": ',
        json.dumps(mapping(id="t3", answer=1)),
        json.dumps(mapping(id="t4")),
    ]
    file.write_text("\n".join(rows))
    found = list(pg.iter_transcripts(file))
    assert [row.line for row in found] == [1, 2, 3, 4]
    assert [row.transcript.id for row in found if row.transcript] == ["t1", "t4"]
    assert "a.jsonl:2: is not JSON" in str(found[1].error)
    assert "a.jsonl:3: answer: is not text (1)" in str(found[2].error)


def test_duplicate_ids_in_one_file_and_across_files_name_both_places(tmp_path):
    write(tmp_path / "a.jsonl", mapping(), mapping(id="t2"), mapping())
    with pytest.raises(DuplicateIdError) as caught:
        pg.load_transcripts(tmp_path / "a.jsonl")
    assert "a.jsonl:3: id" in str(caught.value)
    assert "a.jsonl:1" in str(caught.value)
    write(tmp_path / "a.jsonl", mapping())
    write(tmp_path / "b.json", mapping())
    with pytest.raises(DuplicateIdError) as caught:
        pg.load_transcripts(tmp_path)
    assert "b.json:1: id" in str(caught.value)
    assert "a.jsonl:1" in str(caught.value)


def test_lone_surrogates_become_replacement_characters_with_a_note(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(mapping(answer="a\ud83db", metadata={"k\ude00": ["\ud83d"]})) + "\n")
    transcript = pg.load_transcripts(file)[0]
    assert transcript.answer == "a\ufffdb"
    assert transcript.metadata == {"k\ufffd": ["\ufffd"]}
    assert [note.rule for note in transcript.notes] == ["lone_surrogate"]
    findings = [item for item in pg.validate(transcript).causes if item.rule == "lone_surrogate"]
    assert len(findings) == 1
    assert "3 lone surrogates" in findings[0].message


def test_a_surrogate_pair_in_json_is_one_character(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(mapping(answer="😀")) + "\n", encoding="utf-8")
    transcript = pg.load_transcripts(file)[0]
    assert transcript.answer == "😀"
    assert transcript.notes == ()


@given(st.text(st.characters(), max_size=40))
def test_any_text_can_be_an_answer(text):
    transcript = to_transcript(mapping(answer=text))
    assert len(transcript.answer) == len(text)
    transcript.model_dump_json().encode()


def test_language_is_read_from_metadata_too():
    assert to_transcript(mapping(metadata={"language": "de"})).effective_language == "de"
    assert to_transcript(mapping(language="fr", metadata={"language": "de"})).effective_language == "fr"
    assert to_transcript(mapping()).effective_language is None


def test_own_names_in_a_folder_hide_other_json(tmp_path):
    write(tmp_path / "package.json", {"name": "x"})
    write(tmp_path / "a.transcript.json", mapping())
    assert [Path(file).name for file in find_files(tmp_path)] == ["a.transcript.json"]
    assert [t.id for t in pg.load_transcripts(tmp_path)] == ["t1"]


@pytest.mark.parametrize(
    ("name", "words"), [("none.json", "does not exist"), ("*.nothing", "matches no file")]
)
def test_a_path_that_names_nothing(tmp_path, name, words):
    with pytest.raises(InputError, match=words):
        pg.load_transcripts(tmp_path / name)


def test_an_empty_folder_says_so(tmp_path):
    with pytest.raises(InputError, match="contains no transcripts"):
        pg.load_transcripts(tmp_path)


def test_a_folder_is_searched_to_its_bottom_in_the_order_of_the_names(tmp_path):
    for name in ("b/c/two.transcript.json", "b/one.transcripts.jsonl", ".hidden/a.transcript.json", "z.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "b" / "folder.transcript.json").mkdir()
    (tmp_path / "b" / "__golden__").mkdir()
    (tmp_path / "b" / "__golden__" / "x.transcript.json").write_text("")
    names = [Path(file).relative_to(tmp_path).as_posix() for file in find_files(tmp_path)]
    assert names == ["b/c/two.transcript.json", "b/one.transcripts.jsonl"]


def test_a_folder_that_cannot_be_looked_into_is_named(tmp_path, monkeypatch):
    (tmp_path / "closed").mkdir()
    write(tmp_path / "a.transcript.json", mapping())
    scandir = os.scandir

    def closed(path):
        if str(path).endswith("closed"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", closed)
    with pytest.raises(InputError, match=r"closed: cannot be read \(Permission denied\)"):
        pg.load_transcripts(tmp_path)
