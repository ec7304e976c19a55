"""How often: "daily" beside "once a week", "every month" beside "every year"."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Duel, Rival, candidate
from pytest_grounding.scorers.lexical.conflicts.sources import Place, Sentence
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.text.facts import Fact
from pytest_grounding.text.facts.often import Often, agree, often_in

#: Statements of how often that are compared; beyond them is a table or an attack.
_MOST_OF_CLAIM, _MOST_OF_CHUNK = 10, 200
_SIGNS = frozenset(",;:()")
_JOINING = words("conflicts", "joining statements")


class _Said(NamedTuple):
    """Words of a text that say how often, and the words that they are said of."""

    often: Often
    place: Place
    last: int
    sentence: Sentence
    part: frozenset[str]


def often_conflicts(contest: Contest) -> Iterator[Candidate]:
    """What the claim says of how often, against another answer to that, bound to the same words."""
    owns = _said_in(contest.claim, -1, _MOST_OF_CLAIM)
    said = _said(contest) if owns else []
    for own in owns if said else ():
        others = [mine for mine in owns if mine is not own]
        duel = Duel(contest, own.place.word, own.last)
        for one, share in _compared(contest, own, said):
            strength = contest.bind(own.place.word, own.last, one.place)
            if own.part:
                # What stands in another part of the claim may be done as often as it will.
                strength = (strength + share) / 2
            if _says_same(own.often, one.often):
                duel.agree(strength, one.sentence)
            elif (share or not own.part) and not _is_said_too(contest, one, strength, others):
                duel.differ(strength, one.place, one.often, share)
        rival = duel.winner()
        if rival is not None and not _are_values(contest, own.often, rival):
            ours, theirs = (own.often.start, own.often.end), (rival.what.start, rival.what.end)
            yield candidate(contest, "number", ours, rival, theirs)


def agreeing_elsewhere(contest: Contest, fact: Fact) -> Iterator[Place]:
    """Where the sources say how often as the claim does around a value of it: "weekly", "every 7 days"."""
    for own in _said_in(contest.claim, -1, _MOST_OF_CLAIM):
        if own.often.start <= fact.start and fact.end <= own.often.end:
            found = _compared(contest, own, _said(contest))
            yield from (one.place for one, _ in found if _says_same(own.often, one.often))


def _compared(contest: Contest, own: _Said, said: list[_Said]) -> list[tuple[_Said, float]]:
    """What the chunks say of how often, each with how much of what the claim says it of stands beside it."""
    total = sum(map(contest.weight, sorted(own.part))) or 1.0
    shares = [sum(map(contest.weight, sorted(own.part & one.part))) / total for one in said]
    most: dict[Sentence, float] = {}
    for one, share in zip(said, shares, strict=True):
        if not _says_same(own.often, one.often):
            most[one.sentence] = max(most.get(one.sentence, 0.0), share)
    return [
        (one, share)
        for one, share in zip(said, shares, strict=True)
        if share >= most.get(one.sentence, 0.0) or not _says_same(own.often, one.often)
    ]


def _is_said_too(contest: Contest, one: _Said, strength: float, others: list[_Said]) -> bool:
    """Whether the claim says as a source does, of what is bound there at least as well."""
    return any(
        _says_same(mine.often, one.often) and contest.bind(mine.place.word, mine.last, one.place) >= strength
        for mine in others
    )


def _says_same(own: Often, other: Often) -> bool:
    """Whether a source that says how often says what a claim does: who works daily works on Mondays too."""
    return agree(own, other) or (own.named and own.high <= other.low)


def _are_values(contest: Contest, own: Often, rival: Rival) -> bool:
    """Whether both are values in one unit, which the finder of values compares."""
    ours, theirs = (
        {
            "s" if fact.unit == "mo" else fact.unit
            for fact in view.facts
            if fact.unit and one.start <= fact.start and fact.end <= one.end
        }
        for view, one in ((contest.claim, own), (contest.chunks[rival.place.chunk], rival.what))
    )
    return not ours.isdisjoint(theirs)


def _said(contest: Contest) -> list[_Said]:
    """What the chunks say of how often, in order."""
    return [one for chunk, view in enumerate(contest.chunks) for one in _said_in(view, chunk, _MOST_OF_CHUNK)]


def _said_in(view: View, chunk: int, most: int) -> list[_Said]:
    """What a text says of how often, in order."""
    found = [
        (one, *view.words_between(one.start, one.end)) for one in often_in(view.text)[:most] if view.tokens
    ]
    said = []
    for number, (often, first, last) in enumerate(found):
        own = view.sentence_of[first]
        low, high = bisect_left(view.sentence_of, own), bisect_right(view.sentence_of, own)
        if number and found[number - 1][2] >= low:
            low = _edge(view, found[number - 1][2], first)
        if number + 1 < len(found) and found[number + 1][1] < high:
            high = _edge(view, last, found[number + 1][1])
        telling = view.content[bisect_left(view.content, low) : bisect_left(view.content, high)]
        part = frozenset(view.stems[at] for at in telling if not first <= at <= last)
        said.append(_Said(often, Place(chunk, first), last, (chunk, own), part))
    return said


def _edge(view: View, last: int, first: int) -> int:
    """The word between two statements with which the second begins."""
    for at in range(last + 1, first):
        between = view.gap(at)
        if not _SIGNS.isdisjoint(between) or view.norms[at] in _JOINING:
            return at
    return last + 1
