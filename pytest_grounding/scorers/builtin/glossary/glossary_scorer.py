"""A scorer that applies a user's glossary to claims and questions, for any other scorer."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter, itemgetter
from typing import NamedTuple

from pytest_grounding.model.finding import Severity
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Conflict, Method
from pytest_grounding.reading.facts import extract_facts
from pytest_grounding.reading.words import language_in_force, tokenize
from pytest_grounding.scorers.builtin.background import weigh
from pytest_grounding.scorers.builtin.glossary.glossary import (
    NOWHERE,
    Glossary,
    Place,
    Reading,
    conflict_in,
    replaced,
)
from pytest_grounding.scorers.builtin.token_index import ChunkIndex, index_of
from pytest_grounding.scorers.protocol import (
    BUILT_IN_METHODS,
    ClaimText,
    RelevanceScore,
    Scorer,
    SupportScore,
)

#: Share of the rest of the claim, by weight, that the sentence must contain: as for conflicts of names.
_ERROR_COVER = 0.75
_WARNING_COVER = 0.5


@dataclass(frozen=True, slots=True)
class _Spot:
    """A sentence of a chunk with a term, and the term's first occurrence in it."""

    chunk: Chunk
    index: ChunkIndex
    sentence: int
    place: Place

    @property
    def where(self) -> tuple[str, int]:
        """The chunk id and the offset of the sentence."""
        return self.chunk.id, self.index.sentences[self.sentence][0]

    @property
    def text(self) -> str:
        """The sentence."""
        start, end = self.index.sentences[self.sentence]
        return self.index.text[start:end]


class _Rest(NamedTuple):
    """The content words of a claim besides one term: their weights, and which are numbers."""

    weights: dict[str, float]
    numbers: frozenset[str]


class Rivals:
    """Sentences of the chunks with terms that never mean the claim's terms."""

    def __init__(self, glossary: Glossary, chunks: Sequence[Chunk], language: str) -> None:
        self._glossary = glossary
        self._language = language
        #: Term -> the sentences that contain it, in the order of the chunks.
        self._spots: dict[int, dict[tuple[str, int], _Spot]] = {}
        self._stems: dict[tuple[str, int], frozenset[str]] = {}
        for chunk in chunks if glossary.never else ():
            index = index_of(chunk.text, language)
            for place in glossary.find_in_chunk(chunk.text, language):
                sentence = max(0, bisect_right(index.sentences, place.start, key=itemgetter(0)) - 1)
                spot = _Spot(chunk, index, sentence, place)
                self._spots.setdefault(place.term, {}).setdefault(spot.where, spot)

    def conflicts(self, claim: str, places: Sequence[Place], reading: Reading) -> Iterator[Conflict]:
        """The conflicts of a claim, in text order, at most one for each term."""
        said = {place.term for place in places}
        for term in dict.fromkeys(place.term for place in places):
            rivals = self._glossary.never.get(term, {})
            if said & rivals.keys():
                continue  # "Unlike Silver, Gold ...": the claim itself distinguishes the two
            place = next(place for place in places if place.term == term)
            rest = self._rest(reading, [item for item in places if item.term == term])
            if rest.weights:
                yield from self._against(claim, place, rivals, rest)

    def about_another(self, conflict: Conflict, places: Sequence[Place]) -> str:
        """The rule by which the evidence of a conflict is about something else than the claim, or ""."""
        where = conflict.evidence.chunk_id, conflict.evidence.start
        said = {place.term for place in places}
        for term in sorted(said):
            rivals = self._glossary.never.get(term, {})
            if not rivals or said & rivals.keys() or self._occur_at(self._allied(term), where):
                continue
            found = next((rivals[rival] for rival in sorted(rivals) if self._occur_at((rival,), where)), "")
            if found:
                return found
        return ""

    def _occur_at(self, terms: Iterable[int], where: tuple[str, int]) -> bool:
        """Whether the sentence at (chunk id, offset) contains one of some terms."""
        return any(where in self._spots.get(term, ()) for term in terms)

    def _allied(self, term: int) -> list[int]:
        """A term and all that a source may write for it."""
        return sorted({term, *self._glossary.equals[term], *self._glossary.sources_of[term]})

    def _rest(self, reading: Reading, own: Sequence[Place]) -> _Rest:
        """The content words of a claim, as read, besides one term."""
        spans = [(reading.forth(place.start), reading.forth(place.end)) for place in own]
        words = [
            token
            for token in tokenize(reading.text, self._language)
            if not token.is_stop and not any(low <= token.start < high for low, high in spans)
        ]
        return _Rest(
            {token.stem: weigh(token, self._language) for token in words},
            frozenset(token.stem for token in words if token.is_number),
        )

    def _cover(self, spot: _Spot, rest: _Rest) -> float:
        """Share of the rest of a claim in a sentence, in [0, 1]; 0 if it lacks a number."""
        held = self._stems.get(spot.where)
        if held is None:
            start, end = spot.index.sentences[spot.sentence]
            first = bisect_left(spot.index.tokens, start, key=attrgetter("start"))
            last = bisect_left(spot.index.tokens, end, key=attrgetter("start"))
            held = frozenset(token.stem for token in spot.index.tokens[first:last])
            self._stems[spot.where] = held
        total = sum(rest.weights.values())
        if not total or not rest.numbers <= held:
            return 0.0
        return round(sum(weight for stem, weight in rest.weights.items() if stem in held) / total, 9)

    def _against(self, claim: str, place: Place, rivals: dict[int, str], rest: _Rest) -> Iterator[Conflict]:
        friends = [s for term in self._allied(place.term) for s in self._spots.get(term, {}).values()]
        holding = {spot.where for spot in friends}
        best = max((self._cover(spot, rest) for spot in friends), default=0.0)
        denies = _denies(claim)
        found: list[tuple[float, int, _Spot]] = []
        for term in sorted(rivals):
            for spot in self._spots.get(term, {}).values():
                cover = self._cover(spot, rest)
                if spot.where in holding or cover <= best or cover < _WARNING_COVER:
                    continue
                if _denies(spot.text) == denies:
                    found.append((-cover, len(found), spot))
        if not found:
            return
        cover, _, spot = min(found)
        severity: Severity = "error" if -cover >= _ERROR_COVER else "warning"
        ours = claim[place.start : place.end]
        theirs = spot.chunk.text[spot.place.start : spot.place.end]
        yield Conflict(
            kind="term",
            severity=severity,
            claim_text=ours,
            evidence_text=theirs,
            evidence=spot.index.evidence(spot.chunk.id, spot.sentence),
            claim_start=place.start,
            message=f'term: the claim says "{ours}", the source says "{theirs}" '
            f"(glossary: {rivals[spot.place.term]})",
        )


