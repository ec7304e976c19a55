"""Every format is recognised by its content and becomes a transcript with its meaning intact."""

import ast
import json
from pathlib import Path

import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st
from payloads import ANSWER, FIRST, HOURS, MARKED, PAYLOADS, PRICE, QUESTION, SECOND

import pytest_grounding as pg
import pytest_grounding.importers as room
from pytest_grounding.engine import registry
from pytest_grounding.engine.transcript_input import as_transcript, iter_transcripts
from pytest_grounding.importers.builtin import BEFORE, FORMATS, builtin_importers
from pytest_grounding.importers.load_files import KnownIds
from pytest_grounding.importers.native import Importers


def write(folder, value, name="recording.json"):
    path = folder / name
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


@pytest.mark.row(49)
@each(*PAYLOADS)
def test_a_recording_keeps_its_meaning(name, tmp_path):
    value = PAYLOADS[name]
    (loaded,) = pg.load_transcripts(write(tmp_path, value))
    assert loaded == as_transcript(value), "a file and a value give the same transcript"
    assert loaded.question == QUESTION
    assert "Tuesday to Sunday" in loaded.answer
    assert HOURS in " ".join(chunk.text for chunk in loaded.chunks)
    for citation in loaded.citations:
        assert citation.text is None or loaded.answer[citation.start : citation.end] == citation.text
        assert citation.chunk_ids
        assert set(citation.chunk_ids) <= {chunk.id for chunk in loaded.chunks}
    assert all(note.rule != "offset_mismatch" for note in loaded.notes)
    pg.validate(loaded)
    dumped = loaded.model_dump(mode="json", exclude_defaults=True)
    (again,) = pg.load_transcripts(write(tmp_path, dumped, "again.transcript.json"))
    assert again == loaded
    assert Importers().of(dumped) is None, "a transcript is not a foreign format"


@each(*PAYLOADS)
def test_one_importer_recognises_each_value(name):
    value = PAYLOADS[name]
    for member in value if isinstance(value, list) else [value]:
        found = Importers().of(member)
        assert found is not None
        # The last one reads what no other does, by names alone.
        others = [other.name for other in builtin_importers()[:-1] if other.recognises(member)]
        assert others == [found.name], "no value may be claimed by two formats"


def loaded(name, tmp_path):
    return pg.load_transcripts(write(tmp_path, PAYLOADS[name]))[0]


def test_citations_of_providers_keep_their_places(tmp_path):
    for name in ("cohere", "gemini"):
        citations = loaded(name, tmp_path).citations
        assert [citation.text for citation in citations] == [FIRST, SECOND]
    assert [c.chunk_ids for c in loaded("cohere", tmp_path).citations] == [("hours",), ("doc:1",)]
    assert [c.chunk_ids for c in loaded("gemini", tmp_path).citations] == [("g0",), ("g1",)]
    assert loaded("gemini", tmp_path).answer == ANSWER, "thoughts and calls of tools are no answer"


def test_scores_ids_and_sources_are_kept(tmp_path):
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


def test_confidence_filters_and_model_are_kept(tmp_path):
    structured = loaded("structured", tmp_path)
    assert structured.cited_indices == (1, 2)
    assert structured.confidence == 0.9
    chat = loaded("contract", tmp_path)
    assert chat.confidence == 0.8
    assert chat.filters == {"language": "en"}
    assert chat.metadata["model_version"] == "v1"
    assert loaded("cohere", tmp_path).metadata["response_id"] == "r-1"


def test_a_made_id_depends_on_the_question_only():
    first = as_transcript(PAYLOADS["langchain"])
    changed = {**PAYLOADS["langchain"], "answer": "Something else."}
    assert as_transcript(changed).id == first.id
    assert as_transcript({**PAYLOADS["langchain"], "input": "Another?"}).id != first.id


@each("a.json", "a.jsonl")
def test_a_repeated_id_is_an_error(name, tmp_path):
    row = {"id": "same", "question": "q?", "chunks": [], "answer": "It is 3."}
    (tmp_path / name).write_text(json.dumps([row, {**row, "answer": "It is 4."}]))
    first, second = iter_transcripts(tmp_path / name)
    assert first.transcript is not None
    assert isinstance(second.error, pg.DuplicateIdError)
    assert str(second.error).count(f"{name}:1") == 2
    known = KnownIds()
    again = [row for _ in range(2) for row in iter_transcripts(tmp_path / name, known=known)]
    assert [row.transcript is None for row in again] == [False, True, False, True]


def test_repeated_questions_get_numbered_ids_across_files(tmp_path):
    lines = "".join(json.dumps(PAYLOADS["ragas"]) + "\n" for _ in range(2))
    (tmp_path / "a.jsonl").write_text(lines)
    (tmp_path / "b.json").write_text(json.dumps(PAYLOADS["ragas"]))
    ids = [transcript.id for transcript in pg.load_transcripts(tmp_path)]
    assert ids == [ids[0], f"{ids[0]}-2", f"{ids[0]}-3"]


def test_assertions_take_recordings_as_they_are():
    supported = {**PAYLOADS["langchain"], "answer": f"{HOURS} [1]"}
    pg.assert_citations_valid(supported)
    with pytest.raises(AssertionError):
        pg.assert_citations_valid({**PAYLOADS["langchain"], "answer": f"{HOURS} [7]"})


