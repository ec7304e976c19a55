"""Histories of libraries, runs that did not end, and places of passages in traces."""

import json

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding.checks.tool_use import with_results
from pytest_grounding.engine.transcript_input import as_transcript

QUESTION = "How many books may a reader borrow, and how long are films lent?"
BOOKS = "A reader may borrow eight books at a time."
FILMS = "Films are lent for seven days."
ANSWER = "A reader may borrow eight books [1]. Films are lent for seven days [2]."
RECORDS = json.dumps([{"id": "b1", "text": BOOKS}, {"id": "f1", "text": FILMS}])
USER, SAID = {"role": "user", "content": QUESTION}, {"role": "assistant", "content": ANSWER}


def load(tmp_path, value):
    file = tmp_path / "recording.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    return pg.load_transcripts(file)


def rules(transcript):
    return {(note.rule, note.severity) for note in transcript.notes}


@each(
    [USER, {"role": "tool", "tool_call_id": "c", "content": RECORDS}, SAID],
    [USER, {"role": "tool", "tool_call_id": "c", "content": repr(json.loads(RECORDS))}, SAID],
    {
        "messages": [
            {"role": {"label": "user"}, "items": [{"content_type": "text", "text": QUESTION}]},
            {"role": "tool", "items": [{"content_type": "function_result", "name": "s", "result": RECORDS}]},
            {"role": "assistant", "items": [{"content_type": "text", "text": ANSWER}]},
        ]
    },
    {"values": {"messages": [USER, {"role": "tool", "content": RECORDS}, SAID]}, "next": []},
    {"messages": [USER, SAID], "references": [{"query": "q", "references": json.loads(RECORDS)}]},
    {"output": ANSWER, "steps": [{"task": QUESTION}, {"observations": RECORDS}]},
)
def test_the_records_of_a_history_are_its_passages(value, tmp_path):
    [found] = load(tmp_path, value)
    assert (found.question, found.answer) == (QUESTION, ANSWER)
    assert [chunk.id for chunk in found.chunks] == ["b1", "f1"]
    assert pg.validate(found).status == "pass"
    [swapped] = load(tmp_path, json.loads(json.dumps(value).replace("[1]", "[@]").replace("[2]", "[1]")))
    assert pg.validate(swapped).status != "pass"


@each(
    {"messages": [USER, SAID], "context": [BOOKS, FILMS], "next": ["tools"]},
    {
        "question": QUESTION,
        "answer": ANSWER,
        "sources": [{"text": BOOKS}, {"text": FILMS}],
        "status": "cancelled",
    },
    {
        "question": QUESTION,
        "answer": ANSWER,
        "sources": [{"text": BOOKS}, {"text": FILMS}],
        "error": "timeout",
    },
    {"query": QUESTION, "reply": ANSWER, "hits": [{"text": BOOKS}, {"text": FILMS}], "truncated": True},
    {
        "question": QUESTION,
        "stream": [
            {"event": "token", "data": {"text": ANSWER}},
            {"event": "sources", "data": [{"text": BOOKS}, {"text": FILMS}]},
            {"event": "error", "data": {"message": "overloaded"}},
            {"event": "done", "data": {}},
        ],
    },
)
def test_a_run_that_did_not_end_well_is_an_error(value):
    found = as_transcript(value)
    assert ("incomplete_recording", "error") in rules(found)
    assert pg.validate(found).status == "reject"


def spans(documents, **more):
    attributes = {"openinference.span.kind": "RETRIEVER", "input.value": QUESTION}
    for number, text in documents.items():
        attributes[f"retrieval.documents.{number}.document.content"] = text
    root = {"openinference.span.kind": "CHAIN", "input.value": QUESTION, "output.value": ANSWER}
    made = [("r", None, root), ("s", "r", attributes)]
    return [
        {"context": {"trace_id": "t", "span_id": own}, "parent_id": parent, "attributes": held, **more}
        for own, parent, held in made
    ]


def test_the_same_text_twice_keeps_both_places():
    found = as_transcript(spans({0: BOOKS, 1: BOOKS, 2: FILMS}))
    assert [chunk.text for chunk in found.chunks] == [BOOKS, BOOKS, FILMS]


