"""Claims and sources as the conflict search reads them: tokens, facts and their positions, negations."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import Any, NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.lazy_values import kept_method, kept_with_owner, lazy_value
from pytest_grounding.evidence import conflict_words
from pytest_grounding.evidence.token_index import ChunkIndex, index_of
from pytest_grounding.lexicon import words
from pytest_grounding.reading import read_once
from pytest_grounding.reading.facts import Fact, extract_facts
from pytest_grounding.reading.facts.numerals import as_spelled
from pytest_grounding.reading.words import Token, tokenize

MOST_PLACES = 500
VALUES = frozenset({"number", "percent", "money", "quantity", "duration", "date", "time", "ordinal"})
_NAMES = frozenset({"name"})
_MOST_FACTS = 2000  # facts of a chunk that are compared; more is a table or an attack
_HEAD = 4  # common first letters of two forms of a name
#: Words on either side of a name that are searched for the nearest content word.
_SLOT_REACH = 4
_DIGITS = lazy(r"\d[\d.,]*")
_MOST_NUMBERS = 4096  # facts whose numbers are kept

#: Indices of a chunk and of a sentence; of the first word of a sentence and of the next sentence.
Sentence = tuple[int, int]
Bounds = tuple[int, int]
#: The content words right before and after a name; "" where none is near.
Slot = tuple[str, str]

_BARRIERS = words("conflicts", "barriers")
_BREAKS = frozenset(",;:.!?()[]\n—–")
_LIGHT = words("conflicts", "light")
_END = attrgetter("end")
_NOT_ALONE = words("conflicts", "not alone")
_PLAIN_NOT = words("conflicts", "plain nots")
_CONDITIONS = words("conflicts", "conditions")
_REACH = 2  # content words within the scope of a negation, and of a weak one
_WEAK_REACH = 3
#: A negation is followed over this many words, small ones included; more is "not not not …".
_MOST_DENIED = 60
_LONGEST_KEPT = 600  # longer claims are not cached
_NO_WORDS: tuple[tuple[Any, ...], ...] = ((),) * len(Token._fields)
_NOTHING_CARRIED: Mapping[int, Sequence[str]] = {}


class Comparisons:
    """How many more values of chunks the claims of an answer may be compared with."""

    __slots__ = ("is_spent", "left")

    def __init__(self, left: int = 150_000) -> None:
        self.left = left
        self.is_spent = False

    def take(self, count: int) -> bool:
        """Take this many, or none if fewer are left."""
        if count > self.left:
            self.is_spent = True
            return False
        self.left -= count
        return True


class Place(NamedTuple):
    """A word of a chunk: index of the chunk, index of the word."""

    chunk: int
    word: int


class Value(NamedTuple):
    """A number, date or time of a chunk."""

    fact: Fact  # the fact
    place: Place  # position of its first word
    sentence: Sentence
    numbers: tuple[str, ...]  # its numbers in digits, see `numbers_in`


class Named(NamedTuple):
    """A name inside a sentence of a chunk."""

    fact: Fact  # the name
    place: Place  # position of its first word
    words: frozenset[str]  # words of its key
    heads: frozenset[str]  # first four letters of each
    slot: Slot  # the content words right before and after it


@lru_cache(maxsize=_MOST_NUMBERS)
def numbers_in(text: str) -> tuple[str, ...]:
    """The numbers of a fact in digits, both ends of a range; its first word if it has none."""
    found = _DIGITS.findall(as_spelled(text))
    return tuple(one.rstrip(".,").replace(",", "") for one in found) or (text.split()[0].lower(),)


def heads_of(words: Iterable[str]) -> frozenset[str]:
    """The first four letters of each word that has as many."""
    return frozenset(word[:_HEAD] for word in words if len(word) >= _HEAD)


class Sources:
    """All chunks, with cached lookups: at most as many as the chunks have words."""

    def __init__(self, indexes: Sequence[ChunkIndex], language: str = "en") -> None:
        self.language: str = language  # first part of the BCP 47 tag used for reading
        self.indexes: tuple[ChunkIndex, ...] = tuple(indexes)  # one index per chunk
        self.views: tuple[View, ...] = tuple(view_of_chunk(index.text, language) for index in indexes)
        self.held: frozenset[str] = frozenset().union(*(index.positions for index in indexes))
        self._spots: dict[str, tuple[int, tuple[Sentence, ...]]] = {}
        self._places: dict[str, list[Place]] = {}

    def holds(self, stem: str) -> bool:
        """Whether some chunk contains a stem."""
        return stem in self.held

    def spots(self, stem: str) -> tuple[int, tuple[Sentence, ...]]:
        """How often a stem occurs in the chunks, and the sentences that contain it, in order."""
        found = self._spots.get(stem)
        if found is not None:
            return found
        if stem not in self.held:
            # Not cached: the number of words that chunks lack is unlimited.
            return 0, ()
        count = 0
        sentences: dict[Sentence, None] = {}
        for number, index in enumerate(self.indexes):
            words = index.positions.get(stem)
            if words:
                count += len(words)
                sentence_of = index.sentence_of
                for word in words:
                    sentences[number, sentence_of[word]] = None
        found = self._spots[stem] = count, tuple(sentences)
        return found

    def places(self, stem: str) -> list[Place]:
        """The first 500 places of a stem in the chunks. Do not modify."""
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

    @kept_method
    def stems(self, chunk: int, sentence: int) -> frozenset[str]:
        """The stems of a sentence, stop words included."""
        low, high = self.bounds(chunk, sentence)
        return frozenset(self.views[chunk].stems[low:high])

    @kept_method
    def spoken_of(self, chunk: int, sentence: int) -> frozenset[str]:
        """The stems of a sentence, with those of a subject carried over from the sentence before."""
        taken = self.indexes[chunk].carried.get(sentence)
        held = self.stems(chunk, sentence)
        return held.union(taken) if taken else held

    @lazy_value
    def taken_over(self) -> dict[str, list[Sentence]]:
        """Stem of a subject -> the sentences that carry it over without naming it."""
        found: dict[str, list[Sentence]] = {}
        for chunk, index in enumerate(self.indexes):
            for sentence, stems in index.carried.items():
                for stem in stems:
                    if stem not in self.stems(chunk, sentence):
                        found.setdefault(stem, []).append((chunk, sentence))
        return found

    @kept_method
    def bounds(self, chunk: int, sentence: int) -> Bounds:
        """Indices of the first word of a sentence and of the next sentence."""
        return self.indexes[chunk].words_of(sentence)

    @lazy_value
    def opposed(self) -> dict[str, dict[str, str]]:
        """Stem -> stems of the chunks that are opposed to it, with the kind of conflict."""
        found: dict[str, dict[str, str]] = {}
        for own in filter(conflict_words.sided().__contains__, self.held):
            for stem, kind in conflict_words.opposites_of(own).items():
                found.setdefault(stem, {})[own] = kind
        for view in self.views:
            for number in view.with_mark(conflict_words.NEGATIVE):
                token = view.tokens[number]
                for stem in () if token.is_stop else conflict_words.negated_stems(token.norm):
                    # "Unsafe" for a claim with "safe".
                    found.setdefault(stem, {})[token.stem] = "antonym"
        return found

    @lazy_value
    def values(self) -> list[Value]:
        """The numbers, dates and times of the chunks, in order."""
        return [
            Value(fact, Place(chunk, at), (chunk, view.sentence_of[at]), numbers_in(fact.text))
            for chunk, view in enumerate(self.views)
            for fact, at in view.facts_of(VALUES, _MOST_FACTS)
        ]

    @kept_method
    def named(self, chunk: int, sentence: int) -> list[Named]:
        """The names of a sentence, without one that starts it."""
        named = self.views[chunk].names.get(sentence, ())
        return [self._name(chunk, sentence, fact, at) for fact, at in named]

    def _name(self, chunk: int, sentence: int, fact: Fact, at: int) -> Named:
        view, words = self.views[chunk], fact.key.split()
        slot = slot_of(view, at, view.end_of(fact, at), *self.bounds(chunk, sentence))
        return Named(fact, Place(chunk, at), frozenset(words), heads_of(words), slot)

    @lazy_value
    def denials(self) -> dict[str, list[tuple[Place, int]]]:
        """Stem -> where the chunks deny it, each with the index of the negation; no conditional denials."""
        found: dict[str, list[tuple[Place, int]]] = {}
        for chunk, view in enumerate(self.views):
            done: set[int] = set()
            for word, which in view.denied.items():
                if which not in done:
                    done.add(which)
                    if not view.is_conditional(view.negation_at[which]):
                        found.setdefault(view.stems[word], []).append((Place(chunk, word), which))
        return found

    @lazy_value
    def denying(self) -> frozenset[Sentence]:
        """The sentences that contain a negation."""
        return frozenset(
            (chunk, view.sentence_of[at]) for chunk, view in enumerate(self.views) for at in view.negation_at
        )

    @lazy_value
    def name_words(self) -> frozenset[str]:
        """The words in the keys of names inside sentences of the chunks."""
        groups = (group for view in self.views for group in view.names.values())
        return frozenset(word for group in groups for fact, _ in group for word in fact.key.split())

    @lazy_value
    def _beginnings(self) -> frozenset[str]:
        return frozenset(stem[:length] for stem in self.held for length in (2, 3, 4))

    def begins(self, head: str) -> bool:
        """Whether a stem of the chunks starts with these two to four letters."""
        return head in self._beginnings

    @lazy_value
    def _initials(self) -> tuple[str, ...]:
        found = []
        for index in self.indexes:
            found.append("".join([token.norm[0] for token in index.tokens]))
            found.append("".join([token.norm[0] for token in index.tokens if not token.is_stop]))
        return tuple(found)

    def spells(self, letters: str) -> bool:
        """Whether consecutive words (or content words) of a chunk start with these letters."""
        return any(letters in initials for initials in self._initials)


def slot_of(view: View, first: int, last: int, low: int, high: int) -> Slot:
    """The content words right before and after words first to last, within words low to high."""
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


# Each claim of an answer is compared with several others.
@read_once
def sources_of(text: str, language: str = "en") -> Sources:
    """A single text as sources."""
    return Sources([index_of(text, language)], language)


def _is_counter(text: str, fact: Fact) -> bool:
    """Whether a number is a citation or numbers a list: "[3]", "3. Bake", "3  Bake"."""
    if fact.kind != "number" or not fact.text.isdigit() or len(fact.text) > 2:
        return False
    after = text[fact.end : fact.end + 3]
    if text[fact.start - 1 : fact.start] in {"[", "^"} or (after[:1] == "]" and len(fact.text) < 3):
        return True
    if after[:2] == "  ":
        return True
    before = text[max(0, fact.start - 2) : fact.start].strip(" ")
    return after[:1] in {".", ")", ":"} and not after[1:2].isdigit() and (not before or before in "\n.*(")


class View:
    """One text as the conflict search reads it."""

    def __init__(
        self,
        text: str,
        tokens: Sequence[Token],
        sentence_of: Sequence[int],
        carried: Mapping[int, Sequence[str]] = _NOTHING_CARRIED,
    ) -> None:
        self.text: str = text  # verbatim
        #: Sentence -> stems of the subject it carries over.
        self.carried: Mapping[int, Sequence[str]] = carried
        self.tokens: Sequence[Token] = tokens
        self.sentence_of: Sequence[int] = sentence_of  # sentence of each word
        self.norms: tuple[str, ...]  # their folded forms
        self.stems: tuple[str, ...]
        _, self.norms, self.stems, starts, _, stops, _, _ = zip(*tokens, strict=True) if tokens else _NO_WORDS
        facts: list[tuple[Fact, int]] = []
        negations: list[tuple[Fact, int]] = []
        for fact in extract_facts(text):
            at = bisect_right(starts, fact.start) - 1
            if at < 0 or tokens[at].end <= fact.start:
                at += 1
            if at >= len(tokens) or starts[at] >= fact.end:
                # Its words were removed as a label or marker: not part of the claim.
                continue
            if fact.kind == "negation":
                after = at + 1
                if after < len(tokens) and self.norms[after] in _NOT_ALONE and self.norms[at] in _PLAIN_NOT:
                    # "It does not just affect X": it affects X.
                    continue
                negations.append((fact, at))
            elif not _is_counter(text, fact):
                facts.append((fact, at))
        # Tuples: the garbage collector skips those of numbers, and most are empty.
        self.facts: Sequence[Fact] = tuple([fact for fact, _ in facts])  # its facts, without negations
        self.fact_at: Sequence[int] = tuple([at for _, at in facts])  # index of the first word of each fact
        self.negations: Sequence[Fact] = tuple([fact for fact, _ in negations])
        self.negation_at: Sequence[int] = tuple([at for _, at in negations])  # the first word of each
        self.content: Sequence[int] = tuple([number for number, is_stop in enumerate(stops) if not is_stop])
        #: Mark -> indices of the words that have it, ascending.
        self.marked: dict[str, list[int]] = conflict_words.marked(self.norms)
        #: Denied word -> its negation.
        self.denied: dict[int, int] = self._denials() if self.negations else {}
        self.negated_at: frozenset[int] = frozenset(self.negation_at)  # the same as a set
        #: Indices of all denying words, negations included, ascending.
        self.cues: Sequence[int] = self.with_mark(conflict_words.DENIES)
        if self.negations:
            self.cues = sorted(self.negated_at.union(self.cues))

    @lazy_value
    def distinct(self) -> Sequence[tuple[Fact, int]]:
        """Its facts that differ in more than their place, each where it is first, with its first word."""
        found: dict[Fact, tuple[Fact, int]] = {}
        for fact, at in zip(self.facts, self.fact_at, strict=True):
            found.setdefault(fact._replace(start=0, end=0, lead=0, tail=0, turned=()), (fact, at))
        return list(found.values())

    def gap(self, number: int) -> str:
        """The text between a word and the one before it."""
        return self.text[self.tokens[number - 1].end : self.tokens[number].start]

    @lazy_value
    def apart(self) -> list[int]:
        """Indices of the words with more than a blank (or nothing) before them, ascending."""
        text, tokens = self.text, self.tokens
        return [
            number
            for number, (one, other) in enumerate(pairwise(tokens), start=1)
            if text[one.end : other.start] != " "
        ]

    def words_between(self, start: int, end: int) -> tuple[int, int]:
        """Indices of the first and last word of a stretch of the text."""
        tokens = self.tokens
        first = last = min(bisect_right(tokens, start, key=_END), len(tokens) - 1)
        while last + 1 < len(tokens) and tokens[last + 1].start < end:
            last += 1
        return first, last

    def with_mark(self, mark: str) -> Sequence[int]:
        """Indices of the words with a mark, ascending."""
        return self.marked.get(mark, ())

    def _denials(self) -> dict[int, int]:
        denied: dict[int, int] = {}
        for which, fact in enumerate(self.negations):
            left = _REACH
            number = self.negation_at[which]
            while number < len(self.tokens) and self.tokens[number].start < fact.end:
                number += 1
            previous_end = fact.end
            end = min(len(self.tokens), number + _MOST_DENIED)
            while number < end and left:
                token = self.tokens[number]
                between = self.text[previous_end : token.start]
                if not _BREAKS.isdisjoint(between) or token.norm in _BARRIERS:
                    break
                if not token.is_stop and token.norm not in _LIGHT:
                    denied.setdefault(number, which)
                    left -= 1
                previous_end = token.end
                number += 1
        return denied

    @lazy_value
    def named(self) -> Sequence[tuple[Fact, int]]:
        """Its names, each with the index of its first word."""
        return tuple(self.facts_of(_NAMES))

    @lazy_value
    def names(self) -> dict[int, list[tuple[Fact, int]]]:
        """Sentence -> its names, without one that starts it, each with the index of its first word."""
        found: dict[int, list[tuple[Fact, int]]] = {}
        for fact, at in self.named:
            if not fact.initial:
                found.setdefault(self.sentence_of[at], []).append((fact, at))
        return found

    @lazy_value
    def by_numbers(self) -> dict[tuple[str, ...], list[Fact]]:
        """Numbers -> the facts with a value that are written with them."""
        found: dict[tuple[str, ...], list[Fact]] = {}
        for fact in self.facts:
            if fact.value is not None:
                found.setdefault(numbers_in(fact.text), []).append(fact)
        return found

    def facts_of(self, kinds: Container[str], most: int | None = None) -> list[tuple[Fact, int]]:
        """The facts of some kinds among the first ones, each with the index of its first word."""
        pairs = zip(self.facts[:most], self.fact_at, strict=False)
        return [(fact, at) for fact, at in pairs if fact.kind in kinds]

    def end_of(self, fact: Fact, at: int) -> int:
        """The last word of a fact that starts at a word."""
        tokens, end, last = self.tokens, fact.end, at
        while last + 1 < len(tokens) and tokens[last + 1].start < end:
            last += 1
        return last

    def cues_near(self, number: int, reach: int) -> list[int]:
        """The denying words within reach of a word, in its sentence."""
        low = bisect_left(self.cues, number - reach)
        high = bisect_right(self.cues, number + reach)
        own = self.sentence_of[number]
        return [
            cue
            for cue in self.cues[low:high]
            if self.sentence_of[cue] == own and self.reaches(cue, number, reach)
        ]

    def reaches(self, cue: int, number: int, reach: int) -> bool:
        """Whether a cue is near enough to a word: weak ones reach less far."""
        distance = abs(cue - number)
        return distance <= reach and (distance <= _WEAK_REACH or self.norms[cue] not in conflict_words.WEAK)

    def is_conditional(self, number: int, reach: int = 10) -> bool:
        """Whether a condition ("if", "unless") precedes a word in its sentence."""
        first = max(number - reach, bisect_left(self.sentence_of, self.sentence_of[number]))
        return not _CONDITIONS.isdisjoint(self.norms[first:number])

    @kept_method
    def window(self, number: int, reach: int = 14) -> dict[str, int]:
        """Stems around a word in its sentence, with their distance in words."""
        found: dict[str, int] = {}
        content, stems, sentence_of = self.content, self.stems, self.sentence_of
        own = sentence_of[number]
        middle = bisect_left(content, number)
        # From the ends inwards, so that the nearest of several occurrences wins.
        for at in reversed(
            content[bisect_right(content, number, middle) : bisect_right(content, number + reach, middle)]
        ):
            if sentence_of[at] == own:
                found[stems[at]] = at - number
        for at in content[bisect_left(content, number - reach, 0, middle) : middle]:
            if sentence_of[at] == own and number - at <= found.get(stems[at], reach):
                found[stems[at]] = number - at
        for stem in self.carried.get(own, ()):
            # It takes the pronoun's place, at the start of the sentence.
            found.setdefault(stem, min(reach, number - bisect_left(sentence_of, own) + 1))
        return found


def within(numbers: Sequence[int], first: int, last: int) -> Sequence[int]:
    """The indices from first to last, out of ascending ones."""
    return numbers[bisect_left(numbers, first) : bisect_right(numbers, last)]


def view_of_claim(text: str, tokens: Sequence[Token], language: str = "en") -> View:
    """The view of a claim, as one sentence."""
    if len(text) <= _LONGEST_KEPT:
        view = _as_claim(text, language)
        if view.tokens == tokens:
            return view
    return View(text, tokens, (0,) * len(tokens))


# The claims of an answer are compared with the chunks, and then with a dozen other claims.
@read_once
def _as_claim(text: str, language: str) -> View:
    tokens = tokenize(text, language)
    return View(text, tokens, (0,) * len(tokens))


@kept_with_owner
def plain_view(index: ChunkIndex) -> View:
    """The view of a chunk that is read as English."""
    return view_of_chunk(index.text)


@read_once
def view_of_chunk(text: str, language: str = "en") -> View:
    """The view of a chunk."""
    index = index_of(text, language)
    return View(text, index.tokens, index.sentence_of, index.carried)
