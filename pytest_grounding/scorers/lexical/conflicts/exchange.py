"""Relations that a claim turns round: "Pine Mill acquired Larkfield" for "Larkfield acquired Pine Mill".

All words are the source's own; what stands on the one side of a relation stands on the other one in the
claim, and the reverse. One candidate for each claim: the relation of which most is exchanged. Whether the
claim says the same in other words is for the verifier to tell, from the measures below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.background import synonyms_of
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Rival, candidate
from pytest_grounding.scorers.lexical.conflicts.lexicon import alike, opposites_of
from pytest_grounding.scorers.lexical.conflicts.relations import (
    COMPARED,
    NOUN,
    SORTS,
    TURNING_ROUND,
    VERB,
    Relation,
    comparing,
    converses_of,
    has_particle,
    is_telling,
    is_verb,
    relations_of,
)
from pytest_grounding.scorers.lexical.conflicts.sources import Place, Sentence
from pytest_grounding.scorers.lexical.conflicts.view import View

#: What is measured of a candidate.
MEASURES: dict[str, str] = {
    **{f"turn_{sort}": f"the two things are related by '{sort}'" for sort in SORTS},
    "turn_share": "share of the claim, by weight, that is exchanged",
    "turn_least": "the lighter of the two sides that are exchanged, over both",
    "turn_straight": "share of the claim that stands on the same side in both",
    "turn_near": "share of the four words next to the two relations that are exchanged",
    "turn_backed": "share of what is exchanged that another relation of the sources has as the claim does",
    "turn_passive": "one of the two is passive",
    "turn_passives": "both are passive",
    "turn_fronted": "one of the two opens its part of the sentence",
    "turn_inverse": "the two words say the same the other way round",
    "turn_synonym": "the two words are not the same",
    "turn_names": "both sides that are exchanged hold a name",
    "turn_mutual": "a word of the claim or of the sentence says that it holds both ways round",
    "turn_twice": "a word that is exchanged stands twice in the sentence",
    "turn_denied": "just one of the two denies",
    "turn_rest": "share of the claim that the sentence lacks",
    "turn_shuffled": "share of the pairs of words that stand in another order than in the sentence",
    "turn_verbs": "both verbs have a form of one",
    "turn_verbless": "neither has",
    "turn_sides": "content words beside the claim's relation that the other has not, at most six, over six",
}
#: Sentences of the sources that are looked at, and the least share of the claim that they hold.
_SENTENCES = 2
_LEAST_COVER = 0.4
_MOST_SIDES = 6
#: Sorts of which two words may say the same with the two things exchanged; small words are turned when read.
_INVERTED = frozenset((VERB, COMPARED))
_MUTUAL = words("conflicts", "mutual")
_LONGEST = 80


class _Match(NamedTuple):
    """Two relations of which one says what the other does.

    Attributes:
        is_inverse: whether it says so with the two things exchanged: "lose" for "beat".
        is_synonym: whether it says so with another word.
    """

    is_inverse: bool = False
    is_synonym: bool = False


class _Turn(NamedTuple):
    """A relation of the claim beside one of a sentence that has it the other way round.

    Attributes:
        spot: the sentence.
        ours: the claim's relation.
        theirs: the sentence's.
        first: stems that the claim has on the first side and the sentence on the second.
        second: the same the other way round.
        straight: stems that both have on the same side.
        weight: weight of what is exchanged.
        match: how the words of the two match.
    """

    spot: Sentence
    ours: Relation
    theirs: Relation
    first: frozenset[str]
    second: frozenset[str]
    straight: frozenset[str]
    weight: float
    match: _Match


def exchange_conflicts(contest: Contest) -> Iterator[Candidate]:
    """The relation that a claim turns round, if any."""
    claim = contest.claim
    if len(claim.content) < 2 or len(claim.tokens) > _LONGEST:
        return
    spots = [spot for spot in _spots(contest) if _may_turn(contest, spot)]
    ours = _relations_met(contest, spots) if spots else ()
    turns = [
        turn
        for spot in (spots if ours else ())
        for theirs in contest.sources.relations(*spot)
        for one in ours
        if (turn := _turn(contest, spot, one, theirs)) is not None
    ]
    if turns:
        best = max(
            turns, key=lambda turn: (_is_told(contest, turn), turn.weight, -turn.spot[0], -turn.spot[1])
        )
        yield _candidate(contest, best)


def is_turned_round(contest: Contest, spot: Sentence) -> bool:
    """Whether a sentence has a relation of the claim the other way round, whatever else it says of it."""
    if not _may_turn(contest, spot):
        return False
    ours = _relations_met(contest, [spot])
    return any(
        _turn(contest, spot, one, theirs) is not None
        for theirs in contest.sources.relations(*spot)
        for one in ours
    )


def _relations_met(contest: Contest, spots: Sequence[Sentence]) -> tuple[Relation, ...]:
    """The relations of a claim, but those by words of which the sentences hold no counterpart."""
    held = frozenset().union(*[contest.stems(*spot) for spot in spots])
    return relations_of(
        contest.claim,
        0,
        len(contest.claim.tokens),
        lambda stem: stem in held or not held.isdisjoint(_counterparts(stem)),
    )


# Kept, because the words of a language come back in every claim.
@lru_cache(maxsize=8192)
def _counterparts(stem: str) -> frozenset[str]:
    """Stems of the words by which `_match` may find that another relation says what one by this word does."""
    return frozenset((stem, *converses_of(stem), *synonyms_of(stem), *alike(stem)))


def _spots(contest: Contest) -> list[Sentence]:
    return [spot for spot in contest.best_sentences(_SENTENCES) if contest.cover(*spot) >= _LEAST_COVER]


def _may_turn(contest: Contest, spot: Sentence) -> bool:
    """Whether a sentence has words of the claim in another order, or a word that turns a relation round."""
    low, high = contest.bounds(*spot)
    ours, theirs = contest.claim.norms, contest.chunks[spot[0]].norms[low:high]
    if TURNING_ROUND.isdisjoint(ours) != TURNING_ROUND.isdisjoint(theirs):
        return True
    order = _order(contest, spot)
    return any(a > b for a, b in pairwise(order))


def _order(contest: Contest, spot: Sentence) -> list[int]:
    """For the words of a claim that a sentence holds, in the claim's order, their places in the sentence."""
    low, high = contest.bounds(*spot)
    stems, claim = contest.chunks[spot[0]].stems[low:high], contest.claim
    # Of several places the first.
    places = dict(zip(reversed(stems), range(len(stems) - 1, -1, -1), strict=True))
    return [places[stem] for n, stem in enumerate(claim.stems) if stem in places and is_telling(claim, n)]


