"""Binding: is a word of the claim said of the same thing as a word of the evidence?

A word is bound to the content words around it. How far the words around a word of the claim also stand
around a word of a chunk is a number in [0, 1]. A conflict needs a rival (a word that says otherwise)
that is bound well, and no ally (the same word, or one that agrees) that is bound about as well elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.scorers.lexical.index import ChunkIndex

_NEIGHBOURS = 8
_NEAR = 8


class Place(NamedTuple):
    """A word of a chunk: number of the chunk, number of the word."""

    chunk: int
    word: int


class Contest:
    """A claim against all chunks: how well places of the chunks are bound to words of the claim.

    Attributes:
        claim: the claim.
        chunks: views of the chunks.
        indexes: the chunks taken apart.
        total: weight of all content words of the claim.
    """

    def __init__(self, claim: View, chunks: Sequence[View], indexes: Sequence[ChunkIndex]) -> None:
        self.claim = claim
        self.chunks = chunks
        self.indexes = indexes
        self._covers: dict[tuple[int, int], float] = {}
        self._neighbours: dict[tuple[int, int], list[tuple[str, float]]] = {}
        self._weights: dict[str, float] = {}
        for number in claim.content:
            token = claim.tokens[number]
            spread = sum(len(index.positions.get(token.stem, ())) for index in indexes)
            # Words that stand everywhere in the context bind little; names and numbers bind more.
            weight = 1.0 / (1.0 + 0.15 * spread)
            self._weights[token.stem] = weight * (1.5 if token.is_name or token.is_number else 1.0) + 0.25
        self.total = sum(self._weights.values())

    def places(self, stem: str) -> list[Place]:
        """Where a stem stands in the chunks."""
        return [
            Place(number, word)
            for number, index in enumerate(self.indexes)
            for word in index.positions.get(stem, ())
        ]

    def sentence_of(self, place: Place) -> int:
        """Number of the sentence that a place stands in."""
        return self.chunks[place.chunk].sentence_of[place.word]

    def neighbours(self, first: int, last: int) -> list[tuple[str, float]]:
        """The content words around words first to last of the claim, with their weights, nearest first."""
        found = self._neighbours.get((first, last))
        if found is not None:
            return found
        tokens = self.claim.tokens
        found = []
        seen: set[str] = set()
        left, right = first - 1, last + 1
        distance = 0.0
        while len(found) < _NEIGHBOURS and (left >= 0 or right < len(tokens)):
            for other in (right, left):
                if not 0 <= other < len(tokens):
                    continue
                token = tokens[other]
                if token.is_stop or token.stem in seen:
                    continue
                seen.add(token.stem)
                found.append((token.stem, self._weights.get(token.stem, 1.0) / (1.0 + 0.15 * distance)))
            left, right = left - 1, right + 1
            distance += 1.0
        self._neighbours[first, last] = found
        return found

    def bind(self, first: int, last: int, place: Place) -> float:
        """How far a place of a chunk is bound as words first to last of the claim are, in [0, 1]."""
        neighbours = self.neighbours(first, last)
        if not neighbours:
            return 0.0
        window = self.chunks[place.chunk].window(place.word)
        total = hit = 0.0
        for stem, weight in neighbours:
            total += weight
            distance = window.get(stem)
            if distance is not None:
                hit += weight if distance <= _NEAR else 0.7 * weight
        return hit / total

    def cover(self, chunk: int, sentence: int, *, without: frozenset[str] = frozenset()) -> float:
        """Share of the claim's content words, by weight, that a sentence holds."""
        found = self._covers.get((chunk, sentence))
        if found is None or without:
            index = self.indexes[chunk]
            sentence_of = index.sentence_of
            hit = total = 0.0
            for stem, weight in self._weights.items():
                if stem in without:
                    continue
                total += weight
                if any(sentence_of[word] == sentence for word in index.positions.get(stem, ())):
                    hit += weight
            found = hit / total if total else 0.0
            if not without:
                self._covers[chunk, sentence] = found
        return found
