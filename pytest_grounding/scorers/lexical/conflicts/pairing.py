"""Paired words: what one sentence tells side by side in short form, put together the wrong way.

"Children pay €35" beside "Adults pay €35, children €20": both things and both values stand in one sentence,
and mostly no verb parts them. The sentence is cut into *parts*; of two parts the words count that only one of
them holds. A claim crosses them where it takes the front of one part and the back of the other, and leaves
out the back of the first and the front of the second. Answers also join what a text parts, so a line that was
learned decides: `pairing_line`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import combinations, pairwise

from pytest_grounding.lexicon import words
from pytest_grounding.reading import Reading, reading_of
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.crossing import shown
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate
from pytest_grounding.scorers.lexical.conflicts.marks import FINITE
from pytest_grounding.scorers.lexical.conflicts.pairing_line import line, measures_of
from pytest_grounding.scorers.lexical.conflicts.pairing_parts import (
    Crossing,
    Part,
    Words,
    facts_between,
    values_of,
)
from pytest_grounding.scorers.lexical.conflicts.sources import Bounds, Sentence
from pytest_grounding.scorers.lexical.conflicts.view import View, within

#: Sentences of the sources that are looked at, those with most words of the claim first.
_MOST_SENTENCES = 4
#: Words of a sentence, parts of it, and words of a part that the other one does not hold.
_LONGEST = 80
_MOST_PARTS = 8
_MOST_OWN = 10
#: Content words of a claim that leaves out what it speaks of, at most.
_FRAGMENT = 3
_SIGNS = frozenset(",;:()\n")
_PARTING = words("conflicts", "side by side")
_COMPARING = words("conflicts", "comparing both")
_POINTING = words("conflicts", "pointing back")
_PRONOUNS = words("conflicts", "pronouns")


def may_pair(claim: View) -> bool:
    """Whether a claim says something, denies nothing and compares nothing."""
    return bool(claim.content) and not claim.negations and _COMPARING.isdisjoint(claim.norms)


def paired_conflicts(contest: Contest) -> Iterator[Candidate]:
    """The words of the claim that a source says of the thing beside the claim's."""
    weighed = line()
    best = max(
        ((weighed.log_odds(measures_of(contest, found)), found) for found in crossings(contest)),
        key=lambda pair: pair[0],
        default=None,
    )
    if best is not None and best[0] >= weighed.least:
        yield _candidate(contest, best[1])


def crossings(contest: Contest) -> Iterator[Crossing]:
    """Where a claim may have put together what the parts of one sentence say of two things."""
    said = _said(contest)
    for spot in contest.best_sentences(_MOST_SENTENCES):
        parts = _parts(contest, spot)
        for (at, one), (other_at, other) in combinations(enumerate(parts), 2):
            if len(one.own) > 2 * _MOST_OWN or len(other.own) > 2 * _MOST_OWN:
                continue
            is_next = other_at == at + 1
            for own in said:
                if own.isdisjoint(one.own) or own.isdisjoint(other.own):
                    continue
                found = _crossing(contest, spot, (one, other), own, is_next)
                if found is not None and not _is_told_elsewhere(contest, found):
                    yield found._replace(parts=len(parts))


def _said(contest: Contest) -> list[frozenset[str]]:
    """What the parts of the claim say, or all of it where one part alone has a value.

    Of a claim that leaves out what it speaks of the question counts too.
    """
    claim = contest.claim
    parts = parts_of(claim, 0, len(claim.tokens))
    if sum(bool(facts_between(claim, part.low, part.high)) for part in parts) > 1:
        return [frozenset(part.own) for part in parts]
    whole = frozenset([claim.stems[number] for number in _telling(claim, 0, len(claim.tokens))])
    if claim.norms[0] in _PRONOUNS or len(whole) <= _FRAGMENT:
        whole |= contest.given
    return [whole]


def _parts(contest: Contest, spot: Sentence) -> list[Part]:
    """The parts of a sentence of the sources, made once; none of one that denies or points back."""
    chunk, view = spot[0], contest.chunks[spot[0]]
    kept = reading_of(view.text, contest.sources.language).part(_kept)
    low, high = contest.bounds(chunk, spot[1])
    if (low, high) not in kept:
        is_plain = high - low <= _LONGEST and not any(low <= at < high for at in view.negation_at)
        is_plain = is_plain and _POINTING.isdisjoint(view.norms[low:high])
        kept[low, high] = parts_of(view, low, high) if is_plain else []
    return kept[low, high]


def _kept(_: Reading) -> dict[Bounds, list[Part]]:
    """The parts of the sentences of a text, as they are asked for."""
    return {}


