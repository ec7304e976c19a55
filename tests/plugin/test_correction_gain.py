"""The suite's gain of self-correction, as a figure and as a limit of the gate."""

import json

import pytest

SOURCE = "Refunds are paid within 14 days of the return."
QUESTION = "How long do refunds take?"
TEST = f"""
import json
import pytest_grounding as pg

def corrected(identifier, first, *answers):
    answers = list(answers)
    recorded = {{"id": identifier, "question": {QUESTION!r}, "answer": first,
                "chunks": [{{"id": "c", "text": {SOURCE!r}, "score": 0.9}}]}}
    return pg.assert_self_corrects(recorded, lambda prompt: answers.pop(0))

RIGHT = "Refunds are paid within 14 days of the return [1]."
WRONG = "Penguins read newspapers in Peru [1]."

def test_one():
    corrected("one", WRONG, RIGHT)

def test_two():
    corrected("two", WRONG, WRONG, RIGHT)
"""


def run(pytester, *arguments):
    result = pytester.runpytest_inprocess("--grounding-json=run.json", *arguments)
    return result, json.loads((pytester.path / "run.json").read_text())


def test_the_mean_gain_is_shown_and_limits_nothing_by_itself(pytester):
    pytester.makepyfile(TEST)
    result, report = run(pytester)
    result.assert_outcomes(passed=2)
    assert result.ret == 0
    summary = report["summary"]
    gains = [item["confidence_gain"] for item in report["transcripts"]]
    assert summary["corrected"] == summary["corrected_gained"] == 2
    assert summary["correction_gain"] == pytest.approx(sum(gains) / 2)
    assert summary["correction_gain"] > 0.2
    result.stdout.fnmatch_lines(["self-corrected answers: 2, mean gain of confidence +0.*"])


def test_answers_that_were_right_at_once_are_not_counted(pytester):
    pytester.makepyfile(TEST + "\n\ndef test_three():\n    corrected('three', RIGHT)\n")
    _, with_third = run(pytester)
    assert with_third["summary"]["corrected"] == 2
    _, none = run(pytester, "-k", "three")
    assert none["summary"]["correction_gain"] is None


def test_an_answer_that_was_not_corrected_counts_too(pytester):
    pytester.makepyfile(TEST + "\n\ndef test_three():\n    corrected('three', WRONG, WRONG, WRONG)\n")
    result, report = run(pytester)
    result.assert_outcomes(passed=2, failed=1)
    assert (report["summary"]["corrected"], report["summary"]["corrected_gained"]) == (3, 2)


def test_reports_show_it(pytester):
    pytester.makepyfile(TEST)
    kinds = {"html": "r.html", "github-summary": "r.md", "prometheus": "r.prom"}
    asked = [f"--grounding-report={kind}:{name}" for kind, name in kinds.items()]
    result, _ = run(pytester, *asked)
    assert result.ret == 0
    assert "self-corrected answers" in (pytester.path / "r.md").read_text()
