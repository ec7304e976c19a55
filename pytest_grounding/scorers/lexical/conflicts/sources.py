"""The chunks of one question as the conflict finders see them, with what every claim asks of them again."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from pytest_grounding._patterns import lazy
from pytest_grounding.reading import Reading, reading_of
from pytest_grounding.scorers.lexical.conflicts.lexicon import negated_stems, opposites_of, sided
from pytest_grounding.scorers.lexical.conflicts.marks import NEGATIVE
from pytest_grounding.scorers.lexical.conflicts.view import View, view_of_chunk
from pytest_grounding.scorers.lexical.index import ChunkIndex, index_of
from pytest_grounding.text.facts import Fact
from pytest_grounding.text.facts.spelling import as_spelled

MOST_PLACES = 500
VALUES = frozenset({"number", "percent", "money", "quantity", "duration", "date", "time", "ordinal"})
#: Facts of a chunk that are compared; beyond them is a table or an attack.
_MOST_FACTS = 2000
#: Letters that the forms of a name share.
_HEAD = 4
#: Words to either side of a name among which the nearest content word is sought.
_SLOT_REACH = 4
_DIGITS = lazy(r"\d[\d.,]*")

#: Numbers of a chunk and of a sentence of it; of the first word of a sentence and of the first after it.
Sentence = tuple[int, int]
Bounds = tuple[int, int]
#: The content words right before and right after a name; "" where none is near.
Slot = tuple[str, str]


class Comparisons:
    """How many values of chunks the claims of one answer may still be compared with.

    Numbers against numbers grow with the product of both; an answer of a few pages stays far below it.
    """

    __slots__ = ("is_spent", "left")

    def __init__(self, left: int = 150_000) -> None:
        self.left = left
        self.is_spent = False

    def take(self, count: int) -> bool:
        """Take so many, or none where fewer are left."""
        if count > self.left:
            self.is_spent = True
            return False
        self.left -= count
        return True


class Place(NamedTuple):
    """A word of a chunk: number of the chunk, number of the word."""

    chunk: int
    word: int


class Spots(NamedTuple):
    """Where a stem stands: how often in all, and the sentences that hold it, in order."""

    total: int
    sentences: tuple[Sentence, ...]


class Value(NamedTuple):
    """A number, date or time of a chunk.

    Attributes:
        fact: what it says.
        place: where it starts.
        sentence: its sentence.
        numbers: its numbers in digits, as `numbers_in` gives them.
    """

    fact: Fact
    place: Place
    sentence: Sentence
    numbers: tuple[str, ...]


class Named(NamedTuple):
    """A name inside a sentence of a chunk.

    Attributes:
        fact: the name.
        place: where it starts.
        words: the words of its key.
        heads: their first four letters.
        slot: the content words right before and right after it.
    """

    fact: Fact
    place: Place
    words: frozenset[str]
    heads: frozenset[str]
    slot: Slot


class Denial(NamedTuple):
    """What a chunk denies.

    Attributes:
        place: the first denied word.
        which: number of the negation.
    """

    place: Place
    which: int


_NOWHERE = Spots(0, ())


def numbers_in(text: str) -> tuple[str, ...]:
    """The numbers of a fact in digits, both ends of a range; its first word where it has none."""
    found = _DIGITS.findall(as_spelled(text))
    return tuple(one.rstrip(".,").replace(",", "") for one in found) or (text.split()[0].lower(),)


def heads_of(words: Iterable[str]) -> frozenset[str]:
    """The first four letters of words that have as many."""
    return frozenset(word[:_HEAD] for word in words if len(word) >= _HEAD)


class Sources:
    """Chunks under one roof. Answers are kept: there are at most as many as the chunks have words.

    What is built at the first look is complete before it is seen: another thread may ask meanwhile.

    Attributes:
        language: first part of the BCP 47 tag that they are read in.
        indexes: the chunks taken apart.
        views: views of the chunks.
        held: all stems of the chunks.
    """

    def __init__(self, indexes: Sequence[ChunkIndex], language: str = "en") -> None:
        self.language: str = language
        self.indexes: tuple[ChunkIndex, ...] = tuple(indexes)
        self.views: tuple[View, ...] = tuple(view_of_chunk(index, language) for index in indexes)
        self.held: frozenset[str] = frozenset().union(*(index.positions for index in indexes))
        self._spots: dict[str, Spots] = {}
        self._places: dict[str, list[Place]] = {}
        self._stems: dict[Sentence, frozenset[str]] = {}
        self._spoken_of: dict[Sentence, frozenset[str]] = {}
        self._bounds: dict[Sentence, Bounds] = {}
        self._named: dict[Sentence, list[Named]] = {}

    def holds(self, stem: str) -> bool:
        """Whether some chunk holds a stem."""
        return stem in self.held

    def spots(self, stem: str) -> Spots:
        """How often a stem stands in the chunks, and in which sentences."""
        found = self._spots.get(stem)
        if found is not None:
            return found
        if stem not in self.held:
            # Not kept: the words that chunks lack are without number.
            return _NOWHERE
        count = 0
        sentences: dict[Sentence, None] = {}
        for number, index in enumerate(self.indexes):
            words = index.positions.get(stem)
            if words:
                count += len(words)
                sentence_of = index.sentence_of
                for word in words:
                    sentences[number, sentence_of[word]] = None
        found = self._spots[stem] = Spots(count, tuple(sentences))
        return found

    def places(self, stem: str) -> list[Place]:
        """Where a stem stands in the chunks: the first 500 places of each. Not to be changed."""
        found = self._places.get(stem)
        if found is None:
            if stem not in self.held:
                return []
            found = self._places[stem] = [
                Place(number, word)
                for number, index in enumerate(self.indexes)
                for word in index.positions.get(stem, ())[:MOST_PLACES]
            ]
        return found

    def stems(self, chunk: int, sentence: int) -> frozenset[str]:
        """The stems of a sentence, stop words included."""
        found = self._stems.get((chunk, sentence))
        if found is None:
            low, high = self.bounds(chunk, sentence)
            found = self._stems[chunk, sentence] = frozenset(self.views[chunk].stems[low:high])
        return found

    def spoken_of(self, chunk: int, sentence: int) -> frozenset[str]:
        """The stems of a sentence and those of the subject that it takes over from the one before."""
        found = self._spoken_of.get((chunk, sentence))
        if found is None:
            taken = self.indexes[chunk].carried.get(sentence)
            held = self.stems(chunk, sentence)
            found = self._spoken_of[chunk, sentence] = held.union(taken) if taken else held
        return found

    @cached_property
    def taken_over(self) -> dict[str, list[Sentence]]:
        """For each stem of a subject the sentences that take it over without saying it."""
        found: dict[str, list[Sentence]] = {}
        for chunk, index in enumerate(self.indexes):
            for sentence, stems in index.carried.items():
                for stem in stems:
                    if stem not in self.stems(chunk, sentence):
                        found.setdefault(stem, []).append((chunk, sentence))
        return found

    def bounds(self, chunk: int, sentence: int) -> Bounds:
        """Numbers of the first word of a sentence and of the first after it."""
        found = self._bounds.get((chunk, sentence))
        if found is None:
            sentence_of = self.indexes[chunk].sentence_of
            found = bisect_left(sentence_of, sentence), bisect_right(sentence_of, sentence)
            self._bounds[chunk, sentence] = found
        return found

    @cached_property
    def opposed(self) -> dict[str, dict[str, str]]:
        """For each stem the stems of the chunks that are opposed to it, with the kind of conflict."""
        found: dict[str, dict[str, str]] = {}
        for own in sided().keys() & self.held:
            for stem, kind in opposites_of(own).items():
                found.setdefault(stem, {})[own] = kind
        for view in self.views:
            for number in view.with_mark(NEGATIVE):
                token = view.tokens[number]
                for stem in () if token.is_stop else negated_stems(token.norm):
                    # "Unsafe" where a claim says "safe".
                    found.setdefault(stem, {})[token.stem] = "antonym"
        return found

    @cached_property
    def values(self) -> list[Value]:
        """The numbers, dates and times of the chunks, in order."""
        return [
            Value(fact, Place(chunk, at), (chunk, view.sentence_of[at]), numbers_in(fact.text))
            for chunk, view in enumerate(self.views)
            for fact, at in view.facts_of(VALUES, _MOST_FACTS)
        ]

    def named(self, chunk: int, sentence: int) -> list[Named]:
        """The names of a sentence but one that starts it."""
        found = self._named.get((chunk, sentence))
        if found is None:
            found = self._named[chunk, sentence] = [
                self._name(chunk, sentence, fact, at)
                for fact, at in self.views[chunk].names.get(sentence, ())
            ]
        return found

    def _name(self, chunk: int, sentence: int, fact: Fact, at: int) -> Named:
        view, words = self.views[chunk], fact.key.split()
        slot = slot_of(view, at, view.end_of(fact, at), *self.bounds(chunk, sentence))
        return Named(fact, Place(chunk, at), frozenset(words), heads_of(words), slot)

    @cached_property
    def denials(self) -> dict[str, list[Denial]]:
        """For each stem where the chunks deny it, in order, but what they deny on a condition."""
        found: dict[str, list[Denial]] = {}
        for chunk, view in enumerate(self.views):
            done: set[int] = set()
            for word, which in view.denied.items():
                if which not in done:
                    done.add(which)
                    if not view.is_conditional(view.negation_at[which]):
                        found.setdefault(view.stems[word], []).append(Denial(Place(chunk, word), which))
        return found

    @cached_property
    def denying(self) -> frozenset[Sentence]:
        """The sentences that hold a negation."""
        return frozenset(
            (chunk, view.sentence_of[at]) for chunk, view in enumerate(self.views) for at in view.negation_at
        )

    @cached_property
    def name_words(self) -> frozenset[str]:
        """The words in the keys of the names inside sentences of the chunks."""
        groups = (group for view in self.views for group in view.names.values())
        return frozenset(word for group in groups for fact, _ in group for word in fact.key.split())

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        return frozenset(stem[:length] for stem in self.held for length in (2, 3, 4))

    def begins(self, head: str) -> bool:
        """Whether a stem of the chunks begins with two to four letters."""
        return head in self._beginnings

    @cached_property
    def _initials(self) -> tuple[str, ...]:
        return tuple(
            "".join(token.norm[0] for token in index.tokens if not (content and token.is_stop))
            for index in self.indexes
            for content in (False, True)
        )

    def spells(self, letters: str) -> bool:
        """Whether words of a chunk, or content words, that follow each other begin with these letters."""
        return any(letters in initials for initials in self._initials)


def slot_of(view: View, first: int, last: int, low: int, high: int) -> Slot:
    """The content words right before and right after words first to last, within words low to high."""
    tokens = view.tokens
    before = after = ""
    for number in range(first - 1, max(low, first - _SLOT_REACH) - 1, -1):
        if not tokens[number].is_stop:
            before = view.stems[number]
            break
    for number in range(last + 1, min(high, last + 1 + _SLOT_REACH)):
        if not tokens[number].is_stop:
            after = view.stems[number]
            break
    return before, after


def sources_of(text: str, language: str = "en") -> Sources:
    """The sources that one text makes; kept, as each claim of an answer is set against several others."""
    return reading_of(text, language).part(_sources)


def _sources(reading: Reading) -> Sources:
    return Sources([index_of(reading.text, reading.language)], reading.language)
