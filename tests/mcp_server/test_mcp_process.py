"""The server as a process: its two streams, its end, and what it touches."""

import json
import os
import signal
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path

import pytest
import warm_starts

import pytest_grounding as pg
from pytest_grounding.cli import program

pytest.importorskip("mcp")

TRANSCRIPT = {
    "id": "a",
    "question": "How long is parental leave?",
    "chunks": [{"id": "c1", "text": "Parental leave lasts 16 weeks."}],
    "answer": "Parental leave lasts 16 weeks [1][9] (limits.py:1) (../secret.py:1).",
}
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "a test", "version": "0"},
}
TIMEOUT_S = 120


class Wire:
    """A server process and its raw lines."""

    def __init__(self, folder, *command, environment=None):
        self.process = subprocess.Popen(
            [warm_starts.python(), *(command or ("-m", "pytest_grounding.mcp_server"))],
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.said = []
        # Standard error is drained beside, so that the process never waits for us.
        self._drain = threading.Thread(target=lambda: self.said.append(self.process.stderr.read()))
        self._drain.start()
        self._killer = threading.Timer(TIMEOUT_S, self.process.kill)
        self._killer.daemon = True
        self._killer.start()

    def __enter__(self):
        self.send({"id": 0, "method": "initialize", "params": HELLO})
        line = self.process.stdout.readline()
        if not line:
            self.__exit__()
            raise AssertionError(f"the server did not start: {self.said}")
        assert json.loads(line)["id"] == 0
        self.send({"method": "notifications/initialized"})
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._killer.cancel()
        self._drain.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()

    def send(self, message):
        self.raw(json.dumps({"jsonrpc": "2.0", **message}))

    def raw(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def receive(self):
        return json.loads(self.process.stdout.readline())

    def call(self, number, arguments, tool="validate_answer"):
        self.send({"id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})

    def end(self):
        """Close the input; what is left of the output, the exit status, and all of standard error."""
        self.process.stdin.close()
        rest = self.process.stdout.read()
        status = self.process.wait()
        self._drain.join()
        return rest, status, self.said[0]


def test_the_end_of_the_input_ends_the_process_and_only_protocol_is_written(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\ngrounding_source_root = src\n")
    with Wire(tmp_path) as wire:
        wire.call(1, {"transcript": TRANSCRIPT})
        answer = wire.receive()
        assert answer["id"] == 1
        assert answer["result"]["content"][0]["text"] == pg.validate(TRANSCRIPT).to_json()
        rest, status, said = wire.end()
    assert (rest, status) == ("", 0)
    # The log goes to standard error.
    assert "hallucinated citation 9" in said
    assert "source_root = src of pytest.ini is not used; name the folder" in said
    assert "Traceback" not in said


def test_malformed_messages_do_not_end_it(tmp_path):
    with Wire(tmp_path) as wire:
        for line in (
            "this is not JSON",
            "",
            "[]",
            '{"jsonrpc": "2.0"}',
            '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "validate_answer", '
            '"arguments": {"transcript": {"answer": "\\ud83d"}}}}',
            '{"jsonrpc": "1.0", "id": 2, "method": 5}',
            "\x00\xff",
            '{"a": ' * 5000,
        ):
            wire.raw(line)
        wire.send({"id": 10, "method": "no/such/method"})
        wire.send({"id": 11, "method": "tools/call", "params": {"name": "validate_answer", "arguments": [1]}})
        wire.send({"id": 12, "method": "tools/call", "params": {}})
        wire.call(13, {"transcript": {**TRANSCRIPT, "answr": 1}})
        wire.call(14, {"transcript": TRANSCRIPT})
        found = {}
        while 14 not in found:
            message = wire.receive()
            found[message.get("id")] = message
        _, status, _ = wire.end()
    assert status == 0
    assert found[10]["error"]["code"] == -32601
    assert found[11]["error"]["code"] == found[12]["error"]["code"] == -32602
    assert found[13]["result"]["isError"]
    assert found[14]["result"]["content"][0]["text"] == pg.validate(TRANSCRIPT).to_json()


def test_pings_and_cancellations_work_during_a_call_and_an_interrupt_ends_it(tmp_path):
    long = {
        **TRANSCRIPT,
        "answer": " ".join(f"Leave number {n} lasts {n} weeks and days." for n in range(200)),
    }
    with Wire(tmp_path) as wire:
        wire.call(1, {"transcript": long})
        wire.send({"id": 2, "method": "ping"})
        # The ping overtakes the call.
        assert wire.receive()["id"] == 2
        wire.send({"method": "notifications/cancelled", "params": {"requestId": 1, "reason": "too slow"}})
        wire.call(3, {"transcript": TRANSCRIPT})
        found = []
        while 3 not in found:
            message = wire.receive()
            found.append(message.get("id"))
            assert message.get("id") != 1 or "result" not in message
        if os.name == "posix":
            # Its input stays open, and it ends all the same.
            wire.process.send_signal(signal.SIGINT)
            assert wire.process.wait(timeout=TIMEOUT_S / 2) == -signal.SIGINT


WATCHED = """
import os, sys
import pytest_grounding as pg
from pytest_grounding.cli import program

EVENTS = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto", "subprocess.Popen",
          "os.system", "os.remove", "os.rename", "os.mkdir", "os.link", "os.symlink", "os.truncate")

allowed = [os.path.realpath(item) for item in os.environ["ALLOWED"].split(os.pathsep)]
out = os.open(os.environ["SEEN"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)


def watch(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        if isinstance(path, int):
            return
        real = os.path.realpath(os.fsdecode(path))
        writes = bool((flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)) and real != os.devnull
        if writes or not any(real == item or real.startswith(item + os.sep) for item in allowed):
            os.write(out, f"open {'w' if writes else 'r'} {os.fsdecode(path)}\\n".encode())
    elif event in EVENTS:
        os.write(out, f"{event} {arguments!r}\\n".encode())


class Talker:
    name = "talker"

    def run(self, context):
        print("hello from a check", flush=True)
        return ()


class Extension:
    @pg.hookimpl
    def pytest_grounding_checks(self, settings):
        return [Talker()]


pg.register(Extension())
sys.addaudithook(watch)
raise SystemExit(program("mcp_tools", "pytest_grounding.mcp_server", sys.argv[1:]))
"""


@pytest.mark.skipif(os.name != "posix", reason="paths of the probe")
def test_calls_open_only_the_cited_file(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (root / "limits.py").write_text("LIMIT = 16\n")
    (tmp_path / "secret.py").write_text("SECRET = 1\n")
    seen = tmp_path / "seen.txt"
    installed = [sys.prefix, sys.base_prefix, *sysconfig.get_paths().values(), Path(pg.__file__).parents[0]]
    allowed = os.pathsep.join(str(item) for item in [*installed, "/dev", "/proc", "/etc", "/usr", "/sys"])
    # Python's own cache of compiled modules is not a writing of ours.
    environment = {"ALLOWED": allowed, "SEEN": str(seen), "PYTHONDONTWRITEBYTECODE": "1"}
    with Wire(tmp_path, "-c", WATCHED, "--set", f"source_root={root}", environment=environment) as wire:
        for number, (tool, arguments) in enumerate(
            (
                ("validate_answer", {"transcript": TRANSCRIPT}),
                ("check_citations", {"transcript": TRANSCRIPT}),
                ("explain_claim", {"transcript": TRANSCRIPT, "claim": 0}),
                ("validate_retrieval", {"question": "How long?", "chunks": ["It lasts 16 weeks."]}),
            )
        ):
            wire.call(number, arguments, tool)
            assert not wire.receive()["result"].get("isError")
        rest, status, said = wire.end()
    # What an extension prints breaks no protocol.
    assert (rest, status) == ("", 0)
    assert "hello from a check" in said
    lines = set(seen.read_text().splitlines())
    # The hook sees the cited file, so it would have seen any other.
    assert f"open r {root / 'limits.py'}" in lines
    assert not [line for line in lines if "secret" in line]
    assert not [line for line in lines if not line.startswith("open r ")]
    opened = {line.removeprefix("open r ") for line in lines}
    assert opened <= {str(root / "limits.py")}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--set", "max_hallucination_rate=2"], "max_hallucination_rate = '2' is out of range"),
        (["--set", "source_root=no/such/folder"], "source_root = 'no/such/folder' is not a folder"),
        (["--max-total", "0"], "0 is below 1; write a whole number from 1"),
    ],
)
def test_a_server_that_cannot_start_says_why(tmp_path, monkeypatch, capsys, options, told):
    monkeypatch.chdir(tmp_path)
    try:
        status = program("mcp_tools", "pytest_grounding.mcp_server", options)
    except SystemExit as error:
        status = error.code
    assert status == 2
    out, said = capsys.readouterr()
    assert out == ""
    assert told in said


def test_without_the_extra_the_error_names_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "mcp.server.lowlevel", None)
    assert program("mcp_tools", "pytest_grounding.mcp_server", []) == 2
    out, said = capsys.readouterr()
    assert out == ""
    assert "pytest-rag-grounding[mcp]" in said
