"""What the verifier sees of a candidate: numbers that part a real conflict from statements of two things.

Two groups carry it. *Frames*: how many words stand alike left and right of the claim's words and of the
rival, against the best place where the sources use the claim's own words. *Polarity*: whether claim and rival
deny, and how well a sentence of the claim's own polarity covers it. How well allies cover the claim is told
by the finders already: as numbers of their own they added nothing (docs/conflicts.md).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate
from pytest_grounding.scorers.lexical.conflicts.kinds import KINDS
from pytest_grounding.scorers.lexical.conflicts.marks import TURNING
from pytest_grounding.scorers.lexical.conflicts.sources import VALUES, Sentence
from pytest_grounding.scorers.lexical.conflicts.view import View

#: Reasons that finders know for which a candidate may be none.
DOUBTS: dict[str, str] = {
    "near": "the same number with a limit or a period on one side only",
    "other_head": "a bare number, and no word next to it is next to the rival",
    "given": "some source gives the value, if not of this",
    "loose": "a denial that sources put in many other ways",
    "unsure": "a denial of a condition, or of what may be",
    "unsaid": "the source does not speak of what is denied",
    "other_thing": "what the word describes is not what its opposite describes",
    "held": "the rival's sentence holds the name",
    "joined": "what is said of one of two joined names may be said of the other",
}
#: Names of the features, in the order of `features_of`.
FEATURES: dict[str, str] = {
    "strength": "how well the rival is bound, as its finder says",
    "cover": "how much of the claim the rival's sentence holds, as its finder says",
    **{f"doubt_{name}": reason for name, reason in DOUBTS.items()},
    "frame_left": "equal words in a row left of the claim's words and of the rival, at most 5",
    "frame_right": "the same to the right",
    "frame_ally": "equal words in a row on both sides of the best place of the claim's own words",
    "frame_gap": "frame_left + frame_right - frame_ally",
    "near_left": "of the three content words to the left, how many stand left of the rival too",
    "near_right": "the same to the right",
    "denies": "whether the claim denies",
    "rival_denies": "whether the rival's sentence denies",
    "polarity": "whether just one of them denies",
    "same_polarity": "most of the claim in a sentence with a disputed word that denies as the claim does",
    "other_polarity": "most of the claim that a sentence holds which does not",
    "polarity_gap": "other_polarity minus same_polarity",
    "conditional": "whether the claim has a condition or a hedge",
    "rival_conditional": "whether the rival's sentence has one",
    "rest_words": "content words of the claim besides the disputed ones, at most 10, over ten",
    "few_words": "whether the rest has at most two content words",
    "pronoun": "whether the claim begins with a pronoun",
    "missing": "share of the rest, by weight, that no source holds",
    "subject": "whether the first content word of the claim stands in the rival's sentence; half: before it",
    "names": "share of the claim's other names in the rival's sentence or before it; 1 without any",
    "numbers": "share of the claim's other numbers in the rival's sentence; 1 without any",
    "asked": "whether the question holds a disputed word, but for denials",
    "twice": "whether the claim holds the rival's words too",
    "same_sort": "for values: whether both are of one kind and unit",
    "same_digits": "whether the claim's words and the rival hold the same digits, and some",
    "one": "for values: whether the claim's is none or one",
    "bare": "for values: whether the claim's is a number without a unit",
    "alike": "whether a word of the claim's and one of the rival's begin with the same three letters",
    "soft": "whether just the rival's sentence holds a word that denies, negations included",
    "own_soft": "whether just the claim holds one",
    "cue": "whether the rival's sentence holds a word that denies without a negation, or shuts out",
    "only": "whether the rival's sentence says that something holds only of something",
    "own_only": "whether the claim says so",
    "raised": "how many candidates the claim raises, at most 6",
    "unknown": "whether no source holds any disputed word",
    "whole": "whether the rival is a whole sentence",
    **{f"is_{kind.name}": f"whether the kind is {kind.name}" for kind in KINDS if kind.trained},
}

_COLUMNS = tuple(kind.name for kind in KINDS if kind.trained)
_REACH = 5
_CLOSE = 3
#: Places of the claim's own words that are looked at.
_MOST_PLACES = 40
_MOST_REST = 10
_MOST_RAISED = 6
_HEDGES = words("conflicts", "hedges")
_PRONOUNS = words("conflicts", "pronouns")
_FEW = 3
_ONLY = words("conflicts", "shutting out")


class Disputed(NamedTuple):
    """The words of the claim that a candidate is about.

    Attributes:
        first: number of the first.
        last: number of the last.
        stems: stems of those that are no stop words; of all, where there are none.
    """

    first: int
    last: int
    stems: frozenset[str]


def words_between(view: View, start: int, end: int) -> tuple[int, int]:
    """Numbers of the first and the last word of a stretch of a text."""
    tokens = view.tokens
    low, high = 0, len(tokens)
    while low < high:
        middle = (low + high) // 2
        if tokens[middle].end <= start:
            low = middle + 1
        else:
            high = middle
    last = low
    while last + 1 < len(tokens) and tokens[last + 1].start < end:
        last += 1
    return min(low, len(tokens) - 1), min(last, len(tokens) - 1)


def disputed_of(contest: Contest, found: Candidate) -> Disputed:
    """The words of the claim that a candidate is about."""
    claim = contest.claim
    first, last = words_between(claim, found.start, found.end)
    inside = claim.tokens[first : last + 1]
    stems = frozenset(token.stem for token in inside if not token.is_stop) or frozenset(
        t.stem for t in inside
    )
    return Disputed(first, last, stems)


def features_of(contest: Contest, found: Candidate, raised: int) -> list[float]:
    """The features of one candidate, in the order of `FEATURES`.

    Args:
        contest: the claim against the chunks.
        found: the candidate.
        raised: number of candidates of the claim.
    """
    disputed = disputed_of(contest, found)
    view = contest.chunks[found.chunk]
    place = found.chunk, view.sentence_of[found.word]
    first, last = words_between(view, found.rival_start, found.rival_end)
    low, high = contest.bounds(*place)
    whole = first <= low and last + 1 >= high
    denies = bool(contest.claim.negations)
    left, right = (0, 0) if whole else _frame(contest, disputed, found.chunk, first, last)
    own = _own_frame(contest, disputed, (found.chunk, first))
    near_left, near_right = (0, 0) if whole else _near(contest, disputed, view, first, last)
    rival_denies = place in contest.sources.denying
    same, other = _polarities(contest, disputed, denies)
    values = [
        found.strength,
        found.cover,
        *(name in found.doubts for name in DOUBTS),
        left,
        right,
        own,
        left + right - own,
        near_left,
        near_right,
        denies,
        rival_denies,
        denies != rival_denies,
        same,
        other,
        other - same,
        not _HEDGES.isdisjoint(contest.claim.norms),
        not _HEDGES.isdisjoint(view.norms[low:high]),
        *_rest(contest, disputed, place),
        # "Does it have fans?" holds what is denied, and tells nothing of whether it is.
        found.kind != "negation" and not disputed.stems.isdisjoint(contest.given),
        *_likeness(contest, disputed, found, first, last, whole),
        *_softness(contest, place),
        min(raised, _MOST_RAISED),
        not any(contest.sources.holds(stem) for stem in disputed.stems),
        whole,
        *(found.kind == name for name in _COLUMNS),
    ]
    return [float(value) for value in values]


def _frame(contest: Contest, disputed: Disputed, chunk: int, first: int, last: int) -> tuple[int, int]:
    """Equal words in a row left and right of the claim's words and of words of a chunk."""
    claim, view = contest.claim, contest.chunks[chunk]
    low, high = contest.bounds(chunk, view.sentence_of[first])
    left = 0
    while (
        left < _REACH
        and disputed.first - left > 0
        and first - left > low
        and (
            claim.stems[disputed.first - left - 1] == view.stems[first - left - 1]
            # "It has no fans" has the subject of the sentence before.
            or (
                view.norms[first - left - 1] in _PRONOUNS
                and claim.stems[disputed.first - left - 1]
                in contest.indexes[chunk].carried.get(view.sentence_of[first], ())
            )
        )
    ):
        left += 1
    right = 0
    while (
        right < _REACH
        and disputed.last + right + 1 < len(claim.stems)
        and last + right + 1 < high
        and claim.stems[disputed.last + right + 1] == view.stems[last + right + 1]
    ):
        right += 1
    return left, right


