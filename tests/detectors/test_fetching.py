"""Fetching a model from a server that speaks as the hub does: by commit, whole, and by hash."""

from __future__ import annotations

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from every import misses

from pytest_grounding.cli import main

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FILES = {"onnx/model.onnx": b"weights " * 1000, "tokenizer.json": b"{}", "config.json": b'{"id2label": {}}'}


class Hub(BaseHTTPRequestHandler):
    files = FILES
    short = ""

    def do_GET(self):
        repository, _, place = self.path.lstrip("/").partition(f"/resolve/{COMMIT}/")
        data = self.files.get(place) if repository == "owner/name" else None
        self.send_response(200 if data is not None else 404)
        self.send_header("Content-Length", str(len(data or b"")))
        self.end_headers()
        self.wfile.write((data or b"")[: 5 if place == self.short else None])

    def log_message(self, *_):
        pass


@pytest.fixture
def hub(monkeypatch):
    own = type("Own", (Hub,), {"files": dict(FILES)})
    with ThreadingHTTPServer(("127.0.0.1", 0), own) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_address[1]}")
        yield own
        server.shutdown()


def fetch(folder, *more, profile="hhem-2.1-open", revision=COMMIT):
    words = [
        "show",
        "model",
        "fetch",
        profile,
        str(folder),
        "--revision",
        revision,
        "--repository",
        "owner/name",
    ]
    return main([*words, "--repository", "owner/name", *more])


def test_files_of_a_commit_are_fetched_and_described(hub, tmp_path, capsys):
    assert fetch(tmp_path / "m") == 0
    for name, data in FILES.items():
        assert (tmp_path / "m" / name).read_bytes() == data
    described = json.loads((tmp_path / "m" / "grounding-model.json").read_text())
    assert described["profile"] == "hhem-2.1-open"
    assert (described["model"], described["revision"]) == ("owner/name", COMMIT)
    assert described["files"] == {name: hashlib.sha256(data).hexdigest() for name, data in FILES.items()}
    assert main(["show", "model", "verify", str(tmp_path / "m")]) == 0
    # Fetched again on another machine, the same bytes are demanded.
    (tmp_path / "m" / "onnx" / "model.onnx").unlink()
    hub.files["onnx/model.onnx"] = b"others"
    capsys.readouterr()
    assert fetch(tmp_path / "m") == 2
    assert "was asked for" in capsys.readouterr().err
    assert not (tmp_path / "m" / "onnx" / "model.onnx").exists()


def test_half_a_file_is_none(hub, tmp_path, capsys):
    hub.short = "onnx/model.onnx"
    assert fetch(tmp_path) == 2
    assert "bytes" in capsys.readouterr().err
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == []


def test_wrong_use_is_one_sentence(hub, tmp_path, capsys):
    def check(words, message):
        more = words.pop("more", [])
        assert fetch(tmp_path, *more, **words) == 2
        error = capsys.readouterr().err
        assert message in error
        assert error.count("\n") == 1

    wrong = misses(
        check,
        [
            ({"revision": "main"}, "write the commit, 40 hexadecimal digits"),
            ({"profile": "gpt"}, "PROFILE = 'gpt' is not known; the profiles are"),
            ({"more": ["--file", "../secret"]}, "leaves the folder"),
            ({"more": ["--file", "model.onnx"]}, "404"),
        ],
    )
    assert wrong == []


def test_only_a_safe_address_is_asked(tmp_path, capsys, monkeypatch):
    for address in ("http://hub.example", "file:///etc"):
        monkeypatch.setenv("HF_ENDPOINT", address)
        assert fetch(tmp_path) == 2
        assert "only https is fetched from" in capsys.readouterr().err


def test_the_list_names_the_model(capsys):
    assert main(["show", "model", "list"]) == 0
    assert "licence: Apache-2.0" in capsys.readouterr().out
    assert main(["show", "model", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hhem-2.1-open"]["layout"] == "position"
