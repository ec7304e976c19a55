"""What is measured of a claim that may have crossed two clauses: for the verifier to tell by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.conflicts.clauses import Clause, Pair
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.lexicon import opposites_of
from pytest_grounding.scorers.lexical.conflicts.polarity import like_of
from pytest_grounding.scorers.lexical.conflicts.sources import VALUES, Sentence

#: What is measured of a claim and the two clauses that it may have crossed.
MEASURES: dict[str, str] = {
    "cross_held": "share of the claim's clause, by weight, that the two clauses hold",
    "cross_framed": "the same with the rest of their sentences",
    "cross_astray": "share of it that stands elsewhere in the sources alone",
    "cross_strange": "share of it that stands in no source",
    "cross_lesser": "share of it that only one of the two has: the smaller of the two",
    "cross_alone": "most of it that one clause of the sources has",
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
    "cross_referring": "the second clause has a pronoun",
    "cross_head": "the claim begins as one of the clauses does",
    "cross_words": "words of the claim's clause, at most eight, over eight",
    "cross_single": "the claim has one clause",
    "cross_sure": "the product of cross_framed, cross_orderly and what no other sentence backs",
    "cross_plain": "the product of cross_framed, cross_opposed and what no other sentence backs",
    "cross_clear": "nothing speaks against it, and the claim has all words from the two sentences, in order",
    "cross_sorted": "the product of cross_sure and whether words, values or names of one kind are exchanged",
}
#: Sentences of the sources that are looked at, and that may hold both parts.
SENTENCES = 2
_BACKING = 16
#: Least share of the claim's clause that the two clauses and their sentences hold; more where words are
#: opposed that do not stand in order.
LEAST_HELD = 0.6
_LEAST_HELD_OPPOSED = 0.99
_LEAST_ORDERLY = 0.5
_MOST_BACKED = 0.99
_CLEAR = 0.99
_MOST_WORDS = 8
_PRONOUNS = words("conflicts", "pronouns")
_DUTIES = words("conflicts", "duties")
#: The stem whose opposites stand against a duty.
_DUTY = "requir"


class Taken(NamedTuple):
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
    """

    pair: Pair
    part: Clause
    ours: frozenset[str]
    theirs: frozenset[str]
    left: frozenset[str]
    other_left: frozenset[str]
    of_one: frozenset[str]
    of_other: frozenset[str]


def measures_of(contest: Contest, taken: Taken, whole: Clause) -> dict[str, float] | None:
    """What is seen of a crossing; None where it is none.

    Args:
        contest: the claim against the chunks.
        taken: what a clause of the claim takes from which two clauses.
        whole: all of the claim.
    """
    seen = _shares(contest, taken)
    if seen["cross_framed"] < LEAST_HELD:
        return None
    pair = taken.pair
    side = _side(contest, pair.first, pair.one, taken.ours, taken.left)
    other_side = _side(contest, pair.second, pair.other, taken.theirs, taken.other_left)
    orderly = min(abs(side), abs(other_side)) if side * other_side < 0 else 0.0
    opposed = _opposed(taken.theirs, taken.left) or _opposed(taken.ours, taken.other_left)
    if orderly < _LEAST_ORDERLY and not (
        opposed and seen["cross_framed"] >= _LEAST_HELD_OPPOSED and side * other_side < _LEAST_ORDERLY
    ):
        return None
    backed = _backed(contest, taken)
    if backed > _MOST_BACKED:
        return None
    values, names = _sorts(contest, taken)
    out, rest = taken.left | taken.other_left, whole.stems - taken.part.stems
    told = len(out & rest) / len(out)
    in_order = bool(orderly) and _begins(contest, taken) == (side > 0)
    framed = seen["cross_framed"]
    sure = framed * orderly * (1.0 - backed)
    return {
        **seen,
        **_likeness(contest, taken),
        "cross_alone": _alone(contest, taken),
        "cross_orderly": orderly,
        "cross_straight": in_order,
        "cross_opposed": opposed,
        "cross_values": values,
        "cross_names": names,
        "cross_backed": backed,
        "cross_told": told,
        "cross_single": whole == taken.part,
        "cross_sure": sure,
        "cross_plain": framed * opposed * (1.0 - backed),
        "cross_clear": min(framed, orderly) > _CLEAR and in_order and not backed and not told,
        "cross_sorted": sure * (opposed or values or names),
    }