def test_dropped_documents_keep_the_places_of_the_others():
    found = as_transcript(spans({2: BOOKS, 3: FILMS}))
    assert [chunk.text for chunk in found.chunks] == ["", "", BOOKS, FILMS]
    assert ("import_loss", "warning") in rules(found)
    assert pg.validate(found).status != "pass"


def test_dropped_attributes_are_a_warning():
    assert ("import_loss", "warning") in rules(
        as_transcript(spans({0: BOOKS, 1: FILMS}, droppedAttributesCount=3))
    )


def test_a_failed_span_is_an_error():
    found = as_transcript(spans({0: BOOKS, 1: FILMS}, status={"status_code": "ERROR"}))
    assert ("incomplete_recording", "error") in rules(found)


def test_the_ideal_context_of_a_table_is_not_what_was_retrieved(tmp_path):
    file = tmp_path / "cases.csv"
    row = f'"{QUESTION}","{ANSWER}","{BOOKS}","Closed on Sundays."'
    file.write_text(f"input,actual_output,context,retrieval_context\n{row}\n")
    [found] = pg.load_transcripts(file)
    assert [chunk.text for chunk in found.chunks] == ["Closed on Sundays."]
    assert pg.validate(found).status == "reject"


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_ids_of_promptfoo_hold_for_every_order(order, tmp_path):
    rows = [
        {
            "vars": {"question": QUESTION, "context": [BOOKS, FILMS]},
            "prompt": {"label": "p"},
            "provider": {"id": name},
            "promptIdx": number,
            "testIdx": 0,
            "response": {"output": ANSWER},
            "latencyMs": 1,
        }
        for number, name in enumerate(("old", "new"))
    ]
    found = load(tmp_path, {"results": {"results": [rows[number] for number in order]}})
    assert {item.metadata["provider"]: item.id for item in found} == {
        "old": "test-0-prompt-0-old",
        "new": "test-0-prompt-1-new",
    }


@each(
    f"Source: books.md\n{BOOKS}\n\nSource: films.md\n{FILMS}",
    json.dumps({"count": 2, "results": [BOOKS, FILMS]}),
    [{"n": 1, "body": BOOKS}, {"n": 2, "body": f"Loans\n{FILMS}"}],
)
def test_a_tool_result_that_repeats_the_passages_is_no_other_source(result):
    value = {
        "id": "t",
        "question": "Are films lent for longer than gift cards are valid?",
        "chunks": [{"id": "b1", "text": BOOKS}, {"id": "f1", "text": FILMS}],
        "answer": ANSWER,
        "tool_calls": [{"name": "search", "arguments": {}, "result": result}],
    }
    chunks = with_results(as_transcript(value)).chunks[2:]
    assert not any(BOOKS in chunk.text or FILMS in chunk.text for chunk in chunks)
    assert pg.validate(value).status == "pass"


def test_what_a_tool_result_says_beside_the_passages_is_a_source():
    value = {
        "id": "t",
        "question": "How long are films and maps lent?",
        "chunks": [{"id": "f1", "text": "Films are lent for 7"}, {"id": "b1", "text": BOOKS}],
        "answer": "Films are lent for 7.5 days. Maps are lent for two weeks.",
        "tool_calls": [
            {
                "name": "s",
                "arguments": {},
                "result": f"{BOOKS}\nFilms are lent for 7.5 days, maps for two weeks.",
            }
        ],
    }
    [added] = with_results(as_transcript(value)).chunks[2:]
    assert added.text.strip() == "Films are lent for 7.5 days, maps for two weeks."
    assert pg.validate(value).status == "pass"


def test_an_observation_that_is_the_answer_of_the_run_is_no_source():
    steps = [{"task": QUESTION}, {"observations": RECORDS}, {"observations": f"Observation:\n{ANSWER}"}]
    found = as_transcript({"output": ANSWER, "steps": steps})
    assert [chunk.id for chunk in found.chunks] == ["b1", "f1"]
