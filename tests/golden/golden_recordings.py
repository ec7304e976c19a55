"""Recordings of a small service for the staff of a company, as its tests would make them."""

import json
from pathlib import Path

_RECORDED = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
CHUNKS, QUESTION, ANSWER = (_RECORDED[name] for name in ("chunks", "question", "answer"))
#: Every sentence in other words, the meaning kept.
REWORDED = _RECORDED["reworded"]
WRONG_NUMBER = ANSWER.replace("25", "30")
INVENTED = f"{ANSWER} The office in Lisbon was painted purple by Italian artists."


PASSPORT_CHUNKS, PASSPORT, PASSPORT_REWORDED = (
    _RECORDED[name] for name in ("passport_chunks", "passport", "passport_reworded")
)


def passport(answer=PASSPORT):
    question = "How do I renew my passport?"
    return {"id": "passport", "question": question, "chunks": PASSPORT_CHUNKS, "answer": answer}


def recording(answer=ANSWER, identifier="vacation", chunks=CHUNKS, **more):
    return {"id": identifier, "question": QUESTION, "chunks": chunks, "answer": answer, **more}


def edited(old, new):
    """The chunks with some words replaced."""
    return [{**chunk, "text": chunk["text"].replace(old, new)} for chunk in CHUNKS]