def _denies(text: str) -> bool:
    """Whether a sentence has an odd number of negations."""
    return sum(fact.kind == "negation" for fact in extract_facts(text)) % 2 == 1


BUILT_IN = "builtin"
#: Highest support of a claim whose source says the same of a term that never means it.
_CONTRADICTED = 0.5
_SAMPLE = 200


class GlossaryScorer:
    """Scores each claim in the terms of its sources, and takes the best reading."""

    def __init__(self, scorer: Scorer, glossary: Glossary) -> None:
        self._scorer = scorer
        self._glossary = glossary

    @property
    def name(self) -> str:
        """Name of the inner scorer."""
        return self._scorer.name

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        """Relevance of each chunk to the question, by the best reading of the question."""
        found = list(self._scorer.relevance(question, chunks, language=language))
        tongue = language_in_force(question, language)
        there = self._glossary.terms_in([chunk.text for chunk in chunks], tongue)
        for reading in self._glossary.readings(question, there, tongue):
            if reading.swaps:
                others = self._scorer.relevance(reading.text, chunks, language=language)
                found = [_more(one, other) for one, other in zip(found, others, strict=False)]
        return found

    def support(
        self,
        claims: Sequence[ClaimText],
        chunks: Sequence[Chunk],
        *,
        question: str = "",
        language: str = "en",
    ) -> list[SupportScore]:
        """Support of each claim by its best reading, reported in the claim's own words."""
        tongue = _tongue(claims, chunks, language)
        there = self._glossary.terms_in([chunk.text for chunk in chunks], tongue)
        asked = frozenset(place.term for place in self._glossary.find(question, tongue))
        plans = [self._plan(claim.text, there, there | asked, tongue) for claim in claims]
        items = [
            replace(claim, text=reading.text)
            for claim, plan in zip(claims, plans, strict=True)
            for reading in plan.readings
        ]
        scores = iter(self._scorer.support(items, chunks, question=question, language=language))
        rivals = Rivals(self._glossary, chunks, tongue)
        told = []
        for claim, plan in zip(claims, plans, strict=True):
            reading, score = _best(plan, [next(scores) for _ in plan.readings])
            terms = tuple(rivals.conflicts(claim.text, plan.places, reading))
            told.append(_with_terms(_about(score, plan, rivals), reading, terms))
        return told

    def _plan(self, claim: str, there: frozenset[int], known: frozenset[int], language: str) -> _Plan:
        places = self._glossary.find(claim, language)
        if not places:
            return _Plan((), (Reading(claim, claim),))
        lost: frozenset[int] = frozenset()
        if self.name == BUILT_IN:
            # A shipped synonym must not lead from a term to one that it never means.
            lost = frozenset(
                place.term
                for place in places
                if place.term not in there and not there.isdisjoint(self._glossary.never.get(place.term, ()))
            )
        found = self._glossary.readings(claim, known, language, lost)
        own = any(not reading.pairs for reading in found)
        itself = replaced(claim, places, dict.fromkeys(lost, NOWHERE))
        return _Plan(places, (itself, *(reading for reading in found if reading.pairs)), own)


