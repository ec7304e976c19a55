"""Relations that a claim turns round: "Pine Mill acquired Larkfield" for "Larkfield acquired Pine Mill".

All words are the source's own; what stands on the one side of a relation stands on the other one in the
claim, and the reverse. One candidate for each claim: the relation of which most is exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding._named import NamedTuple
from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.background import synonyms_of
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Rival, Span, candidate
from pytest_grounding.scorers.lexical.conflicts.lexicon import alike, opposites_of
from pytest_grounding.scorers.lexical.conflicts.relations import (
    Relation,
    converses_of,
    is_more,
    is_telling,
    relations_of,
    stems_at,
)
from pytest_grounding.scorers.lexical.conflicts.sources import Place, Sentence
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.text.grammar import AUXILIARIES, has_finite_verb

_SORTS = (
    "verb noun order compared cause place front north east left up from to inside instead if on in against via"
).split()
#: What is measured of a candidate.
MEASURES: dict[str, str] = {
    **{f"turn_{sort}": f"the relation is of the sort '{sort}'" for sort in _SORTS},
    "turn_share": "share of the claim, by weight, that is exchanged",
    "turn_least": "the lighter of the two sides that are exchanged, over both",
    "turn_straight": "share of the claim that stands on the same side in both",
    "turn_near": "the words next to the relation are exchanged, on one side or both",
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
    "turn_sides": "content words of both sides of the claim's relation that stand on no side of the other",
}
_SENTENCES = 5
_LEAST_COVER = 0.3
_BEFORE_THAN = 4
_PARTICLES = words("conflicts", "particles")
_DETERMINERS = words("grammar", "determiners")
_HELPING = AUXILIARIES | {"to"}
_MUTUAL = words("conflicts", "mutual")
_AND = words("conflicts", "joining things")
_LONGEST = 80


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
        is_inverse: whether the words of the two say the same the other way round.
        is_synonym: whether they are not the same.
    """

    spot: Sentence
    ours: Relation
    theirs: Relation
    first: frozenset[str]
    second: frozenset[str]
    straight: frozenset[str]
    weight: float
    is_inverse: bool
    is_synonym: bool


def exchange_conflicts(contest: Contest) -> Iterator[Candidate]:
    """The relation that a claim turns round, if any."""
    claim = contest.claim
    if not 1 < len(claim.content) or len(claim.tokens) > _LONGEST:
        return
    spots = [spot for spot in contest.best_sentences(_SENTENCES) if contest.cover(*spot) >= _LEAST_COVER]
    spots = [spot for spot in spots if _reversed(contest, spot)]
    if not spots:
        return
    ours = relations_of(claim, 0, len(claim.tokens))
    turns = []
    for spot in spots if ours else ():
        view = contest.chunks[spot[0]]
        low, high = contest.bounds(*spot)
        if high - low > _LONGEST:
            continue
        theirs = relations_of(view, low, high)
        for one in ours:
            for other in theirs:
                turn = _turn(contest, spot, one, other)
                if turn is not None:
                    turns.append(turn)
    if turns:
        best = max(turns, key=lambda turn: (_is_told(contest, turn), turn.weight, -turn.spot[0], -turn.spot[1]))
        yield _candidate(contest, best, _backed(contest, best))


def _reversed(contest: Contest, spot: Sentence) -> float:
    """Share of the pairs of words of a claim that a sentence has in another order."""
    places: dict[str, int] = {}
    view, (low, high) = contest.chunks[spot[0]], contest.bounds(*spot)
    for number in range(low, high):
        places.setdefault(view.stems[number], number)
    claim = contest.claim
    order = [
        places[claim.stems[n]]
        for n in range(len(claim.tokens))
        if claim.stems[n] in places and is_telling(claim, n)
    ]
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :] if a != b]
    return sum(a > b for a, b in pairs) / len(pairs) if pairs else 0.0


