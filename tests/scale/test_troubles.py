"""What goes wrong in long runs: one sentence, nothing lost, and the same command goes on."""

import json
import os
import shutil
import subprocess

import pytest
from scale_runs import check, command, later, write_rows

from pytest_grounding.cli import main


def test_a_vanished_input_is_reported_and_the_rest_scored(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pytest_grounding.scale.plan.SMALLEST", 6000)
    write_rows(tmp_path / "a.transcripts.jsonl", 60)
    gone = write_rows(tmp_path / "b.transcripts.jsonl", 20, first=100)
    words = ["check", "a.transcripts.jsonl", "b.transcripts.jsonl", "--json"]
    main(words)
    plain = capsys.readouterr().out
    words += ["--jobs", "1", "--work", "work"]
    thread = later((tmp_path / "work/manifest.jsonl").exists, lambda: gone.rename(tmp_path / "away"))
    assert main(words) == 2
    thread.join()
    told = capsys.readouterr()
    report = json.loads(told.out)
    assert len(report["transcripts"]) == 60
    assert report["run"]["whole"] is False
    assert report["gate"]["suite"] == "undecided"
    assert len(told.err.splitlines()) == 1
    assert "part 4 (b.transcripts.jsonl from line 1) is not scored" in told.err
    assert "b.transcripts.jsonl: is no longer there; put it back" in told.err
    (tmp_path / "away").rename(gone)
    done = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "work").glob("0*.jsonl")}
    assert len(done) == 3
    main(words)
    assert capsys.readouterr().out == plain
    now = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "work").glob("0*.jsonl")}
    assert {name: now[name] for name in done} == done
    # Where it comes back as another file, the plan is another one, and that is said.
    write_rows(gone, 21, first=100)
    assert main(words) == 2
    errors = capsys.readouterr().err
    assert "work: holds parts of another plan (input b.transcripts.jsonl differs)" in errors
    assert "name another folder with --work" in errors


def test_an_input_that_changes_during_the_run_is_an_error(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pytest_grounding.scale.plan.SMALLEST", 9000)
    source = write_rows(tmp_path / "a.transcripts.jsonl", 60)

    def change():
        text = source.read_text()
        source.write_text(text[:-400].replace("days", "dayz") + text[-400:])

    thread = later((tmp_path / "work/manifest.jsonl").exists, change)
    assert main(["check", source.name, "--quiet", "-j", "1", "--work", "work"]) == 2
    thread.join()
    errors = capsys.readouterr().err
    assert "a.transcripts.jsonl: has changed since the plan was made; give the command again" in errors


def test_settings_weights_and_waivers_make_another_plan(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "a.transcripts.jsonl", 4)
    words = ["check", "a.transcripts.jsonl", "--quiet", "--jobs", "1", "--work", "work"]
    main(words)
    capsys.readouterr()
    assert main([*words, "--set", "supported_threshold=0.9"]) == 2
    assert "(setting supported_threshold differs)" in capsys.readouterr().err
    (tmp_path / "grounding.waivers.jsonl").write_text("")
    assert main(words) == 2
    assert "waivers" in capsys.readouterr().err
    (tmp_path / "grounding.waivers.jsonl").unlink()
    # A limit of the suite is decided anew over what is there.
    before = (tmp_path / "work/000000.jsonl").stat().st_mtime_ns
    main([*words, "--set", "suite_max_hallucination_rate=0.9"])
    assert (tmp_path / "work/000000.jsonl").stat().st_mtime_ns == before
    (tmp_path / "file").write_text("")
    assert main([*words[:-1], "file"]) == 2
    assert "file: is not a folder" in capsys.readouterr().err


FULL = """
mount -t tmpfs -o size=400k none work || exit 77
"$@" > first.out 2> first.err
echo $? > first.status
mount -o remount,size=20m work
"$@" > second.out 2> second.err
echo $? > second.status
"""


def test_a_full_disk_keeps_finished_parts(tmp_path):
    unshare = shutil.which("unshare")
    prefix = [unshare or "", "--user", "--map-root-user", "--mount"]
    if unshare is None or subprocess.run([*prefix, "true"], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    write_rows(tmp_path / "a.transcripts.jsonl", 60, size=9_000)
    (tmp_path / "work").mkdir()
    words = ["a.transcripts.jsonl", "--json", "--jobs", "2", "--work", "work"]
    done = subprocess.run(
        [*prefix, "sh", "-c", FULL, "sh", *command(*words)], cwd=tmp_path, env={**os.environ}
    )
    if done.returncode == 77:
        pytest.skip("no file system can be mounted here")
    first = (tmp_path / "first.err").read_text()
    assert (tmp_path / "first.status").read_text().strip() == "2"
    assert "work: cannot be written to (No space left on device)" in first
    assert "are finished and kept in work: make room and give the same command again" in first
    assert len(first.splitlines()) == 1
    plain = check(tmp_path, "a.transcripts.jsonl", "--json")
    assert (tmp_path / "second.out").read_bytes() == plain.stdout
    assert (tmp_path / "second.status").read_text().strip() == "1"


def test_two_runs_in_one_folder_are_refused(tmp_path, monkeypatch, capsys):
    from pytest_grounding.scale.driver import alone_in

    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "a.transcripts.jsonl", 2)
    with alone_in(tmp_path / "work"):
        assert main(["check", "a.transcripts.jsonl", "--jobs", "1", "--work", "work"]) == 2
    assert "work: another run is at work in it" in capsys.readouterr().err