@dataclass(frozen=True, slots=True)
class _Plan:
    """How one claim is scored."""

    places: tuple[Place, ...]
    readings: tuple[Reading, ...]
    own: bool = True


def _tongue(claims: Sequence[ClaimText], chunks: Sequence[Chunk], language: str) -> str:
    """The language that the built-in scorer detects for the same texts, so that they are read once."""
    sample = " ".join([*(claim.text for claim in claims), *(chunk.text[:_SAMPLE] for chunk in chunks[:3])])
    return language_in_force(sample, language)


def _best(plan: _Plan, scores: Sequence[SupportScore]) -> tuple[Reading, SupportScore]:
    """The reading that counts, and its score."""
    itself = scores[0]
    order = range(len(scores)) if plan.own or len(scores) == 1 else range(1, len(scores))
    least = itself.probability or 0.0
    clear = [at for at in order if not _is_contradicted(scores[at])]
    fit = [at for at in clear if (scores[at].probability or 0.0) >= least]
    if not fit and not plan.own and clear and not _is_contradicted(itself):
        return plan.readings[0], _mapped(itself, plan.readings[0])
    # In other terms than its sources' own, a claim cannot be contradicted by them.
    at = max(
        fit or (clear if not plan.own else ()) or order,
        key=lambda number: (scores[number].probability or 0.0, -number),
    )
    return plan.readings[at], _mapped(scores[at], plan.readings[at])


def _is_contradicted(score: SupportScore) -> bool:
    return any(conflict.severity == "error" for conflict in score.conflicts)


def _mapped(score: SupportScore, reading: Reading) -> SupportScore:
    """A score of a reading in the words of the original text."""
    if not reading.swaps:
        return score
    conflicts = tuple(conflict_in(conflict, reading) for conflict in score.conflicts)
    reason = score.reason
    for conflict, told in zip(score.conflicts, conflicts, strict=True):
        reason = reason.replace(conflict.message, told.message) if conflict.message else reason
    written = {reading.text[s.at : s.to]: reading.source[s.start : s.end] for s in reading.swaps}
    missing = tuple(dict.fromkeys(written.get(word, word) for word in score.missing))
    for word in score.missing:
        if word in written:
            reason = reason.replace(word, written[word])
    return replace(score, conflicts=conflicts, reason=reason, missing=missing, method=_method(score))


def _about(score: SupportScore, plan: _Plan, rivals: Rivals) -> SupportScore:
    """A score without the conflicts about another term."""
    kept, reason = [], score.reason
    for conflict in score.conflicts:
        rule = rivals.about_another(conflict, plan.places)
        if not rule:
            kept.append(conflict)
        elif conflict.message and conflict.message in reason:
            reason = f"the nearest source is about something else (glossary: {rule})"
    return (
        score if len(kept) == len(score.conflicts) else replace(score, conflicts=tuple(kept), reason=reason)
    )


def _with_terms(score: SupportScore, reading: Reading, terms: tuple[Conflict, ...]) -> SupportScore:
    """A score with the conflicts of terms (replacing overlapping ones) and a note on the reading."""
    note = ", ".join(f'"{old}" as "{new}"' for old, new in reading.pairs)
    reason = f"{score.reason}; the glossary reads {note}" if note else score.reason
    if not terms:
        return score if reason == score.reason else replace(score, reason=reason)
    spans = [(item.claim_start or 0, (item.claim_start or 0) + len(item.claim_text)) for item in terms]
    others = [
        item
        for item in score.conflicts
        if item.claim_start is None
        or all(
            item.claim_start >= high or item.claim_start + len(item.claim_text) <= low for low, high in spans
        )
    ]
    conflicts = tuple(sorted([*others, *terms], key=lambda item: item.claim_start or 0))
    error = next((item for item in terms if item.severity == "error"), None)
    if error is not None:
        reason = error.message if not note else f"{error.message}; the glossary reads {note}"
        if score.method in BUILT_IN_METHODS and score.probability is not None:
            score = replace(score, probability=min(score.probability, _CONTRADICTED))
    return replace(score, conflicts=conflicts, reason=reason, method=_method(score))


def _method(score: SupportScore) -> Method:
    """The method of a reading's score: the claim itself is not in a source verbatim."""
    return "lexical" if score.method == "exact_match" else score.method


def _more(one: RelevanceScore, other: RelevanceScore) -> RelevanceScore:
    if other.value is None or (one.value is not None and one.value >= other.value):
        return one
    return other
