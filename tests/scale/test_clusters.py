"""The same parts on a Dask cluster."""

import socket
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
from scale_runs import check, command, write_rows

from pytest_grounding.cli import main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("GROUNDING_JOBS", raising=False)
    write_rows(tmp_path / "a.transcripts.jsonl", 40, size=9_000)
    return tmp_path


def test_a_cluster_gives_the_report_of_one_process(folder):
    plain = check(folder, "a.transcripts.jsonl", "--json")
    done = check(folder, "a.transcripts.jsonl", "--json", "--engine", "dask", "--jobs", "1")
    assert (done.stdout, done.returncode) == (plain.stdout, plain.returncode), done.stderr


def test_an_unreachable_cluster_is_reported(folder, capsys):
    assert main(["check", "a.transcripts.jsonl", "--engine", "dask=nowhere"]) == 2
    errors = capsys.readouterr().err
    assert "nowhere: no cluster with a worker answers" in errors
    assert len(errors.splitlines()) == 1


@contextmanager
def cluster(port):
    """A scheduler and two workers, each a process of its own."""
    address, quiet = f"tcp://127.0.0.1:{port}", {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    place = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    start = [sys.executable, "-m"]
    made = [subprocess.Popen([*start, "distributed.cli.dask_scheduler", *place], **quiet)]
    work = [*start, "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    made += [subprocess.Popen(work, **quiet) for _ in range(2)]
    try:
        yield made[0]
    finally:
        for process in made:
            process.kill()
            process.wait()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_lost_scheduler_is_one_sentence_and_the_same_command_goes_on(tmp_path):
    pytest.importorskip("distributed")
    write_rows(tmp_path / "a.transcripts.jsonl", 240, size=9_000)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["a.transcripts.jsonl", "--json", "--engine", f"dask=tcp://127.0.0.1:{port}", "--work", "work"]
    with cluster(port) as scheduler:
        run = subprocess.Popen(command(*words), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while run.poll() is None and len(list((tmp_path / "work").glob("0*.jsonl"))) < 3:
            time.sleep(0.02)
        scheduler.kill()
        out, errors = run.communicate(timeout=100)
    assert (run.returncode, out) == (2, b"")
    said = errors.decode()
    assert "the scheduler of the cluster is lost: " in said
    assert "parts are finished and kept in work; start it again, and give the same command" in said
    assert len(said.splitlines()) == 1
    kept = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "work").glob("0*.jsonl")}
    assert kept
    with cluster(port):
        again = check(tmp_path, *words)
    assert again.stdout == check(tmp_path, "a.transcripts.jsonl", "--json").stdout
