"""What the facts of an answer's claims are settled against."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pytest_grounding._io.lazy_values import kept_with_owner, lazy_value
from pytest_grounding.evidence.all_chunks import Context, context_of
from pytest_grounding.evidence.conflict_words import MOST_MARKED, negated_stems
from pytest_grounding.evidence.identifier_matches import KnownNames, known_names
from pytest_grounding.evidence.names import NameIndex
from pytest_grounding.evidence.number_matches import LocalNumbers
from pytest_grounding.evidence.sentence_view import Comparisons, numbers_in
from pytest_grounding.evidence.token_index import ChunkIndex, Pages, fold_words
from pytest_grounding.lexicon import words
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading import read_once
from pytest_grounding.reading.facts import Fact, compatible, extract_facts
from pytest_grounding.reading.words import Token, language_in_force, tokenize

if TYPE_CHECKING:
    from pytest_grounding.evidence.settled import Settled

_DENIERS = words("denials", "firm denials")
_UNTYPED = frozenset({"name", "negation"})
_MOST_ALIKE = 50  # values with the same numbers that are kept of a chunk
_SAMPLE = 200
#: This many words of claims are enough to detect the language without the chunks.
_TELLING_WORDS = 20


def language_sample(claims: Sequence[str], chunks: Sequence[Chunk]) -> str:
    """Text for language detection: the claims, and for short ones the chunks that share a word."""
    sample = " ".join(claims)
    spoken = sample.lower().split()
    if len(spoken) >= _TELLING_WORDS:
        return sample
    heads = [chunk.text[:_SAMPLE] for chunk in chunks]
    said = set(spoken)
    return " ".join([sample, *[head for head in heads if not said.isdisjoint(head.lower().split())][:3]])


@lru_cache(maxsize=MOST_MARKED)
def is_denier(norm: str) -> bool:
    """Whether a folded English word denies."""
    return norm in _DENIERS or norm.endswith("n't")


@dataclass(frozen=True)
class Given:
    """Texts beside the chunks that a claim may take facts from."""

    question: tuple[str, ...] = ()  # with what users said in earlier turns
    known: tuple[str, ...] = ()  # what the user declared as known
    names: tuple[str, ...] = ()  # titles, ids and other names of the sources, arguments of tool calls
    terms: tuple[str, ...] = ()  # the lines of the user's glossary

    @property
    def texts(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.question, *self.known, *self.names, *self.terms)


class LedgerSources:
    """The chunks of one answer, and what is given beside them, read once for all claims."""

    def __init__(self, chunks: Sequence[Chunk], given: Given, *, language: str, sample: str) -> None:
        self.language = language_in_force(sample, language)
        self.local = LocalNumbers(self.language, language)
        self.given = given
        self.originals: tuple[Chunk, ...] = tuple(chunks)
        self.pages = Pages(self.local.chunks(chunks))
        self.context: Context = context_of(self.pages.texts, self.language)
        self.ids: tuple[str, ...] = tuple(chunk.id for chunk in self.pages.chunks)
        self.comparisons = Comparisons()
        self.placed: dict[str, tuple[Settled, ...]] = {}  # facts of claims in rows and lists (`entry_facts`)
        self.told: dict[str, tuple[Settled, ...]] = {}  # what follows from limits, labels, steps (`ledger`)
        #: What `kept_with_owner` keeps.
        self.kept: dict[Callable[..., Any], Any] = {}

    @lazy_value
    def names(self) -> NameIndex:
        """The words of names that the sources, or what is given, have."""
        return NameIndex(self.context, self.given.texts, self.language)

    @lazy_value
    def identifiers(self) -> KnownNames:
        """The identifiers of the sources and of what is given."""
        return known_names(self.originals, *self.given.texts)

    @lazy_value
    def question_stems(self) -> frozenset[str]:
        """Stems of the question and of what users said in earlier turns."""
        return frozenset(
            token.stem for text in self.given.question for token in tokenize(text, self.language)
        )

    @property
    def question(self) -> str:
        """The question alone, without what users said before; "" without one."""
        return self.given.question[0] if self.given.question else ""

    @lazy_value
    def asked_stems(self) -> frozenset[str]:
        """Stems of the content words of the question alone."""
        tokens = tokenize(self.question, self.language)
        return frozenset(token.stem for token in tokens if not token.is_stop)

    @lazy_value
    def given_stems(self) -> frozenset[str]:
        """Stems of the content words of the question and of what else is given."""
        tokens = (token for text in self.given.texts for token in tokenize(text, self.language))
        return frozenset(token.stem for token in tokens if not token.is_stop)

    @lazy_value
    def known_stems(self) -> frozenset[str]:
        """Stems of what the user declared as known."""
        return frozenset(token.stem for text in self.given.known for token in tokenize(text, self.language))

    @lazy_value
    def declared(self) -> KnownNames:
        """The identifiers of what the user declared as known."""
        return known_names((), *self.given.known)

    @lazy_value
    def negatives(self) -> Mapping[str, tuple[int, Token]]:
        """Word or stem -> the first word of the sources that negates it by its form, with its chunk."""
        found: dict[str, tuple[int, Token]] = {}
        for chunk, index in enumerate(self.context.indexes):
            for base, token in _negatives(index):
                found.setdefault(base, (chunk, token))
        return found

    def facts_by_key(self, chunk: int) -> Mapping[str, tuple[Fact, ...]]:
        """The values of a chunk by their normalised form."""
        return _by_key(self.context.indexes[chunk])

    def values_like(self, fact: Fact, chunk: int) -> tuple[Fact, ...]:
        """The values of a chunk that are written with the same numbers."""
        return _by_numbers(self.context.indexes[chunk]).get(numbers_in(fact.text), ())

    def values_in(self, chunk: int) -> tuple[Fact, ...]:
        """The values of a chunk, in order."""
        return _values(self.context.indexes[chunk])

    @lazy_value
    def _given_values(self) -> Mapping[str, tuple[tuple[Fact, ...], str]]:
        return {text: (typed_values(text), fold_words(text)) for text in self.given.texts}

    def is_in_given(self, fact: Fact, texts: Iterable[str]) -> bool:
        """Whether one of some given texts has a value, or its words."""
        said = fold_words(fact.text)
        for text in texts:
            values, folded = self._given_values[text]
            if said in folded or any(compatible(fact, other) for other in values):
                return True
        return False


@read_once
def typed_values(text: str) -> tuple[Fact, ...]:
    """The facts of a text but names and negations, in order."""
    return tuple(fact for fact in extract_facts(text) if fact.kind not in _UNTYPED)


@kept_with_owner
def _negatives(index: ChunkIndex) -> tuple[tuple[str, Token], ...]:
    """The words of a chunk that negate another by their form, each with what they negate."""
    return tuple([(base, token) for token in index.tokens for base in negated_stems(token.norm)])


@kept_with_owner
def _values(index: ChunkIndex) -> tuple[Fact, ...]:
    return typed_values(index.text)


@kept_with_owner
def _by_numbers(index: ChunkIndex) -> Mapping[tuple[str, ...], tuple[Fact, ...]]:
    found: dict[tuple[str, ...], list[Fact]] = {}
    for fact in _values(index):
        found.setdefault(numbers_in(fact.text), []).append(fact)
    return {numbers: tuple(facts[:_MOST_ALIKE]) for numbers, facts in found.items()}


@kept_with_owner
def _by_key(index: ChunkIndex) -> Mapping[str, tuple[Fact, ...]]:
    found: dict[str, list[Fact]] = {}
    for fact in _values(index):
        found.setdefault(f"{fact.kind} {fact.key}", []).append(fact)
    return {key: tuple(facts) for key, facts in found.items()}
