"""The questions of ``init`` in a real terminal."""

import json
import os
import sys

import pytest
import warm_starts
from library import WRONG, green

pexpect = pytest.importorskip("pexpect", reason="drives a terminal")
if sys.platform == "win32":
    pytest.skip("needs a pseudo terminal", allow_module_level=True)

ASKED = r"--- (\d+) of (\d+): answers/(\S+)\.transcript\.json:1\r\n"
KEYS = r"\[q\]uit asking > "


@pytest.fixture
def init(library):
    """Starts ``init`` in a terminal."""
    started = []

    def start(*words, python=None):
        kept = {name: value for name, value in os.environ.items() if name not in ("CI", "COLUMNS", "LINES")}
        child = pexpect.spawn(
            python or warm_starts.python(),
            ["-m", "pytest_grounding", "init", *words],
            cwd=str(library.root),
            env={**kept, "TERM": "xterm"},
            encoding="utf-8",
            dimensions=(50, 120),
            timeout=60,
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def answer_all(child):
    """Say what is right and what is wrong, to the last question; the ids that were asked about."""
    asked = []
    while child.expect([ASKED, r"write these files\? \[y\]es  \[n\]o > "]) == 0:
        asked.append(child.match[3])
        child.expect(KEYS)
        child.send("w" if asked[-1] in WRONG else "r")
    return asked


def ended(child):
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus


def test_asks_about_what_fails_and_writes(library, init):
    child = init()
    child.expect(r"19 answers in 19 files: \d+ pass, \d+ do not")
    asked = answer_all(child)
    assert len(set(asked)) == len(asked) == 19
    assert set(asked) > WRONG
    assert "pyproject.toml: [tool.pytest.ini_options] grounding_baseline = " in child.before
    child.send("y")
    child.expect("gate: PASS")
    assert ended(child) == 0
    green(library.pytest())


def test_shows_the_sources_on_demand_and_an_unknown_key_decides_nothing(library, init):
    child = init()
    child.expect(KEYS)
    child.send("x")
    child.expect("press one of: r, w, s, e, q")
    child.expect(KEYS)
    child.send("e")
    child.expect(r"\[ebooks\] \"E-books are read in the Leaflet app\.")
    child.expect(KEYS)
    assert not (library.root / "grounding.labels.jsonl").exists()


def test_who_quits_is_asked_no_more_and_what_was_said_is_not_asked_again(library, init):
    before = library.files()
    child = init()
    child.expect(ASKED)
    first = child.match[3]
    child.expect(KEYS)
    child.send("r")
    child.expect(KEYS)
    child.send("s")
    child.expect(KEYS)
    child.send("q")
    child.expect(r"\[n\]o > ")
    child.send("n")
    child.expect("nothing was written; what you said stays in grounding.labels.jsonl")
    assert ended(child) == 1
    assert library.files().keys() - before.keys() == {"grounding.labels.jsonl"}
    (label,) = [json.loads(line) for line in library.read("grounding.labels.jsonl").splitlines()]
    assert (label["transcript"]["id"], label["correct"]) == (first, True)
    assert first not in answer_all(init())


def test_ctrl_c_writes_nothing(library, init):
    before = library.files()
    child = init(python=sys.executable)
    child.expect(KEYS)
    child.send("\x03")
    child.expect("nothing was written")
    assert ended(child) == 1
    assert library.files() == before


def test_each_question_fits_a_small_terminal(library, init):
    path = min((library.root / "answers").glob("*.transcript.json"))
    long = json.loads(path.read_text())
    path.write_text(json.dumps({**long, "answer": "\n".join([long["answer"]] * 60)}))
    child = init()
    child.expect(r"19 answers in 19 files")
    shown = []
    while child.expect([KEYS, r"write these files"]) == 0:
        lines = child.before.replace("\r", "").split("\n")
        start = next(number for number, line in enumerate(lines) if line.startswith("--- "))
        shown.append(lines[start:])
        child.send("s")
    assert len(shown) == 19
    assert max(len(lines) for lines in shown) <= 23
    assert max(len(line) for lines in shown for line in lines) <= 80
