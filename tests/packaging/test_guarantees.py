"""The benchmark of planted faults counts what it says, on a made-up set."""

import json
import subprocess
from pathlib import Path

import pytest
import warm_starts

from benchmarks import guarantees
from benchmarks.roles import role_of
from pytest_grounding.mutation import FAULTS

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "The Corvale archive opens at nine. Refunds are paid within 14 days. The desk is run by Ida Morrell."
RIGHT = "Refunds are paid within 14 days."
WRONG = "Refunds are paid within 90 days."
NUMBERS = tuple(fault for fault in FAULTS if fault.name == "new_number")


def run(command):
    """The finished process of a command to Python."""
    words = [warm_starts.python(), *command]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)


def group_of(role):
    """The name of a group with this role."""
    names = (f"group-{number}" for number in range(100))
    return next(name for name in names if (role_of("mtrag", name) == "locked") is (role == "locked"))


@pytest.fixture
def data(tmp_path):
    """A folder with one labelled set, and one file of probes."""

    def row(role, answer, label):
        shared = {"group": group_of(role), "question": "When are refunds paid?", "chunks": [SOURCE]}
        return shared | {"answer": answer, "response_supported": label}

    # The last is called right and does not pass: no mutant of it counts.
    rows = [row("tune", RIGHT, True), row("locked", RIGHT, True), row("tune", WRONG, False)]
    rows.append(row("locked", WRONG, True))
    probes = [
        {
            "question": "When are refunds paid?",
            "chunks": [SOURCE],
            "answer": answer,
            "right": right,
            "kind": "value",
        }
        for answer, right in ((RIGHT, True), (WRONG, False), (WRONG, True))
    ]
    for name, lines in (("mtrag", rows), ("probes", probes)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.row(19)
def test_only_mutants_of_right_answers_that_pass_count(data):
    sides = guarantees.measure("mtrag", guarantees.Plan(data, ("mtrag",), NUMBERS))
    counted = {side: (found.held.hits, found.held.total) for side, found in sides.items()}
    assert counted == {"tune": (0, 1), "locked": (1, 2)}
    planted = {side: found.stopped["new_number"] for side, found in sides.items()}
    assert {side: (count.hits, count.total) for side, count in planted.items()} == {
        "tune": (1, 1),
        "locked": (1, 1),
    }


def test_the_tables_and_the_file_hold_the_same_counts(data):
    command = ["-m", "benchmarks.guarantees", "--data", str(data), "--only", "mtrag,probes"]
    command += ["--fault", "new_number", "--json", str(data / "counts.json")]
    done = run(command)
    assert done.returncode == 0, done.stderr
    first, *_ = done.stdout.split("\n\n")
    assert [line.split() for line in first.splitlines()] == [
        ["tune", "|", "locked", "mtrag", "people"],
        ["right", "held", "0", "|", "50", "0", "|", "50"],
        ["new_number", "100", "|", "100", "100", "|", "100"],
    ]
    counts = json.loads((data / "counts.json").read_text(encoding="utf-8"))
    assert counts["sets"]["mtrag"]["locked"] == {"right held": [1, 2], "new_number": [1, 1]}
    assert counts["kinds"]["probes"] == {"value": {"stopped": [1, 1], "held": [1, 2]}}
    # No words of a row are printed.
    assert "Refunds" not in done.stdout


def test_nothing_to_measure_is_an_error(tmp_path):
    command = ["-m", "benchmarks.guarantees", "--data", str(tmp_path), "--only", "mtrag"]
    done = run(command)
    assert done.returncode == 2
    assert done.stdout.startswith("nothing measured: none of mtrag lies in ")
