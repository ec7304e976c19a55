"""The sentences of the sources that a claim rests on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from math import fsum
from typing import Any

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.lazy_values import kept_with_owner, lazy_value
from pytest_grounding.evidence.all_chunks import Context
from pytest_grounding.evidence.conflict_words import negated_stems
from pytest_grounding.evidence.ledger_sources import is_denier
from pytest_grounding.evidence.settled import Outcome, Place
from pytest_grounding.evidence.token_index import ChunkIndex, weight_of
from pytest_grounding.lexicon import words
from pytest_grounding.model.claim_fact import FactStatus
from pytest_grounding.reading import read_once
from pytest_grounding.reading.grammar import has_finite_verb
from pytest_grounding.reading.words import Token, tokenize

#: Words with which a statement of its own begins.
_TURNING = words("conflicts", "joining statements") | {"although", "though"}
_REFUSING, _ABLE = frozenset({"non", "out"}), "ble"
#: A sentence is about the claim where it holds this share of what the best sentence holds …
_SHARE = 0.5
_SHARE_OF_A_CLOSE_ONE = 0.8  # … and this share where the best sentence holds most of the claim
_CLOSE = 0.7
#: Sentences that a claim rests on at most: the best of a text that says the same again and again.
_MOST = 400
_QUOTE_ENDS = lazy(r"[.!?][\"”’]")  # the end of a quoted sentence: "Park here." Trucks cannot
_SIGNS = lazy(r",|--| [-–] |—")  # a comma or a dash between two statements
_ENDS = ";:.!?()"  # signs at the end of a clause, beside commas


def has_word(tokens: Iterable[Token], listed: Set[str]) -> bool:
    """Whether one of the words is listed, as folded."""
    return not listed.isdisjoint([token.norm for token in tokens])


def has_stem(tokens: Iterable[Token], stems: Set[str]) -> bool:
    """Whether one of the words has one of these stems."""
    return not stems.isdisjoint([token.stem for token in tokens])


def denies_something(tokens: Iterable[Token]) -> bool:
    """Whether one of the words denies."""
    return any(map(is_denier, [token.norm for token in tokens]))


class SentenceWords:
    """The words of one sentence, with what the facts of a claim ask of them."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text = text
        self.tokens = tokens
        #: What `kept_with_owner` keeps.
        self.kept: dict[Callable[..., Any], Any] = {}

    @lazy_value
    def norms(self) -> frozenset[str]:
        """Its words, as folded."""
        return frozenset([token.norm for token in self.tokens])

    @lazy_value
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset([token.stem for token in self.tokens])

    @lazy_value
    def parts(self) -> list[Sequence[Token]]:
        """Its words, cut where a statement of its own begins."""
        return parts_of(self.text, self.tokens)

    @lazy_value
    def wordings(self) -> Sequence[Sequence[Token]]:
        """Its parts, and behind several of them the whole."""
        return [*self.parts, self.tokens] if len(self.parts) > 1 else self.parts

    @lazy_value
    def has_finite_verb(self) -> bool:
        """Whether one of its words can be the finite verb of a clause."""
        return has_finite_verb(self.norms)

    @lazy_value
    def is_denying(self) -> bool:
        """Whether one of its words denies."""
        return any(map(is_denier, self.norms))

    @lazy_value
    def may_refuse(self) -> bool:
        """Whether one of its words may refuse something: "no", "out of", "irreversible"."""
        if self.is_denying or self.has(_REFUSING):
            return True
        return any(norm.endswith(_ABLE) and bool(negated_stems(norm)) for norm in self.norms)

    def has(self, listed: Set[str]) -> bool:
        """Whether it has one of these words."""
        return not listed.isdisjoint(self.norms)

    def has_stem(self, stems: Set[str]) -> bool:
        """Whether one of its words has one of these stems."""
        return not stems.isdisjoint(self.stems)


@read_once
def words_of_claim(text: str, language: str = "en") -> SentenceWords:
    """The words of a claim."""
    return SentenceWords(text, tokenize(text, language))


@dataclass(eq=False, slots=True)
class Statement:
    """A sentence of a chunk."""

    chunk: int
    sentence: int  # its number among the sentences of all chunks
    words: SentenceWords
    held: float  # share of the claim's content in it, by weight

    @property
    def tokens(self) -> Sequence[Token]:
        """Its words."""
        return self.words.tokens

    @property
    def parts(self) -> Sequence[Sequence[Token]]:
        """Its words, cut where a statement of its own begins."""
        return self.words.parts

    @property
    def start(self) -> int:
        """Offset of its first word in the chunk."""
        return self.words.tokens[0].start

    @property
    def end(self) -> int:
        """End of its last word."""
        return self.words.tokens[-1].end

    def has(self, listed: Set[str]) -> bool:
        """Whether it has one of these words."""
        return self.words.has(listed)

    def outcome(self, status: FactStatus, nearest: str = "") -> Outcome:
        """A fact that this sentence settles."""
        return Outcome(status, Place(self.chunk, self.start, self.end), nearest=nearest)


