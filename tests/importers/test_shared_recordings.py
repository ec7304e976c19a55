"""The recordings beside this checkout come out as their README says. Skipped where they are not there."""

import re
from pathlib import Path

import pytest
from every import table

import pytest_grounding as pg
from pytest_grounding.cli import main

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "recordings"
EXPECTED = table(__file__, "transcripts")
#: What the command prints of one transcript, by its status.
WORDS = {"pass": "(1 passed, 0 to review", "review": "REVIEW ", "reject": "REJECT "}

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the recordings are not beside this checkout")


def shown(transcript):
    """The ids of the first chunks, and the status."""
    ids = " ".join(chunk.id for chunk in transcript.chunks[:3])
    return f"{pg.validate(transcript).status}: {ids}"


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recording_has_the_chunks_and_the_status_of_its_readme(name):
    assert [shown(found) for found in pg.load_transcripts(FOLDER / name)] == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_the_check_command_counts_the_same_statuses(name, capsys):
    statuses = [row.split(":")[0] for row in EXPECTED[name]]
    counts = f"({statuses.count('pass')} passed, {statuses.count('review')} to review"
    assert main(["check", str(FOLDER / name)]) == (set(statuses) != {"pass"})
    printed = capsys.readouterr().out
    if len(statuses) > 1:
        assert counts in printed
    else:
        assert WORDS[statuses[0]] in printed
    assert ("gate: PASS" in printed) == (set(statuses) == {"pass"})


def test_a_table_that_lost_the_passages_is_one_sentence_with_the_export(capsys):
    assert main(["check", str(FOLDER / "tr_promptfoo_lists.csv")]) == 2
    assert "-o out.json" in capsys.readouterr().err


def test_every_recording_is_expected():
    found = set(re.findall(r"(?m)^\| (\S+\.\w+) \|", (FOLDER / "README.md").read_text(encoding="utf-8")))
    assert found - {"tr_promptfoo_lists.csv"} == set(EXPECTED)
