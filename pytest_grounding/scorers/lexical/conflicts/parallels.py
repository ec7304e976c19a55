"""Crossed clauses: what one clause speaks of, with what the clause beside it says.

"The staff meeting is public" beside "The budget meeting is public; the staff meeting is private": `crossed`
lays whole statements of one form against each other and decides by their form alone. Here two clauses of one
sentence, or two neighbouring sentences, need not be of one form. Each word of the claim is held for the one
clause, the other, or both; where the claim has a part of each and leaves out a part of each, it may have
crossed them. Answers also join what a text parts: the verifier decides, from the measures below.
"""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.scorers.lexical.conflicts.clauses import Clause, Cut, Pair, cut_up, whole_of
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Rival, candidate
from pytest_grounding.scorers.lexical.conflicts.parallel_measures import (
    LEAST_HELD,
    SENTENCES,
    Taken,
    measures_of,
)
from pytest_grounding.scorers.lexical.conflicts.polarity import like_of
from pytest_grounding.scorers.lexical.conflicts.sources import Place
from pytest_grounding.scorers.lexical.conflicts.view import View

#: Clauses of the claim that are looked at.
_CLAUSES = 4
_FEWEST = 2
#: Sums of floats depend on their order.
_SLACK = 1e-9
#: A crossing with what is measured of it.
_Found = tuple[Taken, dict[str, float]]


def may_cross(claim: View) -> bool:
    """Whether a claim has words enough to take one from either of two clauses."""
    return len(claim.content) >= _FEWEST


def parallel_conflicts(contest: Contest) -> Iterator[Candidate]:
    """The clause of the claim that takes most clearly a part of each of two clauses, if any does."""
    claim = contest.claim
    pairs = list(_pairs(contest))
    whole = whole_of(claim, 0, len(claim.tokens)) if pairs else None
    if whole is None:
        return
    met = _Met(contest, whole)
    # What a clause takes, the whole claim takes as well: most pairs end here.
    pairs = [pair for pair in pairs if met.takes_of_both(pair)]
    found: list[_Found] = []
    for part in _parts_of(cut_up(claim, whole)) if pairs else ():
        own = _Part(met, part)
        for pair in pairs:
            taken = own.taken(pair)
            measures = measures_of(contest, taken, whole) if taken is not None else None
            if taken is not None and measures is not None:
                found.append((taken, measures))
    if found:
        yield _candidate(contest, *max(found, key=_worth))


def _worth(found: _Found) -> float:
    """How much speaks for a crossing."""
    seen = found[1]
    return (
        seen["cross_framed"]
        + seen["cross_held"]
        + seen["cross_orderly"]
        + seen["cross_opposed"]
        + seen["cross_least"]
        + 0.5 * (seen["cross_values"] + seen["cross_names"] + seen["cross_shared"])
        - seen["cross_backed"]
        - seen["cross_told"]
        - seen["cross_alone"]
    )


def _parts_of(cut: Cut) -> list[Clause]:
    """The claim, and its clauses where it has several; "cats and dogs" are none."""
    clauses = cut.parts if all(part.has_verb for part in cut.parts) else ()
    parts = [part for part in dict.fromkeys((*cut.halves, *clauses)) if part != cut.whole]
    return [cut.whole, *(part for part in parts[:_CLAUSES] if len(part.words) >= _FEWEST)]


def _pairs(contest: Contest) -> Iterator[Pair]:
    """Clauses that stand side by side in the sentences that hold most of the claim."""
    pairs, seen = contest.sources.pairs, set()
    for spot in contest.best_sentences(SENTENCES):
        if contest.sources.cut(*spot) is None:
            continue
        chunk, sentence = spot
        yield from pairs(chunk, sentence, sentence)
        last = len(contest.indexes[chunk].sentences) - 1
        for number in (sentence - 1, sentence):
            if 0 <= number < last and (chunk, number) not in seen:
                seen.add((chunk, number))
                yield from pairs(chunk, number, number + 1)


