"""Whether a claim says what a source denies, predication by predication.

`negation` looks at words around a denial; here a part of the claim is laid against each part of the sources
that speaks of the same. The two say opposite things where just one of them denies, unless one also has the
opposite of a word of the other ("not optional", "required"). A part that says as the claim does speaks
against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.background import synonyms_of
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Rival, Span, candidate
from pytest_grounding.scorers.lexical.conflicts.lexicon import alike, negated_stems, opposites_of
from pytest_grounding.scorers.lexical.conflicts.marks import NEGATIVE, TURNS
from pytest_grounding.scorers.lexical.conflicts.predications import Predication, predications_of
from pytest_grounding.scorers.lexical.conflicts.sources import Place, Sentence

#: What is measured of a part of the claim and the part of the sources that says the opposite.
MEASURES: dict[str, str] = {
    "part_cover": "share of the claim's part, by weight, in the source's part",
    "part_gap": "the same, less the best share in a part that says as the claim does",
    "part_back": "share of the source's part in the claim",
    "part_alone": "share of what both parts say that no part says as the claim does",
    "part_both": "the product of part_cover and part_back",
    "part_all": "the product of part_cover, part_back and part_alone",
    "part_exact": "both parts say the same of the same, and no other part agrees",
    "part_alone_back": "the product of part_back and part_alone",
    "part_words": "content words of the claim's part, at most eight, over eight",
    "part_opposite": "one has an opposite of a word of the other",
    "part_denied": "the source's part denies",
    "part_denies": "the claim's part denies",
    "part_elided": "one of them takes over what is said from the part before",
    "part_quantified": "what denies is a quantifier: no, none, nobody",
    "part_soft": "what denies is a verb or adverb: fails, hardly",
    "part_conditional": "the source's sentence has a condition and the claim has none",
    "part_own_conditional": "the claim has a condition",
    "part_subject": "the subject of the source's part is in the claim's part",
    "part_own_subject": "the subject of the claim's part is in the source's part",
    "part_astray": "a word of the claim's part stands elsewhere in the sources only",
    "part_strange": "a word of the claim's part stands in no source",
    "part_numbers": "a number of the claim's part is not in the source's",
    "part_only": "one of the two says 'only'",
}
_SENTENCES = 6
#: Least sum of both shares, and fewest words that the two parts share.
_LEAST = 0.9
_FEWEST = 2
_EXACT = 0.95
_MOST_WORDS = 8
_NOTHING: frozenset[str] = frozenset()
_QUANTIFIED = words("conflicts", "denying amounts")
#: Numbers of the first and of the last word of a stretch.
Words = tuple[int, int]
_PLAIN = words("conflicts", "plain denials")
_CONDITIONS = words("conflicts", "conditions")
_ONLY = words("conflicts", "shutting out")


class _Word(NamedTuple):
    """A content word of a part of the claim, its own or one that it takes over.

    Attributes:
        number: its number in the claim; -1 for one that is taken over.
        stem: its stem.
        like: the stems that say the same, its own among them.
        opposed: the stems that are opposed to it.
        negated: what it is the negative of by its form, "affect" of "unaffected", or "".
    """

    number: int
    stem: str
    like: frozenset[str]
    opposed: frozenset[str]
    negated: str


class _Side(NamedTuple):
    """A part of the claim, with what its words may meet in the sources.

    Attributes:
        part: the part.
        words: its words, in the order of their stems.
        reach: all stems that any of them may meet.
        weight: what they weigh together.
    """

    part: Predication
    words: tuple[_Word, ...]
    reach: frozenset[str]
    weight: float


class _Met(NamedTuple):
    """A part of the sources against a part of the claim.

    Attributes:
        spot: its sentence.
        part: the part.
        shared: stems of the claim's part that it holds, or whose synonym or opposite it holds.
        cover: their share of the claim's part, by weight.
        back: share of its own words that the claim holds.
        opposites: pairs of words of the claim and of it that are opposed.
        is_other: whether it says the opposite.
    """

    spot: Sentence
    part: Predication
    shared: frozenset[str]
    cover: float
    back: float
    opposites: tuple[tuple[int, str], ...]
    is_other: bool


def polarity_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Parts of the claim that say what a part of the sources denies, or deny what it says."""
    claim = contest.claim
    spots = contest.best_sentences(_SENTENCES)
    if not claim.with_mark(TURNS) and contest.sources.turning.isdisjoint(spots):
        return
    for part in predications_of(claim, 0, len(claim.tokens), contest.carried):
        if part.own and part.is_stated:
            yield from _said_otherwise(contest, part, spots)


