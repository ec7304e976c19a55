"""``calibrate --sample``: a person says, without seeing a verdict, which passing answers are right."""

import json
import subprocess
import sys
from functools import partial

import pytest
from terminals import commands_in, pexpect

from pytest_grounding import Settings
from pytest_grounding.calibration.labels import read_labels

if sys.platform == "win32":
    pytest.skip("needs a pseudo terminal", allow_module_level=True)

COMMAND = ["calibrate", "answers.transcripts.jsonl", "--sample"]
PROMPT = r"\[q\]uit > "
FAILING = "The tower is open on Mondays for 99 visitors."


@pytest.fixture
def folder(tmp_path):
    """Five answers that pass, and one that does not."""
    rows = []
    for number in range(5):
        text = f"The tower has {number + 20} steps on side {number + 1}."
        chunks = [{"id": f"guide-{number}", "text": text}]
        question = f"How many steps does side {number + 1} of the tower have?"
        rows.append(
            {"id": f"steps-{number}", "question": question, "chunks": chunks, "answer": f"{text} [1]"}
        )
    rows.append({**rows[0], "id": "wrong", "answer": FAILING})
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    (tmp_path / "answers.transcripts.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def ask(folder):
    with commands_in(folder) as start:
        yield partial(start, *COMMAND)


def answer_all(child, keys):
    """Everything that is shown while the keys are given, and the exit status."""
    shown = ""
    for key in keys:
        child.expect(PROMPT)
        shown += child.before
        child.sendline(key)
    child.expect(pexpect.EOF)
    child.close()
    return shown + child.before, child.exitstatus


def labels_in(folder):
    return list(read_labels(folder / "labels.jsonl", Settings()))


def test_the_share_of_wrong_answers_has_an_interval_and_the_labels_are_kept(ask, folder):
    shown, status = answer_all(ask("9", "-o", "labels.jsonl"), "rwsr?r")
    assert status == 0
    assert "wrong among the answers that pass: 1 of 4, 25 % (5-70 %); drawn from 5, 95 % interval" in shown
    assert [label.correct for label in labels_in(folder)] == [True, False, True, True]
    # Only answers that pass are shown, with their sources, and no word of the engine about them.
    assert "99 visitors" not in shown
    assert all(f"source guide-{number}: " in shown for number in range(5))
    questions = shown.partition("wrong among")[0]
    assert not any(word in questions for word in ("confidence", "pass", "support", "steps-"))


def test_the_same_answers_are_drawn_each_time(ask):
    first, second = (answer_all(ask("2"), "rr")[0] for _ in range(2))
    assert first == second
    assert first.count("question: ") == 2
    assert "drawn from 5" in first


def test_what_was_said_before_an_interruption_counts(ask, folder):
    child = ask("5", "-o", "labels.jsonl")
    child.expect(PROMPT)
    child.sendline("w")
    child.expect(PROMPT)
    child.send("\x03")
    child.expect(pexpect.EOF)
    assert "1 of 1, 100 %" in child.before
    assert [label.correct for label in labels_in(folder)] == [False]


def test_a_kill_loses_no_ruling(ask, folder):
    child = ask("5", "-o", "labels.jsonl")
    for key in "rw":
        child.expect(PROMPT)
        child.sendline(key)
    child.expect(PROMPT)
    child.kill(9)
    assert [label.correct for label in labels_in(folder)] == [True, False]


def test_nothing_said_is_no_figure(ask):
    shown, status = answer_all(ask("5"), "sq")
    assert status == 1
    assert "wrong among the answers that pass: none to measure" in shown


def refusal(folder, *words):
    done = subprocess.run(
        [sys.executable, "-m", "pytest_grounding", *COMMAND, "3", *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 2
    return done.stderr


def test_wrong_uses_get_one_sentence(ask, folder):
    assert "--sample asks a person, and this is not a terminal; run it in a terminal" in refusal(folder)
    assert "--sample does not go together with --write, --judge" in refusal(folder, "--write", "--judge")
    (folder / "labels.jsonl").write_text("mine", encoding="utf-8")
    child = ask("5", "-o", "labels.jsonl")
    child.expect(pexpect.EOF)
    assert "labels.jsonl: cannot be written (File exists); name a new file" in child.before
    assert (folder / "labels.jsonl").read_text(encoding="utf-8") == "mine"
    row = json.loads((folder / "answers.transcripts.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    (folder / "answers.transcripts.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert "no answer passes, so there is none to ask about" in refusal(folder)
