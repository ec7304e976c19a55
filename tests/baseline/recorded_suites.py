"""Small suites of real transcripts for runs of pytest inside the tests."""

import json

from pytest_grounding.testing import Example

CHUNKS = [
    {"id": "hr-1", "text": "Employees receive 25 vacation days per year.", "score": 0.9},
    {"id": "hr-2", "text": "All employees receive 25 days of paid vacation each year.", "score": 0.8},
]
GOOD = "Employees receive 25 vacation days per year [1]."
BAD = "The cafeteria serves grilled octopus on every Monday [7]."


def transcript(identifier, answer=GOOD):
    return Example("How many vacation days do employees receive per year?", CHUNKS, id=identifier).answered(
        answer
    )


def write(folder, *rows, name="suite.transcripts.jsonl"):
    """Write transcripts, one a line."""
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


PLANTED = "Employees receive 30 vacation days per year."
#: False alarms of a suite.
KNOWN = 13


def rows(*, repaired=(), planted=False, good=10, first=None, last=None):
    """Thirteen false alarms, some of them repaired, and good answers, one of them perhaps with a fault."""
    alarms = [
        transcript(
            f"known-{number:02}",
            GOOD if number in repaired else f"The cafeteria serves grilled octopus in room {number + 40}.",
        )
        for number in range(KNOWN)
    ]
    right = [transcript(f"good-{n}", PLANTED if planted and not n else GOOD) for n in range(good)]
    every = [*alarms, *right]
    return every[:first] if last is None else every[-last:]