def parts_of(view: View, low: int, high: int) -> list[Part]:
    """The parts of a sentence that say something, by its signs and the words that join.

    Args:
        view: the text.
        low: number of the sentence's first word.
        high: number of the first word after it.

    Returns:
        An empty list for a sentence that has one part, or too many.
    """
    cuts = [low, *(number for number in range(low + 1, high) if _is_cut(view, number)), high]
    if not 2 < len(cuts) <= _MOST_PARTS + 1:
        return []
    finite = view.with_mark(FINITE)
    parts = []
    for start, end in pairwise(cuts):
        own: Words = {}
        for number in _telling(view, start, end):
            own.setdefault(view.stems[number], number)
        if own:
            parts.append(Part(start, end, own, bool(within(finite, start, end - 1))))
    return parts


def _telling(view: View, low: int, high: int) -> list[int]:
    """Numbers of the content words of a stretch, and of all words of its values and names: "in May"."""
    numbers = set(within(view.content, low, high - 1))
    for _, (first, last) in facts_between(view, low, high):
        numbers.update(range(first, last + 1))
    return sorted(numbers)


def _is_cut(view: View, number: int) -> bool:
    """Whether a part begins with a word."""
    before = view.norms[number - 1]
    if before not in _PARTING and (view.norms[number] in _PARTING or _SIGNS.isdisjoint(view.gap(number))):
        return False
    at = bisect_left(view.fact_at, number) - 1
    # "9:00" is one value.
    return at < 0 or view.tokens[number].start >= view.facts[at].end


def _crossing(
    contest: Contest, spot: Sentence, pair: tuple[Part, Part], said: frozenset[str], is_next: bool
) -> Crossing | None:
    """What a claim takes from the front of one of two parts and from the back of the other, if it does."""
    one, other = pair
    ours, theirs = _told_apart(contest.chunks[spot[0]], one, other)
    if not 2 <= len(ours) <= _MOST_OWN or not 2 <= len(theirs) <= _MOST_OWN:
        return None
    for first, second, mine, others in ((one, other, ours, theirs), (other, one, theirs, ours)):
        front, left = _parted(mine, said)
        back, lost = _parted(others, said)
        if not front or not left or not back or not lost:
            return None
        if max(front.values()) < max(left.values()) and min(lost.values()) < min(back.values()):
            return Crossing(spot, first, second, said, front, left, back, lost, is_next)
    return None


def _told_apart(view: View, one: Part, other: Part) -> tuple[Words, Words]:
    """Of two parts the words that only the first and only the second holds.

    What the first part says of both is left out: its verb where the other one has none, and what stands on
    the side of its value on which nothing stands beside that of the other.
    """
    first, then = _alone(view, one, other), _alone(view, other, one)
    for value, rival in values_of(view, one, other):
        around = [at for at in then.values() if not rival[0] <= at <= rival[1]]
        if around and min(around) > rival[1]:
            # "Refunds take 5 days by card and 10 by bank transfer"
            first = {stem: at for stem, at in first.items() if at >= value[0]}
        elif around and max(around) < rival[0]:
            first = {stem: at for stem, at in first.items() if at <= value[1]}
    return first, then


def _alone(view: View, one: Part, other: Part) -> Words:
    verbs = set() if other.has_verb else set(within(view.with_mark(FINITE), one.low, one.high - 1))
    return {stem: at for stem, at in one.own.items() if stem not in other.own and at not in verbs}


def _parted(own: Words, said: frozenset[str]) -> tuple[Words, Words]:
    """Those of some words that are said, and the others."""
    taken = {stem: at for stem, at in own.items() if stem in said}
    return taken, {stem: at for stem, at in own.items() if stem not in said}


def _is_told_elsewhere(contest: Contest, found: Crossing) -> bool:
    """Whether another sentence has together what the claim puts together."""
    wanted = found.front.keys() | found.back.keys()
    return any(
        spot != found.spot and wanted <= contest.spoken_of(*spot)
        for spot in contest.best_sentences(_MOST_SENTENCES)
    )


def _candidate(contest: Contest, found: Crossing) -> Candidate:
    claim, view = contest.claim, contest.chunks[found.spot[0]]
    ours = [n for n in range(len(claim.tokens)) if claim.stems[n] in found.back]
    ours = ours or [n for n in range(len(claim.tokens)) if claim.stems[n] in found.front]
    first, last = min(found.left.values()), max(found.left.values())
    return Candidate(
        "paired",
        *shown(claim, ours[0], ours[-1] + 1),
        found.spot[0],
        first,
        *shown(view, first, last + 1),
        1.0,
        contest.cover(*found.spot),
    )
