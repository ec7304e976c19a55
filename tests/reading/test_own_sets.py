"""Our own rows on one kind of mistake each, scored as sets: they show that a mechanism works."""

import json
from collections import Counter
from pathlib import Path

from every import each

import pytest_grounding as pg

OWN = Path(__file__).resolve().parents[2] / "benchmarks" / "own"


@each(("question_words", 0.85, 0.08), ("denials", 0.9, 0.08), ("lists", 0.75, 0.08))
def test_wrong_ones_are_stopped_and_right_ones_pass(name, least_stopped, most_held):
    counts = Counter()
    missed = []
    for number, line in enumerate((OWN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        chunks = [{"id": f"c{place}", "text": text} for place, text in enumerate(row["chunks"])]
        given = {"id": str(number), "question": row["question"], "chunks": chunks, "answer": row["answer"]}
        if "language" in row:
            given["language"] = row["language"]
        passed = pg.validate(given).status == "pass"
        counts[row["label"], passed] += 1
        if passed != (row["label"] == "supported"):
            missed.append(f"{row['kind']}: {row['label']}: {row['answer']}")
    wrong = counts["wrong", True] + counts["wrong", False]
    right = counts["supported", True] + counts["supported", False]
    assert wrong >= 12 <= right
    assert counts["wrong", False] >= least_stopped * wrong, missed
    assert counts["supported", False] <= most_held * right, missed