def test_pytest_collects_recordings_by_pattern(pytester):
    good = {**PAYLOADS["langchain"], "input": "When is it open?", "answer": f"{HOURS} [1]"}
    bad = {**good, "input": "When is it closed?", "answer": f"{HOURS} [9]"}
    lines = "\n".join(map(json.dumps, (good, bad)))
    (pytester.path / "runs.langchain.jsonl").write_text(lines, encoding="utf-8")
    pytester.makeini("[pytest]\ngrounding_files = *.langchain.jsonl\n")
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1)


def test_an_importer_of_an_extension_is_asked_first():
    class Museum:
        name = "museum"

        def recognises(self, value):
            return isinstance(value, dict) and "visitor_asks" in value

        def convert(self, value):
            yield {"question": value["visitor_asks"], "chunks": [], "answer": value["guide_says"]}

    class Extension:
        @pg.hookimpl
        def pytest_grounding_importers(self):
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


def test_a_file_that_is_not_a_recording_gets_one_sentence(tmp_path):
    with pytest.raises(pg.InputError, match=r"recording\.json:1: is neither a transcript nor a recording"):
        pg.load_transcripts(write(tmp_path, {"vectors": [1, 2]}))


def test_a_missing_question_error_says_how_to_record_it():
    alone = PAYLOADS["cohere"]["response"]
    with pytest.raises(
        pg.InputError, match=r'question: this recording \(cohere\).*"request".*setting question'
    ):
        as_transcript(alone)
    assert as_transcript(alone, {"question": QUESTION}).question == QUESTION
    assert as_transcript({"question": QUESTION, "response": alone}).question == QUESTION
    assert as_transcript({"request": QUESTION, "response": alone}).question == QUESTION


def test_markers_cite_by_position(tmp_path):
    for name in ("langchain", "llamaindex", "haystack", "mlflow", "openinference"):
        transcript = loaded(name, tmp_path)
        assert transcript.answer == MARKED
        verdict = pg.validate(transcript)
        assert [item.chunk_id for item in verdict.citations] == [chunk.id for chunk in transcript.chunks]


PAID = "Refunds are paid within 14 days of the return."
PLAIN = {
    "id": "a",
    "question": "How long do refunds take?",
    "chunks": [{"id": "c", "text": PAID}],
    "answer": f"{PAID[:-1]} [1].",
    "citations": [1],
}


def test_numbers_are_citations_of_a_plain_transcript(tmp_path):
    with_more = {**PLAIN, "history": [{"role": "user", "content": "Hello."}], "language": "en"}
    (tmp_path / "a.jsonl").write_text(json.dumps(with_more), encoding="utf-8")
    [loaded] = pg.load_transcripts(tmp_path / "a.jsonl")
    for read in (loaded, as_transcript(with_more), pg.Transcript.model_validate(with_more)):
        assert (read.cited_indices, read.citations, read.language) == ((1,), (), "en")
        assert read.history[0].content == "Hello."
    verdict = pg.validate(PLAIN)
    assert (verdict.status, [item.rule for item in verdict.causes]) == ("pass", [])


def test_a_number_without_a_source_is_reported():
    assert "source_exists" in {item.rule for item in pg.validate({**PLAIN, "citations": [1, 7]}).findings}


def test_numbers_without_an_id_are_not_a_contract(tmp_path):
    nameless = {key: value for key, value in PLAIN.items() if key != "id"}
    read = as_transcript(nameless)
    assert (read.cited_indices, read.confidence) == ((1,), None)
    assert pg.validate(read).status == "pass"
    answer = {"chunks": PLAIN["chunks"], "answer": PLAIN["answer"], "citations": [1]}
    [recorded] = pg.record(lambda _: answer, PLAIN["question"], to=tmp_path)
    assert recorded.cited_indices == (1,)
    assert pg.validate(recorded).status == "pass"


@each({"missing_information": ""}, {"response": {"answer": "x", "citations": [1]}})
def test_a_broken_contract_is_reported(change):
    found = as_transcript({**PLAIN, **change})
    assert "broken_contract" in {note.rule for note in found.notes}


@given(
    st.lists(st.one_of(st.integers(), st.text(max_size=2), st.booleans(), st.none()), min_size=1, max_size=4)
)
def test_other_values_among_the_numbers_are_named(cited):
    if all(type(item) is int for item in cited):
        assert as_transcript({**PLAIN, "citations": cited}).cited_indices == tuple(cited)
        return
    if all(type(item) is int or (type(item) is str and item.strip()) for item in cited):
        return  # numbers and names, which tests/importers/test_listed_citations.py has
    with pytest.raises(pg.InputError, match=r'^citations\[\d\]: is not an object.*write \{"start": 0'):
        as_transcript({**PLAIN, "citations": cited})


def test_no_importer_of_the_room_is_left_out():
    found = set()
    for file in Path(room.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                names = {
                    target.id
                    for item in node.body
                    if isinstance(item, ast.Assign)
                    for target in item.targets
                    if isinstance(target, ast.Name)
                }
                if "name" in names:
                    found.add(node.name)
    assert found - {importer.__name__ for importer in (*BEFORE, *FORMATS)} == {"Streams", "EventLines"}
