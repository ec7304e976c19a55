"""What services send beside an answer: tool output, several messages, errors; and incomplete recordings."""

import json

import pytest
from every import each

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


def responses(output, given=ASKED, **more):
    return {"request": {"input": given}, "response": {"object": "response", "output": output, **more}}


def message(text, annotations=()):
    part = {"type": "output_text", "text": text, "annotations": list(annotations)}
    return {"type": "message", "role": "assistant", "content": [part]}


def tool_use(place):
    return [
        {"role": "user", "content": ASKED},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "search", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": place}]},
    ]


CALLED = {"id": "t1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
BY_TOOL = {
    "anthropic": anthropic([{"type": "text", "text": SAID}], tool_use(FOUND)),
    "openai-chat": {
        "request": {
            "messages": [
                {"role": "user", "content": ASKED},
                {"role": "assistant", "content": None, "tool_calls": [CALLED]},
                {"role": "tool", "tool_call_id": "t1", "content": FOUND},
            ]
        },
        "response": {
            "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": SAID}}]
        },
    },
    "openai-responses": responses(
        [message(SAID)],
        [
            {"role": "user", "content": ASKED},
            {"type": "function_call", "call_id": "t1", "name": "search", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "t1", "output": FOUND},
        ],
    ),
    "gemini": {
        "request": {
            "contents": [
                {"role": "user", "parts": [{"text": ASKED}]},
                {"role": "model", "parts": [{"functionCall": {"name": "search", "args": {}}}]},
                {
                    "role": "user",
                    "parts": [{"functionResponse": {"name": "search", "response": {"result": FOUND}}}],
                },
            ]
        },
        "response": {"candidates": [{"content": {"parts": [{"text": SAID}]}, "finishReason": "STOP"}]},
    },
}


@each(*BY_TOOL)
def test_tool_output_is_the_source_of_an_answer(service, tmp_path):
    [found] = read(tmp_path, BY_TOOL[service])
    assert found.metadata["format"] == service
    assert [(chunk.text, chunk.metadata.model_dump()["tool"]) for chunk in found.chunks] == [
        (FOUND, "search")
    ]
    assert any("the text of each of their messages counts as one" in note.message for note in found.notes)
    assert pg.validate(found).hallucination_rate == 0.0


def test_tools_of_earlier_questions_are_ignored(tmp_path):
    earlier = [*tool_use("Parcels cost 5 euros."), {"role": "assistant", "content": "5 euros."}]
    [found] = read(tmp_path, anthropic([{"type": "text", "text": SAID}], [*earlier, *tool_use(FOUND)]))
    assert [chunk.text for chunk in found.chunks] == [FOUND]


def test_a_failed_tool_call_is_not_a_source(tmp_path):
    messages = tool_use(FOUND)
    failed = {"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": "Refunds take an age."}
    messages[-1]["content"].append(failed)
    [found] = read(tmp_path, anthropic([{"type": "text", "text": SAID}], messages))
    assert [chunk.text for chunk in found.chunks] == [FOUND]
    assert any("1 failed call of a tool" in note.message for note in found.notes)


def test_documents_take_precedence_over_tool_output(tmp_path):
    recording = {**BY_TOOL["openai-chat"], "chunks": ["The real passage."]}
    [found] = read(tmp_path, recording)
    assert [chunk.text for chunk in found.chunks] == ["The real passage."]


def test_messages_around_a_tool_call_are_separate_paragraphs(tmp_path):
    search = {"type": "file_search_call", "results": [{"file_id": "f1", "text": FOUND, "score": 0.9}]}
    cited = message(SAID, ({"type": "file_citation", "index": len(SAID) - 1, "file_id": "f1"},))
    [found] = read(tmp_path, responses([message("Let me look"), search, cited]))
    assert found.answer == f"Let me look\n\n{SAID}"
    assert found.citations[0].start == len(found.answer) - 1

    called = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    texts = [{"type": "text", "text": text} for text in ("Let me look", "They take ", "14 days.")]
    [found] = read(tmp_path, anthropic([texts[0], called, *texts[1:]]))
    assert found.answer == f"Let me look\n\n{SAID}", "blocks of one statement stay together"


def gemini(response):
    return {"request": {"contents": ASKED}, "response": response}


