"""The calls of tools, read from what services, frameworks and protocols record of them."""

import json

from every import each

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import as_transcript

QUESTION = "Where is my order 4711?"
ANSWER = "Your order 4711 has been shipped."
RESULT = '{"order_id": "4711", "status": "shipped"}'
ARGUMENTS = {"order_id": "4711"}

OPENAI_CHAT = {
    "request": {
        "messages": [
            {"role": "user", "content": QUESTION},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "call_1",
                        "type": "function",
                        "function": {"name": "get_order", "arguments": json.dumps(ARGUMENTS)},
                    }
                ],
            },
            {"role": "tool", "tool_call_id": "call_1", "content": RESULT},
        ]
    },
    "response": {
        "id": "c1",
        "object": "chat.completion",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": ANSWER}, "finish_reason": "stop"}
        ],
    },
}
OPENAI_RESPONSE = {
    "request": {"input": QUESTION},
    "response": {
        "id": "r1",
        "object": "response",
        "status": "completed",
        "output": [
            {
                "type": "function_call",
                "id": "fc_1",
                "call_id": "call_1",
                "name": "get_order",
                "arguments": json.dumps(ARGUMENTS),
            },
            {"type": "function_call_output", "call_id": "call_1", "output": RESULT},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": ANSWER}]},
        ],
    },
}
MCP_CALL = {
    "request": {"input": QUESTION},
    "response": {
        "id": "r1",
        "object": "response",
        "status": "completed",
        "output": [
            {
                "type": "mcp_call",
                "id": "call_1",
                "name": "get_order",
                "arguments": json.dumps(ARGUMENTS),
                "output": RESULT,
                "error": None,
            },
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": ANSWER}]},
        ],
    },
}
ANTHROPIC = {
    "request": {
        "messages": [
            {"role": "user", "content": QUESTION},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "call_1", "name": "get_order", "input": ARGUMENTS}],
            },
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "call_1",
                        "content": [{"type": "text", "text": RESULT}],
                    }
                ],
            },
        ]
    },
    "response": {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "stop_reason": "end_turn",
        "content": [{"type": "text", "text": ANSWER}],
    },
}
LANGGRAPH = {
    "messages": [
        {"type": "human", "content": QUESTION},
        {
            "type": "ai",
            "content": "",
            "tool_calls": [{"name": "get_order", "args": ARGUMENTS, "id": "call_1", "type": "tool_call"}],
        },
        {"type": "tool", "name": "get_order", "content": RESULT, "tool_call_id": "call_1"},
        {"type": "ai", "content": ANSWER},
    ]
}
OTEL_MESSAGES = {
    "trace_id": "t1",
    "span_id": "s1",
    "name": "chat",
    "attributes": {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": [
            {"role": "user", "parts": [{"type": "text", "content": QUESTION}]},
            {
                "role": "assistant",
                "parts": [{"type": "tool_call", "id": "call_1", "name": "get_order", "arguments": ARGUMENTS}],
            },
            {"role": "tool", "parts": [{"type": "tool_call_response", "id": "call_1", "response": RESULT}]},
        ],
        "gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]}],
    },
}
MCP_LOG = {
    "id": "t1",
    "question": QUESTION,
    "chunks": [],
    "answer": ANSWER,
    "tool_calls": [
        {
            "jsonrpc": "2.0",
            "id": "call_1",
            "method": "tools/call",
            "params": {"name": "get_order", "arguments": ARGUMENTS},
        },
        {
            "jsonrpc": "2.0",
            "id": "call_1",
            "result": {"content": [{"type": "text", "text": RESULT}], "isError": False},
        },
    ],
}
RECORDINGS = {
    "openai chat": OPENAI_CHAT,
    "openai responses": OPENAI_RESPONSE,
    "openai mcp": MCP_CALL,
    "anthropic": ANTHROPIC,
    "langgraph": LANGGRAPH,
    "otel": OTEL_MESSAGES,
    "mcp log": MCP_LOG,
}


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
    def span(name, **attributes):
        return {"trace_id": "t1", "span_id": name, "name": name, "attributes": attributes}

    spans = [
        span(
            "tool",
            **{
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "cancel_order",
                "gen_ai.tool.call.id": "call_1",
                "gen_ai.tool.call.arguments": json.dumps(ARGUMENTS),
                "error.type": "timeout",
            },
        ),
        span(
            "chat",
            **{
                "gen_ai.operation.name": "chat",
                "gen_ai.input.messages": [
                    {"role": "user", "parts": [{"type": "text", "content": "Please cancel my order 4711."}]}
                ],
                "gen_ai.output.messages": [
                    {"role": "assistant", "parts": [{"type": "text", "content": "I cancelled order 4711."}]}
                ],
            },
        ),
    ]
    read = as_transcript({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})
    assert read.tool_calls is not None
    assert [(call.name, call.error) for call in read.tool_calls] == [("cancel_order", "timeout")]
    assert "claims_action" in {part.rule for item in pg.validate(read).findings for part in item.parts}


def test_failed_calls_of_each_service_are_errors():
    anthropic = json.loads(json.dumps(ANTHROPIC))
    anthropic["request"]["messages"][2]["content"][0]["is_error"] = True
    langgraph = json.loads(json.dumps(LANGGRAPH))
    langgraph["messages"][2]["status"] = "error"
    log = json.loads(json.dumps(MCP_LOG))
    log["tool_calls"][1]["result"]["isError"] = True
    mcp = json.loads(json.dumps(MCP_CALL))
    mcp["response"]["output"][0].update(output=None, error="503")
    for recording in (anthropic, langgraph, log, mcp):
        read = as_transcript(recording)
        assert read.tool_calls is not None
        assert [call.error is not None for call in read.tool_calls] == [True]
