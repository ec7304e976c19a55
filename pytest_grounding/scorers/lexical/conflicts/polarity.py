"""Whether a claim says what a source denies, predication by predication.

`negation` looks at words around a denial; here a part of the claim is laid against each part of the sources
that speaks of the same. The two say opposite things where just one of them denies, unless one also has the
opposite of a word of the other ("not optional", "required"). A part that says as the claim does speaks
against it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set

from pytest_grounding._named import NamedTuple
from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.background import synonyms_of
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Rival, Span, candidate
from pytest_grounding.scorers.lexical.conflicts.lexicon import alike, negated_stems, opposites_of
from pytest_grounding.scorers.lexical.conflicts.marks import NEGATIVE
from pytest_grounding.scorers.lexical.conflicts.predications import Predication, denies, predications_of
from pytest_grounding.scorers.lexical.conflicts.sources import Place, Sentence
from pytest_grounding.scorers.lexical.conflicts.view import View

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
_QUANTIFIED = words("conflicts", "denying amounts")
#: Numbers of the first and of the last word of a stretch.
Words = tuple[int, int]
_PLAIN = words("conflicts", "plain denials")
_CONDITIONS = words("conflicts", "conditions")
_ONLY = words("conflicts", "shutting out")


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
    claim, sources = contest.claim, contest.sources
    spots = contest.best_sentences(_SENTENCES)
    own = any(map(denies, claim.norms))
    if not own and not any(map(sources.has_denial, spots)):
        return
    there = [(spot, part) for spot in spots for part in sources.predications(*spot) if part.is_stated]
    for part in predications_of(claim, 0, len(claim.tokens), contest.carried):
        # Where nobody denies, and only words are opposed, `opposites` knows better.
        if part.own and part.is_stated and any(other.is_denied != part.is_denied for _, other in there):
            yield from _said_otherwise(contest, part, there)


def _said_otherwise(
    contest: Contest, part: Predication, there: Sequence[tuple[Sentence, Predication]]
) -> Iterator[Candidate]:
    """The part of the sources that says most clearly the opposite of a part of the claim, if any does."""
    met = [one for spot, other in there if (one := _meet(contest, part, other, spot)) is not None]
    same = [one for one in met if not one.is_other]
    rivals = [
        (_unrivalled(contest, one, same), one)
        for one in met
        if one.is_other and one.part.is_denied != part.is_denied and one.cover + one.back >= _LEAST
    ]
    if rivals:
        alone, best = max(rivals, key=lambda pair: pair[0] + pair[1].cover + pair[1].back)
        yield _candidate(contest, part, best, alone, max((one.cover for one in same), default=0.0))


def _unrivalled(contest: Contest, met: _Met, same: Sequence[_Met]) -> float:
    """Share of what a part has of the claim, by weight, that no part has which says as the claim does."""
    most = max((_weight(contest, met.shared & one.shared) for one in same), default=0.0)
    return 1.0 - most / _weight(contest, met.shared)


def _meet(contest: Contest, part: Predication, theirs: Predication, spot: Sentence) -> _Met | None:
    """How much of a part of the claim a part of the sources holds, with words that are opposed."""
    held = theirs.stems
    claim = contest.claim
    negatives = _negatives(claim, part)
    shared: set[str] = set()
    met: set[str] = set()
    against: list[tuple[int, str]] = []
    for number, stem in _places_of(contest, part):
        # What denies by its meaning has to stand there itself: "unlikely" shares a stem with "unlike".
        like = () if number in claim.cues else (*synonyms_of(stem), *alike(stem))
        same = held.intersection((stem, *like))
        opposed = "" if same else _opposed(contest, stem, held) or negatives.get(number, "")
        if same or opposed in held:
            shared.add(stem)
            met |= same or {opposed}
        if opposed in held:
            against.append((number, opposed))
    if not shared or (len(shared) < _FEWEST and met != held):
        return None
    if (part.predicate and part.predicate.isdisjoint(shared)) or (
        theirs.predicate and met.isdisjoint(theirs.predicate)
    ):
        # Both speak of the same, and say other things of it.
        return None
    if _turns(claim, part, met | shared) or _turns(contest.chunks[spot[0]], theirs, met | shared):
        return None
    is_other = (part.is_denied + theirs.is_denied + len(against)) % 2 == 1
    cover = _weight(contest, shared) / _weight(contest, part.stems)
    back = len(met) / len(held)
    return _Met(spot, theirs, frozenset(shared), cover, back, tuple(against), is_other)


def _turns(view: View, part: Predication, shared: Set[str]) -> bool:
    """Whether a word of a part denies by its meaning, and the other part does not hold it: "to avoid X"."""
    cues = view.cues[bisect_left(view.cues, part.first) : bisect_right(view.cues, part.last)]
    return any(view.stems[cue] not in shared and not denies(view.norms[cue]) for cue in cues)


def _opposed(contest: Contest, stem: str, held: frozenset[str]) -> str:
    """A stem of the source's part that is opposed to one of the claim's, or ""."""
    table = {**opposites_of(stem), **contest.sources.opposed.get(stem, {})}
    return min((other for other, kind in table.items() if kind != "converse" and other in held), default="")


def _places_of(contest: Contest, part: Predication) -> Iterator[tuple[int, str]]:
    """Each stem of a part of the claim, with the number of its word; -1 for one that is taken over."""
    place = {contest.claim.stems[number]: number for number in reversed(part.own)}
    for stem in sorted(part.stems):
        yield place.get(stem, -1), stem


def _negatives(view: View, part: Predication) -> dict[int, str]:
    """For words of a part what they are the negatives of by their form: "affect" of "unaffected"."""
    marked = [number for number in view.with_mark(NEGATIVE) if part.first <= number <= part.last]
    return {number: negated_stems(view.norms[number])[-1] for number in marked}


def _weight(contest: Contest, stems: Iterable[str]) -> float:
    # Sums of floats depend on their order.
    return sum(contest.weight(stem) for stem in sorted(stems))


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
