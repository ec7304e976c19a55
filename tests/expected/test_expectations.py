"""Facts that an answer must state, facts that it must not, and sources that must be retrieved."""

import json
import subprocess
import sys

import pytest
from every import each, table

import pytest_grounding as pg
from benchmarks.labelled import rows_of
from pytest_grounding.checks.expected import is_stated_in
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer

CHUNKS = [
    {"id": "c1", "text": "Parcels leave on the same day.", "metadata": {"document": "shipping.md"}},
    {"id": "c2", "text": "Refunds are paid within 14 days, by post.", "metadata": {"document": "refunds.md"}},
]


def recording(answer, **more):
    return {"id": "t1", "question": "How long do refunds take?", "chunks": CHUNKS, "answer": answer, **more}


def rules_of(verdict):
    return {part.rule for finding in verdict.findings for part in finding.parts if part.severity == "error"}


def test_expected_facts_are_told_from_those_that_are_not_there():
    scorer, rows = LexicalScorer(), list(rows_of("expected"))
    right = sum(
        is_stated_in(row["fact"], row["answer"], scorer) == (row["label"] == "supported") for row in rows
    )
    assert len(rows) == 200
    assert right >= 0.92 * len(rows), right


@pytest.mark.row(75)
@each(*table(__file__, "test_what_is_expected_and_missing_is_an_error"))
def test_what_is_expected_and_missing_is_an_error(expectation, rule):
    verdict = pg.validate(recording("Refunds are paid within 14 days, by post.", **expectation))
    assert rules_of(verdict) == ({rule} if rule else set())
    assert verdict.status == ("reject" if rule else "pass")


def test_missing_and_found_facts_are_reported():
    given = {"expected": ["14 days", ["by courier", "by ship"]], "expected_sources": ["refunds.md", "x.md"]}
    verdict = pg.validate(recording("Refunds are paid within 14 days.", **given))
    messages = " ".join(finding.message for finding in verdict.findings)
    assert "by courier or by ship" in messages
    assert "x.md" in messages
    assert (verdict.expectations.facts, verdict.expectations.ranks) == ((True, False), (2, None))
    assert verdict.expectations.reciprocal_rank == 0.5
    assert json.loads(pg.validate(recording("Refunds take 14 days.")).to_json())["expectations"] is None


def test_no_remote_scorer_is_asked_about_an_expectation(tmp_path):
    settings = {"scorer": "cohere,builtin", "cassette": str(tmp_path / "none.jsonl")}
    given = {"expected": ["refunds are paid by the bank in two weeks"]}
    verdict = pg.validate(recording("Refunds are paid within 14 days.", **given), settings=settings)
    assert "expected_fact" in rules_of(verdict)
    assert "internal_error" not in rules_of(verdict)


@each(
    ("expected", "14 days"), ("expected", [""]), ("expected", [14]), ("forbidden", [" "]), ("expected", [[]])
)
def test_an_expectation_that_says_nothing_is_refused(field, value):
    with pytest.raises(pg.InputError) as caught:
        pg.validate(recording("Refunds take 14 days.", **{field: value}))
    assert str(caught.value.field).startswith(field)


def run(folder, *command):
    line = [sys.executable, "-m", *command]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)


def write(folder, answers, **more):
    rows = [
        {**recording(answer, **more), "id": f"t{number}"} for number, answer in enumerate(answers, start=1)
    ]
    text = "\n".join(map(json.dumps, rows)) + "\n"
    (folder / "a.transcripts.jsonl").write_text(text, encoding="utf-8")


def test_recall_and_ranks_are_compared_with_a_baseline(tmp_path):
    given = {"expected": ["14 days"], "expected_sources": ["refunds.md"]}
    good, bad = "Refunds are paid within 14 days.", "Refunds are paid by post."
    write(tmp_path, [good] * 4, **given)
    assert run(tmp_path, "pytest_grounding", "baseline", "b.json", ".").returncode == 0
    first = json.loads(run(tmp_path, "pytest_grounding", "check", ".", "--json").stdout)
    figures = {item["name"]: item for item in first["gate"]["thresholds"]}
    assert (figures["expected_facts"]["count"], figures["expected_facts"]["total"]) == (4, 4)
    assert figures["expected_facts"]["low"] < 1.0
    assert figures["reciprocal_rank"]["value"] == 0.5
    assert (figures["source_recall"]["value"], figures["source_hits"]["value"]) == (1.0, 1.0)
    write(tmp_path, [good, bad, bad, bad], **given)
    second = run(tmp_path, "pytest_grounding", "check", ".", "--baseline", "b.json", "--json")
    changes = {item["name"]: item for item in json.loads(second.stdout)["gate"]["baseline"]["figures"]}
    assert second.returncode == 1
    assert (changes["expected_facts"]["before"], changes["expected_facts"]["after"]) == (1.0, 0.25)
    assert changes["expected_facts"]["outcome"] == "worse"


TEST = """
import pytest
from pytest_grounding import assert_grounded
ROW = {row!r}

@pytest.mark.grounding_expects("14 days", ["by post", "by mail"], sources=["refunds.md"])
def test_held():
    verdict = assert_grounded(ROW)
    assert verdict.expectations.facts == (True, True)

@pytest.mark.grounding_expects(forbidden=["two weeks"])
def test_forbidden():
    assert_grounded(ROW)

@pytest.mark.grounding_expects("30 days")
def test_missing():
    assert_grounded(ROW)
"""


def test_a_mark_expects_of_each_answer_of_its_test(tmp_path):
    row = recording("Refunds are paid within 14 days, by post.")
    (tmp_path / "test_it.py").write_text(TEST.format(row=row), encoding="utf-8")
    done = run(tmp_path, "pytest", "-q", "-p", "no:cacheprovider")
    assert "2 failed, 1 passed" in done.stdout
    assert "does not state what is expected of it: 30 days" in done.stdout
    assert "states what it must not: two weeks" in done.stdout
