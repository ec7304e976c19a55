"""Colours that differ."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Duel

COLOURS = ("blue", "green", "red")


def colour_conflicts(contest: Contest) -> Iterator[Candidate]:
    """What the sources say of another colour."""
    for number, norm in enumerate(contest.claim.norms):
        if norm in COLOURS:
            duel = Duel(contest, number)
            for colour in COLOURS:
                for place in contest.places(colour):
                    duel.meet(place, agrees=colour == norm)
            yield from duel.candidates("colour")
