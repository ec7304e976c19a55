"""Two names that changed places: "A acquired B" against "B acquired A"."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.sides import CLAUSE, shared_slots, slot_of
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.text.facts import Fact

_REACH = 4
_BELONGING = frozenset({"of", "from", "in", "at", "for"})
_SYMMETRIC = frozenset({"and", "or", "between", "both", "with", "versus", "vs"})


def role_conflicts(contest: Contest) -> Iterator[Found]:
    """Pairs of names that stand, in a sentence, each where the claim has the other.

    A name is known by the content word right before and right after it. In "A acquired B" those are
    "acquired" after A and before B; in "B acquired A" they are the other way round.
    """
    claim = contest.claim
    # "Him" with a capital stands for whoever was named last.
    names = [(fact, at) for fact, at in claim.named if not claim.tokens[at].is_stop][:_MOST]
    if len(names) < 2:
        return
    for chunk, sentence in contest.best_sentences(3):
        low, high = contest.bounds(chunk, sentence)
        view = contest.chunks[chunk]
        held = contest.stems(chunk, sentence)
        stems = [(name, claim.stems[name[1]]) for name in names]
        present = [(name, _places(view, low, high, stem)) for name, stem in stems if stem in held]
        for (a, a_places), (b, b_places) in pairwise(present):
            if a[0].key == b[0].key or set(a_places) & set(b_places):
                continue
            if not _changed(contest, view, low, high, a, b, a_places, b_places):
                continue
            rival = view.tokens[b_places[0]]
            cover = contest.cover(chunk, sentence)
            yield Found("role", a[0].start, b[0].end, chunk, b_places[0], rival.start, rival.end, 1.0, cover)


_MOST = 6


def _places(view: View, low: int, high: int, stem: str) -> list[int]:
    """Where a stem stands in a sentence."""
    return [word for word, other in enumerate(view.stems[low:high], start=low) if other == stem]


def _sides(
    view: View, first: int, last: int, low: int, high: int, skip: set[str]
) -> tuple[set[str], set[str]]:
    """Content words within reach before and after words first to last, other names left out."""
    sides: tuple[set[str], set[str]] = (set(), set())
    for side, numbers in zip(
        sides,
        (range(first - 1, max(low, first - _REACH) - 1, -1), range(last + 1, min(high, last + 1 + _REACH))),
        strict=True,
    ):
        for number in numbers:
            token = view.tokens[number]
            if (not token.is_stop or token.norm == "than") and token.stem not in skip:
                side.add(token.stem)
    return sides


def _changed(
    contest: Contest,
    view: View,
    low: int,
    high: int,
    a: tuple[Fact, int],
    b: tuple[Fact, int],
    a_places: list[int],
    b_places: list[int],
) -> bool:
    claim = contest.claim
    skip: set[str] = set()
    ends = []
    for fact, at in (a, b):
        last = at
        while last + 1 < len(claim.tokens) and claim.tokens[last + 1].start < fact.end:
            last += 1
        ends.append(last)
        skip |= {claim.tokens[number].stem for number in range(at, last + 1)}
    between = {token.norm for token in claim.tokens[ends[0] + 1 : b[1]]}
    if between & _SYMMETRIC or not any(
        not token.is_stop or token.norm == "than" for token in claim.tokens[ends[0] + 1 : b[1]]
    ):
        return False
    comma = claim.text[a[0].end : a[0].end + 1] == ","
    if comma or claim.tokens[b[1] - 1].norm in _BELONGING:
        # "Khan, a boxer from Bolton" is "the Bolton boxer Khan".
        return False
    later = max(a_places[0], b_places[0])
    if later > low and view.tokens[later - 1].norm in _BELONGING:
        # "A famous landmark in Paris", as in `turned_names`.
        return False
    first, last = min(a_places[0], b_places[0]), max(a_places[-1], b_places[-1])
    theirs = {token.norm for token in view.tokens[first : last + 1]}
    if ("by" in between) != ("by" in theirs):
        return False
    if "than" in between and not any(
        token.norm in theirs for token in claim.tokens[ends[0] + 1 : b[1]] if not token.is_stop
    ):
        # "Larger than" and "smaller than".
        return False
    straight = crossed = tight = 0
    for at, end, own, other in ((a[1], ends[0], a_places, b_places), (b[1], ends[1], b_places, a_places)):
        length = end - at
        mine = _sides(claim, at, end, 0, len(claim.tokens), skip)
        straight += any(_meet(mine, _sides(view, p, min(high - 1, p + length), low, high, skip)) for p in own)
        crossed += any(_meet(mine, _sides(view, p, p, low, high, skip)) for p in other)
        slot = slot_of(claim, at, end, 0, len(claim.tokens))
        tight += any(shared_slots(slot, slot_of(view, p, p, low, high)) for p in other)
        tight -= 2 * any(
            shared_slots(slot, slot_of(view, p, min(high - 1, p + length), low, high)) for p in own
        )
    return (crossed == 2 and straight == 0) or tight == 2


def _meet(mine: tuple[set[str], set[str]], theirs: tuple[set[str], set[str]]) -> bool:
    return bool(mine[0] & theirs[0] or mine[1] & theirs[1])


def turned_names(contest: Contest) -> Iterator[Found]:
    """A name, a verb and a name, of which a sentence has the second name first and the first one last."""
    claim = contest.claim
    for left, verb, right in _between_names(claim):
        a, v, b = (claim.tokens[number].stem for number in (left, verb, right))
        for chunk, sentence in contest.best_sentences(2):
            if not contest.stems(chunk, sentence) >= {a, v, b}:
                continue
            low, high = contest.bounds(chunk, sentence)
            view = contest.chunks[chunk]
            places: dict[str, list[int]] = {a: [], v: [], b: []}
            for number in range(low, high):
                places.get(view.tokens[number].stem, []).append(number)
            if not places[a] or not places[b] or len(places[v]) != 1:
                continue
            at = places[v][0]
            if not max(places[b]) < at < min(places[a]) <= at + _REACH + 1:
                continue
            if any(view.tokens[number].norm in _SYMMETRIC for number in range(at, min(places[a]))):
                continue
            if view.tokens[min(places[a]) - 1].norm in _BELONGING:
                # "A famous landmark in Paris": where it stands, and nothing that it does to Paris.
                continue
            if _is_passive(view, at, high) != _is_passive(claim, verb, len(claim.tokens)):
                continue
            if at + 1 < high and view.tokens[at + 1].norm == "of":
                # "Lost the colony of": a noun.
                continue
            rival, cover = view.tokens[at], contest.cover(chunk, sentence)
            token = claim.tokens[verb]
            yield Found("turned", token.start, token.end, chunk, at, rival.start, rival.end, 1.0, cover)
            return


def _between_names(claim: View) -> Iterator[tuple[int, int, int]]:
    """Names with a content word or two between them: a word of the first, that word, a word of the second."""
    tokens = claim.tokens
    if len(claim.named) < 2:
        return
    heads = {claim.end_of(fact, at): at for fact, at in claim.named}
    firsts = set(heads.values())
    for left in sorted(heads):
        after = bisect_right(claim.content, left)
        inside = claim.content[after : bisect_right(claim.content, left + _REACH + 2, after)]
        if not inside or inside[0] in firsts:
            continue
        verb = inside[0]
        right = next((number for number in inside[1:3] if number in firsts), None)
        if right is None:
            continue
        joined = {token.norm for token in tokens[left + 1 : right]}
        if joined & _SYMMETRIC or not CLAUSE.isdisjoint(claim.text[tokens[left].end : tokens[right].start]):
            continue
        yield heads[left], verb, right


def _is_passive(view: View, number: int, high: int) -> bool:
    """Whether "by" follows soon after a word."""
    return any(view.tokens[at].norm == "by" for at in range(number + 1, min(high, number + 4)))