def _shuffled(contest: Contest, spot: Sentence) -> float:
    """Share of the pairs of words of a claim that a sentence has in another order."""
    pairs = [(a, b) for a, b in combinations(_order(contest, spot), 2) if a != b]
    return sum(a > b for a, b in pairs) / len(pairs) if pairs else 0.0


def _turn(contest: Contest, spot: Sentence, ours: Relation, theirs: Relation) -> _Turn | None:
    """What a claim's relation and a sentence's have exchanged; None where not both sides are."""
    if ours.sort != theirs.sort:
        return None
    one, two, left, right = ours.firsts, ours.seconds, theirs.firsts, theirs.seconds
    # Most pairs end here: neither side of the one has a word of the other's other side.
    if one.isdisjoint(right) and (ours.sort not in _INVERTED or one.isdisjoint(left)):
        return None
    claim, view = contest.claim, contest.chunks[spot[0]]
    match = _match(claim, view, ours, theirs)
    if match is None:
        return None
    if match.is_inverse and ours.sort in _INVERTED:
        left, right = right, left
    relating = {claim.stems[ours.word], view.stems[theirs.word]}
    first, second = (one & right) - left - two - relating, (two & left) - right - one - relating
    if not first or not second:
        return None
    exchanged = first | second
    rest, others = (one | two) - exchanged, (left | right) - exchanged
    if ours.sort != COMPARED and any(not others.isdisjoint(opposites_of(stem)) for stem in rest):
        # "A lies south of B", "B lies north of A".
        return None
    weight = _weight(contest, exchanged)
    return _Turn(spot, ours, theirs, first, second, (one & left) | (two & right), weight, match)


def _match(claim: View, view: View, ours: Relation, theirs: Relation) -> _Match | None:
    """How a relation of the claim says what one of a sentence does; None where it does not."""
    if ours.sort == COMPARED:
        mine, other = comparing(claim, ours.word), comparing(view, theirs.word)
        if mine == other:
            return _Match()
        return _Match(is_inverse=True, is_synonym=True) if other in opposites_of(mine) else None
    if ours.sort == NOUN:
        return _Match() if ours.stem == theirs.stem else None
    if ours.sort != VERB:
        return _Match(ours.is_turned != theirs.is_turned, ours.is_turned != theirs.is_turned)
    if ours.stem == theirs.stem:
        return _Match()
    if has_particle(claim, ours) or has_particle(view, theirs):
        return None
    if theirs.stem in converses_of(ours.stem):
        return _Match(is_inverse=True, is_synonym=True)
    is_synonym = theirs.stem in synonyms_of(ours.stem) or theirs.stem in alike(ours.stem)
    return _Match(is_synonym=True) if is_synonym else None


def _is_told(contest: Contest, turn: _Turn) -> bool:
    """Whether the words relate two things for sure: small words do, and verbs by their form."""
    claim, view = contest.claim, contest.chunks[turn.spot[0]]
    return turn.ours.sort != VERB or (is_verb(claim, turn.ours) and is_verb(view, turn.theirs))


