"""Terms that never mean the same: a claim says one of what a source says of the other."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from pytest_grounding._frozen import frozen
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Conflict, Severity
from pytest_grounding.scorers.glossary.glossary import Glossary
from pytest_grounding.scorers.glossary.readings import Reading
from pytest_grounding.scorers.glossary.terms import Place
from pytest_grounding.scorers.lexical.background import weigh
from pytest_grounding.scorers.lexical.index import ChunkIndex, index_of
from pytest_grounding.scorers.lexical.tokens import Token, tokenize
from pytest_grounding.text.facts import extract_facts

#: Share of the rest of the claim, by weight, that the sentence must hold: that of a conflict of names.
_ERROR_COVER = 0.75
_WARNING_COVER = 0.5
_DIGITS = 9


@frozen
class _Spot:
    """A sentence of a chunk that holds a term."""

    chunk: Chunk
    index: ChunkIndex
    sentence: int
    place: Place


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
        self._spots: dict[int, list[_Spot]] = {}
        for chunk in chunks if glossary.never else ():
            index = index_of(chunk.text, language)
            for place in glossary.find_in_chunk(chunk.text, language):
                sentence = _sentence_at(index, place.start)
                self._spots.setdefault(place.term, []).append(_Spot(chunk, index, sentence, place))

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
            if rest:
                yield from self._against(claim, place, rivals, rest)

    def _rest(self, reading: Reading, own: Sequence[Place]) -> dict[str, float]:
        """The content words of a claim besides one term, as it was read, and what each weighs."""
        spans = [(reading.forth(place.start), reading.forth(place.end)) for place in own]
        return {
            token.stem: weigh(token, self._language)
            for token in tokenize(reading.text, self._language)
            if not token.is_stop and not any(low <= token.start < high for low, high in spans)
        }

    def _against(
        self, claim: str, place: Place, rivals: dict[int, str], rest: dict[str, float]
    ) -> Iterator[Conflict]:
        allied = {place.term, *self._glossary.equals[place.term], *self._glossary.sources_of[place.term]}
        friends = [spot for term in sorted(allied) for spot in self._spots.get(term, ())]
        holding = {(spot.chunk.id, spot.sentence) for spot in friends}
        best = max((_cover(spot, rest) for spot in friends), default=0.0)
        denies = _denies(claim)
        found: list[tuple[float, int, _Spot]] = []
        for term in sorted(rivals):
            for spot in self._spots.get(term, ()):
                cover = _cover(spot, rest)
                beaten = (spot.chunk.id, spot.sentence) in holding or cover <= best
                if cover >= _WARNING_COVER and not beaten and _denies(_text(spot)) == denies:
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


def _sentence_at(index: ChunkIndex, offset: int) -> int:
    found = 0
    for number, (start, _) in enumerate(index.sentences):
        if start > offset:
            break
        found = number
    return found


def _text(spot: _Spot) -> str:
    start, end = spot.index.sentences[spot.sentence]
    return spot.index.text[start:end]


def _cover(spot: _Spot, rest: dict[str, float]) -> float:
    """Share of the rest of a claim that a sentence holds, by weight, in [0, 1]."""
    total = sum(rest.values())
    if not total:
        return 0.0
    start, end = spot.index.sentences[spot.sentence]
    held = {token.stem for token in _tokens(spot.index, start, end)}
    return round(sum(weight for stem, weight in rest.items() if stem in held) / total, _DIGITS)


def _tokens(index: ChunkIndex, start: int, end: int) -> list[Token]:
    first = bisect_left(index.tokens, start, key=lambda token: token.start)
    last = bisect_left(index.tokens, end, key=lambda token: token.start)
    return index.tokens[first:last]


def _denies(text: str) -> bool:
    """Whether a sentence denies an odd number of times."""
    return sum(fact.kind == "negation" for fact in extract_facts(text)) % 2 == 1
