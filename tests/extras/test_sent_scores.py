"""Scores that are sent to Langfuse and as OpenTelemetry: the real SDKs against a server on loopback."""

import gzip
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

TRACE = "0af7651916cd43dd8448eb211c80319c"
SCORES = "/api/public/scores"
ROWS = [
    ("a1", "Refunds are paid within 14 days.", {"trace_id": TRACE}),
    ("a2", "The shop repairs bicycles.", {}),
]


class _Store(BaseHTTPRequestHandler):
    """Keeps what is posted; answers as Langfuse and a collector do, or with an error."""

    posted: ClassVar[list[tuple[str, bytes]]] = []
    status: ClassVar[int] = 200

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.posted.append((self.path, body))
        self.send_response(self.status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"message": "Accepted"}')

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def server():
    _Store.posted.clear()
    _Store.status = 200
    running = ThreadingHTTPServer(("127.0.0.1", 0), _Store)
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    running.server_close()


def check(folder, kind, installed, **environment):
    chunks = [{"id": "c1", "text": "Refunds are paid within 14 days."}]
    rows = [
        {"id": name, "question": "How long?", "chunks": chunks, "answer": answer, "metadata": known}
        for name, answer, known in ROWS
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "a.transcripts.jsonl").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest_grounding", "check", "a.transcripts.jsonl", "--report", kind]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LANGFUSE", "OTEL"))}
    known = {**kept, **installed, **environment}
    return subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env=known,
    )


@pytest.mark.row(79)
def test_scores_reach_langfuse_under_the_trace_of_their_answer(tmp_path, server, installed):
    pytest.importorskip("langfuse")
    keys = {"LANGFUSE_PUBLIC_KEY": "pk-1", "LANGFUSE_SECRET_KEY": "sk-1"}
    done = check(tmp_path, "langfuse", installed, LANGFUSE_BASE_URL=server, LANGFUSE_HOST=server, **keys)
    assert done.returncode == 1
    assert "of 2 answers sent to Langfuse" in done.stdout
    scores = [score for path, body in _Store.posted if path == SCORES for score in json.loads(body)]
    own = {score["name"]: score for score in scores if score["traceId"] == TRACE}
    assert own["grounding.status"]["value"] == "pass"
    assert own["grounding.confidence"]["value"] >= 0.7
    assert own["grounding.status"]["id"] == f"{TRACE}-grounding.status"
    others = {score["value"] for score in scores if score["traceId"] != TRACE}
    assert "reject" in others


def test_without_a_key_nothing_is_sent_and_one_sentence_says_so(tmp_path, server, installed):
    pytest.importorskip("langfuse")
    done = check(tmp_path, "langfuse", installed, LANGFUSE_BASE_URL=server)
    assert done.returncode == 2
    assert "the report langfuse needs the variable LANGFUSE_PUBLIC_KEY" in done.stderr
    assert not _Store.posted


def spans_of(bodies):
    trace_service = pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2")
    found = []
    for body in bodies:
        request = trace_service.ExportTraceServiceRequest.FromString(body)
        for resource in request.resource_spans:
            found += [span for scope in resource.scope_spans for span in scope.spans]
    return found


def test_spans_hold_an_event_for_each_score_within_the_trace(tmp_path, server, installed):
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    done = check(tmp_path, "otel", installed, OTEL_EXPORTER_OTLP_ENDPOINT=server)
    assert "of 2 answers sent to OpenTelemetry" in done.stdout
    spans = spans_of([body for path, body in _Store.posted if path.endswith("/v1/traces")])
    (span,) = (span for span in spans if span.trace_id.hex() == TRACE)
    events = [{item.key: item.value for item in event.attributes} for event in span.events]
    assert {event.name for event in span.events} == {"gen_ai.evaluation.result"}
    named = {event["gen_ai.evaluation.name"].string_value: event for event in events}
    assert named["grounding.status"]["gen_ai.evaluation.score.label"].string_value == "pass"
    assert named["grounding.confidence"]["gen_ai.evaluation.score.value"].double_value >= 0.7


def test_a_langfuse_that_refuses_is_one_sentence(tmp_path, server, installed):
    pytest.importorskip("langfuse")
    _Store.status = 401
    keys = {"LANGFUSE_PUBLIC_KEY": "pk-1", "LANGFUSE_SECRET_KEY": "sk-1"}
    done = check(tmp_path, "langfuse", installed, LANGFUSE_BASE_URL=server, LANGFUSE_HOST=server, **keys)
    assert done.returncode == 2
    assert "the scores could not be sent to Langfuse" in done.stderr


def test_a_collector_that_refuses_is_one_sentence(tmp_path, server, installed):
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    _Store.status = 400
    done = check(tmp_path, "otel", installed, OTEL_EXPORTER_OTLP_ENDPOINT=server)
    assert done.returncode == 2
    assert "2 spans could not be sent; see the variable OTEL_EXPORTER_OTLP_ENDPOINT" in done.stderr


@pytest.mark.parametrize(("kind", "module"), [("langfuse", "langfuse"), ("otel", "opentelemetry")])
def test_without_its_extra_a_kind_names_the_extra(tmp_path, kind, module, installed):
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    text = f"import sys\nsys.modules[{module!r}] = None\n"
    (hidden / "sitecustomize.py").write_text(text, encoding="utf-8")
    done = check(tmp_path, kind, {}, PYTHONPATH=os.pathsep.join((str(hidden), installed["PYTHONPATH"])))
    assert done.returncode == 2
    assert f"pytest-rag-grounding-extras[{kind}]" in done.stderr
