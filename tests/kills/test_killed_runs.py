"""Runs that are killed, share their files, or lose a worker: what was finished is there, nothing is green."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import warm_starts

from pytest_grounding.audit import AuditLog
from pytest_grounding.cli import main
from pytest_grounding.golden.golden_file import read_golden
from pytest_grounding.golden.golden_store import GoldenStore
from pytest_grounding.settings import ENVIRONMENT
from pytest_grounding.suite.shards import read_shard

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

COUNT = 6
FILES = (
    "--grounding-json=out.json",
    "--grounding-shard-report=shard.json",
    "--grounding-report=html:out.html",
)
OPTIONS = (*FILES, "--grounding-audit=audit.jsonl", "--grounding-golden=new", "-p", "no:cacheprovider", "-q")
#: Says each test that is over, and then waits for its user before the last one, so that no run is too quick.
TELLING = """
import os, sys

def pytest_runtest_logreport(report):
    if report.when == "teardown" and not os.environ.get("PYTEST_XDIST_WORKER"):
        os.write(int(os.environ["TELL"]), b".")

def pytest_runtest_setup(item):
    if item.name == "t5" and "HOLD" in os.environ:
        os.read(int(os.environ["HOLD"]), 1)
"""


@pytest.fixture(autouse=True)
def _suite(tmp_path, monkeypatch):
    for name in (*ENVIRONMENT, "PYTEST_ADDOPTS", "CI", "PYTEST_XDIST_WORKER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    chunks = [
        {"id": "c1", "text": "Employees receive 25 vacation days per year.", "score": 0.9},
        {"id": "c2", "text": "All employees receive 25 days of paid vacation each year.", "score": 0.8},
    ]
    row = {
        "question": "How many vacation days do employees receive per year?",
        "chunks": chunks,
        "answer": "Employees receive 25 vacation days per year [1].",
    }
    lines = [json.dumps({"id": f"t{number}", **row}) for number in range(COUNT)]
    Path("a.transcripts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    Path("pytest.ini").write_text("[pytest]\n", encoding="utf-8")


def start(*more, python=sys.executable, pass_fds=(), **environment):
    command = [python, "-m", "pytest", *OPTIONS, *more]
    return subprocess.Popen(
        command,
        env={**os.environ, **environment},
        pass_fds=pass_fds,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def kept():
    """The transcripts of which the audit log, and the goldens, know; both are readable and intact."""
    log = AuditLog("audit.jsonl")
    logged = set()
    if log.path.exists():
        assert all(item.is_torn for item in log.verify().damage)
        logged = {item.transcript_id for item in log.records()}
    return logged, {read_golden(path).id for path in GoldenStore.beside(Path()).goldens()}


def kill_run(after):
    """Kill a run when so many of its tests are over; it waits before its last one, so it cannot end."""
    told, tell = os.pipe()
    hold, never = os.pipe()
    run = start(pass_fds=(tell, hold), TELL=str(tell), HOLD=str(hold))
    os.close(tell)
    os.close(hold)
    over = 0
    while over < after and (data := os.read(told, 1)):
        over += len(data)
    assert over == after, run.communicate()[0].decode()
    run.kill()
    run.communicate()
    os.close(told)
    os.close(never)
    assert run.returncode == -signal.SIGKILL
    logged, golden = kept()
    finished = {f"t{number}" for number in range(after)}
    assert finished <= logged
    assert finished <= golden
    report = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert report["gate"]["status"] == "undecided"
    assert not report["run"]["whole"]
    assert main(["merge", "shard.json"]) == 1
    assert not Path("out.html").exists()


def test_a_killed_run_keeps_finished_work_and_does_not_pass():
    Path("conftest.py").write_text(TELLING, encoding="utf-8")
    for after in (1, 4):
        kill_run(after)


@pytest.mark.slow
def test_a_hundred_killed_runs():
    Path("conftest.py").write_text(TELLING, encoding="utf-8")
    for turn in range(100):
        kill_run(1 + turn % (COUNT - 1))


def test_two_runs_at_once_write_complete_files():
    runs = [start(python=warm_starts.python()) for _ in range(2)]
    said = [run.communicate()[0].decode() for run in runs]
    assert [run.returncode for run in runs] == [0, 0], said
    logged, golden = kept()
    assert logged == golden == {f"t{number}" for number in range(COUNT)}
    assert len(list(AuditLog("audit.jsonl").records())) == 2 * COUNT
    report = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert (report["gate"]["status"], len(report["transcripts"])) == ("undecided", COUNT)
    assert read_shard("shard.json").report.run.whole
    assert Path("out.html").read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert not list(Path().glob("*.tmp"))


@pytest.mark.parametrize(
    "how", ["os._exit(0)", pytest.param("os.kill(os.getpid(), 9)", marks=pytest.mark.slow)]
)
def test_a_run_with_a_dead_worker_does_not_pass(how):
    pytest.importorskip("xdist")
    dying = f"import os\ndef pytest_runtest_call(item):\n    if item.name == 't3': {how}\n"
    Path("conftest.py").write_text(dying, encoding="utf-8")
    run = start("-n2", python=warm_starts.python())
    said = run.communicate()[0].decode()
    assert run.returncode == 1, said
    logged, golden = kept()
    finished = {f"t{number}" for number in range(COUNT)} - {"t3"}
    assert logged == golden == finished
    report = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert report["gate"]["status"] == "fail"
    assert report["run"]["missing"] == {"t3": "its worker crashed"}
    assert main(["merge", "shard.json"]) == 1