class _Met:
    """What clauses of the sources have of a claim; each is asked for many pairs and clauses of the claim.

    The claim's stems are bits of a number, so that what most pairs end with costs no sets.

    Attributes:
        stems: the stems of the claim, in order, and so of the bits.
        weights: how much each of them binds.
    """

    def __init__(self, contest: Contest, whole: Clause) -> None:
        self.stems: list[str] = sorted(whole.stems)
        self.weights: list[float] = [contest.weight(stem) for stem in self.stems]
        self._bits: dict[str, int] = {}
        for bit, stem in enumerate(self.stems):
            for other in like_of(stem):
                self._bits[other] = self._bits.get(other, 0) | 1 << bit
        self._reach: frozenset[str] = frozenset(self._bits)
        self._met: dict[frozenset[str], int] = {}

    def by(self, stems: frozenset[str]) -> int:
        """Its stems that stand among others, themselves or as a synonym."""
        found = self._met.get(stems)
        if found is None:
            found = 0
            for stem in stems & self._reach:
                found |= self._bits[stem]
            self._met[stems] = found
        return found

    def takes_of_both(self, pair: Pair) -> bool:
        """Whether each of two clauses has a stem of it that the other one has not."""
        by_one, by_other = self.by(pair.one.stems), self.by(pair.other.stems)
        return (by_one | by_other) not in (by_one, by_other)

    def stems_of(self, bits: int) -> frozenset[str]:
        """The stems that bits stand for."""
        return frozenset([stem for bit, stem in enumerate(self.stems) if bits >> bit & 1])

    def as_said(self, bits: int, stems: frozenset[str]) -> frozenset[str]:
        """As what some of its stems stand among others."""
        return frozenset([stem for stem in stems & self._reach if self._bits[stem] & bits])


class _Part:
    """A clause of a claim, which may be all of it.

    Attributes:
        met: what clauses of the sources have of the claim.
        part: the clause.
    """

    def __init__(self, met: _Met, part: Clause) -> None:
        self.met, self.part = met, part
        self._mask = sum(1 << bit for bit, stem in enumerate(met.stems) if stem in part.stems)
        self._least = (LEAST_HELD - _SLACK) * self._weight(self._mask)
        self._is_held: dict[int, bool] = {}

    def _weight(self, bits: int) -> float:
        return sum([own for bit, own in enumerate(self.met.weights) if bits >> bit & 1])

    def is_held(self, bits: int) -> bool:
        """Whether these are enough of it, by weight."""
        found = self._is_held.get(bits)
        if found is None:
            found = self._is_held[bits] = self._weight(bits) >= self._least
        return found

    def taken(self, pair: Pair) -> Taken | None:
        """What it takes from two clauses; None where it does not take a part of each."""
        met, mask = self.met, self._mask
        one, other = pair.one.stems, pair.other.stems
        by_one, by_other = met.by(one) & mask, met.by(other) & mask
        both = by_one | by_other
        if both in (by_one, by_other) or not self.is_held(both | met.by(pair.rest) & mask):
            # Most pairs end here.
            return None
        if not pair.other.opening and pair.one.opening:
            # "Feed at night and rest by day": what feeds rests.
            other |= pair.one.opening
            by_other = met.by(other) & mask
        of_one, of_other = by_one & ~by_other, by_other & ~by_one
        if not of_one or not of_other:
            return None
        ours, theirs = met.as_said(of_one, one), met.as_said(of_other, other)
        left, other_left = one - other - ours, other - one - theirs
        if not left or not other_left:
            return None
        own, others = met.stems_of(of_one), met.stems_of(of_other)
        return Taken(pair, self.part, ours, theirs, left, other_left, own, others)


def _candidate(contest: Contest, taken: Taken, measures: dict[str, float]) -> Candidate:
    """What the claim says, against what the clause says that speaks of the same: where one can be told."""
    claim, pair, part = contest.claim, taken.pair, taken.part
    numbers = [n for n in part.words if claim.stems[n] in taken.of_other]
    spot, clause, left = pair.first, pair.one, taken.left
    if claim.stems[part.words[0]] in taken.of_other:
        # It speaks of what the other clause speaks of.
        numbers = [n for n in part.words if claim.stems[n] in taken.of_one]
        spot, clause, left = pair.second, pair.other, taken.other_left
    view = contest.chunks[spot[0]]
    theirs = [n for n in clause.words if view.stems[n] in left] or list(clause.words)
    told = tuple((name, float(value)) for name, value in measures.items() if value)
    return candidate(
        contest,
        "parallel",
        (claim.tokens[numbers[0]].start, claim.tokens[numbers[-1]].end),
        Rival(measures["cross_framed"], Place(spot[0], theirs[0])),
        (view.tokens[theirs[0]].start, view.tokens[theirs[-1]].end),
    )._replace(measures=told)
