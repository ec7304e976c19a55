"""One sentence of a chunk as the tests of answer types see it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pytest_grounding.scorers.lexical.tokens import Token
from pytest_grounding.text.facts import Fact, extract_facts
from pytest_grounding.text.grammar import words_of


class Sentence:
    """One sentence of a chunk.

    Attributes:
        text: the sentence, verbatim.
        start: its offset in the chunk.
        tokens: its words, with offsets in the chunk.
    """

    def __init__(self, text: str, start: int, tokens: Sequence[Token]) -> None:
        self.text = text
        self.start = start
        self.tokens = tokens

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """Numbers, dates, names and negations, with offsets in the sentence."""
        return extract_facts(self.text)

    @cached_property
    def lower(self) -> str:
        """The sentence in lower case with straight apostrophes, of the same length where it is ASCII."""
        return self.text.lower().replace("’", "'")

    def new_words(self, known: frozenset[str], *, after: int = 0, before: int | None = None) -> list[Token]:
        """Content words that the question does not hold, between two offsets of the sentence."""
        stop = len(self.text) if before is None else before
        return [
            t
            for t in self.tokens
            if not t.is_stop
            and t.stem not in known
            and after <= t.start - self.start
            and t.end - self.start <= stop
        ]

    def words_before(self, offset: int, count: int) -> list[str]:
        """The words in lower case right before an offset of the sentence, nearest last."""
        return words_of(self.text[max(0, offset - 60) : offset])[-count:]

    def words_after(self, offset: int, count: int) -> list[str]:
        """The words in lower case right after an offset of the sentence, nearest first."""
        return words_of(self.text[offset : offset + 80])[:count]

    def tokens_after(self, offset: int, count: int) -> list[Token]:
        """The first content words after an offset of the sentence."""
        found = []
        for token in self.tokens:
            if token.start - self.start >= offset and not token.is_stop:
                found.append(token)
                if len(found) == count:
                    break
        return found
