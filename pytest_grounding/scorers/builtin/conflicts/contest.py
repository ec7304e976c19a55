"""Compare the places of the chunks that agree with words of a claim and those that disagree."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from pytest_grounding._io.lazy_values import lazy_value
from pytest_grounding.evidence.sentence_view import Bounds, Comparisons, Place, Sentence, Sources, View
from pytest_grounding.evidence.token_index import ChunkIndex

_NEIGHBOURS = 8
_NOTHING = 1e-9
_FAR = 1 << 30  # larger than any distance within a claim
#: Start offset, and end offset (exclusive).
Span = tuple[int, int]


#: Sum of the weights of content words, and for each word stem, weight and distance, nearest first.
Neighbours = tuple[float, list[tuple[str, float, int]]]


class Contest:
    """A claim against all chunks: how closely places of the chunks are bound to words of the claim."""

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

    def _weigh_words(self) -> None:
        """Weigh the content words of the claim, and sum them for each sentence."""
        tokens, known, add = self.claim.tokens, self._weights, self._content.append
        for number in self.claim.content:
            _, _, stem, _, _, _, is_number, is_name = tokens[number]
            weight = known.get(stem)
            if weight is None:
                # Names and numbers bind more strongly.
                weight = self._weigh(stem, 1.5 if is_name or is_number else 1.0)
            add((number, stem, weight))
        for stem in self.carried:
            self._weigh(stem, 1.0)

    def _weigh(self, stem: str, binds: float) -> float:
        weight = self._weights.get(stem)
        if weight is None:
            spread, sentences = self.sources.spots(stem)
            # Words found everywhere in the context bind weakly.
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
        """Binding weight of a content word: more for rare words and names; 1 for any other word."""
        return self._weights.get(stem, 1.0)

    def best_sentences(self, limit: int | None = 6) -> list[Sentence]:
        """The sentences with the highest coverage of the claim, best first; without a limit, all of them."""
        return self._ranked[:limit]

    @lazy_value
    def _ranked(self) -> list[Sentence]:
        ranked = sorted(self.covers.items(), key=lambda cover: (-cover[1], cover[0]))
        return [place for place, _ in ranked]

    def spot(self, place: Place) -> Sentence:
        """The sentence of a place."""
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
            # Of two equally near words, the later one comes first.
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
        return total, found

    def bind(self, first: int, last: int, place: Place) -> float:
        """How closely a place is bound, in [0, 1], compared with words first to last of the claim."""
        # Called thousands of times for a long table: cached values need no call.
        total, words = self._neighbours.get((first, last)) or self.neighbours(first, last)
        if not words:
            return 0.0
        distance_of = self.chunks[place.chunk].window(place.word).get
        hit = 0.0
        for stem, weight, own in words:
            distance = distance_of(stem)
            if distance is not None:
                # Words farther apart than in the claim bind less.
                farther = distance - own - 1
                hit += weight / (1.0 + 0.06 * farther) if farther > 0 else weight
        return hit / total

    def local(self, first: int, last: int, chunk: int, sentence: int) -> float:
        """Share of the words around words first to last of the claim found anywhere in a sentence."""
        shares = self._local.get((first, last))
        if shares is None:
            shares = self._local[first, last] = {}
        found = shares.get((chunk, sentence))
        if found is None:
            held = self.spoken_of(chunk, sentence)
            total, words = self.neighbours(first, last)
            hit = 0.0
            # Summed in the order of `bind`, so that rounding cannot make that larger than this.
            for stem, weight, _ in words:
                if stem in held:
                    hit += weight
            found = shares[chunk, sentence] = hit / total if total else 0.0
        return found

    def cover(self, chunk: int, sentence: int, *, without: frozenset[str] = frozenset()) -> float:
        """Share of the claim's content words, by weight, in a sentence."""
        hit = self.covers.get((chunk, sentence), 0.0)
        total = self.total
        if without:
            held = self.spoken_of(chunk, sentence)
            # Sums of floats depend on the order.
            for stem in sorted(without) if len(without) > 1 else without:
                weight = self._weights.get(stem, 0.0)
                total -= weight
                if stem in held:
                    hit -= weight
        return hit / total if total > _NOTHING else 0.0


