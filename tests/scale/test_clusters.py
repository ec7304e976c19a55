"""The same parts on a Dask cluster, and through the functions that Spark and Ray Data are given."""

from __future__ import annotations

import contextlib
import json
import pickle
import random
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pandas
import psutil
import pytest
from scale_runs import Killer, check, command, later, write_rows

from pytest_grounding.cli import main
from pytest_grounding.errors import InputError
from pytest_grounding.scale.elsewhere import SCHEMA, check_batch, check_frames, parts_to_do


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("GROUNDING_JOBS", raising=False)
    write_rows(tmp_path / "a.transcripts.jsonl", 40)
    return tmp_path


def test_a_cluster_gives_the_report_of_one_process(folder: Path) -> None:
    plain = check(folder, "a.transcripts.jsonl", "--json")
    words = ["a.transcripts.jsonl", "--json", "--engine", "dask", "--jobs", "1", "--part-size", "3000"]
    assert check(folder, *words).stdout == plain.stdout


def test_a_cluster_that_is_not_there_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "a.transcripts.jsonl", "--engine", "dask=nowhere"]) == 2
    errors = capsys.readouterr().err
    assert "nowhere: no cluster with a worker answers" in errors
    assert len(errors.splitlines()) == 1


def test_a_frame_of_parts_gives_what_the_command_reports(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "a.transcripts.jsonl", "--json"]) == 1
    plain = capsys.readouterr().out
    words = ["check", "a.transcripts.jsonl", "--json", "--work", "work", "--part-size", "2000"]
    assert main([*words, "--engine", "none"]) == 0
    assert capsys.readouterr().out == "5 parts, 0 of them finished, in work\n"
    todo = pandas.DataFrame(parts_to_do("work"))
    assert list(todo["part"]) == list(range(5))
    # As Spark does: the function is sent as bytes, and is given frames one by one.
    function = pickle.loads(pickle.dumps(check_frames("work")))
    found = pandas.concat(function(iter([todo.iloc[:2], todo.iloc[2:4]])))
    assert list(found.columns) == [word.split()[0] for word in SCHEMA.split(", ")]
    assert list(found["part"]) == [0, 1, 2, 3]
    assert list(found["failure"]) == [""] * 4
    assert [row["part"] for row in parts_to_do("work")] == [4]
    # As Ray does: a frame, a frame; a part that is done again changes nothing.
    again = check_batch("work")(todo.iloc[3:])
    assert found["rows"].sum() + again["rows"].iloc[1:].sum() == 40
    assert parts_to_do("work") == []
    before = {path.name: path.stat().st_mtime_ns for path in (folder / "work").glob("*.result.json")}
    assert main([*words, "--jobs", "1"]) == 1
    assert capsys.readouterr().out == plain
    assert before == {path.name: path.stat().st_mtime_ns for path in (folder / "work").glob("*.result.json")}


def test_frames_name_what_is_gone(folder: Path) -> None:
    assert main(["check", ".", "--quiet", "--work", "work", "--engine", "none"]) == 0
    todo = pandas.DataFrame(parts_to_do("work"))
    (folder / "a.transcripts.jsonl").unlink()
    [failure] = check_batch("work")(todo)["failure"]
    assert failure == "a.transcripts.jsonl: is no longer there; put it back, or leave it out"
    with pytest.raises(InputError, match="holds no plan"):
        parts_to_do("nowhere")


def test_a_plan_for_others_needs_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", ".", "--engine", "none"]) == 2
    assert "name its folder with --work" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_cluster_without_a_worker_is_given_up_and_goes_on_with_another(folder: Path) -> None:
    import distributed

    write_rows(folder / "a.transcripts.jsonl", 120)
    words = ["a.transcripts.jsonl", "--json", "--part-size", "1500", "--work", "work", "--patience", "1"]
    plain = check(folder, "a.transcripts.jsonl", "--json").stdout
    with distributed.LocalCluster(
        n_workers=0, dashboard_address=None, host="127.0.0.1", silence_logs=60
    ) as cluster:
        words += ["--engine", f"dask={cluster.scheduler_address}"]
        with _worker(cluster.scheduler_address) as worker:
            thread = later(lambda: bool(_done(folder)), worker.kill)
            given_up = check(folder, *words)
            thread.join()
        kept = _done(folder)
        report = json.loads(given_up.stdout)
        assert given_up.returncode == 1
        assert given_up.stderr == b""
        assert report["gate"]["suite"] == "undecided"
        total = len(json.loads((folder / "work/plan.json").read_text())["parts"])
        assert 0 < len(kept) < total
        [said] = report["run"]["interrupted"]
        assert re.fullmatch(
            rf"{total - len(kept)} of {total} parts are not scored: the cluster {cluster.scheduler_address} "
            r"had no worker for 1 s; start some, or wait longer with --patience; "
            rf"{len(kept)} finished parts? kept in work; the same command goes on",
            said,
        )
        with _worker(cluster.scheduler_address):
            assert check(folder, *words).stdout == plain
        assert {name: _done(folder)[name] for name in kept} == kept


