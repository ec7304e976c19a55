"""The calls of tools, read from what services, frameworks and protocols record of them."""

import json

from every import each, table

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import as_transcript

RESULT = '{"order_id": "4711", "status": "shipped"}'
ARGUMENTS = {"order_id": "4711"}

RECORDINGS = table(__file__, "recordings")


@each(*RECORDINGS)
def test_a_recorded_call_is_read_with_its_result(name):
    read = as_transcript(RECORDINGS[name])
    assert read.tool_calls is not None
    (call,) = read.tool_calls
    assert (call.name, call.arguments, call.result, call.error) == ("get_order", ARGUMENTS, RESULT, None)
    assert call.id == "call_1"
    verdict = pg.validate(read)
    assert verdict.status == "pass", verdict.reason


def changed(value):
    """The recording with another result of the tool."""
    if isinstance(value, dict):
        return {key: changed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [changed(item) for item in value]
    return RESULT.replace("shipped", "open") if value == RESULT else value


@each(*RECORDINGS)
def test_a_status_different_from_the_tool_does_not_pass(name):
    assert pg.validate(as_transcript(changed(RECORDINGS[name]))).status != "pass"


def test_a_span_of_a_tool_is_a_call():
    tool = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "cancel_order",
        "gen_ai.tool.call.id": "call_1",
        "gen_ai.tool.call.arguments": json.dumps(ARGUMENTS),
        "error.type": "timeout",
    }
    asked = {"type": "text", "content": "Please cancel my order 4711."}
    said = {"type": "text", "content": "I cancelled order 4711."}
    chat = {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": [{"role": "user", "parts": [asked]}],
        "gen_ai.output.messages": [{"role": "assistant", "parts": [said]}],
    }
    spans = [
        {"trace_id": "t1", "span_id": name, "name": name, "attributes": attributes}
        for name, attributes in (("tool", tool), ("chat", chat))
    ]
    read = as_transcript({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})
    assert read.tool_calls is not None
    assert [(call.name, call.error) for call in read.tool_calls] == [("cancel_order", "timeout")]
    assert "claims_action" in {part.rule for item in pg.validate(read).findings for part in item.parts}


def test_failed_calls_of_each_service_are_errors():
    failed = json.loads(json.dumps(RECORDINGS))
    failed["anthropic"]["request"]["messages"][2]["content"][0]["is_error"] = True
    failed["langgraph"]["messages"][2]["status"] = "error"
    failed["mcp log"]["tool_calls"][1]["result"]["isError"] = True
    failed["openai mcp"]["response"]["output"][0].update(output=None, error="503")
    for name in ("anthropic", "langgraph", "mcp log", "openai mcp"):
        read = as_transcript(failed[name])
        assert read.tool_calls is not None
        assert [call.error is not None for call in read.tool_calls] == [True]
