"""Superlatives with and without an ordinal: "the oldest" beside "the second oldest"."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Duel
from pytest_grounding.scorers.lexical.conflicts.marks import DEGREES, MOST
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.text.facts.numerals import ORDINALS

_NOT = words("conflicts", "no superlatives")
_BEFORE = words("conflicts", "before superlatives")
_SHORTEST = 5


def has_superlatives(claim: View) -> bool:
    """Whether a claim may hold a superlative."""
    return bool(claim.with_mark(MOST))


def rank_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Superlatives of the claim against the same ones of which just one side is not the first."""
    claim = contest.claim
    for number in range(len(claim.norms)):
        own = _rank_at(claim, number)
        if not own:
            continue
        duel = Duel(contest, number)
        for place in contest.places(claim.stems[number]):
            view = contest.chunks[place.chunk]
            rank = _rank_at(view, place.word)
            if rank and (rank == own or 1 in (rank, own)):
                same_degree = view.norms[place.word - 1] == claim.norms[number - 1]
                if same_degree or claim.norms[number].endswith("est"):
                    duel.meet(place, agrees=rank == own)
        yield from duel.candidates("number")


def _rank_at(view: View, number: int) -> int:
    """The rank that a superlative at a word tells, 1 without an ordinal; 0 where there is none."""
    norm, before = view.norms[number], view.norms[number - 1] if number else ""
    if before in DEGREES and norm not in DEGREES:
        number -= 1
        before = view.norms[number - 1] if number else ""
    elif len(norm) < _SHORTEST or not norm.endswith("est") or norm in _NOT:
        return 0
    ordinal = ORDINALS.get(before, 0)
    return ordinal if ordinal > 1 else int(before in _BEFORE)