def test_a_time_to_wait_is_seconds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ("0", "-1", "inf", "soon"):
        with pytest.raises(SystemExit):
            main(["check", ".", "--engine", "dask", f"--patience={wrong}"])
        assert f"'{wrong}' is no time to wait; write seconds, such as 300" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_scheduler_that_is_gone_or_hangs_is_given_up_and_one_that_comes_back_is_used(folder: Path) -> None:
    write_rows(folder / "a.transcripts.jsonl", 240)
    plain = check(folder, "a.transcripts.jsonl", "--json").stdout
    for name, trouble in (("SIGKILL", signal.SIGKILL), ("SIGSTOP", signal.SIGSTOP)):
        with _scheduler() as (process, address), _worker(address):
            words = ["a.transcripts.jsonl", "--json", "--part-size", "2500", "--engine", f"dask={address}"]
            thread = later(partial(_done, folder, name), partial(process.send_signal, trouble))
            told = check(folder, *words, "--work", name, "--patience", "2")
            thread.join()
        [said] = json.loads(told.stdout)["run"]["interrupted"]
        assert told.returncode == 1
        assert f"the cluster {address} did not answer for 2 s; start it again; " in said
    with contextlib.ExitStack() as stack:
        process, address = stack.enter_context(_scheduler())

        def again() -> None:
            process.kill()
            process.wait()
            stack.enter_context(_scheduler(address.rpartition(":")[2]))
            stack.enter_context(_worker(address))

        with _worker(address):
            thread = later(partial(_done, folder, "again"), again)
            words[-1] = f"dask={address}"
            done = check(folder, *words, "--work", "again")
            thread.join()
        assert done.stdout == plain, done.stderr.decode()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_workers_that_are_killed_while_they_start_come_back(folder: Path) -> None:
    write_rows(folder / "a.transcripts.jsonl", 240)
    plain = check(folder, "a.transcripts.jsonl", "--json").stdout
    words = ["a.transcripts.jsonl", "--json", "--part-size", "1500", "--work", "work"]
    driver = subprocess.Popen(
        command(*words, "--engine", "dask", "--jobs", "2"), cwd=folder, stdout=subprocess.PIPE
    )
    # More than the 15 s after which Dask gives a worker up; each takes longer to start than it lives.
    killer = Killer(psutil.Process(driver.pid), random.Random(1), most=200, longest=0.2)
    later(partial(_done, folder), killer.start).join()
    out, _ = driver.communicate(timeout=200)
    killer.__exit__()
    assert out == plain
    assert killer.kills >= 100


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_cluster_whose_workers_are_killed_loses_nothing(folder: Path) -> None:
    import dask
    import distributed

    # Else a machine that is slow to start workers ends with a cluster of none.
    dask.config.set({"distributed.deploy.lost-worker-timeout": "1 day"})
    write_rows(folder / "a.transcripts.jsonl", 240)
    plain = check(folder, "a.transcripts.jsonl", "--json").stdout
    kills = 0
    for seed in range(3):
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1", silence_logs=60
        ) as cluster:
            is_worker = partial(_is_worker_of, cluster)
            killer = Killer(psutil.Process(), random.Random(seed), most=5, longest=1.0, is_worker=is_worker)
            words = ["--engine", f"dask={cluster.scheduler_address}", "--part-size", "2500"]
            with killer:
                done = check(folder, "a.transcripts.jsonl", "--json", *words, "--work", f"w{seed}")
            kills += killer.kills
        assert done.stdout == plain, done.stderr.decode()
    assert kills >= 6


def _done(folder: Path, work: str = "work") -> dict[str, int]:
    """The finished parts, and when each was."""
    return {path.name: path.stat().st_mtime_ns for path in (folder / work).glob("*.result.json")}


@contextlib.contextmanager
def _program(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program of Dask, which nobody starts again."""
    process = subprocess.Popen([sys.executable, "-m", *words], stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _worker(address: str) -> contextlib.AbstractContextManager[subprocess.Popen[bytes]]:
    return _program("distributed.cli.dask_worker", address, "--no-nanny", "--nthreads=1", "--no-dashboard")


@contextlib.contextmanager
def _scheduler(port: str = "") -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    if not port:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
    words = ["distributed.cli.dask_scheduler", "--host=127.0.0.1", f"--port={port}", "--no-dashboard"]
    with _program(*words) as process:
        yield process, f"tcp://127.0.0.1:{port}"


def _is_worker_of(cluster: Any, child: psutil.Process) -> bool:
    """Not the command that is tested, nor what it started."""
    return child.pid in {nanny.pid for nanny in cluster.workers.values()}
