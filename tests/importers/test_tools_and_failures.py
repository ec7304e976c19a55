"""What services send beside an answer: tool output, several messages, errors; and incomplete recordings."""

import json

import pytest
from every import each, table

import pytest_grounding as pg

ASKED = "How long do refunds take?"
FOUND = "Refunds take 14 days."
SAID = "They take 14 days."


def read(folder, value, name="recording.json"):
    file = folder / name
    file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return pg.load_transcripts(file)


def anthropic(content, messages=None, stop="end_turn"):
    asked = {"messages": messages or [{"role": "user", "content": ASKED}]}
    said = {"id": "m", "type": "message", "role": "assistant", "content": content, "stop_reason": stop}
    return {"request": asked, "response": said}


@pytest.mark.parametrize(("what", "name", "value", "expected", "said"), table(__file__, "recordings"))
def test_a_recording_is_read(what, name, value, expected, said, tmp_path):
    found = read(tmp_path, value, name)
    shown = [
        {
            "format": item.metadata.get("format"),
            "question": item.question,
            "answer": item.answer,
            "chunks": [chunk.id for chunk in item.chunks],
            "texts": [chunk.text for chunk in item.chunks],
            "tools": [chunk.metadata.model_dump().get("tool") for chunk in item.chunks],
            "citations": [[citation.start, list(citation.chunk_ids)] for citation in item.citations],
            "notes": sorted({note.rule for note in item.notes}),
            "status": pg.validate(item).status,
        }
        for item in found
    ]
    wanted = [{key: item[key] for key in row} for item, row in zip(shown, expected, strict=True)]
    assert wanted == expected, what
    assert not said or any(said in note.message for item in found for note in item.notes), what


@each(*table(__file__, "no_answer"))
def test_a_service_that_gave_no_answer_is_quoted_with_its_reason(recording, reason, tmp_path):
    [found] = read(tmp_path, recording)
    assert found.answer == ""
    said = f"the service gave no answer: {reason}"
    assert [note.message for note in found.notes if "gave no answer" in note.message] == [said]
    verdict = pg.validate(found)
    assert verdict.status == "reject"
    assert ("import_loss", said) in [(cause.rule, cause.message) for cause in verdict.causes]
    assert "empty_answer" in [cause.rule for cause in verdict.causes]


def test_search_results_beside_the_choices_are_the_numbered_sources(tmp_path):
    answer = {"role": "assistant", "content": f"{SAID[:-1]} [2]."}
    results = [
        {"title": "Hours", "url": "https://shop.example/hours", "snippet": "It opens at nine."},
        {"title": "Refunds", "url": "https://shop.example/refunds", "snippet": FOUND},
    ]
    response = {"choices": [{"message": answer}], "search_results": results}
    asked = {"messages": [{"role": "user", "content": ASKED}]}
    [found] = read(tmp_path, {"request": asked, "response": response})
    [citation] = pg.validate(found).citations
    assert citation.valid
    assert [chunk.metadata.url for chunk in found.chunks if chunk.id == citation.chunk_id] == [
        results[1]["url"]
    ]


def events(*items):
    return "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in items)


def test_two_columns_of_the_same_name_are_refused(tmp_path):
    with pytest.raises(pg.InputError, match=r"runs\.csv:1: two columns are called 'context'.*context_1"):
        read(tmp_path, f"question,answer,context,context\n{ASKED},{SAID},a,b\n", "runs.csv")


PDF = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}}


def test_a_binary_document_is_reported_as_not_recorded(tmp_path):
    text = {"type": "document", "source": {"type": "text", "data": FOUND}}
    asked = [{"role": "user", "content": [PDF, text, {"type": "text", "text": ASKED}]}]
    value = anthropic([{"type": "text", "text": SAID}], asked)
    [found] = read(tmp_path, value)
    assert [chunk.text for chunk in found.chunks] == [FOUND]
    [note] = [note for note in found.notes if "not recorded" in note.message]
    assert (note.rule, note.severity) == ("recording_gap", "warning")
    [given] = read(tmp_path, {**value, "chunks": ["The text of the PDF.", FOUND]})
    assert not [note for note in given.notes if "not recorded" in note.message]


def test_a_stream_that_fails_before_its_first_word_says_why(tmp_path):
    request = ("request", {"input": ASKED})
    response = {"object": "response", "status": "failed", "error": {"message": "overloaded"}, "output": []}
    [found] = read(tmp_path, events(request, ("response.failed", {"response": response})), "chat.sse")
    assert (found.question, found.answer) == (ASKED, "")
    assert any("the service gave no answer: overloaded" in note.message for note in found.notes)
    with pytest.raises(pg.InputError, match=r"the service sent an error \(overloaded\) and no text"):
        read(tmp_path, events(request, ("error", {"message": "overloaded"})), "chat.sse")


def message_of(file):
    with pytest.raises(pg.InputError) as caught:
        pg.load_transcripts(file)
    return str(caught.value).removeprefix(str(file.parent) + "/")


def written(folder, name, content):
    file = folder / name
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


@pytest.mark.parametrize("beside", [{}, {"chunks": ["x"]}, {"question": "Who?", "chunks": ["x"]}])
def test_a_response_of_no_format_is_what_is_named(tmp_path, beside):
    response = {"object": "chat.completion", "choices": []}
    file = written(tmp_path, "odd.json", {"request": {}, "response": response, **beside})
    assert message_of(file) == (
        "odd.json:1: response: is of no format that is known (its fields: 'object', 'choices'); record one "
        "of the formats of docs/formats.md, whole, or write id, question, chunks, answer"
    )


def test_a_response_that_is_text_is_an_answer_under_another_name(tmp_path):
    file = written(tmp_path, "text.json", {"id": "a", "question": "Who?", "chunks": [], "response": "Ada."})
    assert "response: is not a known field" in message_of(file)
    assert message_of(file).endswith("write it as 'answer'")


@each(
    ("a.csv", "question,answer,contexts\n", "contains no row under its columns' names; write one transcript"),
    ("a.csv", "\n", "is empty; write the columns' names in the first line"),
    ("a.jsonl", "\n\n", "is empty; write one transcript a line, or remove the file"),
    ("a.json", "[]", "a transcript is an object, and this is an empty list"),
)
def test_a_file_that_holds_nothing_is_named(name, content, words, tmp_path):
    message = message_of(written(tmp_path, name, content))
    assert message.startswith(name)
    assert words in message


@pytest.mark.parametrize("cell", ["0", "nan", "[]", "-", "no", "N/A", ""])
def test_a_column_of_errors_without_one_is_no_failure(tmp_path, cell):
    table_file = f'question,answer,contexts,error\n{ASKED},{FOUND},"[""{FOUND}""]",{cell}\n'
    [read_row] = read(tmp_path, table_file, "rows.csv")
    assert pg.validate(read_row).status == "pass"


def test_a_column_of_errors_with_one_is_a_failure(tmp_path):
    table_file = f'question,answer,contexts,error\n{ASKED},{FOUND},"[""{FOUND}""]",rate limit\n'
    [read_row] = read(tmp_path, table_file, "rows.csv")
    assert pg.validate(read_row).status == "reject"