class Candidate(NamedTuple):
    """A possible conflict: words of the claim and the words that oppose them (the rival)."""

    #: Name of its row in `conflict_search.KINDS`. start, end: offsets of the claim's words. chunk, word:
    #: indices of the chunk and of the rival's first word. rival_start, rival_end: offsets of the rival in
    #: its chunk. strength, cover: how closely the rival is bound, and its sentence's coverage of the claim,
    #: in [0, 1].
    kind: str
    start: int
    end: int
    chunk: int
    word: int
    rival_start: int
    rival_end: int
    strength: float
    cover: float
    doubts: tuple[str, ...] = ()  # known reasons for which it may not be a conflict


class Rival(NamedTuple):
    """A place that disagrees."""

    strength: float  # how closely it is bound
    place: Place  # its place
    what: Any = None  # any data the generator keeps with it
    tie: float = 0.0  # decides between equally bound places; the greater wins


class Duel:
    """The most closely bound places that agree (`ally`) and disagree (`rival`) with words of a claim."""

    __slots__ = ("_agreeing", "_contest", "_first", "_last", "_margin", "ally", "rival")

    def __init__(self, contest: Contest, first: int, last: int | None = None, *, margin: float = 0.0) -> None:
        """Set the anchor: words of the claim."""
        self._contest = contest
        self._first, self._last = first, first if last is None else last
        self._margin = margin
        self._agreeing: set[Sentence] = set()
        self.ally = 0.0
        self.rival: Rival | None = None

    def meet(self, place: Place, *, agrees: bool) -> None:
        """Measure how closely a place is bound, and record it as ally or rival."""
        strength = self._contest.bind(self._first, self._last, place)
        if agrees:
            self.agree(strength)
        else:
            self.differ(strength, place)

    def agree(self, strength: float, sentence: Sentence | None = None) -> None:
        """Record an ally; if its sentence is given, a rival in that sentence does not count."""
        self.ally = max(self.ally, strength)
        if sentence is not None:
            self._agreeing.add(sentence)

    def differ(self, strength: float, place: Place, what: Any = None, tie: float = 0.0) -> None:
        """Record a rival."""
        if self.rival is None or (strength, tie) > (self.rival.strength, self.rival.tie):
            self.rival = Rival(strength, place, what, tie)

    def winner(self) -> Rival | None:
        """The rival, if it is bound more closely than all allies and no ally shares its sentence."""
        rival = self.rival
        if rival is None or rival.strength <= self.ally + self._margin:
            return None
        return None if self._contest.spot(rival.place) in self._agreeing else rival

    def candidates(self, kind: str, doubts: Iterable[str] = ()) -> Iterator[Candidate]:
        """The candidate made of the anchor and the winner's word, if any."""
        rival = self.winner()
        if rival is not None:
            tokens = self._contest.claim.tokens
            ours = tokens[self._first].start, tokens[self._last].end
            yield candidate(self._contest, kind, ours, rival, doubts=doubts)


def candidate(
    contest: Contest,
    kind: str,
    ours: Span,
    rival: Rival,
    theirs: Span | None = None,
    doubts: Iterable[str] = (),
    cover: float | None = None,
) -> Candidate:
    """Make a candidate of a winner."""
    strength, place = rival.strength, rival.place
    if theirs is None:
        token = contest.chunks[place.chunk].tokens[place.word]
        theirs = token.start, token.end
    if cover is None:
        cover = contest.cover(*contest.spot(place))
    return Candidate(kind, *ours, *place, *theirs, strength, cover, tuple(doubts))


def reasons(**known: bool) -> tuple[str, ...]:
    """The names of the doubts that apply."""
    return tuple(name for name, holds in known.items() if holds)