def cohere(content):
    request = {"messages": [{"role": "user", "content": ASKED}], "documents": [FOUND]}
    message = {"role": "assistant", "content": content}
    return {"request": request, "response": {"id": "c", "finish_reason": "ERROR", "message": message}}


@each(
    (anthropic([], stop="refusal"), "refusal"),
    (cohere(None), "ERROR"),
    (gemini({"candidates": [{"finishReason": "SAFETY"}], "modelVersion": "g"}), "SAFETY"),
    (gemini({"promptFeedback": {"blockReason": "SAFETY"}}), "SAFETY"),
    (gemini({"candidates": None, "prompt_feedback": {"block_reason": "OTHER"}}), "OTHER"),
    (gemini({"candidates": [{"finishReason": "RECITATION", "index": 0}], "usageMetadata": {}}), "RECITATION"),
    (gemini({"candidates": [{"content": None, "finish_reason": "SAFETY", "safety_ratings": []}]}), "SAFETY"),
    (responses([], status="failed", error={"message": "overloaded"}), "overloaded"),
)
def test_a_service_that_gave_no_answer_is_quoted_with_its_reason(recording, reason, tmp_path):
    [found] = read(tmp_path, recording)
    assert found.answer == ""
    said = f"the service gave no answer: {reason}"
    assert [note.message for note in found.notes if "gave no answer" in note.message] == [said]
    verdict = pg.validate(found)
    assert verdict.status == "reject"
    assert ("import_loss", said) in [(cause.rule, cause.message) for cause in verdict.causes]
    assert "empty_answer" in [cause.rule for cause in verdict.causes]


def test_an_answer_ended_by_an_error_is_cut_off(tmp_path):
    [found] = read(tmp_path, cohere([{"type": "text", "text": "Refunds take"}]))
    assert [note.rule for note in found.notes if "ERROR" in note.message] == ["answer_cut_off"]


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


def trace(output):
    def span(kind, number, given, told):
        members = {"spanType": kind, "spanInputs": given, "spanOutputs": told}
        coded = {f"mlflow.{name}": json.dumps(value) for name, value in members.items()}
        return {"span_id": number, "parent_span_id": None if number == 1 else 1, "attributes": coded}

    asked = {"messages": [{"role": "user", "content": ASKED}]}
    spans = [span("CHAIN", 1, asked, output), span("RETRIEVER", 2, {"query": "q"}, [{"page_content": FOUND}])]
    return {"info": {"trace_id": "t"}, "data": {"spans": spans}}


def test_the_answer_of_a_trace_may_be_a_chat_completion(tmp_path):
    completion = {"choices": [{"message": {"role": "assistant", "content": SAID}}]}
    [found] = read(tmp_path, trace(completion))
    assert (found.question, found.answer) == (ASKED, SAID)


def test_a_trace_without_output_has_no_answer(tmp_path):
    [found] = read(tmp_path, trace(None))
    assert found.answer == ""
    assert any("contains no answer" in note.message for note in found.notes)


def events(*items):
    return "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in items)


def cohere_stream(question, text, reason="COMPLETE"):
    return events(
        ("request", {"messages": [{"role": "user", "content": question}], "documents": [FOUND]}),
        ("message-start", {"type": "message-start", "id": text}),
        (
            "content-delta",
            {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": text}}}},
        ),
        ("message-end", {"type": "message-end", "delta": {"finish_reason": reason}}),
    )


def test_a_file_with_several_streams_gives_several_transcripts(tmp_path):
    stream = cohere_stream(ASKED, SAID) + cohere_stream("And for parcels?", "Five days.")
    found = read(tmp_path, stream, "chat.sse")
    assert [(item.question, item.answer) for item in found] == [
        (ASKED, SAID),
        ("And for parcels?", "Five days."),
    ]


def test_of_several_messages_to_one_request_the_last_is_the_answer(tmp_path):
    first, second = cohere_stream(ASKED, "I will look it up."), cohere_stream(ASKED, SAID)
    [found] = read(tmp_path, first + second[second.index("event: message-start") :], "chat.sse")
    assert found.answer == SAID


def anthropic_stream(stop):
    return events(
        ("message_start", {"message": {"id": "m", "role": "assistant"}}),
        ("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}),
        ("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": "They take"}}),
        ("message_delta", {"delta": {"stop_reason": stop}}),
        ("message_stop", {}),
    )


