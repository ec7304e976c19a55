"""Work folders of several runs in parts, and shards of pytest, are merged by one command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from scale_runs import row, write_rows

from pytest_grounding.cli import main


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, warm_workers: None) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def _in_parts(name: str, number: int, first: int, *more: str) -> None:
    write_rows(Path(f"{name}.transcripts.jsonl"), number, first=first)
    options = ["-q", "--jobs", "1", "--work", f"work-{name}", "--part-size", "4000", *more]
    assert main(["check", f"{name}.transcripts.jsonl", *options]) in (0, 1, 2)


def _json(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    status = main([*arguments, "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_two_folders_give_what_one_run_gives(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _in_parts("a", 20, 0)
    _in_parts("b", 25, 20, "--compress", "zst")
    _, whole = _json(capsys, "check", "a.transcripts.jsonl", "b.transcripts.jsonl")
    status, found = _json(capsys, "merge", "work-a", "work-b")
    assert status == 1
    assert found["transcripts"] == whole["transcripts"]
    assert found["summary"] == whole["summary"]
    assert found["gate"] == whole["gate"]
    # Whichever comes first, and in whichever folder they lie now.
    shutil.move("work-a", "elsewhere")
    _, again = _json(capsys, "merge", "work-b", "elsewhere")
    assert {**again, "run": None} == {**found, "run": None}


def test_a_folder_and_a_shard_are_one_suite_and_what_both_hold_counts_once(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _in_parts("a", 12, 0)
    _in_parts("b", 12, 6)
    assert main(["merge", "work-b", "--out", "b.shard.json"]) == 1
    _, whole = _json(capsys, "merge", "work-a", "work-b")
    status, found = _json(capsys, "merge", "b.shard.json", "work-a")
    assert status == 1
    assert found["summary"] == whole["summary"]
    assert found["summary"]["transcripts"] == 18
    assert [item["id"] for item in found["transcripts"]] == sorted(f"r{index}" for index in range(18))


def test_an_id_with_two_contents_fails_the_gate_with_both_places(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _in_parts("a", 4, 0)
    Path("b.transcripts.jsonl").write_text(json.dumps({**row(1), "question": "And how long?"}) + "\n")
    main(["check", "b.transcripts.jsonl", "-q", "--jobs", "1", "--work", "work-b"])
    status, found = _json(capsys, "merge", "work-a", "work-b")
    assert status == 1
    reason = "2 different transcripts share the id 'r1'"
    assert any(text.startswith(reason) for text in found["gate"]["reasons"])
    assert all(f"{name}.transcripts.jsonl" in " ".join(found["gate"]["reasons"]) for name in "ab")


def test_a_folder_that_is_not_finished_or_of_other_settings_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _in_parts("a", 30, 0)
    _in_parts("b", 5, 30, "--set", "supported_threshold=0.9")
    capsys.readouterr()
    assert main(["merge", "work-a", "work-b"]) == 2
    assert "come from different settings (supported_threshold)" in capsys.readouterr().err
    Path("work-a/000001.result.json").unlink()
    assert main(["merge", "work-a"]) == 2
    assert "work-a: holds" in (said := capsys.readouterr().err)
    assert "parts of its plan; give the command that made it again" in said
    assert main(["merge", "."]) == 2
    assert "holds no plan that can be read" in capsys.readouterr().err
