"""States of agents: the messages of LangChain and LangGraph in each serialised form."""

import copy
import json
from typing import Any

import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st
from payloads import HOURS, LANGGRAPH, MARKED, PRICE, QUESTION
from pydantic import BaseModel

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import as_transcript
from pytest_grounding.importers.messages import role_of

ROLES = {"human": "user", "ai": "assistant"}
CLASSES = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage", "system": "SystemMessage"}


class Message(BaseModel):
    """As LangChain's, which keeps documents as a tool's artifact."""

    type: str
    content: Any
    artifact: Any = None
    tool_calls: list[Any] = []
    id: str | None = None


class Document(BaseModel):
    page_content: str
    metadata: dict[str, Any] = {}


def as_object(message):
    known = {key: value for key, value in message.items() if key in Message.model_fields}
    if "artifact" in known:
        known["artifact"] = [Document(page_content=item["page_content"]) for item in known["artifact"]]
    return Message(**known)


def constructed(message):
    inner = {key: value for key, value in message.items() if key != "type"}
    if "artifact" in inner:
        documents = [{"lc": 1, "type": "constructor", "kwargs": item} for item in inner["artifact"]]
        inner["artifact"] = documents
    name = CLASSES[message["type"]]
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": inner}


def as_chat(message):
    role = ROLES.get(message["type"], message["type"])
    return {"role": role, "content": message["content"], "name": message.get("name")}


FORMS = {
    "dumped": lambda message: message,
    "objects": as_object,
    "constructed": constructed,
    "kept": lambda message: {"type": message["type"], "data": message},
    "streamed": lambda message: {**message, "type": CLASSES[message["type"]] + "Chunk"},
}


def state(form, **others):
    return {"messages": [form(message) for message in copy.deepcopy(LANGGRAPH["messages"])], **others}


@each(*FORMS)
def test_documents_of_tools_become_chunks(form):
    read = as_transcript(state(FORMS[form]))
    assert (read.question, read.answer, read.metadata["format"]) == (QUESTION, MARKED, "langgraph")
    assert [chunk.text for chunk in read.chunks] == [HOURS, PRICE]
    assert [(turn.role, turn.content) for turn in read.history] == [
        ("user", "Hello."),
        ("assistant", "How can I help?"),
    ]
    assert all(citation.valid for citation in pg.validate(read).citations)


def test_a_tool_message_of_a_chat_becomes_a_chunk(tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps(state(as_chat)), encoding="utf-8")
    [read] = pg.load_transcripts(tmp_path / "a.jsonl")
    [chunk] = read.chunks
    assert chunk.text == f"hours.md: {HOURS} prices.md: {PRICE}"
    assert chunk.metadata.model_dump()["tool"] == "search"
    assert any("the tools give no documents" in note.message for note in read.notes)


@each(*FORMS.values(), as_chat)
def test_documents_of_the_state_replace_those_of_tools(form):
    for held in ([{"page_content": PRICE}], [Document(page_content=PRICE)], [PRICE], PRICE):
        read = as_transcript(state(form, context=held))
        assert [chunk.text for chunk in read.chunks] == [PRICE]
    with pytest.raises(pg.InputError, match=r"context\[0\]: is a number \(3\)"):
        as_transcript(state(form, context=[3]))
    assert len(as_transcript(state(form, context={"user": "u-1"})).chunks) > 0, "settings are no documents"


def test_only_the_last_answered_question_counts():
    messages = state(FORMS["dumped"])["messages"]
    again = [{"type": "human", "content": "And on Monday?"}, {"type": "ai", "content": "Closed."}]
    read = as_transcript({"messages": [*messages, *again]})
    assert (read.question, read.answer, read.chunks) == ("And on Monday?", "Closed.", ())
    assert [turn.content for turn in read.history][-2:] == [QUESTION, MARKED]
    [gap] = [note for note in read.notes if "no documents" in note.message]
    assert (gap.rule, gap.severity) == ("recording_gap", "warning")
    assert 'write "context" beside "messages"' in gap.message
    asked = as_transcript({"messages": [*messages, {"type": "human", "content": "And on Monday?"}]})
    assert (asked.question, asked.answer) == (QUESTION, MARKED)


def test_a_run_that_ended_with_a_tool_call_has_no_answer():
    read = as_transcript({"messages": LANGGRAPH["messages"][:-1]})
    assert read.answer == ""
    assert ("incomplete_recording", "error") in {(note.rule, note.severity) for note in read.notes}
    with pytest.raises(AssertionError):
        pg.assert_grounded({"messages": LANGGRAPH["messages"][:-1]})
    structured = {"messages": LANGGRAPH["messages"][:-1], "structured_response": {"answer": MARKED}}
    assert as_transcript(structured).answer == MARKED


def test_a_question_beside_a_state_takes_precedence():
    read = as_transcript({"id": "a", "question": "Is it open?", "response": state(FORMS["dumped"])})
    assert (read.id, read.question, read.answer) == ("a", "Is it open?", MARKED)


def test_an_agent_can_be_recorded(tmp_path):
    [recorded] = pg.record(lambda _: state(as_object), QUESTION, to=tmp_path)
    assert [chunk.text for chunk in recorded.chunks] == [HOURS, PRICE]
    with pytest.raises(pg.InputError, match="answered another question"):
        pg.record(lambda _: state(as_object), "Another?", to=tmp_path)


@each(
    {"messages": []},
    {"messages": [{"type": "human", "content": QUESTION}]},
    {"messages": [{"type": "ai", "content": MARKED}]},
    {"messages": [{"type": "human", "content": QUESTION}, {"kind": "x"}]},
    {"model": "m", **LANGGRAPH},
)
def test_an_incomplete_state_is_refused(value):
    with pytest.raises(pg.InputError, match="neither a transcript nor a recording"):
        as_transcript(value)


@each(
    ({"type": "AIMessageChunk"}, "assistant"),
    ({"type": "HumanMessageChunk"}, "user"),
    ({"type": "constructor", "id": ["a", "ToolMessage"]}, "tool"),
    ({"role": "assistant"}, "assistant"),
)
def test_a_role_is_read_from_a_class_name(message, role):
    assert role_of(message) == role


MESSAGE = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["human", "ai", "tool", "system"]),
        "content": st.sampled_from(["", "a", [], None]),
    },
    optional={
        "artifact": st.sampled_from(
            [None, [], "x", [3], {"documents": [{"page_content": "b"}]}, {"text": "c"}]
        ),
        "tool_calls": st.sampled_from([[], [{}], None]),
        "response_metadata": st.sampled_from([None, {}, {"finish_reason": "length"}]),
    },
)


@given(st.lists(MESSAGE, max_size=6), st.sampled_from([None, [], "x", [None], [{"text": "d"}], {}, 3]))
def test_any_messages_give_a_transcript_or_one_sentence(messages, context):
    try:
        read = as_transcript({"messages": messages, "context": context}, {"question": "Q?"})
    except pg.InputError as error:
        told = str(error)
    else:
        told = ""
        texts = [message["content"] for message in messages if message["type"] == "human"]
        assert read.question in (*texts, "Q?")
        assert all(chunk.text in {"", "a", "b", "c", "d", "x"} for chunk in read.chunks)
    assert "\n" not in told
