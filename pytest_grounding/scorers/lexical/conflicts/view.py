"""What the conflict finders see of a text: words, facts at their words, negations with what they deny.

The view of a chunk is built once and cached with the text of the chunk.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from pytest_grounding.scorers.lexical.index import ChunkIndex, index_of
from pytest_grounding.scorers.lexical.tokens import Token
from pytest_grounding.text.facts import Fact, extract_facts

# Words that end the reach of a negation.
_BARRIERS = frozenset(
    "but because although though while if when where which that who whereas unless except than so since or and "
    "however therefore until after before as".split()  # noqa: SIM905 - reads better than a list
)
_BREAKS = frozenset(",;:.!?()[]\n—–")
#: Content words that a negation reaches.
_REACH = 2
#: Words that take part in verb groups: a negation passes over them.
_LIGHT = frozenset({"mention", "necessarily", "yet", "really", "actually", "always", "ever", "be", "been"})


class View:
    """One text as the conflict finders see it.

    Attributes:
        text: the text.
        tokens: its words.
        facts: its facts.
        fact_at: for each fact the number of the word where it starts (the next word for a sign).
        content: numbers of the words that are not stop words.
        denied: for each denied word the offsets of the word that denies it.
        names: facts that are names.
    """

    __slots__ = ("_windows", "content", "denied", "fact_at", "facts", "names", "sentence_of", "starts", "text", "tokens")

    def __init__(self, text: str, tokens: Sequence[Token], sentence_of: Sequence[int]) -> None:
        self.text = text
        self.tokens = tokens
        self.sentence_of = sentence_of
        self.starts = [token.start for token in tokens]
        self.facts = [fact for fact in extract_facts(text)]
        self.fact_at = [min(bisect_left(self.starts, fact.start), len(tokens) - 1) for fact in self.facts]
        self.content = [number for number, token in enumerate(tokens) if not token.is_stop]
        self.names = [fact for fact in self.facts if fact.kind == "name"]
        self.denied = self._denials()
        self._windows: dict[int, dict[str, int]] = {}

    def _denials(self) -> dict[int, Fact]:
        denied: dict[int, Fact] = {}
        for fact, at in zip(self.facts, self.fact_at, strict=True):
            if fact.kind != "negation":
                continue
            left = _REACH
            number = at + 1 if self.tokens[at].start < fact.end else at
            previous_end = fact.end
            while number < len(self.tokens) and left:
                token = self.tokens[number]
                between = self.text[previous_end : token.start]
                if not _BREAKS.isdisjoint(between) or token.norm in _BARRIERS:
                    break
                if not token.is_stop and token.norm not in _LIGHT:
                    denied.setdefault(number, fact)
                    left -= 1
                previous_end = token.end
                number += 1
        return denied

    def window(self, number: int, reach: int = 14) -> dict[str, int]:
        """Stems around a word in its sentence, with their distance in words."""
        found = self._windows.get(number)
        if found is None:
            found = {}
            tokens, sentence_of = self.tokens, self.sentence_of
            own = sentence_of[number]
            for step in range(1, reach + 1):
                for other in (number - step, number + step):
                    if 0 <= other < len(tokens) and sentence_of[other] == own and not tokens[other].is_stop:
                        found.setdefault(tokens[other].stem, step)
            self._windows[number] = found
        return found


def view_of_claim(text: str, tokens: Sequence[Token]) -> View:
    """The view of a claim: all of it counts as one sentence."""
    return View(text, tokens, [0] * len(tokens))


@lru_cache(maxsize=4096)
def _view_of_chunk(text: str, language: str) -> View:
    index = index_of(text, language)
    return View(text, index.tokens, index.sentence_of)


def view_of_chunk(index: ChunkIndex, language: str = "en") -> View:
    """The view of a chunk, from the cache where it was built before."""
    return _view_of_chunk(index.text, language)
