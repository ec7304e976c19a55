"""Names of the sources that stand where the sources have another name, or none."""

from __future__ import annotations

from typing import NamedTuple

from pytest_grounding.scorers.lexical.conflicts.contest import Contest, Place
from pytest_grounding.text.facts import Fact

#: Places of a name that are looked at: more tell nothing new of it.
_MOST_PLACES = 60
#: How much tells for a name that is out of place: a rival that is bound better, a rest of the claim that one
#: sentence holds; and against it: how far the name is bound somewhere, how much of the rest stands near it.
#: The proportions are those of a logistic regression on names planted into supported claims, rounded.
_REST, _BOUND, _NEAR = 0.55, 1.0, 0.7


class Displacement(NamedTuple):
    """How far a name of the claim is out of place.

    Attributes:
        score: from about -1.7 (in its place) to 1.5.
        rest: share of the claim without the name that the best sentence holds.
        chunk: chunk of that sentence.
        sentence: its number.
        rival: the name there that is bound best, and its place; None where there is none.
    """

    score: float
    rest: float
    chunk: int
    sentence: int
    rival: tuple[Fact, Place] | None


def displacement(
    contest: Contest, fact: Fact, at: int, last: int, stems: frozenset[str], known: set[str]
) -> Displacement | None:
    """How far a name of the claim is out of place; None where no sentence speaks of the claim.

    Args:
        contest: the claim against the chunks.
        fact: the name.
        at: its first word.
        last: its last word.
        stems: stems of its content words.
        known: those of them that stand in the chunks.
    """
    best = max(
        ((contest.cover(*place, without=stems), -number, place) for number, place in _best(contest)),
        default=None,
    )
    if best is None:
        return None
    rest, _, (chunk, sentence) = best
    bound = near = 0.0
    seen: set[tuple[int, int]] = set()
    for stem in sorted(known):
        for place in contest.places(stem)[:_MOST_PLACES]:
            bound = max(bound, contest.bind(at, last, place))
            own = place.chunk, contest.sentence_of(place)
            if own not in seen:
                seen.add(own)
                near = max(near, contest.cover_around(*own, without=stems))
    rival: tuple[float, Fact, Place] | None = None
    words = set(fact.key.split())
    for other, word in contest.chunks[chunk].names.get(sentence, ()):
        if words.isdisjoint(other.key.split()):
            strength = contest.bind(at, last, Place(chunk, word))
            if rival is None or strength > rival[0]:
                rival = strength, other, Place(chunk, word)
    gap = max(0.0, rival[0] - bound) if rival else 0.0
    score = gap + _REST * rest - _BOUND * bound - _NEAR * near
    return Displacement(score, rest, chunk, sentence, rival[1:] if rival else None)


def _best(contest: Contest) -> list[tuple[int, tuple[int, int]]]:
    return list(enumerate(contest.best_sentences(4)))


def is_topic(contest: Contest, known: set[str], chunk: int, sentence: int) -> bool:
    """Whether a chunk speaks of a name more than of any other, and has named it before a sentence.

    What follows may speak of it as "it", or leave it out.
    """
    view = contest.chunks[chunk]
    positions = contest.indexes[chunk].positions
    own = max((positions.get(stem, ()) for stem in known), key=len)
    if not own or view.sentence_of[own[0]] >= sentence:
        return False
    counts: dict[str, int] = {}
    for names in view.names.values():
        for _, at in names:
            stem = view.tokens[at].stem
            counts[stem] = counts.get(stem, 0) + 1
    return len(own) >= max(counts.values(), default=0)
