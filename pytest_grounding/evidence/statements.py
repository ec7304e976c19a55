"""The sentences of the sources that a claim rests on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.all_chunks import Context
from pytest_grounding.evidence.ledger_sources import is_denier
from pytest_grounding.evidence.settled import Outcome, Place
from pytest_grounding.evidence.token_index import weight_of
from pytest_grounding.lexicon import words
from pytest_grounding.model.claim_fact import FactStatus
from pytest_grounding.reading.grammar import has_finite_verb
from pytest_grounding.reading.words import Token

#: Words with which a statement of its own begins.
_TURNING = words("conflicts", "joining statements") | {"although", "though"}
#: A sentence is about the claim where it holds this share of what the best sentence holds …
_SHARE = 0.5
#: … and this share where the best sentence holds most of the claim.
_SHARE_OF_A_CLOSE_ONE = 0.8
_CLOSE = 0.7
#: A comma or a dash between two statements.
_SIGNS = lazy(r",|--| [-–] |—")
#: Signs at the end of a clause, beside commas.
_ENDS = ";:.!?()"


def has_word(tokens: Iterable[Token], listed: Collection[str]) -> bool:
    """Whether one of the words is listed, as folded."""
    return any(token.norm in listed for token in tokens)


def has_stem(tokens: Iterable[Token], stems: Collection[str]) -> bool:
    """Whether one of the words has one of these stems."""
    return any(token.stem in stems for token in tokens)


def denies_something(tokens: Iterable[Token]) -> bool:
    """Whether one of the words denies."""
    return any(is_denier(token.norm) for token in tokens)


class Statement(NamedTuple):
    """A sentence of a chunk."""

    chunk: int
    sentence: int  # its number among the sentences of all chunks
    tokens: Sequence[Token]
    parts: Sequence[Sequence[Token]]  # its words, cut where a statement of its own begins
    held: float  # share of the claim's content in it, by weight

    @property
    def start(self) -> int:
        """Offset of its first word in the chunk."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """End of its last word."""
        return self.tokens[-1].end

    def has(self, listed: Collection[str]) -> bool:
        """Whether it has one of these words."""
        return has_word(self.tokens, listed)

    def outcome(self, status: FactStatus, nearest: str = "") -> Outcome:
        """A fact that this sentence settles."""
        return Outcome(status, Place(self.chunk, self.start, self.end), nearest=nearest)


class Grounds:
    """What a claim rests on: its content words, and the sentences that hold most of them."""

    def __init__(self, text: str, tokens: Sequence[Token], context: Context, language: str) -> None:
        self.text = text
        self.tokens = tokens
        self._context = context
        self._language = language

    @cached_property
    def content(self) -> dict[str, float]:
        """Weights of the claim's content words, by stem."""
        return {
            token.stem: weight_of(token.norm, token.stem, token.is_number, self._language)
            for token in self.tokens
            if not token.is_stop
        }

    def forms(self, stem: str) -> frozenset[str]:
        """A stem with what stands for it in the chunks."""
        return frozenset((stem, *self._context.forms(stem)))

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """The sentences that the claim rests on, best first."""
        held: dict[int, float] = defaultdict(float)
        for stem, weight in self.content.items():
            sentences: set[int] = set()
            for form in self._context.forms(stem):
                sentences |= self._context.sentences(form)
            for sentence in sentences:
                held[sentence] += weight
        if not held:
            return ()
        total, best = sum(self.content.values()), max(held.values())
        least = best * (_SHARE_OF_A_CLOSE_ONE if best >= _CLOSE * total else _SHARE)
        ranked = sorted((-weight, sentence) for sentence, weight in held.items() if weight >= least)
        return tuple(self._statement(sentence, -weight / total) for weight, sentence in ranked)

    def share_of(self, content: Collection[str], statement: Statement) -> float:
        """Share of some of the claim's content words that a sentence holds, by weight; 0 to 1."""
        total = sum(self.content[stem] for stem in content)
        held = [
            stem
            for stem in content
            if any(statement.sentence in self._context.sentences(form) for form in self._context.forms(stem))
        ]
        return sum(self.content[stem] for stem in held) / total if total else 0.0

    def sentences_with(self, content: Collection[str], stems: Collection[str]) -> Iterator[Statement]:
        """The sentences that have one of the claim's content words and a word with one of these stems."""
        context = self._context
        listed = frozenset().union(*(context.sentences(stem) for stem in stems))
        if not listed:
            return
        forms = {form for stem in content for form in context.forms(stem)}
        held = frozenset().union(*(context.sentences(form) for form in forms))
        for number in sorted(listed & held):
            yield self._statement(number, 0.0)

    def _statement(self, sentence: int, share: float) -> Statement:
        context = self._context
        chunk = context.chunk_of[sentence]
        low, high = context.sources.bounds(chunk, sentence - context.offset[chunk])
        index = context.indexes[chunk]
        tokens = index.tokens[low:high]
        return Statement(chunk, sentence, tokens, parts_of(index.text, tokens), share)


def parts_of(text: str, tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """The words of a sentence, cut before "and", "but" and their like, and at signs between two verbs."""
    cuts = [0]
    for number in range(1, len(tokens)):
        between = text[tokens[number - 1].end : tokens[number].start]
        is_turn = tokens[number].norm in _TURNING or ";" in between
        if is_turn or (_SIGNS.search(between) and _join_verbs(tokens[cuts[-1] : number], tokens[number:])):
            cuts.append(number)
    cuts.append(len(tokens))
    return [tokens[first:last] for first, last in pairwise(cuts) if first < last]


def _has_verb(tokens: Sequence[Token]) -> bool:
    return has_finite_verb([token.norm for token in tokens])


def _join_verbs(before: Sequence[Token], after: Sequence[Token]) -> bool:
    """Whether both sides of a comma have a verb of their own."""
    return _has_verb(before) and _has_verb(after)


def content_after(text: str, tokens: Sequence[Token], at: int, reach: int, most: int) -> Iterator[Token]:
    """The content words after a word, up to the end of its clause."""
    found = 0
    for number in range(at + 1, min(len(tokens), at + 1 + reach)):
        between = text[tokens[number - 1].end : tokens[number].start]
        is_next = number == at + 1
        if any(sign in between for sign in _ENDS) or ("," in between and (found or not is_next)):
            return
        if not tokens[number].is_stop:
            found += 1
            yield tokens[number]
        if found == most:
            return
