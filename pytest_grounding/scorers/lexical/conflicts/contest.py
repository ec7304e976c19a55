"""Binding: is a word of the claim said of the same thing as a word of the evidence?"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pytest_grounding.scorers.lexical.conflicts.sources import Bounds, Comparisons, Place, Sentence, Sources
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.scorers.lexical.index import ChunkIndex

_NEIGHBOURS = 8
_NOTHING = 1e-9
#: Farther than any word of a claim.
_FAR = 1 << 30


class Neighbours(NamedTuple):
    """The content words around words of the claim.

    Attributes:
        total: sum of their weights.
        words: each with its weight and its distance in words, nearest first.
    """

    total: float
    words: list[tuple[str, float, int]]


class Contest:
    """A claim against all chunks: how well places of the chunks are bound to words of the claim.

    Attributes:
        claim: the claim.
        sources: the chunks; what is asked of them is kept over the claims of an answer.
        chunks: views of the chunks.
        indexes: the chunks taken apart.
        stems: gives the stems of a sentence, stop words included, from the numbers of chunk and sentence.
        spoken_of: the same with the subject that the sentence takes over from the one before.
        bounds: gives the numbers of the first word of a sentence and of the first after it.
        places: gives where a stem stands in the chunks, the first 500 places of each.
        given: stems of the question: what it is about needs no mention in every sentence.
        carried: stems of the subject that the claim takes over from the sentence before it.
        total: weight of all content words of the claim.
        covers: for each sentence that holds any of them (chunk, sentence) the weight that it holds.
    """

    def __init__(
        self,
        claim: View,
        sources: Sources,
        given: frozenset[str] = frozenset(),
        carried: Sequence[str] = (),
        comparisons: Comparisons | None = None,
    ) -> None:
        self.claim = claim
        self.sources = sources
        self.given = given
        self.carried = carried
        self.comparisons = comparisons or Comparisons()
        self.chunks: tuple[View, ...] = sources.views
        self.indexes: tuple[ChunkIndex, ...] = sources.indexes
        self.stems: Callable[[int, int], frozenset[str]] = sources.stems
        self.spoken_of: Callable[[int, int], frozenset[str]] = sources.spoken_of
        self.bounds: Callable[[int, int], Bounds] = sources.bounds
        self.places: Callable[[str], list[Place]] = sources.places
        self._neighbours: dict[tuple[int, int], Neighbours] = {}
        self._local: dict[tuple[int, int], dict[Sentence, float]] = {}
        self._content: list[tuple[int, str, float]] = []
        self._weights: dict[str, float] = {}
        self.covers: dict[Sentence, float] = {}
        self._taken_over = sources.taken_over
        self._weigh_words()
        self.total = sum(self._weights.values())
        self._ranked: list[Sentence] | None = None

    def _weigh_words(self) -> None:
        """Weigh the content words of the claim, and add up what each sentence holds of them."""
        tokens, known, add = self.claim.tokens, self._weights, self._content.append
        for number in self.claim.content:
            _, _, stem, _, _, _, is_number, is_name = tokens[number]
            weight = known.get(stem)
            if weight is None:
                # Names and numbers bind more.
                weight = self._weigh(stem, 1.5 if is_name or is_number else 1.0)
            add((number, stem, weight))
        for stem in self.carried:
            self._weigh(stem, 1.0)

    def _weigh(self, stem: str, binds: float) -> float:
        weight = self._weights.get(stem)
        if weight is None:
            spread, sentences = self.sources.spots(stem)
            # Words that stand everywhere in the context bind little.
            weight = self._weights[stem] = binds / (1.0 + 0.15 * spread) + 0.25
            covers = self.covers
            for place in sentences:
                covers[place] = covers.get(place, 0.0) + weight
            taken_over = self._taken_over
            if stem in taken_over:
                for place in taken_over[stem]:
                    covers[place] = covers.get(place, 0.0) + weight
        return weight

    def weight(self, stem: str) -> float:
        """How much a content word of the claim binds: rare ones and names more; 1 for any other word."""
        return self._weights.get(stem, 1.0)

    def best_sentences(self, limit: int | None = 6) -> list[Sentence]:
        """The sentences that hold most of the claim, best first; all that hold any of it without a limit."""
        if self._ranked is None:
            ranked = sorted([(-weight, place) for place, weight in self.covers.items()])
            self._ranked = [place for _, place in ranked]
        return self._ranked[:limit]

    def spot(self, place: Place) -> Sentence:
        """The sentence that a place stands in."""
        return place.chunk, self.chunks[place.chunk].sentence_of[place.word]

    def neighbours(self, first: int, last: int) -> Neighbours:
        """The content words around words first to last of the claim, with their weights."""
        found = self._neighbours.get((first, last))
        if found is None:
            found = self._neighbours[first, last] = self._around(first, last)
        return found

    def _around(self, first: int, last: int) -> Neighbours:
        content = self._content
        words: dict[str, tuple[str, float, int]] = {}
        left, right = bisect_left(self.claim.content, first) - 1, bisect_right(self.claim.content, last)
        while len(words) < _NEIGHBOURS and (left >= 0 or right < len(content)):
            before = first - content[left][0] if left >= 0 else _FAR
            after = content[right][0] - last if right < len(content) else _FAR
            # Of two that are as near, the one behind comes first.
            if after <= before:
                _, stem, weight = content[right]
                right += 1
                if stem not in words:
                    words[stem] = stem, weight / (1.0 + 0.15 * (after - 1)), after
            if before <= after:
                _, stem, weight = content[left]
                left -= 1
                if stem not in words:
                    words[stem] = stem, weight / (1.0 + 0.15 * (before - 1)), before
        for stem in self.carried:
            if stem not in words:
                words[stem] = stem, self._weights[stem] / (1.0 + 0.15 * first), first + 1
        found = list(words.values())
        total = 0.0
        for _, weight, _ in found:
            total += weight
        return Neighbours(total, found)

    def bind(self, first: int, last: int, place: Place) -> float:
        """How far a place of a chunk is bound as words first to last of the claim are, in [0, 1]."""
        # Asked for thousands of places of a long table: what is known needs no call.
        total, words = self._neighbours.get((first, last)) or self.neighbours(first, last)
        if not words:
            return 0.0
        distance_of = self.chunks[place.chunk].window(place.word).get
        hit = 0.0
        for stem, weight, own in words:
            distance = distance_of(stem)
            if distance is not None:
                # Said farther apart than in the claim binds less.
                farther = distance - own - 1
                hit += weight / (1.0 + 0.06 * farther) if farther > 0 else weight
        return hit / total

    def local(self, first: int, last: int, chunk: int, sentence: int) -> float:
        """Share of the words around words first to last of the claim that a sentence holds, wherever."""
        shares = self._local.get((first, last))
        if shares is None:
            shares = self._local[first, last] = {}
        found = shares.get((chunk, sentence))
        if found is None:
            held = self.spoken_of(chunk, sentence)
            total, words = self.neighbours(first, last)
            hit = 0.0
            # Added up in the order of `bind`, so that rounding cannot lift that above this.
            for stem, weight, _ in words:
                if stem in held:
                    hit += weight
            found = shares[chunk, sentence] = hit / total if total else 0.0
        return found

    def cover(self, chunk: int, sentence: int, *, without: frozenset[str] = frozenset()) -> float:
        """Share of the claim's content words, by weight, that a sentence holds."""
        hit = self.covers.get((chunk, sentence), 0.0)
        total = self.total
        if without:
            held = self.spoken_of(chunk, sentence)
            # Differences of floats depend on their order.
            for stem in sorted(without) if len(without) > 1 else without:
                weight = self._weights.get(stem, 0.0)
                total -= weight
                if stem in held:
                    hit -= weight
        return hit / total if total > _NOTHING else 0.0
