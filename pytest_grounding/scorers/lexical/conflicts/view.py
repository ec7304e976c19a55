"""What the conflict finders see of a text: words, facts at their words, negations with what they deny."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import Any

from pytest_grounding.lexicon import words
from pytest_grounding.reading import Reading, reading_of
from pytest_grounding.scorers.lexical.conflicts.marks import DENIES, WEAK, marked
from pytest_grounding.scorers.lexical.index import ChunkIndex, index_of
from pytest_grounding.scorers.lexical.tokens import Token, tokenize
from pytest_grounding.text.facts import Fact, extract_facts

_BARRIERS = words("conflicts", "barriers")
_BREAKS = frozenset(",;:.!?()[]\n—–")
_LIGHT = words("conflicts", "light")
_END = attrgetter("end")
_NOT_ALONE = words("conflicts", "not alone")
_PLAIN_NOT = words("conflicts", "plain nots")
_CONDITIONS = words("conflicts", "conditions")
#: Content words that a negation reaches, and words that a weak one does.
_REACH = 2
_WEAK_REACH = 3
#: A negation is followed over this many words, small ones among them; more are "not not not …".
_MOST_DENIED = 60
#: Longer claims are read anew each time.
_LONGEST_KEPT = 600
_NO_WORDS: tuple[tuple[Any, ...], ...] = ((),) * len(Token._fields)
_NOTHING_CARRIED: Mapping[int, Sequence[str]] = {}


def _is_counter(text: str, fact: Fact) -> bool:
    """Whether a number is a citation or counts the items of a list: "[3]", "3. Bake", "3  Bake"."""
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
    """One text as the conflict finders see it.

    Attributes:
        text: the text.
        tokens: its words.
        norms: their folded forms.
        stems: their stems.
        facts: its facts, without negations.
        fact_at: for each fact the number of the word where it starts.
        named: its names, each with the number of the word where it starts.
        content: numbers of the words that are not stop words.
        sentence_of: for each word the number of its sentence.
        negations: the negations.
        negation_at: for each negation the number of the word where it starts.
        negated_at: the same as a set.
        denied: for each denied word the number of the negation that denies it.
        cues: numbers of all words that deny, negations included, ascending.
        marked: for each mark the numbers of the words that have it, ascending.
        carried: for each sentence that takes its subject over the stems of that subject.
    """

    def __init__(
        self,
        text: str,
        tokens: Sequence[Token],
        sentence_of: Sequence[int],
        carried: Mapping[int, Sequence[str]] = _NOTHING_CARRIED,
    ) -> None:
        self.text: str = text
        self.carried: Mapping[int, Sequence[str]] = carried
        self.tokens: Sequence[Token] = tokens
        self.sentence_of: Sequence[int] = sentence_of
        self.norms: tuple[str, ...]
        self.stems: tuple[str, ...]
        _, self.norms, self.stems, starts, _, stops, _, _ = zip(*tokens, strict=True) if tokens else _NO_WORDS
        self.facts: list[Fact] = []
        self.fact_at: list[int] = []
        self.named: list[tuple[Fact, int]] = []
        self.negations: list[Fact] = []
        self.negation_at: list[int] = []
        for fact in extract_facts(text):
            at = bisect_right(starts, fact.start) - 1
            if at < 0 or tokens[at].end <= fact.start:
                at += 1
            if at >= len(tokens) or starts[at] >= fact.end:
                # Its words were left out as a label or marker: not said by the claim.
                continue
            if fact.kind == "negation":
                after = at + 1
                if after < len(tokens) and self.norms[after] in _NOT_ALONE and self.norms[at] in _PLAIN_NOT:
                    # "It does not just affect X": it affects X.
                    continue
                self.negations.append(fact)
                self.negation_at.append(at)
            elif not _is_counter(text, fact):
                self.facts.append(fact)
                self.fact_at.append(at)
                if fact.kind == "name":
                    self.named.append((fact, at))
        self.content: list[int] = [number for number, is_stop in enumerate(stops) if not is_stop]
        self.marked: dict[str, list[int]] = marked(self.norms)
        self.denied: dict[int, int] = self._denials() if self.negations else {}
        self.negated_at: frozenset[int] = frozenset(self.negation_at)
        self.cues: Sequence[int] = self.with_mark(DENIES)
        if self.negations:
            self.cues = sorted(self.negated_at.union(self.cues))
        self._windows: dict[int, dict[str, int]] = {}

    def gap(self, number: int) -> str:
        """The text between a word and the one before it."""
        return self.text[self.tokens[number - 1].end : self.tokens[number].start]

    @cached_property
    def apart(self) -> list[int]:
        """Numbers of the words before which more stands than a blank, or nothing, ascending."""
        text, tokens = self.text, self.tokens
        return [
            number
            for number, (one, other) in enumerate(pairwise(tokens), start=1)
            if text[one.end : other.start] != " "
        ]

    def words_between(self, start: int, end: int) -> tuple[int, int]:
        """Numbers of the first and the last word of a stretch of the text."""
        tokens = self.tokens
        first = last = min(bisect_right(tokens, start, key=_END), len(tokens) - 1)
        while last + 1 < len(tokens) and tokens[last + 1].start < end:
            last += 1
        return first, last

    def with_mark(self, mark: str) -> Sequence[int]:
        """Numbers of the words that have a mark, ascending."""
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

    @cached_property
    def names(self) -> dict[int, list[tuple[Fact, int]]]:
        """For each sentence its names that do not start it, each with the number of its first word."""
        found: dict[int, list[tuple[Fact, int]]] = {}
        for fact, at in self.named:
            if not fact.initial:
                found.setdefault(self.sentence_of[at], []).append((fact, at))
        return found

    def facts_of(self, kinds: Container[str], most: int | None = None) -> list[tuple[Fact, int]]:
        """The facts of some kinds among the first so many, each with the number of its first word."""
        pairs = zip(self.facts[:most], self.fact_at, strict=False)
        return [(fact, at) for fact, at in pairs if fact.kind in kinds]

    def end_of(self, fact: Fact, at: int) -> int:
        """The last word of a fact that starts at a word."""
        tokens, end, last = self.tokens, fact.end, at
        while last + 1 < len(tokens) and tokens[last + 1].start < end:
            last += 1
        return last

    def cues_near(self, number: int, reach: int) -> list[int]:
        """The words that deny within reach of a word, in its sentence."""
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
        return distance <= reach and (distance <= _WEAK_REACH or self.norms[cue] not in WEAK)

    def is_conditional(self, number: int, reach: int = 10) -> bool:
        """Whether a condition ("if", "unless") opens before a word, in its sentence."""
        first = max(number - reach, bisect_left(self.sentence_of, self.sentence_of[number]))
        return not _CONDITIONS.isdisjoint(self.norms[first:number])

    def window(self, number: int, reach: int = 14) -> dict[str, int]:
        """Stems around a word in its sentence, with their distance in words."""
        found = self._windows.get(number)
        if found is None:
            found = {}
            content, stems, sentence_of = self.content, self.stems, self.sentence_of
            own = sentence_of[number]
            middle = bisect_left(content, number)
            # From the ends inwards, so that the nearest of several has the last word.
            for at in reversed(
                content[bisect_right(content, number, middle) : bisect_right(content, number + reach, middle)]
            ):
                if sentence_of[at] == own:
                    found[stems[at]] = at - number
            for at in content[bisect_left(content, number - reach, 0, middle) : middle]:
                if sentence_of[at] == own and number - at <= found.get(stems[at], reach):
                    found[stems[at]] = number - at
            for stem in self.carried.get(own, ()):
                # It stands where the pronoun does, at the head of the sentence.
                found.setdefault(stem, min(reach, number - bisect_left(sentence_of, own) + 1))
            self._windows[number] = found
        return found


def within(numbers: Sequence[int], first: int, last: int) -> Sequence[int]:
    """Of ascending numbers of words those from first to last."""
    return numbers[bisect_left(numbers, first) : bisect_right(numbers, last)]


def view_of_claim(text: str, tokens: Sequence[Token], language: str = "en") -> View:
    """The view of a claim: all of it counts as one sentence."""
    if len(text) <= _LONGEST_KEPT:
        view = reading_of(text, language).part(_as_claim)
        if view.tokens == tokens:
            return view
    return View(text, tokens, [0] * len(tokens))


def _as_claim(reading: Reading) -> View:
    # The claims of one answer are set against the chunks, and then each against a dozen others.
    tokens = tokenize(reading.text, reading.language)
    return View(reading.text, tokens, [0] * len(tokens))


def view_of_chunk(index: ChunkIndex, language: str = "en") -> View:
    """The view of a chunk, a part of its reading."""
    return reading_of(index.text, language).part(_as_chunk)


def _as_chunk(reading: Reading) -> View:
    index = index_of(reading.text, reading.language)
    return View(reading.text, index.tokens, index.sentence_of, index.carried)