def _turn(contest: Contest, spot: Sentence, ours: Relation, theirs: Relation) -> _Turn | None:
    """What a claim's relation and a sentence's have exchanged; None where not both sides are."""
    match = _match(contest, spot, ours, theirs)
    if match is None:
        return None
    is_inverse, is_synonym = match
    view = contest.chunks[spot[0]]
    one, two = stems_at(contest.claim, ours.first), stems_at(contest.claim, ours.second)
    left, right = stems_at(view, theirs.first), stems_at(view, theirs.second)
    if is_inverse:
        left, right = right, left
    own, other = {contest.claim.stems[ours.word]}, {view.stems[theirs.word]}
    first = (one & right) - left - two - own - other
    second = (two & left) - right - one - own - other
    if not first or not second:
        return None
    straight = (one & left) | (two & right)
    weight = _weight(contest, first | second)
    return _Turn(spot, ours, theirs, first, second, straight, weight, is_inverse, is_synonym)


def _match(contest: Contest, spot: Sentence, ours: Relation, theirs: Relation) -> tuple[bool, bool] | None:
    """Whether two relations say the same; whether the other way round, and by another word."""
    if ours.sort != theirs.sort:
        return None
    if ours.sort == "compared":
        return _compared(contest, spot, ours, theirs)
    if ours.sort == "noun":
        return (False, False) if ours.stem == theirs.stem else None
    if ours.sort != "verb":
        return False, ours.is_turned != theirs.is_turned
    view = contest.chunks[spot[0]]
    # "A needs more than B", "B needs less than A".
    if _compares(contest.claim, ours) != _compares(view, theirs):
        return None
    if ours.stem == theirs.stem:
        return False, False
    if _has_particle(contest.claim, ours) or _has_particle(view, theirs):
        return None
    if theirs.stem in converses_of(ours.stem):
        return True, True
    if theirs.stem in synonyms_of(ours.stem) or theirs.stem in alike(ours.stem):
        return False, True
    return None


def _compared(contest: Contest, spot: Sentence, ours: Relation, theirs: Relation) -> tuple[bool, bool] | None:
    """The same for comparisons, by the words that stand before "than"."""
    mine = _comparing(contest.claim, ours.word)
    other = _comparing(contest.chunks[spot[0]], theirs.word)
    if mine == other:
        return False, False
    return (True, True) if other in opposites_of(mine) else None


def _comparing(view: View, than: int) -> str:
    """Stem of the word before a "than" that compares, or ""."""
    reach = range(than - 1, max(-1, than - _BEFORE_THAN - 1), -1)
    return next((view.stems[n] for n in reach if is_more(view.norms[n])), "")


def _has_particle(view: View, relation: Relation) -> bool:
    """Whether a verb is another one by the word behind it: "give up"."""
    return relation.word + 1 < len(view.norms) and view.norms[relation.word + 1] in _PARTICLES


def _is_told(contest: Contest, turn: _Turn) -> bool:
    """Whether the words relate two things for sure: small words do, and verbs by their form."""
    if turn.ours.sort != "verb":
        return True
    return _is_verb(contest.claim, turn.ours) and _is_verb(contest.chunks[turn.spot[0]], turn.theirs)


def _is_verb(view: View, relation: Relation) -> bool:
    """Whether a word has a form of a verb, a word before it that helps one, or a noun phrase behind it."""
    word = relation.word
    before = view.norms[max(0, word - 2) : word]
    if has_finite_verb([view.norms[word]]) or not _HELPING.isdisjoint(before):
        return True
    return word + 1 < len(view.norms) and (
        view.norms[word + 1] in _DETERMINERS or (view.tokens[word + 1].is_name and not view.tokens[word].is_name)
    )


def _compares(view: View, relation: Relation) -> frozenset[str]:
    """What the words behind a verb compare by."""
    last = max(*relation.first, *relation.second)
    return frozenset(_comparing(view, n) for n in range(relation.word, last) if view.norms[n] == "than")


def _weight(contest: Contest, stems: frozenset[str]) -> float:
    return sum(contest.weight(stem) for stem in sorted(stems))