def _own_frame(contest: Contest, disputed: Disputed, rival: tuple[int, int]) -> int:
    """Equal words in a row around the claim's own words, where the sources use them best."""
    claim = contest.claim
    stem = claim.stems[disputed.first]
    best = 0
    for place in contest.places(stem)[:_MOST_PLACES]:
        if place != rival:
            end = place.word + disputed.last - disputed.first
            if end < len(contest.chunks[place.chunk].stems):
                best = max(best, sum(_frame(contest, disputed, place.chunk, place.word, end)))
    return best


def _near(contest: Contest, disputed: Disputed, view: View, first: int, last: int) -> tuple[int, int]:
    """Of the nearest content words on each side, how many stand on that side of the rival."""
    claim = contest.claim
    own = view.sentence_of[first]
    at = bisect_left(claim.content, disputed.first)
    left = {claim.stems[number] for number in claim.content[max(0, at - _CLOSE) : at]}
    at = bisect_left(claim.content, disputed.last + 1)
    right = {claim.stems[number] for number in claim.content[at : at + _CLOSE]}
    at = bisect_left(view.content, first)
    before = {view.stems[n] for n in view.content[max(0, at - _CLOSE) : at] if view.sentence_of[n] == own}
    at = bisect_left(view.content, last + 1)
    after = {view.stems[n] for n in view.content[at : at + _CLOSE] if view.sentence_of[n] == own}
    return len(left & before), len(right & after)


