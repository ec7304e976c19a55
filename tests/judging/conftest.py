"""A chat service on this machine that takes its time, and judges that ask it."""

from __future__ import annotations

import json
import random
import sys
import threading
import time
import urllib.request
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "remote"))

from pytest_grounding.scorers.remote import scorer_factory as remote
from pytest_grounding.settings import ENVIRONMENT


@pytest.fixture(autouse=True)
def _nothing_from_outside(monkeypatch):
    names = ("PYTEST_ADDOPTS", "CI", "CO_API_KEY", "COHERE_API_KEY", "CO_API_URL", "PYTEST_XDIST_TESTRUNUID")
    for name in (*ENVIRONMENT, *names):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    remote.reset()
    yield
    remote.reset()


class Handler(BaseHTTPRequestHandler):
    """Answers each question after a while of its own."""

    protocol_version = "HTTP/1.1"
    server: Service

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        service = self.server
        with service.lock:
            service.seen.append(body["user"])
            service.under_way += 1
            service.most_under_way = max(service.most_under_way, service.under_way)
            pause = service.dice.uniform(0.0, service.slowest)
        time.sleep(pause)
        with service.lock:
            service.under_way -= 1
            service.done.append(body["user"])
        data = json.dumps(
            {
                "value": "none" if "45" in body["user"].rpartition("<<<statement")[2] else "full",
                "reason": "as it stands there",
                "usage": [service.taken, 10],
            }
        ).encode()
        self.send_response(500 if service.fails and service.fails in body["user"] else 200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format, *args):
        """Say nothing."""


class Service(ThreadingHTTPServer):
    """Counts who is under way, and in which order questions come and are answered."""

    daemon_threads = True

    def __init__(self, slowest=0.03, seed=0):
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.dice = random.Random(seed)
        self.slowest = slowest
        self.taken = 100
        self.fails = ""
        self.seen: list[str] = []
        self.done: list[str] = []
        self.under_way = 0
        self.most_under_way = 0

    def complete(self, system, user, schema):
        """Asks it, as a client of a judge does."""
        from pytest_grounding.errors import ScorerError

        url = f"http://127.0.0.1:{self.server_address[1]}"
        data = json.dumps({"system": system, "user": user}).encode()
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data)) as answer:
                reply = json.load(answer)
        except OSError as error:
            raise ScorerError(f"chat: {error}") from None
        return reply

    def __enter__(self):
        threading.Thread(target=partial(self.serve_forever, 0.02), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


@pytest.fixture
def service():
    """A running service."""
    with Service() as running:
        yield running
