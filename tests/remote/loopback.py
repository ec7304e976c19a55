"""A server on this machine that speaks the documented v2 API of Cohere, and faults on demand."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WORD = re.compile(r"[a-z0-9]+")
KEY = "co-test-5f2d7c1e9a"


def overlap(query, text):
    """Share of the query's words that a text holds: high for what is about the query."""
    asked = set(WORD.findall(query.lower()))
    return len(asked & set(WORD.findall(text.lower()))) / len(asked) if asked else 0.0


def rerank(body):
    scores = [
        {"index": index, "relevance_score": round(overlap(body["query"], text), 6)}
        for index, text in enumerate(body["documents"])
    ]
    scores.sort(key=lambda item: (-item["relevance_score"], item["index"]))
    return {
        "id": "07734bd2-2473-4f07-94e1-0d9f0e6843cf",
        "results": scores[: body.get("top_n")],
        "meta": {"api_version": {"version": "2"}, "billed_units": {"search_units": 1}},
    }


def embed(body):
    vectors = []
    for text in body["texts"]:
        vector = [0.001] * 32
        for word in WORD.findall(text.lower()):
            vector[sum(map(ord, word)) % 32] += 1.0
        vectors.append(vector)
    return {
        "id": "da6e531f-54c6-4a73-bf92-f60566d8d753",
        "embeddings": {"float": vectors},
        "texts": body["texts"],
        "response_type": "embeddings_by_type",
        "meta": {"billed_units": {"input_tokens": len(vectors)}},
    }


def chat(body):
    """Answers in the schema that was asked for; else an answer with citations of the documents."""
    message = {"role": "assistant"}
    schema = (body.get("response_format") or {}).get("json_schema")
    if schema is None:
        documents = body.get("documents", [])
        text = documents[0]["data"]["text"]
        source = {"type": "document", "id": documents[0]["id"], "document": documents[0]["data"]}
        message["citations"] = [{"start": 0, "end": len(text), "text": text, "sources": [source]}]
    elif "rulings" in schema["properties"]:
        first = schema["properties"]["rulings"]["items"]["properties"]["value"]["enum"][0]
        numbers = map(int, re.findall(r"<<<statement (\d+)>>>", body["messages"][-1]["content"]))
        told = [{"number": number, "value": first, "reason": "the passages say so"} for number in numbers]
        text = json.dumps({"rulings": told})
    else:
        values = schema["properties"]["value"]["enum"]
        text = json.dumps({"value": values[0], "reason": "the passages say so"})
    message["content"] = [{"type": "text", "text": text}]
    return {
        "id": "c14c80c3-18eb-4519-9460-6c92edd8cfb4",
        "finish_reason": "COMPLETE",
        "message": message,
        "usage": {"tokens": {"input_tokens": 1, "output_tokens": 1}},
    }


ANSWERS = {"/v2/rerank": rerank, "/v2/embed": embed, "/v2/chat": chat}

#: What a fault does with the connection: it may write any bytes, or none.
Fault = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Answers by path; a fault takes the place of the answer."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length))
        self.server.seen.append((self.path, body, dict(self.headers)))
        fault = self.server.faults.pop(0) if self.server.faults else self.server.fault
        if fault is not None:
            fault(self)
            return
        if self.headers.get("Authorization") != f"Bearer {KEY}":
            self.reply(401, {"message": "invalid api token"})
            return
        self.reply(200, ANSWERS[self.path](body))

    def reply(self, status, body, headers=None):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format, *args):
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """The server; use it as a context manager."""

    daemon_threads = True
    block_on_close = False

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[tuple[str, dict[str, Any], dict[str, str]]] = []
        self.fault: Fault | None = None
        self.faults: list[Fault | None] = []
        self.released = threading.Event()
        #: Bytes that `pours` could send.
        self.poured = 0

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def paths(self):
        return [path for path, _, _ in self.seen]

    def handle_error(self, request, client_address):
        """A client that went away in the middle is what some tests are about."""

    def __enter__(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *args):
        self.released.set()
        self.shutdown()
        self.server_close()


def answers(status, body, headers=None):
    """Always this answer."""
    return lambda handler: handler.reply(status, body, headers)


def hangs(handler):
    """Never answers."""
    handler.server.released.wait(20)
    handler.close_connection = True


def pours(handler):
    """Sends for as long as anybody reads; 4 GB at most."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    handler.close_connection = True
    part = b'{"results": [' + b" " * (1 << 20)
    for _ in range(4096):
        handler.wfile.write(part)
        handler.server.poured += len(part)


def cuts_off(handler):
    """Promises more than it sends."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"results": [')
    handler.close_connection = True


def fault_of(told, makers=None):
    """The fault that a row of a table tells: a name, and what is given to it; a text is bytes in Latin-1."""
    name, *given = told
    if name == "answers":
        status, body, *headers = given
        return answers(status, body.encode("latin-1") if isinstance(body, str) else body, *headers)
    found = (makers or {}).get(name) or {"hangs": hangs, "pours": pours, "cuts_off": cuts_off}[name]
    more = given.pop() if given and isinstance(given[-1], dict) else {}
    return found(*given, **more) if given or more else found
