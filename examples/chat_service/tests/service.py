"""The real service in a process of its own, on a free port, with a log of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx

import pytest_grounding as pg

EXAMPLE = Path(__file__).resolve().parents[1]
GOLDEN = [
    json.loads(line) for line in (EXAMPLE / "tests/questions.jsonl").read_text(encoding="utf-8").splitlines()
]


class Service:
    """Started on entering, stopped on leaving."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.audit = folder / "audit.jsonl"
        self.kept = folder / "transcripts.jsonl"
        self._settings = {"mode": "reject", "audit": str(self.audit), **settings}

    def __enter__(self) -> Service:
        environment = os.environ | {f"HELPDESK_{key.upper()}": value for key, value in self._settings.items()}
        self._output = tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "helpdesk", "--port", "0"],
            cwd=EXAMPLE,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=self._output,
            text=True,
        )
        first = self._process.stdout.readline()
        if not first.startswith("listening on "):
            self._process.wait()
            said = self.output()
            self._process.stdout.close()
            self._output.close()
            raise RuntimeError(f"the service did not start:\n{said}")
        self.http = httpx.Client(base_url=first.split()[-1], timeout=60, trust_env=False)
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()
        self._process.terminate()
        self._process.wait(timeout=30)
        self._process.stdout.close()
        self._output.close()

    def chat(self, question: str, **more: object) -> dict:
        """The reply to a question that is answered."""
        response = self.http.post("/chat", json={"question": question, **more})
        assert response.status_code == 200, response.text
        return response.json()

    def stream(self, question: str) -> list[tuple[str, dict]]:
        """The events of a streamed answer: name and data."""
        with self.http.stream("POST", "/chat/stream", json={"question": question}) as response:
            assert response.status_code == 200
            assert response.headers["content-type"].startswith("text/event-stream")
            lines = list(response.iter_lines())
        names = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
        data = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
        return list(zip(names, data, strict=True))

    def records(self) -> list[dict]:
        """What stands in the audit log."""
        if not self.audit.exists():
            return []
        return [json.loads(line) for line in self.audit.read_text(encoding="utf-8").splitlines()]

    def figures(self) -> dict[tuple[str, str], float]:
        """Name and first label of each sample of /metrics, and its value."""
        from prometheus_client.parser import text_string_to_metric_families

        text = self.http.get("/metrics").text
        return {
            (sample.name, next(iter(sample.labels.values()), "")): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if "le" not in sample.labels
        }

    def output(self) -> str:
        """What it wrote to its log."""
        self._output.seek(0)
        return self._output.read()


def recorded(reply: dict, asked: dict) -> pg.Transcript:
    """The exchange as a transcript, made from what came over HTTP and from nothing else.

    The listed sources are the chunks, in the order of their numbers. What differs from run to run, as the
    time and the name of the response, is not part of the recording.
    """
    response = pg.ChatResponse.model_validate(reply)
    facts = pg.RAGMetadata(
        confidence=response.metadata.confidence, model_version=response.metadata.model_version
    )
    steady = response.model_copy(update={"metadata": facts})
    return steady.to_transcript(pg.ChatRequest(question=asked["question"]), id=asked["id"])
