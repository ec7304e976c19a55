"""What the verifier sees of a candidate: numbers that tell a conflict from two statements about two things.

Three groups carry it. *Allies*: how much of the rest of the claim a sentence holds that also holds the
disputed words, against how much the rival's sentence holds. *Frames*: how many words stand alike left and
right of the claim's words and of the rival, against the best place where the sources use the claim's own
words. *Polarity*: whether claim and rival deny, and how well a sentence of the claim's own polarity
covers it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from pytest_grounding.scorers.lexical.conflicts.contest import Contest, Place
from pytest_grounding.scorers.lexical.conflicts.marks import TURNING
from pytest_grounding.scorers.lexical.conflicts.sources import VALUES
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.text.facts import comparable, compatible

#: Kinds of candidates, each with a column of its own.
KINDS = tuple("number unit date negation antonym opposed comparison order modality quantifier entity".split())
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
    "rival": "share of the rest of the claim, without the disputed words, in the rival's sentence",
    "rival_around": "the same with the sentences before and after it",
    "ally": "most of the rest that a sentence with the disputed words holds",
    "ally_around": "the same with the sentences before and after it",
    "gap": "rival minus ally",
    "gap_around": "rival_around minus ally_around",
    "ally_same": "as ally, of sentences that deny as the claim does",
    "frame_left": "equal words in a row left of the claim's words and of the rival, at most 5",
    "frame_right": "the same to the right",
    "frame_ally": "equal words in a row on both sides of the best place of the claim's own words",
    "frame_gap": "frame_left + frame_right - frame_ally",
    "near_left": "of the three content words to the left, how many stand left of the rival too",
    "near_right": "the same to the right",
    "denies": "whether the claim denies",
    "rival_denies": "whether the rival's sentence denies",
    "polarity": "whether just one of them denies",
    "same_polarity": "most of the claim that a sentence holds which denies as the claim does",
    "other_polarity": "most of the claim that a sentence holds which does not",
    "polarity_gap": "other_polarity minus same_polarity",
    "conditional": "whether the claim has a condition or a hedge",
    "rival_conditional": "whether the rival's sentence has one",
    "rest_words": "content words of the claim besides the disputed ones, at most 10, over ten",
    "few_words": "whether the rest has at most two content words",
    "pronoun": "whether the claim begins with a pronoun",
    "missing": "share of the rest, by weight, that no source holds",
    "subject": "whether the first content word of the claim stands in the rival's sentence; half: before it",
    "names": "share of the claim's other names in the rival's sentence or before it; 1 where it has none",
    "numbers": "share of the claim's other numbers in the rival's sentence; 1 where it has none",
    "asked": "whether the question holds a disputed word",
    "bind": "how well the rival is bound to the words around the claim's words",
    "own_bind": "how well the claim's own words, or an equal value, are bound at best",
    "bind_gap": "bind minus own_bind",
    "said": "whether a sentence says the disputed words or an equal value: 1 the rival's, 0.5 another one",
    "twice": "whether the claim holds the rival's words too",
    "same_sort": "for values: whether both are of one kind and unit",
    "same_digits": "whether the claim's words and the rival hold the same digits, and some",
    "one": "for values: whether the claim's is none or one",
    "bare": "for values: whether the claim's is a number without a unit",
    "alike": "whether a word of the claim's and one of the rival's begin with the same three letters",
    "soft": "whether the rival's sentence denies without a negation and the claim does not",
    "own_soft": "whether the claim does and the rival's sentence does not",
    "cue": "whether the rival's sentence holds a word that denies without a negation, or shuts out",
    "only": "whether the rival's sentence says that something holds only of something",
    "own_only": "whether the claim says so",
    "held_head": "share of the disputed content words that the rival's sentence holds",
    "raised": "how many candidates the claim raises, at most 6",
    "unknown": "whether no source holds any disputed word",
    "whole": "whether the rival is a whole sentence",
    **{f"is_{kind}": f"whether the kind is {kind}" for kind in KINDS},
}

_REACH = 5
_CLOSE = 3
#: Places of the claim's own words that are looked at.
_MOST_PLACES = 40
_MOST_REST = 10
_MOST_RAISED = 6
_HEDGES = frozenset(
    "if unless whether may might could would should possibly perhaps probably likely usually often generally "
    "typically sometimes about can until when".split()
)
_PRONOUNS = frozenset("he she it they this these that those his her its their".split())
_FEW = 3
_ONLY = frozenset({"only", "solely", "exclusively", "alone", "just", "unless", "except"})
_Sentence = tuple[int, int]


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


def disputed_of(contest: Contest, found: Found) -> Disputed:
    """The words of the claim that a candidate is about."""
    claim = contest.claim
    first, last = words_between(claim, found.start, found.end)
    inside = claim.tokens[first : last + 1]
    stems = frozenset(token.stem for token in inside if not token.is_stop) or frozenset(
        t.stem for t in inside
    )
    return Disputed(first, last, stems)


def features_of(contest: Contest, found: Found, raised: int) -> list[float]:
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
    rival = contest.cover(*place, without=disputed.stems)
    around = contest.cover_around(*place, without=disputed.stems)
    denies = bool(contest.claim.negations)
    ally, ally_around, ally_same = _allies(contest, disputed, place, denies)
    left, right = (0, 0) if whole else _frame(contest, disputed, found.chunk, first, last)
    own = _own_frame(contest, disputed, (found.chunk, first))
    near_left, near_right = (0, 0) if whole else _near(contest, disputed, view, first, last)
    rival_denies = place in contest.sources.denying
    same, other = _polarities(contest, denies)
    values = [
        found.strength,
        found.cover,
        *(name in found.doubts for name in DOUBTS),
        rival,
        around,
        ally,
        ally_around,
        rival - ally,
        around - ally_around,
        ally_same,
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
        not disputed.stems.isdisjoint(contest.given),
        *_bonds(contest, disputed, found, place, first, last, whole),
        *_softness(contest, place),
        sum(stem in contest.stems(*place) for stem in disputed.stems) / len(disputed.stems),
        min(raised, _MOST_RAISED),
        not any(contest.sources.holds(stem) for stem in disputed.stems),
        whole,
        *(found.kind == kind for kind in KINDS),
    ]
    return [float(value) for value in values]


def _allies(
    contest: Contest, disputed: Disputed, rival: _Sentence, denies: bool
) -> tuple[float, float, float]:
    """The best cover by a sentence with the disputed words: alone, with neighbours, of the same polarity."""
    holding: set[_Sentence] | None = None
    for stem in sorted(disputed.stems):
        sentences = contest.sources.spots(stem).sentences
        holding = set(sentences) if holding is None else holding.intersection(sentences)
        if not holding:
            return 0.0, 0.0, 0.0
    ranked = sorted((-contest.covers.get(place, 0.0), place) for place in holding or ())
    best = best_around = best_same = 0.0
    for _, place in ranked[:_MOST_PLACES]:
        # The rival's own sentence is an ally only where it says the disputed words in the claim's polarity.
        same = (place in contest.sources.denying) == denies
        cover = contest.cover(*place, without=disputed.stems)
        if place != rival or same:
            best = max(best, cover)
            best_around = max(best_around, contest.cover_around(*place, without=disputed.stems))
        if same:
            best_same = max(best_same, cover)
    return best, best_around, best_same


def _frame(contest: Contest, disputed: Disputed, chunk: int, first: int, last: int) -> tuple[int, int]:
    """Equal words in a row left and right of the claim's words and of words of a chunk."""
    claim, view = contest.claim, contest.chunks[chunk]
    low, high = contest.bounds(chunk, view.sentence_of[first])
    left = 0
    while (
        left < _REACH
        and disputed.first - left > 0
        and first - left > low
        and claim.stems[disputed.first - left - 1] == view.stems[first - left - 1]
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
    """How many of the nearest content words, left and right of the claim's words, stand so by the rival."""
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


def _bonds(
    contest: Contest, disputed: Disputed, found: Found, place: _Sentence, first: int, last: int, whole: bool
) -> Sequence[float]:
    """How well rival and claim's own words are bound, and how the two are alike."""
    claim, view = contest.claim, contest.chunks[found.chunk]
    words = disputed.first, disputed.last
    bind = 0.0 if whole else contest.bind(*words, Place(found.chunk, first))
    fact = next((item for item in claim.facts if item.start == found.start and item.kind in VALUES), None)
    own, said = 0.0, 0.0
    rival_fact = None
    for value in contest.sources.values if fact else ():
        if value.place.chunk == found.chunk and value.fact.start == found.rival_start:
            rival_fact = value.fact
        elif fact and comparable(fact, value.fact) and compatible(fact, value.fact):
            own = max(own, contest.bind(*words, value.place))
            said = max(said, 1.0 if value.sentence == place else 0.5)
    for spot in contest.places(claim.stems[disputed.first])[:_MOST_PLACES]:
        sentence = contest.sentence_of(spot)
        if disputed.stems <= contest.stems(spot.chunk, sentence) and spot != (found.chunk, first):
            own = max(own, contest.bind(*words, spot))
            said = max(said, 1.0 if (spot.chunk, sentence) == place else 0.5)
    rivals = {view.stems[number] for number in range(first, last + 1) if not view.tokens[number].is_stop}
    others = {stem for n, stem in enumerate(claim.stems) if not disputed.first <= n <= disputed.last}
    twice = bool(rivals) and not whole and rivals <= others
    same = (
        fact is not None
        and rival_fact is not None
        and (fact.kind, fact.unit) == (rival_fact.kind, rival_fact.unit)
    )
    alike = not whole and any(
        a[:3] == b[:3] for a in disputed.stems for b in rivals if len(a) > 3 and len(b) > 3
    )
    ours = digits_in(claim.text[found.start : found.end])
    digits = bool(ours) and ours == digits_in(view.text[found.rival_start : found.rival_end])
    bare = fact is not None and not fact.unit and fact.kind == "number"
    return (
        bind,
        own,
        bind - own,
        said,
        twice,
        same,
        digits,
        fact is not None and fact.value in {0.0, 1.0},
        bare,
        alike,
    )


def _softness(contest: Contest, place: _Sentence) -> tuple[bool, ...]:
    """Whether just one side denies in any way, and soft denials and "only" of both."""
    view = contest.chunks[place[0]]
    low, high = contest.bounds(*place)
    at = bisect_left(view.cues, low)
    theirs = at < len(view.cues) and view.cues[at] < high
    ours = bool(contest.claim.cues)
    norms = view.norms[low:high]
    soft = any(view.tokens[number].norm in TURNING for number in view.cues[at : bisect_left(view.cues, high)])
    return (
        theirs and not ours,
        ours and not theirs,
        soft,
        not _ONLY.isdisjoint(norms),
        not _ONLY.isdisjoint(contest.claim.norms),
    )


def _polarities(contest: Contest, denies: bool) -> tuple[float, float]:
    """Most of the claim that a sentence holds: of those that deny as the claim does, and of the others."""
    same = other = 0.0
    denying = contest.sources.denying
    for place, weight in contest.covers.items():
        if (place in denying) == denies:
            same = max(same, weight)
        else:
            other = max(other, weight)
    total = contest.total or 1.0
    return same / total, other / total


def _rest(contest: Contest, disputed: Disputed, place: _Sentence) -> Sequence[float]:
    """Size of the rest of the claim, what it misses, whether its subject, names and numbers are there."""
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
