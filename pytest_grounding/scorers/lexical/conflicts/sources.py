"""The chunks of one question as the conflict finders see them, with what every claim asks of them again."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pytest_grounding.scorers.lexical.conflicts.view import view_of_chunk
from pytest_grounding.scorers.lexical.index import ChunkIndex, index_of

MOST_PLACES = 500


class Place(NamedTuple):
    """A word of a chunk: number of the chunk, number of the word."""

    chunk: int
    word: int


class Spots(NamedTuple):
    """Where a stem stands: how often in all, and the sentences (chunk, sentence) that hold it, in order."""

    total: int
    sentences: tuple[tuple[int, int], ...]


_NOWHERE = Spots(0, ())


class Sources:
    """Chunks under one roof. Answers are kept: there are at most as many as the chunks have words.

    Attributes:
        indexes: the chunks taken apart.
        views: views of the chunks.
    """

    __slots__ = (
        "_bounds",
        "_heads",
        "_initials",
        "_names",
        "_opposed",
        "_places",
        "_spots",
        "_stems",
        "indexes",
        "views",
    )

    def __init__(self, indexes: Sequence[ChunkIndex], language: str = "en") -> None:
        self.indexes = tuple(indexes)
        self.views = tuple(view_of_chunk(index, language) for index in indexes)
        self._spots: dict[str, Spots] = {}
        self._places: dict[str, list[Place]] = {}
        self._stems: dict[tuple[int, int], set[str]] = {}
        self._bounds: dict[tuple[int, int], tuple[int, int]] = {}
        self._opposed: dict[str, dict[str, str]] | None = None
        self._names: tuple[frozenset[str], frozenset[str]] | None = None
        self._heads: frozenset[str] | None = None
        self._initials: tuple[str, ...] | None = None

    def holds(self, stem: str) -> bool:
        """Whether some chunk holds a stem."""
        return bool(self.places(stem))

    def spots(self, stem: str) -> Spots:
        """How often a stem stands in the chunks, and in which sentences."""
        found = self._spots.get(stem)
        if found is not None:
            return found
        count = 0
        sentences: list[tuple[int, int]] = []
        for number, index in enumerate(self.indexes):
            words = index.positions.get(stem)
            if words:
                count += len(words)
                sentence_of = index.sentence_of
                last = -1
                for word in words:
                    if sentence_of[word] != last:
                        last = sentence_of[word]
                        sentences.append((number, last))
        if not count:
            # Not kept: the words that chunks lack are without number.
            return _NOWHERE
        found = self._spots[stem] = Spots(count, tuple(sentences))
        return found

    def places(self, stem: str) -> list[Place]:
        """Where a stem stands in the chunks: the first 500 places of each. Not to be changed."""
        found = self._places.get(stem)
        if found is None:
            found = [
                Place(number, word)
                for number, index in enumerate(self.indexes)
                for word in index.positions.get(stem, ())[:MOST_PLACES]
            ]
            if found:
                self._places[stem] = found
        return found

    def stems(self, chunk: int, sentence: int) -> set[str]:
        """The stems of a sentence, stop words included. Not to be changed."""
        found = self._stems.get((chunk, sentence))
        if found is None:
            low, high = self.bounds(chunk, sentence)
            found = {token.stem for token in self.indexes[chunk].tokens[low:high]}
            self._stems[chunk, sentence] = found
        return found

    def bounds(self, chunk: int, sentence: int) -> tuple[int, int]:
        """Numbers of the first word of a sentence and of the first after it."""
        found = self._bounds.get((chunk, sentence))
        if found is None:
            sentence_of = self.indexes[chunk].sentence_of
            found = bisect_left(sentence_of, sentence), bisect_right(sentence_of, sentence)
            self._bounds[chunk, sentence] = found
        return found

    @property
    def opposed(self) -> dict[str, dict[str, str]]:
        """For each stem the stems of the chunks that are opposed to it, with the kind of conflict."""
        if self._opposed is None:
            opposed: dict[str, dict[str, str]] = {}
            for view in self.views:
                for stem, rivals in view.opposed.items():
                    opposed.setdefault(stem, {}).update(rivals)
            self._opposed = opposed
        return self._opposed

    @property
    def names(self) -> tuple[frozenset[str], frozenset[str]]:
        """Keys of the names inside sentences of the chunks, and the words of these keys."""
        if self._names is None:
            keys = frozenset(
                fact.key for view in self.views for group in view.names.values() for fact, _ in group
            )
            self._names = keys, frozenset(word for key in keys for word in key.split())
        return self._names

    def begins(self, head: str) -> bool:
        """Whether a stem of the chunks begins with two to four letters."""
        if self._heads is None:
            stems = {stem for index in self.indexes for stem in index.positions}
            self._heads = frozenset(stem[:length] for stem in stems for length in (2, 3, 4))
        return head in self._heads

    def spells(self, letters: str) -> bool:
        """Whether words of a chunk, or content words, that follow each other begin with these letters."""
        if self._initials is None:
            self._initials = tuple(
                "".join(token.norm[0] for token in index.tokens if not (content and token.is_stop))
                for index in self.indexes
                for content in (False, True)
            )
        return any(letters in initials for initials in self._initials)


@lru_cache(maxsize=1024)
def sources_of(text: str, language: str = "en") -> Sources:
    """The sources that one text makes; kept, as each claim of an answer is set against several others."""
    return Sources([index_of(text, language)], language)
