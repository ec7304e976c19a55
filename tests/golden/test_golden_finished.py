"""A review that people finish: few keys, bulk by grade, back and undo, in a real terminal."""

import os
import sys

import pytest
import warm_starts
from golden_recordings import ANSWER, CHUNKS, INVENTED, REWORDED, WRONG_NUMBER, recording

from pytest_grounding.gate.waivers import read
from pytest_grounding.golden.golden_policy import settle
from pytest_grounding.golden.review_steps import waiting
from pytest_grounding.settings._layers import WAIVERS as FILE

pexpect = pytest.importorskip("pexpect", reason="drives a terminal")
if sys.platform == "win32":
    pytest.skip("needs a pseudo terminal", allow_module_level=True)

PROMPT = r"\[q\]uit > "
RESCORED = [{**chunk, "score": 0.7} for chunk in CHUNKS]
KEYS = (("regression", "r"), ("new recording", "p"), ("improvement", "i"), ("neutral", "n"))
OTHER = {"id": "hr-9", "text": "The canteen opens at noon.", "score": 0.5}


class Terminal:
    """The walk in a terminal, and how many keys it took."""

    def __init__(self, folder, columns=120):
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self.keys = 0
        self.child = pexpect.spawn(
            warm_starts.python(),
            ["-m", "pytest_grounding", "review"],
            cwd=str(folder),
            env={**kept, "TERM": "xterm-256color", "NO_COLOR": "1"},
            encoding="utf-8",
            dimensions=(50, columns),
            timeout=60,
        )

    def asks(self):
        """What stands on the screen when a key is awaited; None where the walk is over."""
        found = self.child.expect([PROMPT, pexpect.EOF])
        return self.child.before if found == 0 else None

    def press(self, keys):
        self.keys += len(keys)
        self.child.send(keys)


@pytest.fixture
def terminal(tmp_path):
    started = []

    def start(columns=120):
        started.append(Terminal(tmp_path, columns))
        return started[-1]

    yield start
    for item in started:
        item.child.close(force=True)


@pytest.fixture
def waits(store, judged, settings):
    """Makes a candidate: the answer before, the answer now, the chunks now."""

    def make(name, before, after, chunks=CHUNKS):
        if before is not None:
            store.accept(judged(recording(before, name)))
        return settle(store, judged(recording(after, name, chunks)), settings)

    return make


def test_fifty_candidates_with_five_regressions_take_eight_keys(terminal, waits, store, tmp_path):
    for number in range(50):
        name = f"c{number:02}"
        if number % 10 == 0:
            waits(name, ANSWER, WRONG_NUMBER)  # the five regressions
        elif number % 10 < 5:
            waits(name, ANSWER, ANSWER, [*RESCORED, OTHER])  # other chunks and scores alone: 20 of 50
        elif number % 10 < 8:
            waits(name, ANSWER, REWORDED)
        elif number % 10 == 8:
            waits(name, INVENTED, ANSWER)
        else:
            waits(name, None, ANSWER)
    assert len(store.candidates()) == 50
    assert len(waiting([tmp_path])[0]) == 30
    walk = terminal()
    screen = walk.asks()
    assert "30 to review: 5 new, 5 regression, 5 improvement, 15 neutral" in screen
    while screen is not None:
        head = screen.rpartition("\n--- ")[2].splitlines()[1]
        walk.press(next(key for grade, key in KEYS if grade in head))
        screen = walk.asks()
    assert walk.keys == 8
    walk.child.close()
    assert walk.child.exitstatus == 0
    assert waiting([tmp_path])[0] == []
    assert [store.golden(f"c{number}0").transcript.answer for number in range(5)] == [ANSWER] * 5
    assert [store.golden(f"c{number}5").transcript.answer for number in range(5)] == [REWORDED] * 5
    assert [store.golden(f"c{number}8").transcript.answer for number in range(5)] == [ANSWER] * 5
    assert [store.golden(f"c{number}9").transcript.answer for number in range(5)] == [ANSWER] * 5


