"""An accepted golden is a statement: what it holds does not fail the gate, only what changed since."""

import json

import pytest

FILES = """
import json, pytest
import pytest_grounding as pg

CHUNKS = [{"id": "c1", "text": "Refunds are paid within 14 days of the return.", "score": 0.9}]

def recorded(number, answer):
    return {"id": f"r{number}", "question": "How long do refunds take?", "chunks": CHUNKS, "answer": answer}

ANSWERS = [
    "Refunds are paid within 45 days of the return [1].",
    "Nobody knows how long refunds take.",
    "Refunds above 500 euros are signed by the director of finance [1].",
    "Refunds are paid within 14 days [7].",
    "Refunds are paid within 14 days of the return [1].",
]

@pytest.mark.parametrize("number", range(len(ANSWERS)))
def test_answer(number):
    answer = ANSWERS[number]
    pg.assert_matches_golden(recorded(number, answer))
"""


@pytest.fixture
def suite(pytester, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    pytester.makeini("[pytest]\n")
    pytester.makepyfile(test_goldens=FILES)
    return pytester


def accept(suite):
    suite.runpytest_subprocess("-q", "--grounding-golden=update")


def run(suite, *options):
    return suite.runpytest_subprocess("-q", "-p", "no:cacheprovider", *options)


def test_a_suite_of_accepted_goldens_passes(suite):
    accept(suite)
    result = run(suite)
    result.assert_outcomes(passed=5)
    result.stdout.fnmatch_lines(["gate: PASS", "*findings waived: r0 contradicted (accepted golden r0*"])
    assert result.ret == 0


def test_an_answer_changed_since_fails(suite):
    accept(suite)
    file = suite.path / "test_goldens.py"
    file.write_text(file.read_text().replace("45 days", "60 days"))
    result = run(suite)
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(["gate: FAIL*", "*1 transcript failed: r0"])


def test_transcript_files_can_be_accepted_too(suite):
    (suite.path / "test_goldens.py").unlink()
    wrong = {
        "id": "w",
        "question": "How long do refunds take?",
        "chunks": [{"id": "c1", "text": "Refunds are paid within 14 days of the return."}],
        "answer": "Refunds are paid within 45 days of the return [1].",
    }
    (suite.path / "wrong.transcript.json").write_text(json.dumps(wrong), "utf-8")
    assert run(suite, "--grounding-golden=check").ret == 1
    suite.runpytest_subprocess("-q", "--grounding-golden=update")
    result = run(suite, "--grounding-golden=check")
    result.stdout.fnmatch_lines(["gate: PASS"])
    assert result.ret == 0
