"""Binding: is a word of the claim said of the same thing as a word of the evidence?

A word is bound to the content words around it. How far the words around a word of the claim also stand
around a word of a chunk is a number in [0, 1]. A conflict needs a rival (a word that says otherwise)
that is bound well, and no ally (the same word, or one that agrees) that is bound about as well elsewhere.
"""

from __future__ import annotations

from pytest_grounding.scorers.lexical.conflicts.sources import MOST_PLACES, Place, Sources
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.scorers.lexical.tokens import Token

__all__ = ["MOST_PLACES", "Contest", "Place"]

_NEIGHBOURS = 8
_NOTHING = 1e-9


class Contest:
    """A claim against all chunks: how well places of the chunks are bound to words of the claim.

    Attributes:
        claim: the claim.
        sources: the chunks; what is asked of them is kept over the claims of an answer.
        chunks: views of the chunks.
        indexes: the chunks taken apart.
        given: stems of the question: what it is about needs no mention in every sentence.
        total: weight of all content words of the claim.
        covers: for each sentence that holds any of them (chunk, sentence) the weight that it holds.
    """

    def __init__(self, claim: View, sources: Sources, given: frozenset[str] = frozenset()) -> None:
        self.claim = claim
        self.sources = sources
        self.given = given
        self.chunks = sources.views
        self.indexes = sources.indexes
        self._neighbours: dict[tuple[int, int], list[tuple[str, float, int]]] = {}
        self._reach: dict[tuple[int, int], dict[tuple[int, int], float]] = {}
        self._weights: dict[str, float] = {}
        self.covers: dict[tuple[int, int], float] = {}
        for number in claim.content:
            token = claim.tokens[number]
            if token.stem not in self._weights:
                self._weights[token.stem] = self._weigh(token)
        self.total = sum(self._weights.values())
        self._ranked: list[tuple[int, int]] | None = None

    def _weigh(self, token: Token) -> float:
        """Weight of a content word; adds it to the cover of each sentence that holds it."""
        spread, sentences = self.sources.spots(token.stem)
        # Words that stand everywhere in the context bind little; names and numbers bind more.
        weight = (1.5 if token.is_name or token.is_number else 1.0) / (1.0 + 0.15 * spread) + 0.25
        covers = self.covers
        for place in sentences:
            covers[place] = covers.get(place, 0.0) + weight
        return weight

    def stems(self, chunk: int, sentence: int) -> set[str]:
        """The stems of a sentence, stop words included."""
        return self.sources.stems(chunk, sentence)

    def bounds(self, chunk: int, sentence: int) -> tuple[int, int]:
        """Numbers of the first word of a sentence and of the first after it."""
        return self.sources.bounds(chunk, sentence)

    def best_sentences(self, limit: int = 6) -> list[tuple[int, int]]:
        """The sentences that hold most of the claim, best first."""
        if self._ranked is None:
            self._ranked = [
                place for _, place in sorted((-weight, place) for place, weight in self.covers.items())
            ]
        return self._ranked[:limit]

    def places(self, stem: str) -> list[Place]:
        """Where a stem stands in the chunks: the first 500 places of each."""
        return self.sources.places(stem)

    def sentence_of(self, place: Place) -> int:
        """Number of the sentence that a place stands in."""
        return self.chunks[place.chunk].sentence_of[place.word]

    def neighbours(self, first: int, last: int) -> list[tuple[str, float, int]]:
        """The content words around words first to last of the claim, with their weights, nearest first."""
        found = self._neighbours.get((first, last))
        if found is not None:
            return found
        tokens = self.claim.tokens
        found = []
        seen: set[str] = set()
        left, right = first - 1, last + 1
        distance = 0
        while len(found) < _NEIGHBOURS and (left >= 0 or right < len(tokens)):
            for other in (right, left):
                if not 0 <= other < len(tokens):
                    continue
                token = tokens[other]
                if token.is_stop or token.stem in seen:
                    continue
                seen.add(token.stem)
                weight = self._weights.get(token.stem, 1.0) / (1.0 + 0.15 * distance)
                found.append((token.stem, weight, distance + 1))
            left, right = left - 1, right + 1
            distance += 1
        self._neighbours[first, last] = found
        return found

    def bind(self, first: int, last: int, place: Place) -> float:
        """How far a place of a chunk is bound as words first to last of the claim are, in [0, 1]."""
        neighbours = self.neighbours(first, last)
        if not neighbours:
            return 0.0
        window = self.chunks[place.chunk].window(place.word)
        total = hit = 0.0
        for stem, weight, own in neighbours:
            total += weight
            distance = window.get(stem)
            if distance is not None:
                # Said farther apart than in the claim binds less.
                hit += weight / (1.0 + 0.06 * max(0, distance - own - 1))
        return hit / total

    def reach(self, first: int, last: int) -> dict[tuple[int, int], float]:
        """For each sentence (chunk, sentence) a bound that no `bind` in it passes; others bind nothing.

        A finder that seeks the best of thousands of places need not look at those that cannot be it.
        """
        found = self._reach.get((first, last))
        if found is None:
            held: dict[tuple[int, int], float] = {}
            total = 0.0
            # Added up in the order of `bind`, so that rounding cannot lift that above this.
            for stem, weight, _ in self.neighbours(first, last):
                total += weight
                for place in self.sources.spots(stem).sentences:
                    held[place] = held.get(place, 0.0) + weight
            found = {place: weight / total for place, weight in held.items()}
            self._reach[first, last] = found
        return found

    def local(self, first: int, last: int, chunk: int, sentence: int) -> float:
        """Share of the words around words first to last of the claim that a sentence holds, wherever."""
        held = self.stems(chunk, sentence)
        total = hit = 0.0
        for stem, weight, _ in self.neighbours(first, last):
            total += weight
            if stem in held:
                hit += weight
        return hit / total if total else 0.0

    def cover(self, chunk: int, sentence: int, *, without: frozenset[str] = frozenset()) -> float:
        """Share of the claim's content words, by weight, that a sentence holds.

        Args:
            chunk: number of the chunk.
            sentence: number of the sentence.
            without: stems that are left out of the count on both sides.
        """
        hit = self.covers.get((chunk, sentence), 0.0)
        total = self.total
        if without:
            held = self.stems(chunk, sentence)
            for stem in without:
                weight = self._weights.get(stem, 0.0)
                total -= weight
                if stem in held:
                    hit -= weight
        return hit / total if total > _NOTHING else 0.0

    def cover_around(self, chunk: int, sentence: int, *, without: frozenset[str] = frozenset()) -> float:
        """Share of the claim's content words, by weight, that a sentence and its neighbours hold together.

        Args:
            chunk: number of the chunk.
            sentence: number of the sentence.
            without: stems that are left out of the count on both sides.
        """
        last = len(self.indexes[chunk].sentences) - 1
        around = [
            self.stems(chunk, near) for near in (sentence - 1, sentence, sentence + 1) if 0 <= near <= last
        ]
        hit = total = 0.0
        for stem, weight in self._weights.items():
            if stem not in without:
                total += weight
                hit += weight * any(stem in held for held in around)
        return hit / total if total > _NOTHING else 0.0
