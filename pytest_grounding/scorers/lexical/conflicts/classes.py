"""Words of which mostly one is true of a thing: "a blue light" where the source says "a green light"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pytest_grounding.scorers.lexical.background import synonyms_of
from pytest_grounding.scorers.lexical.conflicts.classwords import ClassWord, Member
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Duel, candidate
from pytest_grounding.scorers.lexical.conflicts.opposites import agree_in_mirror
from pytest_grounding.scorers.lexical.conflicts.sources import Bounds, Classed, Place, slot_of
from pytest_grounding.scorers.lexical.conflicts.view import View

#: What is measured of a candidate.
MEASURES: dict[str, str] = {
    "class_behind": "the same content word stands behind the claim's word of a class and behind the rival",
    "class_ahead": "the same one stands before both",
    "class_joint": "the same small word joins both to what is before them, or a word of the frame",
    "class_many": "other words of the class in the rival's sentence, at most three, over three",
    "class_own": "other words of the class in the claim, at most three, over three",
    "class_names": "the words of the class are names",
    "class_known": "the sources have the claim's word, or one that agrees, in another sentence",
    "class_last": "both stand at the end of their sentences",
}
#: How well a rival must be bound.
_LEAST = 0.3
_MOST_OTHERS = 3
#: Small words between a word of a class and what joins it to the rest are skipped.
_SKIPPED = frozenset(("a", "an", "the"))


#: Classes of words that relate two things: turned round, another word says the same.
_RELATING = frozenset(("directions", "sides", "places_in_a_thing", "older_family", "younger_family"))


class _Found(NamedTuple):
    """A candidate with how well its rival is bound."""

    strength: float
    candidate: Candidate


def has_class_words(claim: View) -> bool:
    """Whether a claim has a word of a class."""
    return bool(claim.class_words)


def class_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Words of classes in the claim against which another word of the class stands in a chunk."""
    claim = contest.claim
    for word in claim.class_words:
        if not any(number in claim.denied for number in range(word.first, word.last + 1)):
            found = [
                one
                for member in word.members
                if member.group in contest.sources.classed
                for one in _against(contest, word, member)
            ]
            if found:
                yield max(found, key=lambda one: one.strength).candidate


def _against(contest: Contest, word: ClassWord, member: Member) -> Iterator[_Found]:
    theirs = contest.sources.classed[member.group]
    others = [one for one in theirs if not one.member.agrees(member)]
    if not others:
        return
    first, last = word.first, word.last
    same = frozenset(one.sentence for one in theirs if one.member.agrees(member))
    duel, least = Duel(contest, first, last), _LEAST
    for other in others:
        if other.sentence in same or contest.local(first, last, *other.sentence) <= least:
            continue
        if other.place.word in contest.chunks[other.place.chunk].denied or _says_it(contest, word, other):
            continue
        if member.group in _RELATING and _is_mirrored(contest, word, other):
            # "East of the church", "the church lies west of it".
            continue
        strength = contest.bind(first, last, other.place)
        if strength > least and not _is_claimed(contest, other, strength):
            duel.differ(strength, other.place, other)
            least = strength
    if duel.rival is None:
        return
    for one in theirs:
        if one.sentence in same:
            duel.meet(one.place, agrees=True)
    rival = duel.winner()
    if rival is not None:
        own = contest.claim.tokens[first].start, contest.claim.tokens[last].end
        tokens = contest.chunks[rival.place.chunk].tokens
        span = tokens[rival.what.word.first].start, tokens[rival.what.word.last].end
        found = candidate(contest, "class", own, rival, span)
        measures = _measures(contest, word, member, rival.what, known=bool(same))
        yield _Found(rival.strength, found._replace(measures=measures))


def _is_mirrored(contest: Contest, word: ClassWord, other: Classed) -> bool:
    """Whether two words that relate things have these the other way round."""
    return agree_in_mirror(contest, word.last, Place(other.place.chunk, other.word.last), "antonym")


def _says_it(contest: Contest, word: ClassWord, other: Classed) -> bool:
    """Whether the sentence of a rival holds the claim's word in another form, or one that says the same."""
    held = contest.stems(*other.sentence)
    if word.first < word.last:
        return held.issuperset(contest.claim.stems[word.first : word.last + 1])
    stem = contest.claim.stems[word.first]
    return stem in held or not held.isdisjoint(synonyms_of(stem))


def _is_claimed(contest: Contest, other: Classed, strength: float) -> bool:
    """Whether the claim has the rival too, and speaks of it there."""
    return any(
        contest.bind(own.first, own.last, other.place) >= strength
        for own in contest.claim.class_words
        if any(one.group == other.member.group and one.agrees(other.member) for one in own.members)
    )


def _measures(
    contest: Contest, word: ClassWord, member: Member, other: Classed, *, known: bool
) -> tuple[tuple[str, float], ...]:
    claim, view = contest.claim, contest.chunks[other.place.chunk]
    whole: Bounds = (0, len(claim.tokens))
    bounds = contest.bounds(*other.sentence)
    ahead, behind = slot_of(claim, word.first, word.last, *whole)
    their_ahead, their_behind = slot_of(view, other.word.first, other.word.last, *bounds)
    mine = _joint(claim, word.first, 0)
    return (
        ("class_behind", behind == their_behind != ""),
        ("class_ahead", ahead == their_ahead != ""),
        ("class_joint", mine == _joint(view, other.word.first, bounds[0]) != ""),
        ("class_many", _others(contest.sources.classed[member.group], other) / _MOST_OTHERS),
        ("class_own", _beside(claim, word, member) / _MOST_OTHERS),
        ("class_names", member.is_capital),
        ("class_known", known),
        ("class_last", word.last + 1 == whole[1] and other.word.last + 1 == bounds[1]),
    )


def _joint(view: View, number: int, low: int) -> str:
    """The word before one, articles left out."""
    for at in range(number - 1, low - 1, -1):
        if view.norms[at] not in _SKIPPED:
            return view.stems[at]
    return ""


def _others(theirs: list[Classed], other: Classed) -> int:
    """How many more words of the class the rival's sentence holds."""
    names = {one.member.name for one in theirs if one.sentence == other.sentence}
    return min(len(names) - 1, _MOST_OTHERS)


def _beside(claim: View, word: ClassWord, member: Member) -> int:
    """How many more words of the class the claim holds."""
    names = {
        one.name
        for own in claim.class_words
        if own.first != word.first
        for one in own.members
        if one.group == member.group and not one.agrees(member)
    }
    return min(len(names), _MOST_OTHERS)
