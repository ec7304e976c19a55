"""Terms that never mean the same: a claim says one of what a source says of the other."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import NamedTuple

from pytest_grounding.model.finding import Severity
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.scorers.glossary.glossary import Glossary
from pytest_grounding.scorers.glossary.readings import Reading
from pytest_grounding.scorers.glossary.terms import Place
from pytest_grounding.scorers.lexical.background import weigh
from pytest_grounding.scorers.lexical.index import ChunkIndex, index_of
from pytest_grounding.scorers.lexical.tokens import tokenize
from pytest_grounding.text.facts import extract_facts

#: Share of the rest of the claim, by weight, that the sentence must hold: that of a conflict of names.
_ERROR_COVER = 0.75
_WARNING_COVER = 0.5
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class _Spot:
    """A sentence of a chunk that holds a term, and the first place where it does."""

    chunk: Chunk
    index: ChunkIndex
    sentence: int
    place: Place

    @property
    def where(self) -> tuple[str, int]:
        """The chunk and where the sentence begins in it."""
        return self.chunk.id, self.index.sentences[self.sentence][0]

    @property
    def text(self) -> str:
        """The sentence."""
        start, end = self.index.sentences[self.sentence]
        return self.index.text[start:end]


class _Rest(NamedTuple):
    """The content words of a claim besides one term: what each weighs, and which are numbers."""

    weights: dict[str, float]
    numbers: frozenset[str]


class Rivals:
    """What chunks say of terms that never mean what a claim's terms mean.

    Args:
        glossary: the glossary.
        chunks: the chunks.
        language: first part of a BCP 47 tag.
    """

    def __init__(self, glossary: Glossary, chunks: Sequence[Chunk], language: str) -> None:
        self._glossary = glossary
        self._language = language
        #: Term -> the sentences that hold it, in the order of the chunks.
        self._spots: dict[int, dict[tuple[str, int], _Spot]] = {}
        self._stems: dict[tuple[str, int], frozenset[str]] = {}
        for chunk in chunks if glossary.never else ():
            index = index_of(chunk.text, language)
            for place in glossary.find_in_chunk(chunk.text, language):
                sentence = max(0, bisect_right(index.sentences, place.start, key=itemgetter(0)) - 1)
                spot = _Spot(chunk, index, sentence, place)
                self._spots.setdefault(place.term, {}).setdefault(spot.where, spot)

    def conflicts(self, claim: str, places: Sequence[Place], reading: Reading) -> Iterator[Conflict]:
        """The conflicts of a claim, in the order of its words, at most one for each term.

        Args:
            claim: the claim.
            places: the terms that stand in it.
            reading: the words that it was scored by.
        """
        said = {place.term for place in places}
        for term in dict.fromkeys(place.term for place in places):
            rivals = self._glossary.never.get(term, {})
            if said & rivals.keys():
                continue  # "Unlike Silver, Gold ...": the claim tells the two apart itself
            place = next(place for place in places if place.term == term)
            rest = self._rest(reading, [item for item in places if item.term == term])
            if rest.weights:
                yield from self._against(claim, place, rivals, rest)

    def about_another(self, conflict: Conflict, places: Sequence[Place]) -> str:
        """The rule by which the evidence of a conflict speaks of something else than the claim, or "".

        What the source says of Basic plans contradicts nothing that a claim says of Premium plans.

        Args:
            conflict: what a scorer found.
            places: the terms that stand in the claim.
        """
        where = conflict.evidence.chunk_id, conflict.evidence.start
        said = {place.term for place in places}
        for term in sorted(said):
            rivals = self._glossary.never.get(term, {})
            if not rivals or said & rivals.keys() or self._stand_at(self._allied(term), where):
                continue
            found = next((rivals[rival] for rival in sorted(rivals) if self._stand_at((rival,), where)), "")
            if found:
                return found
        return ""

    def _stand_at(self, terms: Iterable[int], where: tuple[str, int]) -> bool:
        """Whether a sentence, given by its chunk and its start, holds one of some terms."""
        return any(where in self._spots.get(term, ()) for term in terms)

    def _allied(self, term: int) -> list[int]:
        """A term and those by which a source may say it."""
        return sorted({term, *self._glossary.equals[term], *self._glossary.sources_of[term]})

    def _rest(self, reading: Reading, own: Sequence[Place]) -> _Rest:
        """The content words of a claim, as it was read, besides one term."""
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
        """Share of the rest of a claim that a sentence holds, in [0, 1]; 0 where it lacks a number."""
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
        return round(sum(weight for stem, weight in rest.weights.items() if stem in held) / total, _DIGITS)

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
    """Whether a sentence denies an odd number of times."""
    return sum(fact.kind == "negation" for fact in extract_facts(text)) % 2 == 1
