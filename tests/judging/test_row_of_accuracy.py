"""A judge is measured from a cassette; a missing ruling is an error."""

from __future__ import annotations

import json

from test_judges_in_a_run import CHUNK, folder, server  # noqa: F401

from benchmarks.verdicts.judged import main
from pytest_grounding.scorers.remote import scorer_factory as remote

CLAIMS = [
    ("Refunds are paid within 14 days of the return.", True),
    ("Refunds are paid within 45 days of the return.", False),
    ("Items must be in their own box.", False),
]


def test_measures_a_judge_from_the_cassette_alone(folder, server, monkeypatch, capsys):  # noqa: F811
    with (folder / "lfqa.jsonl").open("w") as stream:
        for number in range(6):
            text, supported = CLAIMS[number % 3]
            claim = {"text": text, "start": 0, "end": len(text), "supported": supported}
            row = {
                "dataset": "lfqa",
                "group": f"g{number}",
                "question": "What of returns?",
                "chunks": [CHUNK],
            }
            stream.write(
                json.dumps({**row, "answer": text, "claims": [claim], "response_supported": None}) + "\n"
            )
    given = ["--judge", "cohere", "--cassette", "c.jsonl", "--data", str(folder)]
    assert main(given) == 1
    assert "6 claims without a ruling" in capsys.readouterr().err
    assert main([*given, "--set", "record=new"]) == 0
    recorded = capsys.readouterr().out
    remote.reset()
    monkeypatch.delenv("CO_API_KEY")
    asked = len(server.seen)
    assert main(given) == 0
    assert len(server.seen) == asked
    printed = capsys.readouterr().out
    assert printed == recorded
    (row,) = [line for line in printed.splitlines() if line.startswith("| judge cohere ")]
    # One of two bad claims is caught, no good one rejected; all of LFQA is locked.
    assert row.split(" | ")[1:3] == ["–", "6"]
    assert "0.50 (" in row.split(" | ")[6]
    assert row.split(" | ")[8].startswith("0.00 (")