def _weight(contest: Contest, stems: Iterable[str]) -> float:
    # Sums of floats depend on their order.
    return sum(contest.weight(stem) for stem in sorted(stems))


def _backed(contest: Contest, turn: _Turn) -> float:
    """Share of what is exchanged that another relation of the sources has as the claim does."""
    best = 0.0
    for spot in _spots(contest):
        view = contest.chunks[spot[0]]
        for theirs in contest.sources.relations(*spot):
            if theirs.sort != turn.ours.sort or (spot == turn.spot and theirs == turn.theirs):
                continue
            match = _match(contest.claim, view, turn.ours, theirs)
            if match is None:
                continue
            left, right = theirs.firsts, theirs.seconds
            if match.is_inverse and theirs.sort in _INVERTED:
                left, right = right, left
            if turn.first & left and turn.second & right:
                best = max(best, _weight(contest, (turn.first & left) | (turn.second & right)) / turn.weight)
    return best


def _candidate(contest: Contest, turn: _Turn) -> Candidate:
    claim, view, exchanged = contest.claim, contest.chunks[turn.spot[0]], turn.first | turn.second
    seen = {**_of_relations(contest, turn), **_of_words(contest, turn)}
    first, last = _stretch(claim, turn.ours, exchanged)
    low, high = _stretch(view, turn.theirs, exchanged)
    ours, theirs = (
        (claim.tokens[first].start, claim.tokens[last].end),
        (view.tokens[low].start, view.tokens[high].end),
    )
    rival = Rival(min(1.0, seen["turn_share"]), Place(turn.spot[0], low))
    measures = tuple((name, float(value)) for name, value in seen.items() if value)
    return candidate(contest, "exchange", ours, rival, theirs)._replace(measures=measures)


def _of_relations(contest: Contest, turn: _Turn) -> dict[str, float]:
    """What is measured of the two relations."""
    claim, view, ours, theirs = contest.claim, contest.chunks[turn.spot[0]], turn.ours, turn.theirs
    verbs = is_verb(claim, ours) + is_verb(view, theirs) if ours.sort == VERB else 1
    return {
        f"turn_{ours.sort}": 1.0,
        "turn_verbs": verbs == 2,
        "turn_verbless": verbs == 0,
        "turn_passive": ours.is_passive != theirs.is_passive,
        "turn_passives": ours.is_passive and theirs.is_passive,
        "turn_fronted": ours.is_fronted or theirs.is_fronted,
        "turn_inverse": turn.match.is_inverse,
        "turn_synonym": turn.match.is_synonym and ours.sort in _INVERTED,
    }


def _of_words(contest: Contest, turn: _Turn) -> dict[str, float]:
    """What is measured of the words that are exchanged, and of the rest."""
    claim, view, (low, high) = contest.claim, contest.chunks[turn.spot[0]], contest.bounds(*turn.spot)
    stems, norms, held = view.stems[low:high], view.norms[low:high], contest.spoken_of(*turn.spot)
    exchanged, total = turn.first | turn.second, contest.total or 1.0
    places = [
        (claim, turn.ours.first),
        (claim, turn.ours.second),
        (view, turn.theirs.first),
        (view, turn.theirs.second),
    ]
    near = sum(text.stems[side[0]] in exchanged for text, side in places)
    sides = (turn.ours.firsts | turn.ours.seconds) - exchanged - turn.straight
    named = [
        any(claim.tokens[n].is_name and claim.stems[n] in exchanged for n in side)
        for side in (turn.ours.first, turn.ours.second)
    ]
    own = {claim.stems[n] for n in claim.content}
    return {
        "turn_share": turn.weight / total,
        "turn_least": min(_weight(contest, turn.first), _weight(contest, turn.second)) / turn.weight,
        "turn_straight": _weight(contest, turn.straight) / total,
        "turn_near": near / len(places),
        "turn_backed": _backed(contest, turn),
        "turn_names": all(named),
        "turn_mutual": not _MUTUAL.isdisjoint(norms) or not _MUTUAL.isdisjoint(claim.norms),
        "turn_twice": any(stems.count(stem) > 1 for stem in exchanged),
        "turn_denied": bool(claim.negated_at) != any(low <= n < high for n in view.negated_at),
        "turn_rest": _weight(contest, own - held) / total,
        "turn_shuffled": _shuffled(contest, turn.spot),
        "turn_sides": min(len(sides), _MOST_SIDES) / _MOST_SIDES,
    }


def _stretch(view: View, relation: Relation, exchanged: frozenset[str]) -> tuple[int, int]:
    """Numbers of the first and the last word of a relation with what is exchanged."""
    places = [n for n in (*relation.first, *relation.second) if view.stems[n] in exchanged]
    return min(places), max(places)
