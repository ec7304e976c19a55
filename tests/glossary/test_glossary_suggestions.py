"""A review that accepts other words suggests the line of the glossary that would have let them pass."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import warm_starts

import pytest_grounding as pg
from pytest_grounding import Settings
from pytest_grounding.cli import main
from pytest_grounding.golden import Golden, Store
from pytest_grounding.golden.settle import settle

SOURCE = "Every loan scooter must be returned to the depot by Friday."
BEFORE = "Every loan scooter must be returned to the depot by Friday [1]."
OFFER = "if these mean the same, add to grounding_glossary: "


def waits(folder: Path, answer: str, *chunks: str, before: str | None = BEFORE) -> None:
    """A candidate with an answer, beside the golden of another one."""
    store = Store.beside(folder)
    rows = [{"id": f"d-{number}", "text": text} for number, text in enumerate(chunks or (SOURCE,), start=1)]

    def judged(text: str) -> Golden:
        row: dict[str, Any] = {
            "id": "kanga",
            "question": "When must it be back?",
            "chunks": rows,
            "answer": text,
        }
        transcript = pg.Transcript.model_validate(row)
        return Golden.of(transcript, pg.validate(transcript))

    if before is not None:
        store.accept(judged(before))
    settle(store, judged(answer), Settings())


def accepted(capsys: pytest.CaptureFixture[str], verb: str = "accept") -> list[str]:
    capsys.readouterr()
    assert main(["review", verb, "kanga", "--reason", "right in other words"]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{verb}ed ")
    return [line.strip().removeprefix(OFFER) for line in rest]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ("Every kanga must be returned to the depot by Friday [1].", "kanga = loan scooter"),
        ("Kangas must be returned to the depot by Friday [1].", "kangas = loan scooter"),
        ("Every loan scooter must be returned to the Zwinger by Friday.", "Zwinger = depot"),
    ],
)
def test_one_term_against_one_term(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: str, line: str
) -> None:
    waits(tmp_path, answer)
    found = accepted(capsys)
    assert found == [line]
    row = {"id": "a", "question": "When?", "chunks": [{"id": "d-1", "text": SOURCE}], "answer": answer}
    (before,), (after,) = pg.validate(row).claims, pg.validate(row, {"glossary": line}).claims
    assert (after.support or 0) > (before.support or 0)


def test_a_new_recording_is_reviewed_the_same_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    waits(tmp_path, "Every kanga must be returned to the depot by Friday [1].", before=None)
    assert accepted(capsys) == ["kanga = loan scooter"]


@pytest.mark.parametrize(
    "answer",
    [
        "Every loan scooter must be returned to the depot by Friday [1].",
        "Every kanga must be returned to the depot by Friday [7].",
        "Every kanga must be returned to the depot by Friday [1]. Every loan scooter must be returned to the "
        "depot by Sunday [1].",
        "The canteen serves octopus on every second day of the month [1].",
        "Every loan scooter must be returned to the depot by Sunday [1].",
    ],
)
def test_nothing_is_offered_where_more_is_new_or_no_term_stands_against_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: str
) -> None:
    waits(tmp_path, answer, before="It must be back [1].")
    assert accepted(capsys) == []


def test_what_was_there_before_is_offered_no_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kanga = "Every kanga must be returned to the depot by Friday [1]."
    waits(tmp_path, f"{kanga} A loan scooter must be returned.", before=kanga)
    assert accepted(capsys) == []


def test_who_rejects_is_offered_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    waits(tmp_path, "Every kanga must be returned to the depot by Friday [1].")
    assert accepted(capsys, "reject") == []


def test_the_walk_in_a_terminal_offers_it_too(tmp_path: Path) -> None:
    pexpect = pytest.importorskip("pexpect", reason="drives a terminal")
    if sys.platform == "win32":
        pytest.skip("needs a pseudo terminal")
    waits(tmp_path, "Every kanga must be returned to the depot by Friday [1].")
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    child = pexpect.spawn(
        warm_starts.python(),
        ["-m", "pytest_grounding", "review"],
        cwd=str(tmp_path),
        env={**kept, "NO_COLOR": "1", "TERM": "xterm"},
        encoding="utf-8",
        dimensions=(50, 160),
        timeout=60,
    )
    child.expect(r"\[q\]uit > ")
    child.send("a")
    child.expect("Ctrl-C to go back")
    child.sendline("")
    child.expect(pexpect.EOF)
    child.close()
    assert f"{OFFER}kanga = loan scooter" in child.before


def test_the_offered_line_is_one_that_the_settings_take() -> None:
    line = "kanga = loan scooter"
    done = subprocess.run(
        [warm_starts.python(), "-m", "pytest_grounding", "settings", "--set", f"glossary={line}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert line in done.stdout
