"""Recordings of a small service for the staff of a company, as its tests would make them."""

from __future__ import annotations

import json

CHUNKS = [
    {
        "id": "hr-1",
        "text": "Employees receive 25 vacation days per year. Unused days expire on 31 March of the "
        "following year.",
        "score": 0.9,
    },
    {
        "id": "hr-2",
        "text": "A vacation request goes to the team lead, who answers within one week. Requests for more "
        "than ten days need the approval of the department head.",
        "score": 0.8,
    },
]
QUESTION = "How many vacation days do employees receive per year?"
ANSWER = (
    "Employees receive 25 vacation days per year [1]. Unused days expire on 31 March of the following year "
    "[1]. Vacation requests go to the team lead, who answers within one week [2]."
)
#: Every sentence in other words, the meaning kept.
REWORDED = (
    "Each year, every employee receives 25 days of vacation [1]. Days that are not used expire on 31 March "
    "of the year that follows [1]. The team lead gets a vacation request and answers it within one week [2]."
)
WRONG_NUMBER = ANSWER.replace("25", "30")
INVENTED = f"{ANSWER} The office in Lisbon was painted purple by Italian artists."


def recording(answer=ANSWER, identifier="vacation", chunks=CHUNKS, **more):
    return {"id": identifier, "question": QUESTION, "chunks": chunks, "answer": answer, **more}


def edited(old, new):
    """The chunks with some words replaced."""
    return [{**chunk, "text": chunk["text"].replace(old, new)} for chunk in CHUNKS]


def write(folder, *rows, name="staff.transcripts.jsonl"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
