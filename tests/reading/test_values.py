"""Rows about values and marks, each file scored as a set: wrong ones stopped, right ones let through."""

import json
from collections import defaultdict
from pathlib import Path

from every import each

import pytest_grounding as pg

OWN = Path(__file__).parents[2] / "benchmarks" / "own"


def status_of(row):
    chunks = [
        {"id": f"c{number}", **(chunk if isinstance(chunk, dict) else {"text": chunk})}
        for number, chunk in enumerate(row["chunks"], start=1)
    ]
    transcript = {"id": "row", "question": row["question"], "chunks": chunks, "answer": row["answer"]}
    if "language" in row:
        transcript["language"] = row["language"]
    return pg.validate(pg.Transcript.model_validate(transcript)).status


@each("values", "marks")
def test_wrong_answers_are_stopped_and_right_ones_pass(name):
    rows = [json.loads(line) for line in (OWN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    shares = defaultdict(list)
    for row in rows:
        shares[row["kind"], row["label"]].append((status_of(row) == "pass") == (row["label"] == "supported"))
    told = "\n".join(f"{kind} {label}: {sum(hits)} of {len(hits)}" for (kind, label), hits in shares.items())
    for label, least in (("supported", 0.92), ("wrong", 0.8)):
        hits = [hit for (_, own), found in shares.items() if own == label for hit in found]
        assert sum(hits) >= least * len(hits), told