class Grounds:
    """What a claim rests on: its content words, and the sentences that hold most of them."""

    def __init__(self, words: SentenceWords, context: Context) -> None:
        self.text = words.text
        self.tokens = words.tokens
        self.words = words
        self._context = context
        self.language = context.language
        #: A stem with what stands for it in the chunks.
        self.forms = context.stand_ins

    @lazy_value
    def content(self) -> dict[str, float]:
        """Weights of the claim's content words, by stem."""
        return {
            token.stem: weight_of(token.norm, token.stem, token.is_number, self.language)
            for token in self.tokens
            if not token.is_stop
        }

    @lazy_value
    def statements(self) -> tuple[Statement, ...]:
        """The sentences that the claim rests on, best first."""
        held: dict[int, float] = defaultdict(float)
        for stem, weight in self.content.items():
            for sentence in self._context.in_some_form(stem):
                held[sentence] += weight
        if not held:
            return ()
        total, best = sum(self.content.values()), max(held.values())
        least = best * (_SHARE_OF_A_CLOSE_ONE if best >= _CLOSE * total else _SHARE)
        ranked = sorted([(-weight, sentence) for sentence, weight in held.items() if weight >= least])
        return tuple([self._statement(sentence, -weight / total) for weight, sentence in ranked[:_MOST]])

    def is_known(self, stem: str) -> bool:
        """Whether the sources have a word in some form."""
        return bool(self._context.in_some_form(stem))

    def is_known_as(self, stems: frozenset[str]) -> bool:
        """Whether the sources have a word with one of these stems."""
        return bool(self._context.sentences_with(stems))

    def text_of(self, statement: Statement) -> str:
        """The text of the chunk of a sentence."""
        return self._context.indexes[statement.chunk].text

    def tokens_before(self, statement: Statement) -> Sequence[Token]:
        """The words of the sentence before another one; none before the first of a chunk."""
        number = statement.sentence - self._context.offset[statement.chunk]
        return self._context.indexes[statement.chunk].tokens_of(number - 1) if number else ()

    def is_answered_with(self, statement: Statement, openings: Set[str]) -> bool:
        """Whether a sentence is a question, and the next one begins with one of these words."""
        index = self._context.indexes[statement.chunk]
        number = statement.sentence - self._context.offset[statement.chunk]
        is_question = "?" in index.text[statement.end : index.sentences[number][1]]
        following = index.tokens_of(number + 1) if is_question else []
        return has_word(following[:1], openings)

    def share_of(self, content: Collection[str], statement: Statement) -> float:
        """Share of some of the claim's content words that a sentence holds, by weight; 0 to 1."""
        weights = {stem: self.content.get(stem, 1.0) for stem in content}
        # Of a set, a plain sum would depend on the order.
        total = fsum(weights.values())
        held = [weights[stem] for stem in content if statement.sentence in self._context.in_some_form(stem)]
        return fsum(held) / total if total else 0.0

    def sentences_with(self, content: Collection[str], stems: frozenset[str]) -> Iterator[Statement]:
        """The sentences that have one of the claim's content words and a word with one of these stems."""
        listed = self._context.sentences_with(stems)
        if not listed:
            return
        held = frozenset().union(*map(self._context.in_some_form, content))
        for number in sorted(listed & held):
            yield self._statement(number, 0.0)

    def _statement(self, sentence: int, share: float) -> Statement:
        context = self._context
        chunk = context.chunk_of[sentence]
        number = sentence - context.offset[chunk]
        index = context.indexes[chunk]
        read = _sentences_read(index)
        if number not in read:
            first, last = index.words_of(number)
            read[number] = SentenceWords(index.text, index.tokens[first:last])
        return Statement(chunk, sentence, read[number], share)


@kept_with_owner
def _sentences_read(index: ChunkIndex) -> dict[int, SentenceWords]:
    """The sentences of a chunk that claims rested on."""
    return {}


def parts_of(text: str, tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """The words of a sentence, cut before "and", "but" and their like, and at signs between two verbs."""
    cuts = [0]
    for number in range(1, len(tokens)):
        between = text[tokens[number - 1].end : tokens[number].start]
        is_turn = tokens[number].norm in _TURNING
        if between != " ":
            is_turn = is_turn or ";" in between or _QUOTE_ENDS.search(between) is not None
        elif not is_turn:
            continue
        is_sign = not is_turn and _SIGNS.search(between) is not None and _has_verb(tokens[cuts[-1] : number])
        if is_turn or (is_sign and _has_verb(tokens[number:])):
            cuts.append(number)
    cuts.append(len(tokens))
    return [tokens[first:last] for first, last in pairwise(cuts) if first < last]


def clauses_with_verbs(parts: Sequence[Sequence[Token]]) -> list[Sequence[Token]]:
    """Parts of a claim, those without a verb joined to the next: "talks | and workshops are recorded"."""
    if len(parts) == 1:
        return [parts[0]]
    clauses: list[Sequence[Token]] = []
    open_part: Sequence[Token] = ()
    for part in parts:
        open_part = [*open_part, *part]
        if has_finite_verb([token.norm for token in open_part]):
            clauses.append(open_part)
            open_part = ()
    if open_part and clauses:
        clauses[-1] = [*clauses[-1], *open_part]
    elif open_part:
        clauses.append(open_part)
    return clauses


def sign_behind(text: str, tokens: Sequence[Token], first: int, signs: frozenset[str]) -> int:
    """The place of the first word behind another one before which one of some signs stands."""
    for number in range(first + 1, len(tokens)):
        if not signs.isdisjoint(text[tokens[number - 1].end : tokens[number].start]):
            return number
    return len(tokens)


def _has_verb(tokens: Sequence[Token]) -> bool:
    return has_finite_verb([token.norm for token in tokens])


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
