"""The review of candidates in a real terminal."""

import subprocess
import sys
from functools import partial

import pytest
from golden_recordings import ANSWER, INVENTED, REWORDED, WRONG_NUMBER, recording
from terminals import commands_in, pexpect

from pytest_grounding.golden.golden_policy import settle_golden

if sys.platform == "win32":
    pytest.skip("needs a pseudo terminal", allow_module_level=True)

PROMPT = r"\[\?\] > "


@pytest.fixture
def folder(tmp_path, store, judged, settings):
    for name, before, after in (
        ("a-worse", ANSWER, WRONG_NUMBER),
        ("b-better", INVENTED, ANSWER),
        ("c-better", INVENTED, ANSWER),
        ("d-other", ANSWER, REWORDED),
    ):
        store.accept(judged(recording(before, name)))
        settle_golden(store, judged(recording(after, name)), settings)
    return tmp_path


@pytest.fixture
def review(folder):
    with commands_in(folder) as start:
        yield partial(start, "review", columns=120, TERM="xterm-256color")


def prompt(child):
    child.expect(PROMPT)
    return child.before


def end(child):
    child.expect(pexpect.EOF)
    text = child.before
    child.close()
    return text, child.exitstatus


@pytest.mark.row(45)
def test_accepts_rejects_and_skips(review, store):
    child = review()
    shown = prompt(child)
    assert "4 to review: 1 regression, 2 improvement, 1 neutral" in shown
    assert shown.index("a-worse") < shown.index("b-better") < shown.index("d-other")
    child.sendline("?")
    assert "the same recording fails" in prompt(child)
    child.sendline("r")
    assert "2 of 4" in prompt(child)
    child.sendline("a")
    assert "3 of 4" in prompt(child)
    child.sendline("s")
    assert "4 of 4" in prompt(child)
    child.sendline("n")  # an unknown answer decides nothing
    prompt(child)
    child.sendline("a")
    text, status = end(child)
    assert "3 decided, 1 left" in text
    assert status == 1
    assert store.golden("a-worse").transcript.answer == ANSWER
    assert store.golden("b-better").transcript.answer == ANSWER
    assert store.golden("c-better").transcript.answer == INVENTED
    assert store.golden("d-other").transcript.answer == REWORDED


def test_accepting_a_regression_asks_why(review, store):
    child = review()
    prompt(child)
    child.sendline("a")
    child.expect("why accept")
    child.sendline("the law changed")
    assert "2 of 4" in prompt(child)
    child.sendline("q")
    assert end(child)[1] == 1
    assert store.golden("a-worse").transcript.answer == WRONG_NUMBER
    assert "the law changed" in store.log_path("a-worse").read_text()


def test_goes_on_after_an_interruption(review, store):
    child = review()
    prompt(child)
    child.sendline("r")
    prompt(child)
    child.send("\x03")
    assert "3 left" in end(child)[0]
    child = review()
    shown = prompt(child)
    assert "3 to review" in shown
    assert "a-worse" not in shown
    child.kill(9)  # a lost connection loses no decision
    assert store.pending("d-other") is not None


def test_an_interruption_at_the_reason_decides_nothing(review, store):
    child = review()
    prompt(child)
    child.sendline("a")
    child.expect("why accept")
    child.send("\x03")
    end(child)
    assert store.golden("a-worse").transcript.answer == ANSWER
    assert store.pending("a-worse") is not None


def test_says_what_to_write_without_a_terminal(folder):
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
