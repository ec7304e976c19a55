"""Every format is recognised by its content and becomes a transcript with its meaning intact."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from every import each
from payloads import ANSWER, FIRST, HOURS, MARKED, PAYLOADS, PRICE, QUESTION, SECOND

import pytest_grounding as pg
from pytest_grounding.engine import registry
from pytest_grounding.engine.transcript_input import as_transcript, iter_transcripts
from pytest_grounding.importers.builtin import builtin_importers
from pytest_grounding.importers.load_files import KnownIds
from pytest_grounding.importers.native import importer_of
from pytest_grounding.model.transcript import Transcript


def write(folder: Path, value: Any, name: str = "recording.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


@each(*PAYLOADS)
def test_a_file_and_the_value_give_the_same_transcript(name: str, tmp_path: Path) -> None:
    (loaded,) = pg.load_transcripts(write(tmp_path, PAYLOADS[name]))
    value = PAYLOADS[name]
    given = as_transcript(value)
    assert loaded == given
    assert loaded.question == QUESTION
    assert "Tuesday to Sunday" in loaded.answer
    assert HOURS in " ".join(chunk.text for chunk in loaded.chunks)


@each(*PAYLOADS)
def test_every_span_holds_its_words_and_names_chunks_that_are_there(name: str, tmp_path: Path) -> None:
    (loaded,) = pg.load_transcripts(write(tmp_path, PAYLOADS[name]))
    ids = {chunk.id for chunk in loaded.chunks}
    for citation in loaded.citations:
        assert citation.text is None or loaded.answer[citation.start : citation.end] == citation.text
        assert citation.chunk_ids
        assert set(citation.chunk_ids) <= ids
    assert all(note.rule != "offset_mismatch" for note in loaded.notes)
    pg.validate(loaded)


@each(*PAYLOADS)
def test_one_importer_recognises_each_value(name: str) -> None:
    value = PAYLOADS[name]
    members = value if isinstance(value, list) else [value]
    for member in members:
        found = importer_of(member, builtin_importers())
        assert found is not None
        others = [other.name for other in builtin_importers() if other.recognises(member)]
        assert others == [found.name], "no value may be claimed by two formats"


@each(*PAYLOADS)
def test_a_transcript_that_was_written_reads_back_equal(name: str, tmp_path: Path) -> None:
    (loaded,) = pg.load_transcripts(write(tmp_path, PAYLOADS[name]))
    dumped = loaded.model_dump(mode="json", exclude_defaults=True)
    (again,) = pg.load_transcripts(write(tmp_path, dumped, "again.transcript.json"))
    assert again == loaded
    assert importer_of(dumped, builtin_importers()) is None, "a transcript is not a foreign format"


def loaded(name: str, tmp_path: Path) -> Transcript:
    return pg.load_transcripts(write(tmp_path, PAYLOADS[name]))[0]


def test_citations_of_providers_lie_where_they_said(tmp_path: Path) -> None:
    for name in ("cohere", "gemini"):
        citations = loaded(name, tmp_path).citations
        assert [citation.text for citation in citations] == [FIRST, SECOND]
    assert [c.chunk_ids for c in loaded("cohere", tmp_path).citations] == [("hours",), ("doc:1",)]
    assert [c.chunk_ids for c in loaded("gemini", tmp_path).citations] == [("g0",), ("g1",)]
    assert loaded("gemini", tmp_path).answer == ANSWER, "thoughts and calls of tools are no answer"


def test_scores_ids_and_origins_are_kept(tmp_path: Path) -> None:
    chunks = loaded("langchain", tmp_path).chunks
    assert [(chunk.id, chunk.score) for chunk in chunks] == [
        ("d1", 0.9),
        ("https://museum.example/price", None),
    ]
    assert chunks[0].metadata.document == "hours.md"
    assert chunks[1].metadata.url == "https://museum.example/price"
    chunks = loaded("openinference", tmp_path).chunks
    assert [(chunk.id, chunk.score, chunk.text) for chunk in chunks] == [
        ("hours", 0.9, HOURS),
        ("price", 0.8, PRICE),
    ]
    assert [chunk.id for chunk in loaded("ragas", tmp_path).chunks] == ["hours", "2"]


def test_what_a_service_reports_of_itself_is_kept(tmp_path: Path) -> None:
    structured = loaded("structured", tmp_path)
    assert structured.cited_indices == (1, 2)
    assert structured.confidence == 0.9
    chat = loaded("contract", tmp_path)
    assert chat.confidence == 0.8
    assert chat.filters == {"language": "en"}
    assert chat.metadata["model_version"] == "v1"
    assert loaded("cohere", tmp_path).metadata["response_id"] == "r-1"


def test_a_made_id_is_the_same_in_the_next_recording_and_differs_by_question() -> None:
    first = as_transcript(PAYLOADS["langchain"])
    changed = {**PAYLOADS["langchain"], "answer": "Something else."}
    assert as_transcript(changed).id == first.id
    assert as_transcript({**PAYLOADS["langchain"], "input": "Another?"}).id != first.id


@each("a.json", "a.jsonl")
def test_an_id_twice_on_one_line_is_an_error(name: str, tmp_path: Path) -> None:
    row = {"id": "same", "question": "q?", "chunks": [], "answer": "It is 3."}
    (tmp_path / name).write_text(json.dumps([row, {**row, "answer": "It is 4."}]))
    first, second = iter_transcripts(tmp_path / name)
    assert first.transcript is not None
    assert isinstance(second.error, pg.DuplicateIdError)
    assert str(second.error).count(f"{name}:1") == 2
    known = KnownIds()
    again = [row for _ in range(2) for row in iter_transcripts(tmp_path / name, known=known)]
    assert [row.transcript is None for row in again] == [False, True, False, True]


def test_the_same_question_twice_gets_numbered_ids_also_across_files(tmp_path: Path) -> None:
    lines = "".join(json.dumps(PAYLOADS["ragas"]) + "\n" for _ in range(2))
    (tmp_path / "a.jsonl").write_text(lines)
    (tmp_path / "b.json").write_text(json.dumps(PAYLOADS["ragas"]))
    ids = [transcript.id for transcript in pg.load_transcripts(tmp_path)]
    assert ids == [ids[0], f"{ids[0]}-2", f"{ids[0]}-3"]


def test_assertions_take_recordings_as_they_are() -> None:
    supported = {**PAYLOADS["langchain"], "answer": f"{HOURS} [1]"}
    pg.assert_citations_valid(supported)
    with pytest.raises(AssertionError):
        pg.assert_citations_valid({**PAYLOADS["langchain"], "answer": f"{HOURS} [7]"})


def test_the_collector_takes_recordings_by_the_pattern_setting(pytester: pytest.Pytester) -> None:
    good = {**PAYLOADS["langchain"], "input": "When is it open?", "answer": f"{HOURS} [1]"}
    bad = {**good, "input": "When is it closed?", "answer": f"{HOURS} [9]"}
    lines = "\n".join(map(json.dumps, (good, bad)))
    (pytester.path / "runs.langchain.jsonl").write_text(lines, encoding="utf-8")
    pytester.makeini("[pytest]\ngrounding_files = *.langchain.jsonl\n")
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1)


def test_an_importer_of_ones_own_is_asked_first() -> None:
    class Museum:
        name = "museum"

        def recognises(self, value: Any) -> bool:
            return isinstance(value, dict) and "visitor_asks" in value

        def convert(self, value: Any) -> Any:
            yield {"question": value["visitor_asks"], "chunks": [], "answer": value["guide_says"]}

    class Extension:
        @pg.hookimpl
        def pytest_grounding_importers(self) -> list[Any]:
            return [Museum()]

    extension = Extension()
    registry.register(extension)
    try:
        found = as_transcript({"visitor_asks": "When?", "guide_says": "At ten."})
        assert (found.question, found.answer, found.id[:7]) == ("When?", "At ten.", "museum-")
        with pytest.raises(pg.InputError, match="importer 'museum' failed: KeyError"):
            as_transcript({"visitor_asks": "When?"})
    finally:
        registry.unregister(extension)


def test_what_is_no_recording_is_said_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(pg.InputError, match=r"recording\.json:1: is neither a transcript nor a recording"):
        pg.load_transcripts(write(tmp_path, {"vectors": [1, 2]}))


def test_a_missing_question_is_an_error_that_says_how_to_record_it() -> None:
    alone = PAYLOADS["cohere"]["response"]
    with pytest.raises(
        pg.InputError, match=r'question: this recording \(cohere\).*"request".*setting question'
    ):
        as_transcript(alone)
    assert as_transcript(alone, {"question": QUESTION}).question == QUESTION
    assert as_transcript({"question": QUESTION, "response": alone}).question == QUESTION
    assert as_transcript({"request": QUESTION, "response": alone}).question == QUESTION


def test_marked_answers_cite_by_position(tmp_path: Path) -> None:
    for name in ("langchain", "llamaindex", "haystack", "mlflow", "openinference"):
        transcript = loaded(name, tmp_path)
        assert transcript.answer == MARKED
        verdict = pg.validate(transcript)
        assert [item.chunk_id for item in verdict.citations] == [chunk.id for chunk in transcript.chunks]
