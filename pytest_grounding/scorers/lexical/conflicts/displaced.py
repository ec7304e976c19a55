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
    contest: Contest,
    fact: Fact,
    words: tuple[int, int],
    stems: frozenset[str],
    known: frozenset[str],
    least: tuple[float, float],
) -> Displacement | None:
    """How far a name of the claim is out of place; None where no sentence speaks of the claim, or too little.

    Args:
        contest: the claim against the chunks.
        fact: the name.
        words: its first and its last word.
        stems: stems of its content words.
        known: those of them that stand in the chunks.
        least: the least score and the least rest that are of use.
    """
    best = max(
        ((contest.cover(*place, without=stems), -number, place) for number, place in _best(contest)),
        default=None,
    )
    if best is None or best[0] < least[1]:
        return None
    rest, _, (chunk, sentence) = best
    rival: tuple[float, Fact, Place] | None = None
    own = fact.key.split()
    for named in contest.sources.named(chunk, sentence):
        if named.words.isdisjoint(own):
            strength = contest.bind(*words, named.place)
            if rival is None or strength > rival[0]:
                rival = strength, named.fact, named.place
    rivalry = rival[0] if rival else 0.0
    bound = near = 0.0
    seen: set[tuple[int, int]] = set()
    score = _score(rivalry, rest, bound, near)
    for stem in sorted(known):
        for place in contest.places(stem)[:_MOST_PLACES]:
            bound = max(bound, contest.bind(*words, place))
            sentence_of_place = place.chunk, contest.sentence_of(place)
            if sentence_of_place not in seen:
                seen.add(sentence_of_place)
                near = max(near, contest.cover_around(*sentence_of_place, without=stems))
            score = _score(rivalry, rest, bound, near)
            if score < least[0]:
                # It only falls, the more is seen of the name.
                return None
    return Displacement(score, rest, chunk, sentence, rival[1:] if rival else None)


def _score(rivalry: float, rest: float, bound: float, near: float) -> float:
    return max(0.0, rivalry - bound) + _REST * rest - _BOUND * bound - _NEAR * near


def _best(contest: Contest) -> list[tuple[int, tuple[int, int]]]:
    return list(enumerate(contest.best_sentences(4)))


def is_topic(contest: Contest, known: frozenset[str], chunk: int, sentence: int) -> bool:
    """Whether a chunk speaks of a name more than of any other, and has named it before a sentence.

    What follows may speak of it as "it", or leave it out.
    """
    view = contest.chunks[chunk]
    positions = contest.indexes[chunk].positions
    own = max((positions.get(stem, ()) for stem in sorted(known)), key=len)
    if not own or view.sentence_of[own[0]] >= sentence:
        return False
    counts: dict[str, int] = {}
    for names in view.names.values():
        for _, at in names:
            stem = view.tokens[at].stem
            counts[stem] = counts.get(stem, 0) + 1
    return len(own) >= max(counts.values(), default=0)
