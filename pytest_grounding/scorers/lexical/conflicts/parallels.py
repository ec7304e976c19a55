"""Crossed clauses: what one clause speaks of, with what the clause beside it says.

"The staff meeting is public" beside "The budget meeting is public; the staff meeting is private": `crossed`
lays whole statements of one form against each other and decides by their form alone. Here two clauses of one
sentence, or two neighbouring sentences, need not be of one form. Each word of the claim is held for the one
clause, the other, or both; where the claim has a part of each and leaves out a part of each, it may have
crossed them. Answers also join what a text parts: the verifier decides, from the measures below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from pytest_grounding._named import NamedTuple
from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.conflicts.clauses import Clause, Cut, cut_of
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Rival, candidate
from pytest_grounding.scorers.lexical.conflicts.lexicon import opposites_of
from pytest_grounding.scorers.lexical.conflicts.polarity import like_of
from pytest_grounding.scorers.lexical.conflicts.sources import VALUES, Place, Sentence
from pytest_grounding.scorers.lexical.conflicts.view import View

#: What is measured of a claim and the two clauses that it may have crossed.
MEASURES: dict[str, str] = {
    "cross_held": "share of the claim's clause, by weight, that the two clauses hold",
    "cross_framed": "the same with the rest of their sentences",
    "cross_astray": "share of it that stands elsewhere in the sources alone",
    "cross_strange": "share of it that stands in no source",
    "cross_least": "of what only one clause has, the share that the claim has: the smaller of the two",
    "cross_most": "the same, the larger of the two",
    "cross_shared": "share of the words of the longer clause that stand in both, small words too",
    "cross_length": "words of the shorter clause over those of the longer one",
    "cross_orderly": "the claim has the front of one clause and the back of the other",
    "cross_straight": "and has them in this order",
    "cross_opposed": "what it takes from one clause is opposed to what it leaves out of the other",
    "cross_values": "both are values of one kind",
    "cross_names": "both are names",
    "cross_backed": "most that another sentence has of both parts: the smaller share of the two",
    "cross_told": "share of what it leaves out of the two clauses that the rest of the claim tells",
    "cross_half": "a semicolon or a word like 'while' parts the two clauses",
    "cross_neighbours": "they stand in two sentences",
    "cross_far": "another clause stands between them",
    "cross_denied": "just one of the two denies",
    "cross_denies": "the claim denies",
    "cross_verbs": "both have something before their verb",
    "cross_head": "the claim begins as one of the clauses does",
    "cross_words": "words of the claim's clause, at most eight, over eight",
    "cross_single": "the claim has one clause",
    "cross_sure": "the product of cross_framed, cross_orderly and what no other sentence backs",
    "cross_plain": "the product of cross_framed, cross_opposed and what no other sentence backs",
}
#: Sentences of the sources that are looked at, and clauses of the claim.
_SENTENCES = 4
_CLAUSES = 4
#: Clauses that stand farther apart are not laid side by side.
_FAR = 2
#: Least share of the claim's clause that the two clauses and their sentences hold.
_LEAST_HELD = 0.6
_LEAST_ORDERLY = 0.3
_MOST_BACKED = 0.99
_FEWEST = 2
_MOST_WORDS = 8
_PRONOUNS = words("conflicts", "pronouns")
_NOBODY: frozenset[str] = frozenset()


class _Pair(NamedTuple):
    """Two clauses side by side.

    Attributes:
        first: the sentence of the first one.
        one: the first one.
        second: the sentence of the other one.
        other: the other one.
        rest: stems of the rest of their sentences.
        is_half: whether they are two halves of a sentence.
        is_far: whether another one stands between them.
    """

    first: Sentence
    one: Clause
    second: Sentence
    other: Clause
    rest: frozenset[str]
    is_half: bool = False
    is_far: bool = False


class _Crossing(NamedTuple):
    """A clause of the claim beside two of the sources of which it has a part each.

    Attributes:
        pair: the two clauses.
        part: the clause of the claim.
        ours: stems that it takes from the first clause alone, as that has them.
        theirs: the same of the other one.
        left: stems of the first clause that it leaves out.
        other_left: the same of the other one.
        of_one: its stems that only the first clause has.
        of_other: its stems that only the other one has.
        measures: what is measured.
    """

    pair: _Pair
    part: Clause
    ours: frozenset[str]
    theirs: frozenset[str]
    left: frozenset[str]
    other_left: frozenset[str]
    of_one: frozenset[str]
    of_other: frozenset[str]
    measures: dict[str, float]

    @property
    def worth(self) -> float:
        """How much speaks for it."""
        seen = self.measures
        return (
            seen["cross_framed"]
            + seen["cross_held"]
            + seen["cross_orderly"]
            + seen["cross_opposed"]
            + seen["cross_least"]
            + 0.5 * (seen["cross_values"] + seen["cross_shared"])
            - seen["cross_backed"]
            - seen["cross_told"]
        )


def may_cross(claim: View) -> bool:
    """Whether a claim has words enough to take one from either of two clauses."""
    return len(claim.content) >= _FEWEST


def parallel_conflicts(contest: Contest) -> Iterator[Candidate]:
    """The clause of the claim that takes most clearly a part of each of two clauses, if any does."""
    claim = contest.claim
    pairs = list(_pairs(contest))
    cut = cut_of(claim, 0, len(claim.tokens)) if pairs else None
    if cut is None:
        return
    found = [
        one
        for part in _parts_of(cut)
        for pair in pairs
        if (one := _crossing(contest, pair, part, cut)) is not None
    ]
    if found:
        yield _candidate(contest, max(found, key=lambda one: one.worth))


def _parts_of(cut: Cut) -> list[Clause]:
    """The claim, and its clauses where it has several."""
    parts = [part for part in dict.fromkeys((*cut.halves, *cut.parts)) if part != cut.whole]
    return [cut.whole, *(part for part in parts[:_CLAUSES] if len(part.words) >= _FEWEST)]


def _pairs(contest: Contest) -> Iterator[_Pair]:
    """Clauses that stand side by side in the sentences that hold most of the claim."""
    cut, seen = contest.sources.cut, set()
    for spot in contest.best_sentences(_SENTENCES):
        own = cut(*spot)
        if own is None:
            continue
        yield from _within(spot, own)
        for first, second in (((spot[0], spot[1] - 1), spot), (spot, (spot[0], spot[1] + 1))):
            if (first, second) in seen or not 0 <= first[1] < second[1] < len(
                contest.indexes[spot[0]].sentences
            ):
                continue
            seen.add((first, second))
            one, other = cut(*first), cut(*second)
            if one is not None and other is not None:
                yield _Pair(first, one.whole, second, other.whole, _NOBODY)
                if len(one.halves) > 1 or len(other.halves) > 1:
                    rest = one.whole.stems | other.whole.stems
                    yield _Pair(first, one.halves[-1], second, other.halves[0], rest)


def _within(spot: Sentence, cut: Cut) -> Iterator[_Pair]:
    """The clauses of one sentence, two by two."""
    rest = cut.whole.stems
    for number, (one, other) in enumerate(combinations(cut.halves, 2)):
        if number < _MOST_WORDS:
            yield _Pair(spot, one, spot, other, rest, is_half=True, is_far=one.high < other.low - 1)
    parts = [part for part in cut.parts if part not in cut.halves]
    for number, one in enumerate(parts):
        for other in parts[number + 1 : number + 1 + _FAR]:
            yield _Pair(spot, one, spot, other, rest, is_far=other is not parts[number + 1])


def _crossing(contest: Contest, pair: _Pair, part: Clause, cut: Cut) -> _Crossing | None:
    """What a clause of the claim takes from two clauses; None where it does not take a part of each."""
    one, other = pair.one.stems, pair.other.stems
    if not pair.other.opening:
        # "Feed at night and rest by day": what feeds rests.
        other |= pair.one.opening
    only, only_other = one - other, other - one
    if not only or not only_other:
        return None
    ours: set[str] = set()
    theirs: set[str] = set()
    of_one: set[str] = set()
    of_other: set[str] = set()
    told = 0.0
    for stem in sorted(part.stems):
        like = like_of(stem)
        in_one, in_other = like & one, like & other
        if in_one or in_other:
            told += contest.weight(stem)
        if in_one and not in_other:
            ours |= in_one
            of_one.add(stem)
        elif in_other and not in_one:
            theirs |= in_other
            of_other.add(stem)
    left, other_left = only - ours, only_other - theirs
    if not ours or not theirs or not left or not other_left:
        return None
    measures = _measures(contest, pair, part, (frozenset(ours), frozenset(theirs), left, other_left, told))
    if measures is None:
        return None
    rest_of_claim = cut.whole.stems - part.stems
    out = left | other_left
    measures["cross_told"] = len(out & rest_of_claim) / len(out)
    measures["cross_single"] = float(len(cut.parts) == 1)
    numbers = contest.claim.stems
    at_one = min(n for n in part.words if numbers[n] in of_one)
    at_other = min(n for n in part.words if numbers[n] in of_other)
    front_is_one = measures.pop("front") > 0
    measures["cross_straight"] = float(
        bool(measures["cross_orderly"]) and (at_one < at_other) == front_is_one
    )
    return _Crossing(
        pair,
        part,
        frozenset(ours),
        frozenset(theirs),
        left,
        other_left,
        frozenset(of_one),
        frozenset(of_other),
        measures,
    )


#: What a claim takes from two clauses and what it leaves out of them, with the weight of what they hold.
_Taken = tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str], float]


def _measures(contest: Contest, pair: _Pair, part: Clause, taken: _Taken) -> dict[str, float] | None:
    """What is seen of a crossing; None where it is none."""
    ours, theirs, left, other_left, told = taken
    sources = contest.sources
    total = sum(map(contest.weight, sorted(part.stems)))
    held, framed, strange = told / total, told, 0.0
    both = pair.one.stems | pair.other.stems
    for stem in sorted(part.stems):
        like = like_of(stem)
        if like.isdisjoint(both):
            if not like.isdisjoint(pair.rest):
                framed += contest.weight(stem)
            elif sources.held.isdisjoint(like):
                strange += contest.weight(stem)
    framed, strange = framed / total, strange / total
    if framed < _LEAST_HELD:
        return None
    side, other_side = (
        _side(contest, pair.first, pair.one, ours, left),
        _side(contest, pair.second, pair.other, theirs, other_left),
    )
    orderly = min(abs(side), abs(other_side)) if side * other_side < 0 else 0.0
    opposed = _opposed(theirs, left) or _opposed(ours, other_left)
    if orderly < _LEAST_ORDERLY and not opposed:
        return None
    backed = _backed(contest, pair, ours, theirs)
    if backed > _MOST_BACKED:
        return None
    shares = sorted((len(ours) / len(ours | left), len(theirs) / len(theirs | other_left)))
    lengths = sorted((pair.one.high - pair.one.low, pair.other.high - pair.other.low))
    values, names = _sorts(contest, pair, (ours, theirs, left, other_left))
    one, other = _stems(contest, pair.first, pair.one), _stems(contest, pair.second, pair.other)
    claim = contest.claim
    head = claim.stems[part.words[0]]
    firsts = {
        contest.chunks[spot[0]].stems[clause.words[0]]
        for spot, clause in ((pair.first, pair.one), (pair.second, pair.other))
    }
    return {
        "front": side,
        "cross_held": held,
        "cross_framed": framed,
        "cross_astray": 1.0 - framed - strange,
        "cross_strange": strange,
        "cross_least": shares[0],
        "cross_most": shares[1],
        "cross_shared": len(one & other) / max(len(one), len(other)),
        "cross_length": lengths[0] / lengths[1],
        "cross_orderly": orderly,
        "cross_opposed": opposed,
        "cross_values": values,
        "cross_names": names,
        "cross_backed": backed,
        "cross_half": pair.is_half,
        "cross_neighbours": pair.first != pair.second,
        "cross_far": pair.is_far,
        "cross_denied": pair.one.denies != pair.other.denies,
        "cross_denies": part.denies,
        "cross_verbs": bool(pair.one.opening) and bool(pair.other.opening),
        "cross_head": head in firsts,
        "cross_words": min(len(part.words), _MOST_WORDS) / _MOST_WORDS,
        "cross_sure": framed * orderly * (1.0 - backed),
        "cross_plain": framed * opposed * (1.0 - backed),
    }


def _stems(contest: Contest, spot: Sentence, clause: Clause) -> frozenset[str]:
    return frozenset(contest.chunks[spot[0]].stems[clause.low : clause.high])


def _side(
    contest: Contest, spot: Sentence, clause: Clause, taken: frozenset[str], left: frozenset[str]
) -> float:
    """Where in a clause stands what is taken of it: 1 before all that is left out, -1 behind all of it."""
    stems = contest.chunks[spot[0]].stems
    at = [number for number in clause.words if stems[number] in taken]
    others = [number for number in clause.words if stems[number] in left]
    if not at or not others:
        return 0.0
    before = sum(number < other for number in at for other in others)
    return 2.0 * before / (len(at) * len(others)) - 1.0


def _opposed(some: Iterable[str], others: frozenset[str]) -> bool:
    return any(not others.isdisjoint(opposites_of(stem)) for stem in some)


def _backed(contest: Contest, pair: _Pair, ours: frozenset[str], theirs: frozenset[str]) -> float:
    """Most that a sentence beside the two has of what is taken from both: the smaller share of the two."""
    best = 0.0
    for spot in contest.best_sentences(None)[: 4 * _SENTENCES]:
        if spot not in (pair.first, pair.second):
            held = contest.spoken_of(*spot)
            best = max(best, min(len(held & ours) / len(ours), len(held & theirs) / len(theirs)))
    return best


def _sorts(
    contest: Contest,
    pair: _Pair,
    taken: tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]],
) -> tuple[bool, bool]:
    """Whether a value stands against one of its kind that is left out, and whether a name against a name."""
    ours, theirs, left, other_left = taken
    of_one, of_other = _facts(contest, pair.first, pair.one), _facts(contest, pair.second, pair.other)
    values = names = False
    for some, others in (
        (_of(of_one, left), _of(of_other, theirs)),
        (_of(of_one, ours), _of(of_other, other_left)),
    ):
        both = some & others
        values = values or not both.isdisjoint(VALUES)
        names = names or "name" in both
    return values, names


def _facts(contest: Contest, spot: Sentence, clause: Clause) -> list[tuple[str, str]]:
    """The kinds of the facts of a clause, each with the stem of a word of it."""
    view = contest.chunks[spot[0]]
    return [
        (fact.kind, view.stems[number])
        for fact, at in zip(view.facts, view.fact_at, strict=True)
        if clause.low <= at < clause.high
        for number in range(at, view.end_of(fact, at) + 1)
    ]


def _of(facts: Iterable[tuple[str, str]], stems: frozenset[str]) -> frozenset[str]:
    return frozenset(kind for kind, stem in facts if stem in stems)


def _candidate(contest: Contest, found: _Crossing) -> Candidate:
    """What the claim says, against what the clause says that speaks of the same: where one can be told."""
    claim, pair = contest.claim, found.pair
    numbers = [n for n in found.part.words if claim.stems[n] in found.of_other]
    spot, clause, left = pair.first, pair.one, found.left
    if claim.stems[found.part.words[0]] in found.of_other:
        # It speaks of what the other clause speaks of.
        numbers = [n for n in found.part.words if claim.stems[n] in found.of_one]
        spot, clause, left = pair.second, pair.other, found.other_left
    view = contest.chunks[spot[0]]
    theirs = [n for n in clause.words if view.stems[n] in left]
    told = tuple((name, float(value)) for name, value in found.measures.items() if value)
    return candidate(
        contest,
        "parallel",
        (claim.tokens[numbers[0]].start, claim.tokens[numbers[-1]].end),
        Rival(found.measures["cross_framed"], Place(spot[0], theirs[0])),
        (view.tokens[theirs[0]].start, view.tokens[theirs[-1]].end),
    )._replace(measures=told)
