"""Labelled answers of an invented parts depot: right in plain words, right in the house's own, and wrong."""

import json
import random

_THINGS = ("pump", "valve", "filter", "hoist", "boiler", "crane", "mixer", "press", "kiln", "conveyor")
_PLACES = ("harbour", "quarry", "foundry", "orchard", "laundry", "brewery", "sawmill", "bakery")
_TEAMS = ("night crew", "service team", "safety office", "repair shop")


def facts(number):
    """The facts of one row, from its number alone."""
    rng = random.Random(number)
    return {
        "thing": rng.choice(_THINGS),
        "place": rng.choice(_PLACES),
        "team": rng.choice(_TEAMS),
        "weeks": rng.randint(2, 9),
        "cost": rng.randint(11, 98) * 10,
    }


SOURCE = (
    "The {thing} in the {place} is inspected every {weeks} weeks by the {team}. "
    "An inspection of the {thing} costs {cost} euros and is paid by the {place}."
)
PLAIN = "The {thing} in the {place} is inspected every {weeks} weeks by the {team} [1]."
#: Right, in words that no source has: the engine as it ships holds them back.
JARGON = "A green-tag walkdown lands on the blue ledger at {cost} euros [1]."
THICK_JARGON = "A green-tag walkdown punches the blue ledger and the ochre docket at {cost} euros [1]."
#: Wrong, and stopped.
WRONG = "The {thing} in the {place} is inspected every {other} weeks by the {team} [1]."
MADE_UP = "The {place} lost money with the {thing} [1]."
#: Wrong, and not noticed by the engine as it ships.
MISSED = "The {team} has inspected the {thing} in the {place} every {weeks} weeks [1]."


def row(number, answer, *, correct, name="row"):
    """One label."""
    known = facts(number)
    known["other"] = known["weeks"] + 7
    return {
        "transcript": {
            "id": f"{name}-{number}",
            "question": f"How often is the {known['thing']} in the {known['place']} inspected?",
            "chunks": [{"id": f"doc-{number}", "text": SOURCE.format(**known), "score": 0.9}],
            "answer": answer.format(**known),
        },
        "correct": correct,
        "group": f"{name}-{number}",
    }


def write(path, rows):
    """The labels as a file."""
    path.write_text("".join(json.dumps(item) + "\n" for item in rows), encoding="utf-8")
    return path
