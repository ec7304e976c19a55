"""SIGKILL at random moments: the report is the same to the byte."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from functools import partial

import psutil
import pytest
from scale_runs import Killer, check, children, command, write_rows

from pytest_grounding.errors import GroundingError
from pytest_grounding.scale import driver as scale
from pytest_grounding.scale.partition import check_partition, checked_rows
from pytest_grounding.scale.plan import make_plan
from pytest_grounding.settings import Settings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

WORDS = ["a.transcripts.jsonl", "--json", "--jobs", "2", "--work", "work"]


@pytest.mark.row(68)
def test_killed_workers_do_not_change_the_report(tmp_path):
    write_rows(tmp_path / "a.transcripts.jsonl", 72, size=9_000)
    plain = check(tmp_path, "a.transcripts.jsonl", "--json").stdout
    driver = subprocess.Popen(command(*WORDS), cwd=tmp_path, stdout=subprocess.PIPE)
    with Killer(psutil.Process(driver.pid), random.Random(0), most=3, longest=0.5) as killer:
        out, _ = driver.communicate(timeout=200)
    if out != plain:
        # The same part was hit three times; the same command does it again.
        assert b"not scored" in out
        out = check(tmp_path, *WORDS).stdout
    assert out == plain
    assert killer.kills >= 1


def test_a_killed_driver_keeps_finished_parts_and_leaves_no_worker(tmp_path):
    write_rows(tmp_path / "a.transcripts.jsonl", 120, size=9_000)
    driver = subprocess.Popen(command(*WORDS), cwd=tmp_path, stdout=subprocess.DEVNULL)
    work = tmp_path / "work"
    _wait_for(lambda: len(list(work.glob("0*.jsonl"))) >= 3)
    workers = children(psutil.Process(driver.pid))
    assert workers
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    _, alive = psutil.wait_procs(workers, timeout=20)
    assert not alive
    lines = (work / "manifest.jsonl").read_text().splitlines(keepends=True)[1:]
    finished = [json.loads(line)["index"] for line in lines if line.endswith("\n")]
    before = {index: (work / f"{index:06d}.jsonl").stat().st_mtime_ns for index in finished}
    assert before
    again = check(tmp_path, *WORDS)
    assert again.stdout == check(tmp_path, "a.transcripts.jsonl", "--json").stdout
    after = {index: (work / f"{index:06d}.jsonl").stat().st_mtime_ns for index in finished}
    assert after == before, "a finished part was done again"
    assert not list(work.glob(".*.grounding-tmp"))


def test_ctrl_c_ends_at_once_and_says_how_to_continue(tmp_path):
    write_rows(tmp_path / "a.transcripts.jsonl", 240, size=9_000)
    driver = subprocess.Popen(
        command(*WORDS), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    _wait_for(lambda: len(list((tmp_path / "work").glob("0*.jsonl"))) >= 2)
    # As a terminal does: to all processes of the group.
    os.killpg(driver.pid, signal.SIGINT)
    out, errors = driver.communicate(timeout=20)
    assert driver.returncode == 130
    assert out == b""
    assert b"parts are finished and kept in work; the same command goes on from there" in errors
    assert errors.count(b"\n") == 1
    assert check(tmp_path, *WORDS).stdout == check(tmp_path, "a.transcripts.jsonl", "--json").stdout


@pytest.mark.parametrize(
    "workers",
    [scale.processes, pytest.param(scale.cluster(""), marks=pytest.mark.slow)],
    ids=["here", "Dask"],
)
@pytest.mark.parametrize("count", [1, 2])
def test_rows_that_kill_their_workers_are_named_and_all_others_scored(tmp_path, monkeypatch, workers, count):
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "a.transcripts.jsonl", 60, size=9_000)
    (tmp_path / "deadly").write_text("r17 r40" if count == 2 else "r17")
    monkeypatch.setattr(scale, "do_part", dying)
    make = partial(make_plan, ["a.transcripts.jsonl"], Settings(), tmp_path / "work")
    with scale.alone_in(tmp_path / "work"):
        done = scale.drive(tmp_path / "work", make, workers, 2, replace=False)
    said = "is not scored: its worker died (perhaps it ran out of memory), 3 times"
    places = ["a.transcripts.jsonl:18", "a.transcripts.jsonl:41"][:count]
    assert done.unscored == tuple(f"{place} {said}" for place in places)
    others = [f"r{number}" for number in range(60) if number != 17 and (count == 1 or number != 40)]
    assert [item.row.transcript.id for item in checked_rows(done.plan, done.results)] == others
    # The same command does the rest and nothing else, when what killed them is gone.
    (tmp_path / "deadly").write_text("")
    before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "work").glob("0*.jsonl")}
    with scale.alone_in(tmp_path / "work"):
        again = scale.drive(tmp_path / "work", make, scale.processes, 2, replace=False)
    assert again.unscored == ()
    ids = [item.row.transcript.id for item in checked_rows(again.plan, again.results)]
    assert ids == [f"r{number}" for number in range(60)]
    after = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "work").glob("0*.jsonl")}
    assert {name: after[name] for name in before} == before
    assert len(after) == len(before) + count


def test_where_no_worker_lives_it_is_said_at_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "a.transcripts.jsonl", 60, size=9_000)
    monkeypatch.setattr(scale, "_begin", stillborn)
    make = partial(make_plan, ["a.transcripts.jsonl"], Settings(), tmp_path / "work")
    with scale.alone_in(tmp_path / "work"), pytest.raises(GroundingError, match="no worker can do a part"):
        scale.drive(tmp_path / "work", make, scale.processes, 2, replace=False)


def dying(part, plan):
    """Stands for rows for which the system ends the process."""
    deadly = (plan.place.parent / "deadly").read_text().split()
    for piece in part.pieces:
        with open(piece.path, "rb") as stream:
            stream.seek(piece.start)
            text = stream.read(piece.size)
        if any(f'"id": "{name}"'.encode() in text for name in deadly):
            os.kill(os.getpid(), signal.SIGKILL)
    return check_partition(part, plan)


def stillborn():
    """Stands for a machine on which no worker starts."""
    os.kill(os.getpid(), signal.SIGKILL)


def _wait_for(is_so):
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)
