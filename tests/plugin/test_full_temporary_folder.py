"""A temporary folder that is full while pytest runs: one sentence, no traceback, and never a pass."""

from __future__ import annotations

import json
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no limit holds for the files of a process")

ROWS = 80
TEXT = "Refunds are paid within 30 days of the return."
ROW = {
    "question": "How long do refunds take?",
    "answer": f"{TEXT} [1]",
    "chunks": [{"id": "c1", "text": TEXT}],
}

#: No file may be larger than 8000 bytes, and what is small enough to stay in memory is smaller still.
LITTLE = """
import resource, signal
from pytest_grounding import _spill
from pytest_grounding.plugin import carried, rows
from pytest_grounding.scale import shelf

class Small(_spill.Pile):
    def __init__(self, most=4_000):
        super().__init__(4_000)

def database(*statements, make=_spill.database):
    # What the database says then is what it says of a disk that is full.
    return make("PRAGMA max_page_count = 2", *statements)

{full}
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, 8_000))
"""
FULL = {
    "findings": "carried.Pile = Small",
    "transcripts": "rows.Pile = Small",
    "order": "shelf.database = database",
}
SENTENCE = "cannot hold what this run found (File too large); make room there, or name another folder with"


def output(pytester: pytest.Pytester, full: str, workers: str) -> tuple[int, str]:
    """Exit status and output of a run in which what is named finds no room."""
    lines = "".join(json.dumps({"id": f"refund-{number}", **ROW}) + "\n" for number in range(ROWS))
    (pytester.path / "a.transcripts.jsonl").write_text(lines)
    pytester.makeconftest(LITTLE.format(full=FULL[full]))
    done = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-n", workers)
    return int(done.ret), f"{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_run_whose_findings_have_no_room_ends_and_decides_nothing(
    pytester: pytest.Pytester, workers: str
) -> None:
    status, text = output(pytester, "findings", workers)
    assert status == 1
    assert "! _pytest.outcomes.Exit: grounding: the temporary folder" in text
    assert SENTENCE in text
    assert "Traceback" not in text
    assert "INTERNALERROR" not in text
    # What there was room for is told; the gate says that it is not all.
    figures = text.partition("= grounding =")[2]
    assert f"transcripts: {ROWS} " not in figures
    assert " passed, 0 to review, 0 rejected)" in figures
    assert "gate: UNDECIDED\n  the run was cut short: pytest.exit: grounding: the temporary folder" in figures


def test_transcripts_that_have_no_room_are_an_error_of_their_file(pytester: pytest.Pytester) -> None:
    status, text = output(pytester, "transcripts", "0")
    assert status == 2
    assert "ERROR collecting a.transcripts.jsonl" in text
    assert SENTENCE in text
    assert "Traceback" not in text
    assert "_spill.py" not in text


def test_a_run_that_cannot_put_its_findings_in_order_decides_nothing(pytester: pytest.Pytester) -> None:
    status, text = output(pytester, "order", "0")
    assert status == 1
    assert f"{ROWS} passed" in text
    assert "gate: UNDECIDED\n  the run was cut short: the temporary folder" in text
    assert "INTERNALERROR" not in text
    assert "Traceback" not in text