def digits_in(text: str) -> str:
    """The digits of a text."""
    return "".join(filter(str.isdecimal, text))


def _likeness(
    contest: Contest, disputed: Disputed, found: Candidate, first: int, last: int, whole: bool
) -> Sequence[float]:
    """Whether the claim holds the rival's words too, and how the two are alike."""
    claim, view = contest.claim, contest.chunks[found.chunk]
    fact = next((item for item in claim.facts if item.start == found.start and item.kind in VALUES), None)
    other = next((item for item in view.facts if item.start == found.rival_start), None) if fact else None
    rivals = {view.stems[number] for number in range(first, last + 1) if not view.tokens[number].is_stop}
    others = {stem for n, stem in enumerate(claim.stems) if not disputed.first <= n <= disputed.last}
    twice = bool(rivals) and not whole and rivals <= others
    same = fact is not None and other is not None and (fact.kind, fact.unit) == (other.kind, other.unit)
    alike = not whole and any(
        a[:3] == b[:3] for a in disputed.stems for b in rivals if len(a) > 3 and len(b) > 3
    )
    ours = digits_in(claim.text[found.start : found.end])
    digits = bool(ours) and ours == digits_in(view.text[found.rival_start : found.rival_end])
    one = fact is not None and fact.value in {0.0, 1.0}
    bare = fact is not None and not fact.unit and fact.kind == "number"
    return twice, same, digits, one, bare, alike


def _softness(contest: Contest, place: Sentence) -> tuple[bool, ...]:
    """Whether just one side denies in any way; soft denials of the source, and "only" on either side."""
    view = contest.chunks[place[0]]
    low, high = contest.bounds(*place)
    cues = view.cues[bisect_left(view.cues, low) : bisect_left(view.cues, high)]
    theirs, ours = bool(cues), bool(contest.claim.cues)
    norms = view.norms[low:high]
    soft = any(view.norms[number] in TURNING for number in cues)
    return (
        theirs and not ours,
        ours and not theirs,
        soft,
        not _ONLY.isdisjoint(norms),
        not _ONLY.isdisjoint(contest.claim.norms),
    )


def _polarities(contest: Contest, disputed: Disputed, denies: bool) -> tuple[float, float]:
    """Most of the claim that a sentence holds: of those that deny as the claim does, and of the others.

    A sentence that denies as the claim does says the same only where it holds a disputed word.
    """
    same = other = 0.0
    denying = contest.sources.denying
    for place, weight in contest.covers.items():
        if (place in denying) == denies:
            if not disputed.stems.isdisjoint(contest.stems(*place)):
                same = max(same, weight)
        else:
            other = max(other, weight)
    total = contest.total or 1.0
    return same / total, other / total


def _rest(contest: Contest, disputed: Disputed, place: Sentence) -> Sequence[float]:
    """Size of the rest, what of it is missing, and whether its subject, names and numbers are there."""
    claim, (chunk, sentence) = contest.claim, place
    here = contest.spoken_of(chunk, sentence)
    before = contest.spoken_of(chunk, sentence - 1) if sentence else frozenset[str]()
    rest = [claim.tokens[number] for number in claim.content if claim.stems[number] not in disputed.stems]
    names = [token.stem in here or token.stem in before for token in rest if token.is_name]
    numbers = [token.stem in here for token in rest if token.is_number]
    weights = {token.stem: contest.weight(token.stem) for token in rest}
    lost = sum(weight for stem, weight in weights.items() if not contest.sources.holds(stem))
    subject = 0.0
    if rest:
        subject = 1.0 if rest[0].stem in here else 0.5 if rest[0].stem in before else 0.0
    return (
        min(len(rest), _MOST_REST) / _MOST_REST,
        len(rest) < _FEW,
        bool(claim.norms) and claim.norms[0] in _PRONOUNS,
        lost / sum(weights.values()) if rest else 0.0,
        subject,
        sum(names) / len(names) if names else 1.0,
        sum(numbers) / len(numbers) if numbers else 1.0,
    )