def _said_otherwise(contest: Contest, part: Predication, spots: Sequence[Sentence]) -> Iterator[Candidate]:
    """The part of the sources that says most clearly the opposite of a part of the claim, if any does."""
    # Where nobody denies, and only words are opposed, `opposites` knows better.
    turned = list(_parts(contest, spots, denied=not part.is_denied))
    if not turned:
        return
    side = _side(contest, part)
    met = _meetings(contest, side, turned)
    rivals = [one for one in met if one.is_other and one.cover + one.back >= _LEAST]
    if rivals:
        met += _meetings(contest, side, _parts(contest, spots, denied=part.is_denied))
        same = [one for one in met if not one.is_other]
        alone, best = max(
            ((_unrivalled(contest, one, same), one) for one in rivals),
            key=lambda pair: pair[0] + pair[1].cover + pair[1].back,
        )
        yield _candidate(contest, part, best, alone, max((one.cover for one in same), default=0.0))


def _parts(
    contest: Contest, spots: Sequence[Sentence], *, denied: bool
) -> Iterator[tuple[Sentence, Predication]]:
    """The parts of sentences that deny, or those that do not, each with its sentence."""
    sources = contest.sources
    for spot in spots:
        if spot in sources.turning or not denied:
            for part in sources.predications(*spot):
                if part.is_stated and part.is_denied == denied:
                    yield spot, part


def _unrivalled(contest: Contest, met: _Met, same: Sequence[_Met]) -> float:
    """Share of what a part has of the claim, by weight, that no part has which says as the claim does."""
    most = max((_weight(contest, met.shared & one.shared) for one in same), default=0.0)
    return 1.0 - most / _weight(contest, met.shared)


def _side(contest: Contest, part: Predication) -> _Side:
    """A part of the claim with the stems that each of its words may meet."""
    claim = contest.claim
    place = {claim.stems[number]: number for number in reversed(part.own)}
    negatives = set(claim.with_mark(NEGATIVE))
    found: list[_Word] = []
    for stem in sorted(part.stems):
        number = place.get(stem, -1)
        # What denies by its meaning has to stand there itself: "unlikely" shares a stem with "unlike".
        like = frozenset((stem,)) if number in claim.cues else like_of(stem)
        negated = negated_stems(claim.norms[number])[-1] if number in negatives else ""
        found.append(_Word(number, stem, like, _opposed(contest, stem), negated))
    reach = frozenset().union(*[word.like for word in found], *[word.opposed for word in found])
    reach |= {word.negated for word in found}
    return _Side(part, tuple(found), reach, _weight(contest, part.stems))


# Kept, because the words of a language come back in every claim.
@lru_cache(maxsize=8192)
def like_of(stem: str) -> frozenset[str]:
    """The stems that say the same as one, itself among them."""
    return frozenset((stem, *synonyms_of(stem), *alike(stem)))


def _opposed(contest: Contest, stem: str) -> frozenset[str]:
    """The stems that are opposed to one of the claim's."""
    kinds, there = opposites_of(stem), contest.sources.opposed.get(stem)
    if there:
        kinds = {**kinds, **there}
    return frozenset(other for other, kind in kinds.items() if kind != "converse") if kinds else _NOTHING


def _meetings(contest: Contest, side: _Side, there: Iterable[tuple[Sentence, Predication]]) -> list[_Met]:
    """How much of a part of the claim those parts of the sources hold that speak of the same."""
    return [one for spot, theirs in there if (one := _meet(contest, side, theirs, spot)) is not None]


def _meet(contest: Contest, side: _Side, theirs: Predication, spot: Sentence) -> _Met | None:
    """How much of a part of the claim a part of the sources holds, with words that are opposed."""
    held = side.reach & theirs.stems
    if not held or (theirs.predicate and held.isdisjoint(theirs.predicate)):
        return None
    part = side.part
    shared: set[str] = set()
    met: set[str] = set()
    against: list[tuple[int, str]] = []
    for number, stem, like, opposed, negated in side.words:
        same = like & held
        if same:
            shared.add(stem)
            met |= same
            continue
        opposite = min(opposed & held, default=negated)
        if opposite in held:
            shared.add(stem)
            met.add(opposite)
            against.append((number, opposite))
    if not shared or (
        len(shared) < _FEWEST and met != theirs.stems and not _is_all(contest, part, theirs, spot, met)
    ):
        return None
    if (part.predicate and part.predicate.isdisjoint(shared)) or (
        theirs.predicate and met.isdisjoint(theirs.predicate)
    ):
        # Both speak of the same, and say other things of it.
        return None
    # "Works without a connection" and "does not work without one" say "without" alike.
    both = met.union(shared, set(part.turning).intersection(theirs.turning))
    if not both.issuperset(part.turning) or not both.issuperset(theirs.turning):
        # "To avoid X" beside "to have X".
        return None
    is_other = (part.is_denied + theirs.is_denied + len(against)) % 2 == 1
    cover = _weight(contest, shared) / side.weight
    back = len(met) / len(theirs.stems)
    return _Met(spot, theirs, frozenset(shared), cover, back, tuple(against), is_other)


