"""The answers of the made-up service stay as they were frozen, and their labels point where they say."""

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest
from every import each

roles = pytest.importorskip("benchmarks.roles", reason="benchmarks stand beside the sources alone")

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "answers"
FROZEN = {
    "handbook": "d75c010842e0e24ebfec1c61714977fe0425d6302f8e8bc8b2143a3f99d0de9f",
    "hr_policy": "4cfb8abed4688eb427d7600a8f1ff6eaf948432fdd4476ff6944faf0ea385db2",
    "api_reference": "4fd8fddebe53991c0b726517925089290763bfee0a900a38e4b117a24ea090ed",
}
DATASETS = {"handbook": "service_handbook", "hr_policy": "service_hr", "api_reference": "service_api"}
FAULTS = set(
    "number unit date negation entity condition_dropped scope version_mixed must_may invented_predicate "
    "invented_adjunct cause_or_order".split()
)
STYLES = set(
    "rephrased merged converted no_only refusal list table code short conversational quoted "
    "comparison".split()
)


def rows_of(name):
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def all_rows():
    return [row for name in FROZEN for row in rows_of(name)]


@each(*FROZEN)
def test_a_file_is_as_it_was_frozen(name):
    assert hashlib.sha256((FOLDER / f"{name}.jsonl").read_bytes()).hexdigest() == FROZEN[name]
    assert f"| `{name}.jsonl` | `{FROZEN[name]}` |" in (FOLDER / "README.md").read_text(encoding="utf-8")


@each(*FROZEN)
def test_a_file_holds_enough_of_both_kinds_and_of_groups(name):
    rows = rows_of(name)
    assert {row["dataset"] for row in rows} == {DATASETS[name]}
    assert sum(row["response_supported"] for row in rows) >= 55
    assert sum(not row["response_supported"] for row in rows) >= 22
    assert len({row["group"] for row in rows}) >= 20


def test_every_style_and_every_kind_of_fault_is_there():
    rows = all_rows()
    right = [row for row in rows if row["response_supported"]]
    wrong = [row for row in rows if not row["response_supported"]]
    assert len(right) >= 150
    assert len(wrong) >= 60
    assert {row["style"] for row in right} == STYLES
    faults = Counter(row["fault"] for row in wrong)
    assert set(faults) == FAULTS
    assert min(faults.values()) >= 5
    assert all(row["fault"] is None and row["span"] is None for row in right)
    assert all(row["style"] is None for row in wrong)


def span_fault(row):
    """What is wrong with the spans of a row; an empty text where nothing is."""
    answer, end = row["answer"], 0
    for claim in row["claims"]:
        if not end <= claim["start"] < claim["end"] <= len(answer):
            return "a claim lies outside the answer or over the one before"
        if answer[claim["start"] : claim["end"]] != claim["text"]:
            return "a claim is not the text of its span"
        end = claim["end"]
    bad = [claim for claim in row["claims"] if not claim["supported"]]
    if len(bad) != (0 if row["response_supported"] else 1):
        return "the number of unsupported claims does not fit the answer"
    for claim in bad:
        start, stop = row["span"]
        if not claim["start"] <= start < stop <= claim["end"] or claim["label"] != row["fault"]:
            return "the fault does not lie in the unsupported claim"
    return ""


def test_spans_slice_to_their_text_and_only_the_claim_with_the_fault_is_unsupported():
    # A failure names places, not texts: locked rows are not printed.
    faults = [
        f"{name}.jsonl:{number}: {fault}"
        for name in FROZEN
        for number, row in enumerate(rows_of(name), 1)
        if (fault := span_fault(row))
    ]
    assert faults == []
    assert all(1 <= len(row["chunks"]) <= 5 and row["claims"] for row in all_rows())


def test_no_answer_appears_twice():
    counts = Counter((row["question"], row["answer"]) for row in all_rows())
    assert counts.most_common(1)[0][1] == 1


@each(*FROZEN)
def test_about_a_third_is_locked_and_nothing_may_train(name):
    found = Counter(roles.role_of(row["dataset"], row["group"]) for row in rows_of(name))
    assert set(found) == {"locked", "tune"}
    assert 0.25 <= found["locked"] / found.total() <= 0.42
