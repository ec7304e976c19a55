"""The newcomer's suite under pytest-xdist, with ``-k``, and merged from two branches."""

import signal
import subprocess
import sys

import pytest
import warm_starts
from library import CHUNKS, PLANTED, failed, green, red_by_the_planted_fault_alone

IDENTIFIER, OLD, NEW = PLANTED


@pytest.fixture
def set_up(committed):
    """The project after ``init``, committed."""
    found = committed.ours("init")
    assert found.returncode == 0, found.stdout + found.stderr
    committed.commit("grounding")
    return committed


@pytest.mark.slow
def test_under_xdist(set_up):
    pytest.importorskip("xdist")
    green(set_up.pytest("-n", "2"))
    red_by_the_planted_fault_alone(set_up, "-n", "2")


def test_with_a_part_of_the_suite(set_up):
    found = set_up.pytest("-k", "card")
    assert (found.returncode, failed(found)) == (0, [])
    assert "gate: UNDECIDED" in found.stdout
    set_up.change(IDENTIFIER, OLD, NEW)
    assert failed(set_up.pytest("-k", "card")) == [IDENTIFIER]
    found = set_up.pytest("-k", "loan or film")
    assert (found.returncode, failed(found)) == (0, [])
    assert set_up.git("status", "--short").split() == ["M", f"answers/{IDENTIFIER}.transcript.json"]


#: Runs ``init`` and kills it before the file with a number is put in its place.
_KILLED = """
import os, signal, sys
from pytest_grounding.cli import main

left, replace = int(sys.argv[1]), os.replace

def put(*args, **kwargs):
    global left
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    replace(*args, **kwargs)

os.replace = put
raise SystemExit(main(["init", "--ci", "github"]))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_init_enables_nothing_and_can_be_run_again(committed):
    before = committed.files()
    for number in range(3):
        committed.git("clean", "-fdq")
        command = [warm_starts.python(), "-c", _KILLED, str(number)]
        found = subprocess.run(command, cwd=committed.root, capture_output=True, text=True)
        assert found.returncode == -signal.SIGKILL, (number, found.stdout, found.stderr)
        now = committed.files()
        # One file more each time; the configuration, which turns it on, is the last of the three.
        whole = [name for name in now.keys() - before.keys() if not name.endswith((".tmp", ".lock"))]
        assert len(whole) == number
        assert {name: now[name] for name in before} == before
    again = committed.ours("init", "--ci", "github", "--force")
    assert again.returncode == 0, again.stdout + again.stderr
    green(committed.pytest())


def record(library, identifier, question, chunk, answer):
    """Keep another answer."""
    chunks = [{"id": chunk, "text": CHUNKS[chunk]}]
    library.record({"id": identifier, "question": question, "chunks": chunks, "answer": answer})


@pytest.mark.slow
def test_git_merges_two_branches_that_each_accept_an_answer(set_up):
    set_up.git("checkout", "-qb", "waived")
    record(set_up, "fine-month", "What costs a month?", "fines", "A month late costs about six euros [1].")
    assert failed(set_up.pytest()) == ["fine-month"]
    words = ("--id", "fine-month", "--claim", "1", "--reason", "30 days at 0.20 euros")
    waived = set_up.ours("waive", "answers", *words)
    assert waived.returncode == 0, waived.stdout + waived.stderr
    green(set_up.pytest())
    set_up.commit("a waiver")
    set_up.git("checkout", "-q", "main")
    set_up.git("checkout", "-qb", "known")
    record(
        set_up,
        "room-day",
        "How long may I use a room?",
        "rooms",
        "A room can be booked for four hours a day [1].",
    )
    assert failed(set_up.pytest()) == ["room-day"]
    taken = set_up.ours("baseline", "grounding.baseline.json", "answers", "--allow-new")
    assert taken.returncode == 0, taken.stdout + taken.stderr
    green(set_up.pytest())
    set_up.commit("a known mistake")
    set_up.git("merge", "-q", "--no-edit", "waived")
    green(set_up.pytest())
    red_by_the_planted_fault_alone(set_up)
