#!/bin/sh
# openai-agents==0.24.0
#
# A function tool that returns a list of objects is recorded as Python's repr, not as JSON: RunResult.to_input_list()
# holds "[{'id': 'r1', ...}]" with single quotes as the output of the call, and the model is sent the same text. What
# reads the history with json.loads fails on it, and the passages (ids, texts, scores) are one text of Python.
#
# Output seen:
#   output in the history: "[{'id': 'r1', 'text': 'It opens at nine.', 'checked': True, 'score': None}]"
#   json.loads reads it: False
#   ast.literal_eval reads it: True
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check openai-agents==0.24.0
cat > "$folder/run.py" <<'PYTHON'
import ast
import asyncio
import json

from agents import Agent, Model, ModelResponse, Runner, Usage, function_tool, set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

set_tracing_disabled(True)


@function_tool
def search(q: str) -> list[dict]:
    """Search the passages."""
    return [{"id": "r1", "text": "It opens at nine.", "checked": True, "score": None}]


class Fixed(Model):
    calls = 0

    async def get_response(self, *args, **kwargs):
        self.calls += 1
        call = ResponseFunctionToolCall(
            id="fc", call_id="c1", name="search", arguments='{"q": "hours"}', type="function_call"
        )
        text = ResponseOutputText(text="It opens at nine [r1].", type="output_text", annotations=[])
        said = ResponseOutputMessage(
            id="m", content=[text], role="assistant", status="completed", type="message"
        )
        return ModelResponse(output=[call if self.calls == 1 else said], usage=Usage(), response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


def reads(load, text):
    try:
        return isinstance(load(text), list)
    except (ValueError, SyntaxError):
        return False


agent = Agent(name="a", model=Fixed(), tools=[search])
result = asyncio.run(Runner.run(agent, "When does it open?"))
(output,) = [item["output"] for item in result.to_input_list() if item.get("type") == "function_call_output"]
print("output in the history:", repr(output))
print("json.loads reads it:", reads(json.loads, output))
print("ast.literal_eval reads it:", reads(ast.literal_eval, output))
raise SystemExit(0 if not reads(json.loads, output) and reads(ast.literal_eval, output) else 1)
PYTHON
"$folder/venv/bin/python" "$folder/run.py"
