"""Recordings made with the real libraries (make_recordings.py): what they hold comes out whole."""

import json
from pathlib import Path

import pytest

import pytest_grounding as pg

FOLDER = Path(__file__).parent / "library_recordings"
FILES = sorted(FOLDER.glob("*.json"))
QUESTION = "How many books may a reader borrow, and how long are films lent?"


def loaded(recording, tmp_path):
    file = tmp_path / "recording.json"
    file.write_text(json.dumps(recording), encoding="utf-8")
    [found] = pg.load_transcripts(file)
    return found


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_a_recording_of_a_library_is_read_whole(file, tmp_path):
    made = json.loads(file.read_text(encoding="utf-8"))
    assert made["version"]
    right = loaded(made["recording"], tmp_path)
    assert right.question == QUESTION
    assert [chunk.id for chunk in right.chunks] == ["b1", "f1"]
    assert pg.validate(right).status == "pass"


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_swapped_marks_are_stopped_in_every_library(file, tmp_path):
    text = json.dumps(json.loads(file.read_text(encoding="utf-8"))["recording"])
    swapped = text.replace("[1]", "[@]").replace("[2]", "[1]").replace("[@]", "[2]")
    assert pg.validate(loaded(json.loads(swapped), tmp_path)).status != "pass"


KEPT = ("id", "name", "version")


def paths_in(value, path=()):
    """The paths of all members, those of objects only."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        if isinstance(value, dict):
            yield (*path, key)
        yield from paths_in(item, (*path, key))


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_a_missing_member_turns_no_rejected_answer_green(file, tmp_path):
    recording = json.loads(file.read_text(encoding="utf-8"))["recording"]
    wrong = json.loads(json.dumps(recording).replace("borrow eight books [1]", "borrow twelve books [1]"))
    assert pg.validate(loaded(wrong, tmp_path)).status == "reject"
    for path in paths_in(wrong):
        for change in ("removed", "nulled"):
            value = json.loads(json.dumps(wrong))
            inner = value
            for step in path[:-1]:
                inner = inner[step]
            if change == "removed":
                del inner[path[-1]]
            else:
                inner[path[-1]] = None
            try:
                found = loaded(value, tmp_path)
            except (pg.InputError, ValueError):
                continue
            verdict = pg.validate(found)
            assert verdict.status != "pass" or verdict.findings, (path, change)
            if "twelve" in found.answer:
                assert verdict.status != "pass", (path, change)