def _backed(contest: Contest, turn: _Turn) -> float:
    """Share of what is exchanged that a relation of another sentence, or of this one, has as the claim does."""
    best = 0.0
    for spot in contest.best_sentences(_SENTENCES):
        view = contest.chunks[spot[0]]
        low, high = contest.bounds(*spot)
        for theirs in relations_of(view, low, high) if high - low <= _LONGEST else ():
            match = _match(contest, spot, turn.ours, theirs)
            if match is None or (spot == turn.spot and theirs == turn.theirs):
                continue
            left, right = stems_at(view, theirs.first), stems_at(view, theirs.second)
            if match[0]:
                left, right = right, left
            held = _weight(contest, turn.first & left) + _weight(contest, turn.second & right)
            if turn.first & left and turn.second & right:
                best = max(best, held / turn.weight)
    return best


def _candidate(contest: Contest, turn: _Turn, backed: float) -> Candidate:
    claim, view = contest.claim, contest.chunks[turn.spot[0]]
    low, high = contest.bounds(*turn.spot)
    ours, theirs = turn.ours, turn.theirs
    left, right = _weight(contest, turn.first), _weight(contest, turn.second)
    exchanged = turn.first | turn.second
    total = contest.total or 1.0
    norms = view.norms[low:high]
    held = contest.spoken_of(*turn.spot)
    near = [
        bool(side) and view_.stems[side[0]] in exchanged
        for view_, relation in ((claim, ours), (view, theirs))
        for side in (relation.first, relation.second)
    ]
    sides = stems_at(claim, (*ours.first, *ours.second)) - exchanged - turn.straight
    names = [
        any(claim.tokens[n].is_name for n in side if claim.stems[n] in exchanged)
        for side in (ours.first, ours.second)
    ]
    denied = any(n in claim.negated_at for n in range(len(claim.tokens)))
    rival_denied = any(n in view.negated_at for n in range(low, high))
    verbs = ours.sort != "verb" or (_is_verb(claim, ours) + _is_verb(view, theirs))
    measures: dict[str, float] = {
        "turn_verbs": ours.sort == "verb" and verbs == 2,
        "turn_verbless": ours.sort == "verb" and verbs == 0,
        f"turn_{ours.sort}": 1.0,
        "turn_share": turn.weight / total,
        "turn_least": min(left, right) / (left + right),
        "turn_straight": _weight(contest, turn.straight) / total,
        "turn_near": sum(near) / 4,
        "turn_backed": backed,
        "turn_passive": ours.is_passive != theirs.is_passive,
        "turn_passives": ours.is_passive and theirs.is_passive,
        "turn_fronted": ours.is_fronted or theirs.is_fronted,
        "turn_inverse": turn.is_inverse or ours.is_turned != theirs.is_turned,
        "turn_synonym": turn.is_synonym,
        "turn_names": all(names),
        "turn_mutual": not _MUTUAL.isdisjoint(norms) or not _MUTUAL.isdisjoint(claim.norms),
        "turn_twice": any(view.stems[low:high].count(stem) > 1 for stem in exchanged),
        "turn_denied": denied != rival_denied,
        "turn_rest": sum(contest.weight(s) for s in sorted(set(claim.stems[n] for n in claim.content)) if s not in held) / total,
        "turn_shuffled": _reversed(contest, turn.spot),
        "turn_sides": min(len(sides), 6) / 6,
    }
    told = tuple((name, float(value)) for name, value in measures.items() if value)
    first, last = _stretch(claim, ours, exchanged)
    low, high = _stretch(view, theirs, exchanged)
    span: Span = view.tokens[low].start, view.tokens[high].end
    rival = Rival(min(1.0, turn.weight / total), Place(turn.spot[0], low))
    return candidate(contest, "exchange", (claim.tokens[first].start, claim.tokens[last].end), rival, span)._replace(
        measures=told
    )


def _stretch(view: View, relation: Relation, exchanged: frozenset[str]) -> tuple[int, int]:
    """Numbers of the first and the last word of a relation with what is exchanged."""
    places = [n for n in (*relation.first, *relation.second) if view.stems[n] in exchanged]
    return min(places), max(places)
