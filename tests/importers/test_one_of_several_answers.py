"""A recording with several texts of a model: which of them is the answer that the user saw."""

import json

import pytest

import pytest_grounding as pg

ASKED = "How long do refunds take?"
SAID = "They take 14 days."
CHUNK = "Refunds take 14 days."
REWRITTEN = "refunds duration"  # what an earlier call of the model wrote, for the search


def read(folder, value):
    file = folder / "recording.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    [found] = pg.load_transcripts(file)
    return found


def chat(content, refusal):
    message = {"role": "assistant", "content": content, "refusal": refusal}
    asked = {"messages": [{"role": "user", "content": ASKED}]}
    return {"request": asked, "response": {"choices": [{"finish_reason": "stop", "message": message}]}}


def test_a_refusal_beside_an_answer_does_not_replace_it(tmp_path):
    assert read(tmp_path, chat(SAID, "I cannot help with that.")).answer == SAID


def test_a_refusal_alone_is_the_answer(tmp_path):
    assert read(tmp_path, chat(None, "I cannot help with that.")).answer == "I cannot help with that."


def messages(role, text):
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def span(name, start, **attributes):
    given = {f"gen_ai.{key.replace('__', '.')}": value for key, value in attributes.items()}
    return {"trace_id": "t", "span_id": name, "start_time": start, "attributes": given}


def model_span(name, start, said):
    told = {"input__messages": messages("user", ASKED), "output__messages": messages("assistant", said)}
    return span(name, start, operation__name="chat", **told)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)], ids=["as they ran", "as they were exported"])
def test_the_last_model_call_of_a_trace_is_the_answer_in_any_order_of_its_spans(order, tmp_path):
    documents = json.dumps([{"id": "a", "content": CHUNK}])
    spans = [
        model_span("first", "2026-01-01T00:00:01Z", REWRITTEN),
        span("search", "2026-01-01T00:00:02Z", operation__name="retrieval", retrieval__documents=documents),
        model_span("last", "2026-01-01T00:00:03Z", SAID),
    ]
    found = read(tmp_path, [spans[number] for number in order])
    assert (found.question, found.answer) == (ASKED, SAID)
    assert [chunk.text for chunk in found.chunks] == [CHUNK]


def model_run(name, start, said):
    told = {"generations": [[{"text": said}]]}
    asked = {"messages": [[{"role": "user", "content": ASKED}]]}
    return {"id": name, "run_type": "llm", "start_time": start, "inputs": asked, "outputs": told}


def run_tree(outputs):
    search = {
        "id": "search",
        "run_type": "retriever",
        "start_time": "2026-01-01T00:00:02",
        "inputs": {"query": REWRITTEN},
        "outputs": {"documents": [{"page_content": CHUNK, "metadata": {}}]},
    }
    children = [
        model_run("first", "2026-01-01T00:00:01", REWRITTEN),
        search,
        model_run("last", "2026-01-01T00:00:03", SAID),
    ]
    for child in children:
        child |= {"trace_id": "root", "parent_run_id": "root"}
    root = {"id": "root", "trace_id": "root", "run_type": "chain", "start_time": "2026-01-01T00:00:00"}
    return {**root, "inputs": {"question": ASKED}, "outputs": outputs, "child_runs": children}


def test_the_last_model_call_of_a_run_without_an_output_is_the_answer(tmp_path):
    found = read(tmp_path, run_tree(None))
    assert (found.question, found.answer) == (ASKED, SAID)


def test_the_output_of_the_whole_run_comes_before_those_of_its_model_calls(tmp_path):
    assert read(tmp_path, run_tree({"output": "14 days, says the desk."})).answer == "14 days, says the desk."
