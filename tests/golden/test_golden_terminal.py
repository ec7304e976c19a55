"""The walk through the candidates in a real terminal."""

import os
import subprocess
import sys

import pytest
import warm_starts
from golden_recordings import ANSWER, INVENTED, REWORDED, WRONG_NUMBER, recording

from pytest_grounding.golden.golden_policy import settle

pexpect = pytest.importorskip("pexpect", reason="drives a terminal")
if sys.platform == "win32":
    pytest.skip("needs a pseudo terminal", allow_module_level=True)

PROMPT = r"\[q\]uit > "


@pytest.fixture
def folder(tmp_path, store, judged, settings):
    for name, before, after in (
        ("a-worse", ANSWER, WRONG_NUMBER),
        ("b-better", INVENTED, ANSWER),
        ("c-better", INVENTED, ANSWER),
        ("d-other", ANSWER, REWORDED),
    ):
        store.accept(judged(recording(before, name)))
        settle(store, judged(recording(after, name)), settings)
    return tmp_path


@pytest.fixture
def review(folder):
    started = []

    def start(columns=120, **environment):
        kept = {
            name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")
        }
        child = pexpect.spawn(
            warm_starts.python(),
            ["-m", "pytest_grounding", "review"],
            cwd=str(folder),
            env={**kept, "TERM": "xterm-256color", **environment},
            encoding="utf-8",
            dimensions=(50, columns),
            timeout=60,
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def prompt(child):
    child.expect(PROMPT)
    return child.before


def end(child):
    child.expect(pexpect.EOF)
    text = child.before
    child.close()
    return text, child.exitstatus


def test_a_walk_accepts_rejects_skips_and_shows_evidence(review, store):
    child = review()
    shown = prompt(child)
    assert "4 to review: 1 regression, 2 improvement, 1 neutral" in shown
    assert shown.index("a-worse") < shown.index("b-better") < shown.index("d-other")
    assert "\x1b[31m" in shown
    child.send("e")
    evidence = prompt(child)
    assert "accepted:" in evidence
    assert "chunk hr-1" in evidence
    child.send("?")
    assert "the same recording fails" in prompt(child)
    child.send("R")
    child.expect("go back")
    child.sendline("twenty-five it is")
    assert "2 of 4" in prompt(child)
    child.send("a")
    assert "3 of 4" in prompt(child)
    child.send("s")
    assert "4 of 4" in prompt(child)
    child.send("\x1b[A")  # an arrow key decides nothing
    prompt(child)
    child.send("a")
    text, status = end(child)
    assert "3 decided, 1 left" in text
    assert status == 1
    assert store.golden("a-worse").transcript.answer == ANSWER
    assert "twenty-five it is" in store.log_path("a-worse").read_text()
    assert store.golden("b-better").transcript.answer == ANSWER
    assert store.golden("c-better").transcript.answer == INVENTED
    assert store.golden("d-other").transcript.answer == REWORDED


def test_a_walk_that_was_left_goes_on_with_what_is_left(review, store):
    child = review()
    prompt(child)
    child.send("r")
    prompt(child)
    child.send("q")
    assert end(child)[1] == 1
    child = review()
    shown = prompt(child)
    assert "3 to review" in shown
    assert "a-worse" not in shown
    child.send("i")
    assert "accepted 2 that got better" in prompt(child)
    child.send("\x03")
    assert "1 left" in end(child)[0]
    assert store.golden("c-better").transcript.answer == ANSWER
    child = review()
    prompt(child)
    child.kill(9)  # a lost connection loses nothing that was decided
    assert store.pending("d-other") is not None


def test_going_back_from_the_reason_decides_nothing(review, store):
    child = review()
    prompt(child)
    child.send("a")
    child.expect("go back")
    child.send("\x03")
    prompt(child)
    child.send("q")
    end(child)
    assert store.golden("a-worse").transcript.answer == ANSWER
    assert store.pending("a-worse") is not None


def test_no_colour_is_respected(review):
    child = review(NO_COLOR="1")
    assert "\x1b[" not in prompt(child)
    child.send("q")
    end(child)


def test_without_a_terminal_it_says_what_to_write(folder):
    done = subprocess.run(
        [sys.executable, "-m", "pytest_grounding", "review"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "review accept ID" in done.stderr