def test_a_key_takes_back_what_the_key_before_did_one_or_many(terminal, waits, store):
    waits("a-worse", ANSWER, WRONG_NUMBER)
    for name in ("b", "c"):
        waits(name, ANSWER, REWORDED)
    before = {path.name: path.read_bytes() for path in store.goldens()}
    candidates = {path.name: path.read_bytes() for path in store.candidates()}
    walk = terminal()
    assert "neutral (2)" in walk.asks().replace("[n]eutral", "neutral") + walk.child.after
    walk.press("n")
    walk.asks()
    assert store.golden("b").transcript.answer == REWORDED
    walk.press("u")
    assert "taken back: 2 decisions" in walk.asks()
    assert {path.name: path.read_bytes() for path in store.goldens()} == before
    walk.press("u")
    assert "nothing was decided yet" in walk.asks()
    walk.press("b")
    assert "1 of 3" in walk.asks()
    walk.press("r")
    assert "2 of 3" in walk.asks()
    walk.press("u")
    assert "1 of 3" in walk.asks()
    assert not list((store.folder / "decisions").glob("*.jsonl"))
    assert {path.name: path.read_bytes() for path in store.candidates()} == candidates
    walk.press("q")


def test_back_goes_to_the_one_that_was_left(terminal, waits):
    for name in ("a", "b", "c"):
        waits(name, ANSWER, REWORDED)
    walk = terminal()
    walk.asks()
    walk.press("b")
    assert "none before this one is left" in walk.asks()
    walk.press("s")
    assert "2 of 3" in walk.asks()
    walk.press("a")
    assert "3 of 3" in walk.asks()
    walk.press("b")
    assert "1 of 3" in walk.asks()
    walk.press("a")
    assert "3 of 3" in walk.asks()
    walk.press("q")


def test_only_who_accepts_a_regression_is_asked_why(terminal, waits, store):
    waits("a-worse", ANSWER, WRONG_NUMBER)
    waits("b-new", None, ANSWER)
    walk = terminal()
    walk.asks()
    walk.press("a")
    walk.child.expect("why accept")
    walk.child.sendline("the law changed")
    assert "2 of 2" in walk.asks()
    walk.press("a")
    assert walk.asks() is None
    assert "the law changed" in store.log_path("a-worse").read_text()


@pytest.mark.parametrize("columns", [72, 150])
def test_the_whole_width_is_used_and_no_word_is_broken(terminal, waits, columns):
    long = REWORDED.replace("vacation", "vacation-and-recreation", 1)
    waits("a", ANSWER, f"{long} {INVENTED.removeprefix(ANSWER).strip()}")
    walk = terminal(columns)
    screen = walk.asks()
    walk.press("q")
    lines = [line.rstrip("\r") for line in screen.splitlines()]
    assert max(map(len, lines)) <= columns
    assert max(map(len, lines)) > columns - 20
    for word in ("vacation-and-recreation", "Lisbon"):
        assert any(word in line for line in lines)


def test_new_recordings_stand_in_order_of_their_gravity(waits, tmp_path):
    waits("a-good", None, ANSWER)
    waits("b-bad", None, WRONG_NUMBER)
    waits("c-worse", ANSWER, WRONG_NUMBER)
    assert [item.id for item in waiting([tmp_path])[0]] == ["c-worse", "b-bad", "a-good"]


def test_a_key_waives_the_finding_in_view_and_undo_takes_it_back(terminal, waits, tmp_path):
    waits("a-worse", ANSWER, WRONG_NUMBER)
    walk = terminal()
    assert "w waives: contradicted:" in walk.asks()
    walk.press("w")
    walk.child.expect("why waive")
    walk.child.sendline("")
    assert "a waiver needs a reason" in walk.asks()
    walk.press("w")
    walk.child.expect("why waive")
    walk.child.sendline("30 since May, the handbook is old")
    assert "waived contradicted, semantic_alignment in grounding.waive" in walk.asks()
    # The other rule on the same claim would come back in the place of the first one.
    waiver, further = read(tmp_path / FILE)
    assert (waiver.rule, waiver.transcript) == ("contradicted", "a-worse")
    assert (further.rule, further.reason) == ("semantic_alignment", waiver.reason)
    assert waiver.reason == "30 since May, the handbook is old"
    assert "30 vacation days" in waiver.claim
    walk.press("u")
    assert "w waives: contradicted:" in walk.asks()
    assert read(tmp_path / FILE) == ()
    walk.press("q")
    assert walk.asks() is None


def test_a_candidate_without_findings_offers_no_waiver(terminal, waits, tmp_path):
    waits("a", ANSWER, REWORDED)
    walk = terminal()
    assert "[w]aive" not in walk.asks()
    walk.press("w")
    assert "nothing was found on it that can be waived" in walk.asks()
    walk.press("q")