def _shares(contest: Contest, taken: Taken) -> dict[str, float]:
    """Shares of the claim's clause, by weight, and of what only one of the two clauses has."""
    pair, weight = taken.pair, contest.weight
    both = pair.one.stems | pair.other.stems
    total = held = framed = strange = 0.0
    for stem in sorted(taken.part.stems):
        like, own = like_of(stem), weight(stem)
        total += own
        if not like.isdisjoint(both):
            held += own
        elif not like.isdisjoint(pair.rest):
            framed += own
        elif contest.sources.held.isdisjoint(like):
            strange += own
    lesser = min(sum(map(weight, sorted(taken.of_one))), sum(map(weight, sorted(taken.of_other))))
    least, most = sorted(
        (
            len(taken.ours) / len(taken.ours | taken.left),
            len(taken.theirs) / len(taken.theirs | taken.other_left),
        )
    )
    framed += held
    return {
        "cross_held": held / total,
        "cross_framed": framed / total,
        "cross_astray": (total - framed - strange) / total,
        "cross_strange": strange / total,
        "cross_lesser": lesser / total,
        "cross_least": least,
        "cross_most": most,
    }


def _likeness(contest: Contest, taken: Taken) -> dict[str, float]:
    """How the two clauses are alike, and how they stand to each other."""
    pair, part = taken.pair, taken.part
    view, other_view = contest.chunks[pair.first[0]], contest.chunks[pair.second[0]]
    one = set(view.stems[pair.one.low : pair.one.high])
    other = set(other_view.stems[pair.other.low : pair.other.high])
    short, long = sorted((pair.one.high - pair.one.low, pair.other.high - pair.other.low))
    heads = {view.stems[pair.one.words[0]], other_view.stems[pair.other.words[0]]}
    return {
        "cross_shared": len(one & other) / max(len(one), len(other)),
        "cross_length": short / long,
        "cross_half": pair.is_half,
        "cross_neighbours": pair.first != pair.second,
        "cross_far": pair.is_far,
        "cross_denied": pair.one.denies != pair.other.denies,
        "cross_denies": part.denies,
        "cross_verbs": bool(pair.one.opening) and bool(pair.other.opening),
        "cross_referring": not _PRONOUNS.isdisjoint(other_view.norms[pair.other.low : pair.other.high]),
        "cross_head": contest.claim.stems[part.words[0]] in heads,
        "cross_words": min(len(part.words), _MOST_WORDS) / _MOST_WORDS,
    }


def _begins(contest: Contest, taken: Taken) -> bool:
    """Whether the claim has a word of the first clause's own before any of the other one's."""
    stems, own = contest.claim.stems, taken.of_one | taken.of_other
    return next(stems[n] for n in taken.part.words if stems[n] in own) in taken.of_one


def _alone(contest: Contest, taken: Taken) -> float:
    """Most of the claim's clause, by weight, that one clause of the sentences has which hold most of it."""
    clauses = {taken.pair.one.stems, taken.pair.other.stems}
    for spot in contest.best_sentences(SENTENCES):
        cut = contest.sources.cut(*spot)
        if cut is not None:
            # A whole sentence of several clauses may be what was crossed.
            clauses.update(clause.stems for clause in (*cut.halves[1:], *cut.halves[:-1], *cut.parts))
    words_of = [(like_of(stem), contest.weight(stem)) for stem in sorted(taken.part.stems)]
    most = max(sum(own for like, own in words_of if not like.isdisjoint(stems)) for stems in clauses)
    return most / sum(own for _, own in words_of)


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


def _opposed(some: frozenset[str], others: frozenset[str]) -> bool:
    if not _DUTIES.isdisjoint(others):
        others |= {_DUTY}
    return any(not others.isdisjoint(opposites_of(stem)) for stem in some)


def _backed(contest: Contest, taken: Taken) -> float:
    """Most that a sentence beside the two has of what is taken from both: the smaller share of the two."""
    best, ours, theirs = 0.0, taken.ours, taken.theirs
    for spot in contest.best_sentences(None)[:_BACKING]:
        if spot not in (taken.pair.first, taken.pair.second):
            held = contest.spoken_of(*spot)
            best = max(best, min(len(held & ours) / len(ours), len(held & theirs) / len(theirs)))
    return best


def _sorts(contest: Contest, taken: Taken) -> tuple[bool, bool]:
    """Whether a value stands against one of its kind that is left out, and whether a name against a name."""
    pair = taken.pair
    of_one, of_other = _facts(contest, pair.first, pair.one), _facts(contest, pair.second, pair.other)
    both = _of(of_one, taken.left) & _of(of_other, taken.theirs)
    both |= _of(of_one, taken.ours) & _of(of_other, taken.other_left)
    return not both.isdisjoint(VALUES), "name" in both


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
