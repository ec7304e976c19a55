"""SIGKILL at random moments: the report is the same to the byte."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest
from scale_runs import Killer, check, children, command, write_rows

from pytest_grounding.cli import main

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")


def test_a_report_is_the_same_however_often_workers_are_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    write_rows(tmp_path / "a.transcripts.jsonl", 72)
    assert main(["check", "a.transcripts.jsonl", "--json"]) == 1
    plain = capsys.readouterr().out
    kills = 0
    for seed, (jobs, size, most) in enumerate([(1, 4_000, 4), (2, 9_000, 4), (3, 2_000, 3)]):
        words = ["check", "a.transcripts.jsonl", "--json", "--jobs", str(jobs)]
        words += ["--part-size", str(size), "--work", f"work-{seed}"]
        killer = Killer(psutil.Process(), random.Random(seed), most=most, longest=0.3)
        with killer:
            main(words)
        kills += killer.kills
        told = capsys.readouterr()
        if "not scored" in told.out:
            # The same part was hit three times; the same command does it again.
            assert main(words) == 1
            told = capsys.readouterr()
        assert told.out == plain
    assert kills >= 8


@pytest.mark.slow
def test_a_killed_driver_leaves_what_is_finished_and_no_worker_behind(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.transcripts.jsonl", 250)
    words = ["a.transcripts.jsonl", "--json", "--jobs", "2", "--part-size", "3000", "--work", "work"]
    driver = subprocess.Popen(command(*words), cwd=tmp_path, stdout=subprocess.DEVNULL)
    work = tmp_path / "work"
    _wait_for(lambda: len(list(work.glob("*.result.json"))) >= 3)
    workers = children(psutil.Process(driver.pid))
    assert workers
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    _, alive = psutil.wait_procs(workers, timeout=20)
    assert not alive
    before = {path.name: path.stat().st_mtime_ns for path in work.glob("*.result.json")}
    assert before
    again = check(tmp_path, *words)
    assert again.stdout == check(tmp_path, "a.transcripts.jsonl", "--json").stdout
    after = {path.name: path.stat().st_mtime_ns for path in work.glob("*.result.json")}
    assert {name: after[name] for name in before} == before, "a finished part was done again"
    assert not list(work.glob(".*.tmp"))


def test_ctrl_c_ends_at_once_and_says_how_to_go_on(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.transcripts.jsonl", 400)
    words = ["a.transcripts.jsonl", "--json", "--jobs", "2", "--part-size", "3000", "--work", "work"]
    driver = subprocess.Popen(
        command(*words), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    _wait_for(lambda: len(list((tmp_path / "work").glob("*.result.json"))) >= 2)
    # As a terminal does: to all processes of the group.
    os.killpg(driver.pid, signal.SIGINT)
    out, errors = driver.communicate(timeout=20)
    assert driver.returncode == 130
    assert out == b""
    assert b"parts are done and kept in work; the same command goes on from there" in errors
    assert errors.count(b"\n") == 1
    assert check(tmp_path, *words).stdout == check(tmp_path, "a.transcripts.jsonl", "--json").stdout


@pytest.mark.slow
def test_a_hundred_random_kills(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.transcripts.jsonl", 300)
    plain = check(tmp_path, "a.transcripts.jsonl", "--json").stdout
    chance = random.Random(20_261_122)
    kills: Counter[tuple[int, str]] = Counter()
    runs = 0
    while kills.total() < 100:
        jobs, size = chance.choice([1, 2, 8]), chance.choice([700, 3_000, 20_000, 8_000_000])
        words = ["a.transcripts.jsonl", "--json", "--jobs", jobs, "--part-size", size, "--work", f"w{runs}"]
        runs += 1
        while True:
            driver = subprocess.Popen(command(*words), cwd=tmp_path, stdout=subprocess.PIPE)
            process = psutil.Process(driver.pid)
            killer = Killer(process, chance, most=chance.randint(1, 4), longest=0.4)
            with killer:
                if chance.random() < 0.4 and kills.total() < 100:
                    time.sleep(chance.uniform(0.0, 3.0))
                    if driver.poll() is None:
                        driver.kill()
                        kills[jobs, "driver"] += 1
                out, _ = driver.communicate(timeout=300)
            kills[jobs, "worker"] += killer.kills
            if driver.returncode == 1 and b"not scored" not in out:
                break
        assert out == plain, f"run {runs}: {words}"
    print(f"{kills.total()} kills in {runs} runs: {sorted(kills.items())}")
    # Each number of workers was hit, and so was each kind of process.
    assert set(kills) == {(jobs, kind) for jobs in (1, 2, 8) for kind in ("driver", "worker")}


def _wait_for(is_so: object) -> None:
    deadline = time.monotonic() + 60
    while not is_so():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.01)