def _is_all(contest: Contest, part: Predication, theirs: Predication, spot: Sentence, met: set[str]) -> bool:
    """Whether two parts say the same word, and nothing else but what they take over: "they are free"."""
    claim, view = contest.claim, contest.chunks[spot[0]]
    return all(claim.stems[n] in met for n in part.own) and all(view.stems[n] in met for n in theirs.own)


def _weight(contest: Contest, stems: Iterable[str]) -> float:
    # Sums of floats depend on their order.
    return sum(map(contest.weight, sorted(stems)))


def _candidate(contest: Contest, part: Predication, met: _Met, alone: float, same: float) -> Candidate:
    claim, view = contest.claim, contest.chunks[met.spot[0]]
    theirs = met.part
    low, high = contest.bounds(*met.spot)
    norms = view.norms[low:high]
    denying = [claim.norms[n] for n in part.negators] + [view.norms[n] for n in theirs.negators]
    measures: dict[str, float] = {
        "part_cover": met.cover,
        "part_gap": met.cover - same,
        "part_back": met.back,
        "part_alone": alone,
        "part_both": met.cover * met.back,
        "part_all": met.cover * met.back * alone,
        "part_exact": met.cover * met.back * alone >= _EXACT,
        "part_alone_back": met.back * alone,
        "part_words": min(len(part.stems), _MOST_WORDS) / _MOST_WORDS,
        "part_opposite": bool(met.opposites),
        "part_denied": theirs.is_denied,
        "part_denies": part.is_denied,
        "part_elided": part.is_elided or theirs.is_elided,
        "part_quantified": any(norm in _QUANTIFIED for norm in denying),
        "part_soft": any(
            norm not in _QUANTIFIED and norm not in _PLAIN and not norm.endswith("n't") for norm in denying
        ),
        "part_conditional": not _CONDITIONS.isdisjoint(norms) and _CONDITIONS.isdisjoint(claim.norms),
        "part_own_conditional": not _CONDITIONS.isdisjoint(claim.norms),
        "part_subject": bool(theirs.subject) and theirs.subject <= part.stems,
        "part_own_subject": bool(part.subject) and part.subject <= theirs.stems,
        "part_astray": any(s not in theirs.stems and contest.sources.holds(s) for s in part.stems),
        "part_strange": any(not contest.sources.holds(s) for s in part.stems),
        "part_numbers": any(
            claim.tokens[n].is_number and claim.stems[n] not in theirs.stems for n in part.own
        ),
        "part_only": not _ONLY.isdisjoint(norms) or not _ONLY.isdisjoint(claim.norms),
    }
    ours_at, theirs_at = _words_of(contest, part, met)
    ours = claim.tokens[ours_at[0]].start, claim.tokens[ours_at[1]].end
    span: Span = view.tokens[theirs_at[0]].start, view.tokens[theirs_at[1]].end
    rival = Rival(met.cover, Place(met.spot[0], theirs_at[0]))
    told = tuple((name, float(value)) for name, value in measures.items() if value)
    return candidate(contest, "polarity", ours, rival, span)._replace(measures=told)


def _words_of(contest: Contest, part: Predication, met: _Met) -> tuple[Words, Words]:
    """The words of the claim and of the source that say the opposite: from what denies to what is denied."""
    claim, view, theirs = contest.claim, contest.chunks[met.spot[0]], met.part
    held = [number for number in theirs.own if view.stems[number] in met.shared] or list(theirs.own)
    if theirs.negators:
        rival = _from(theirs.negators[0], held)
        stem = view.stems[rival[1]]
        at = next((number for number in part.own if claim.stems[number] == stem), part.own[-1])
        ours = (at, at)
    else:
        ours = _from(part.negators[0], part.own)
        stem = claim.stems[ours[1]]
        at = next(
            (number for number in held if view.stems[number] == stem), held[-1] if held else theirs.last
        )
        rival = (at, at)
    return ours, rival


def _from(negator: int, heads: Iterable[int]) -> Words:
    """From a word that denies to the nearest of some words behind it; the word alone where none is near."""
    head = next((number for number in heads if negator < number <= negator + _MOST_WORDS), negator)
    return negator, head
