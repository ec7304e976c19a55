"""The same parts on a Dask cluster, and through the functions that Spark and Ray Data are given."""

from __future__ import annotations

import pickle
import random
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pandas
import psutil
import pytest
from scale_runs import Killer, check, write_rows

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


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_cluster_whose_workers_are_killed_loses_nothing(folder: Path) -> None:
    import distributed

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


def _is_worker_of(cluster: Any, child: psutil.Process) -> bool:
    """Not the command that is tested, nor what it started."""
    return child.pid in {nanny.pid for nanny in cluster.workers.values()}
