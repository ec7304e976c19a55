"""Recordings of a small service for the staff of a company, as its tests would make them."""

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
        "text": "Vacation requests go to the team lead, who answers within one week. Requests for more "
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

PASSPORT_CHUNKS = [
    {
        "id": "p-1",
        "text": "A passport can be renewed up to nine months before it expires. The renewal fee is 82 euros "
        "for adults and 47 euros for children.",
        "score": 0.9,
    },
    {
        "id": "p-2",
        "text": "Applications are handled within three weeks. An express service takes five working days and "
        "costs 32 euros extra.",
        "score": 0.8,
    },
    {"id": "p-3", "text": "You need a recent photo, your old passport and proof of address.", "score": 0.7},
]
PASSPORT = (
    "You can renew your passport up to nine months before it expires [1]. "
    "The fee is 82 euros for adults and 47 euros for children [1]. "
    "Applications are handled within three weeks [2]. "
    "The express service takes five working days and costs 32 euros extra [2]. "
    "Bring a recent photo, your old passport and proof of address [3]."
)
PASSPORT_REWORDED = (
    "Renewal of a passport is possible up to nine months before its expiry [1]. "
    "Adults pay a fee of 82 euros, while children pay 47 euros [1]. "
    "It takes up to three weeks until an application is handled [2]. "
    "With the express service, which costs an additional 32 euros, it takes five working days [2]. "
    "Please bring your old passport, proof of your address and a recent photo [3]."
)


def passport(answer=PASSPORT):
    question = "How do I renew my passport?"
    return {"id": "passport", "question": question, "chunks": PASSPORT_CHUNKS, "answer": answer}


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
