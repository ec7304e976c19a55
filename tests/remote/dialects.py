"""The dialects of OpenAI and Anthropic on the loopback server: a plain reader, and what goes wrong."""

import json
import re

from loopback import ANSWERS as COHERE
from loopback import WORD

CHAT, MESSAGES = "/v1/chat/completions", "/v1/messages"
KEYS = {CHAT: "sk-test-openai-77a1", MESSAGES: "sk-ant-test-3c9e02"}
_FENCED = re.compile(r"<<<(?!end of )([^<>]*)>>>\n(.*?)\n<<<end of \1>>>", re.DOTALL)


def judged(user, schema):
    """A simple judge: a statement is supported when one passage contains all of its words."""
    texts = _FENCED.findall(user)
    passages = [set(WORD.findall(text.lower())) for name, text in texts if name.startswith("passage")]
    if "rulings" in schema["properties"]:
        values = schema["properties"]["rulings"]["items"]["properties"]["value"]["enum"]
        asked = [(int(name.split()[1]), text) for name, text in texts if name.startswith("statement")]
        each = [{"number": number, **_ruled(text, passages, values)} for number, text in asked]
        return {"rulings": each}
    values = schema["properties"]["value"]["enum"]
    asked = next((text for name, text in texts if name == "statement"), None)
    asked = asked or next((text for name, text in texts if name == "question"), "")
    return _ruled(asked, passages, values)


def _ruled(asked, passages, values):
    words = set(WORD.findall(asked.lower()))
    most = max((len(words & passage) / len(words) for passage in passages if words), default=0.0)
    value = values[0] if most == 1.0 or "useful" in values else values[-1]
    return {"value": value, "reason": f"{most:.2f} of the words stand in a passage"}


def schema_in(system):
    """The schema in a system prompt."""
    schema = json.loads(system.partition("and nothing else: ")[2].partition("\n\n")[0])
    return schema


def chat(body, text=None, **more):
    """A chat completion; with a text, that is the content of its message."""
    user = body["messages"][-1]["content"]
    schema = schema_in(body["messages"][0]["content"])
    content = json.dumps(judged(user, schema)) if text is None else text
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": content, "refusal": None},
                **more,
            }
        ],
        "usage": {"prompt_tokens": 120, "completion_tokens": 17, "total_tokens": 137},
    }


def message(body, text=None, **more):
    """A message; with a text, that is its only block."""
    found = judged(body["messages"][-1]["content"], schema_in(body["system"]))
    block = {"type": "text", "text": json.dumps(found)}
    if text is not None:
        block = {"type": "text", "text": text}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [block],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "cache_read_input_tokens": 20, "output_tokens": 17},
        **more,
    }


ANSWERS = {CHAT: chat, MESSAGES: message}


def speaks(handler):
    """Answer as the service of the path does, if the key is right."""
    path, body, headers = handler.server.seen[-1]
    if path in COHERE:
        handler.reply(200, COHERE[path](body))
        return
    path = path.partition("?")[0]
    given = {name.lower(): value for name, value in headers.items()}
    keys = (given.get("authorization", "").removeprefix("Bearer "), given.get("x-api-key"))
    if KEYS[path] not in keys:
        handler.reply(401, {"error": {"message": "Incorrect API key provided", "type": "invalid_request"}})
        return
    handler.reply(200, ANSWERS[path](body))


def says(text, **more):
    """A model that answers this, in either dialect."""

    def fault(handler):
        path, body, _ = handler.server.seen[-1]
        handler.reply(200, ANSWERS[path.partition("?")[0]](body, text, **more))

    return fault


def whole(**members):
    """A reply with other members, or without those that are None."""

    def fault(handler):
        path, body, _ = handler.server.seen[-1]
        reply = {**ANSWERS[path.partition("?")[0]](body), **members}
        handler.reply(200, {name: value for name, value in reply.items() if value is not None})

    return fault


def refuses(*tests, status=400, param=None):
    """Refuse requests that match a test, with its message; answer the others."""

    def fault(handler):
        path, body, _ = handler.server.seen[-1]
        for test, words in tests:
            if test(body):
                error = {"message": words, "type": "invalid_request_error", "param": param, "code": None}
                handler.reply(status, {"error": error})
                return
        handler.reply(200, ANSWERS[path.partition("?")[0]](body))

    return fault


def form_of(body):
    """The form that a request asks for."""
    if "output_config" in body:
        return str(body["output_config"]["format"]["type"])
    return str(body.get("response_format", {}).get("type", "text"))