CUT = {
    "anthropic": anthropic_stream("max_tokens"),
    "openai": events(
        ("", {"choices": [{"index": 0, "delta": {"content": "They take"}}]}),
        ("", {"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]}),
    ).replace("event: \n", ""),
    "gemini": events(
        ("", {"candidates": [{"content": {"parts": [{"text": "They take"}]}, "finishReason": "MAX_TOKENS"}]})
    ).replace("event: \n", ""),
}


@each(*CUT)
def test_a_stream_that_reached_its_limit_is_cut_off(service, tmp_path):
    [found] = read(tmp_path, events(("request", {"question": ASKED})) + CUT[service], "chat.sse")
    assert found.answer == "They take"
    assert "answer_cut_off" in [note.rule for note in found.notes]


def test_a_whole_stream_is_not_cut_off(tmp_path):
    [found] = read(
        tmp_path, events(("request", {"question": ASKED})) + anthropic_stream("end_turn"), "chat.sse"
    )
    assert {"answer_cut_off"}.isdisjoint(note.rule for note in found.notes)


def test_an_error_that_ends_a_stream_is_quoted(tmp_path):
    begun = anthropic_stream("end_turn").split("event: message_delta")[0]
    failed = events(
        ("error", {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
    )
    [found] = read(tmp_path, events(("request", {"question": ASKED})) + begun + failed, "chat.sse")
    [note] = [note for note in found.notes if note.rule == "answer_cut_off"]
    assert "with an error (Overloaded)" in note.message


def test_a_text_with_quoted_words_is_not_split(tmp_path):
    cell = json.dumps(["He said 'yes' 'no'.", "b"]).replace('"', '""')
    [found] = read(tmp_path, f'question,answer,contexts\n{ASKED},{SAID},"{cell}"\n', "runs.csv")
    assert [chunk.text for chunk in found.chunks] == ["He said 'yes' 'no'.", "b"]


def test_two_columns_of_the_same_name_are_refused(tmp_path):
    with pytest.raises(pg.InputError, match=r"runs\.csv:1: two columns are called 'context'.*context_1"):
        read(tmp_path, f"question,answer,context,context\n{ASKED},{SAID},a,b\n", "runs.csv")


@each(
    {"role": "assistant", "content": [{"type": "text", "text": SAID}]},
    {"choices": [{"message": {"role": "assistant", "content": SAID}}]},
    {"output": [message(SAID)]},
    [{"role": "assistant", "content": SAID}],
)
def test_an_answer_is_found_in_each_form_of_a_message(output, tmp_path):
    [found] = read(tmp_path, trace(output))
    assert found.answer == SAID
    told = {"name": "r", "input": "q", "output": [FOUND], "startTime": "2026-11-24T10:00:00Z"}
    observation = {"id": "o", "traceId": "t", "type": "RETRIEVER", **told}
    held = {"id": "t", "input": {"input": [{"role": "user", "content": ASKED}]}, "output": output}
    [found] = read(tmp_path, {**held, "observations": [observation]}, "langfuse.json")
    assert (found.question, found.answer) == (ASKED, SAID)


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


def test_the_second_choice_of_a_stream_is_ignored(tmp_path):
    pieces = [(0, SAID[:5]), (1, "Nobody knows."), (0, SAID[5:])]
    choices = [{"index": index, "delta": {"content": text}, "finish_reason": None} for index, text in pieces]
    choices[-1]["finish_reason"] = "stop"
    chunks = [{"object": "chat.completion.chunk", "choices": [choice]} for choice in choices]
    for recording in ({"response": chunks}, {"stream": chunks}):
        asked = {"messages": [{"role": "user", "content": ASKED}]}
        [found] = read(tmp_path, {"request": asked, **recording, "chunks": [FOUND]})
        assert (found.question, found.answer, len(found.chunks)) == (ASKED, SAID, 1)


def test_sources_of_a_stream_follow_the_forms_of_a_file(tmp_path):
    stream = events(
        ("request", {"question": ASKED}),
        ("token", SAID),
        ("sources", [{"id": "a", "content": FOUND}]),
        ("done", {}),
    )
    [found] = read(tmp_path, stream, "chat.sse")
    assert (found.answer, [(chunk.id, chunk.text) for chunk in found.chunks]) == (SAID, [("a", FOUND)])


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
