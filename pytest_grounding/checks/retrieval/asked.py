"""The content words of a question part as they are looked for in chunks: stems, synonyms, weights."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from pytest_grounding._patterns import lazy
from pytest_grounding.checks.retrieval.deeds import DOES, is_participle, kinds_of, plain_deed_of, predicate_of
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.checks.retrieval.slots import PREFIXES, Slot, slots_of
from pytest_grounding.checks.retrieval.weighing import (
    DEED,
    IMPLIED,
    LAST,
    LAST_COUNTS,
    SITED_WORDS,
    WEAK_WORDS,
    AskedWord,
    kinds_of_names,
    weighted,
)
from pytest_grounding.lexicon import ordered
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.scorers.lexical.index import ChunkIndex
from pytest_grounding.scorers.lexical.tokens import Token, stems_of, tokenize
from pytest_grounding.text.facts import extract_facts
from pytest_grounding.text.questions import QuestionInfo, QuestionPart
from pytest_grounding.text.questions.answer_types import AnswerType, answer_type
from pytest_grounding.text.questions.synonyms import SHORTEST_ROOT, same_family, synonyms_of

_DIGITS = 9
_POSTS = " ".join(ordered("answers", "posts"))
_SITE = pattern("answers", "site")
_YEAR = lazy(r"(?:1[5-9]|2[01])\d\d")
_PAST = pattern("answers", "asks_past")


@dataclass(frozen=True, slots=True)
class Needed:
    """Words of a question, as bits, and how many of them a statement on it holds at least."""

    bits: int
    count: int


class Asked:
    """One part of a question, ready to be looked for.

    Attributes:
        part: the part.
        type: the type of answer that it expects.
        words: its content words, each stem once.
        stems: stems of all words of the whole question: what is among them answers nothing.
        names: runs of names in the question, as sets of stems.
        text: the question's text, whose numbers and dates answer nothing.
        lower: the same in lower case.
        content: stems of its content words, with their synonyms.
        known: ``stems`` and ``content``: a word among them is no new thing.
        focus_stems: stems of the noun that is counted or named, with synonyms.
        named: stems of its names and numbers.
        years: those of them that are years, where it is not a date that is asked for.
        predicate: the bit of its verb or of the attribute that it asks for; 0 where none is made out.
        names_mask: the bits of its names and numbers.
        needed: what a statement on a yes/no question has to hold, each of them.
        slots: words that tell one thing from another of its kind, with the word beside them.
        asks_identity: it asks who a named person is.
        asks_site: it asks where something is, and nothing else about it.
        verb: stem of a verb that is no content word and is asked about all the same ("use", "made"), or "".
        prefixed: stems of its words that "semi-" or the like makes another thing of.
        kinds: stems of the noun after "which".
        asks_past: it asks about something that happened.
    """

    def __init__(
        self, part: QuestionPart, words: tuple[AskedWord, ...], stems: frozenset[str],
        names: tuple[frozenset[str], ...],
        slots: tuple[Slot, ...],
        text: str,
        predicate: str = "",
    ) -> None:  # fmt: skip
        self.part = part
        self.type: AnswerType = answer_type(part)
        self.words = words
        self.stems = stems
        self.names = names
        self.slots = slots
        self.text = text
        self.lower: str = text.lower().replace("’", "'")
        self.content: frozenset[str] = frozenset(stem for word in words for stem in word.stems)
        self.known: frozenset[str] = stems | self.content
        focus = {t.stem for t in tokenize(part.focus)}
        self.focus_stems: frozenset[str] = frozenset(focus).union(*(synonyms_of(stem) for stem in focus))
        self.asks_identity: bool = (
            part.type == "who"
            and len(names) == 1
            and all(word.is_name for word in words)
            and not any(word.stem in stems_of(_POSTS) for word in words)
        )
        site = _SITE.match(part.text.lower())
        is_site = site is not None and not is_participle(site[1])
        is_site = is_site or all(w.is_name or w.stem in stems_of(SITED_WORDS) for w in words)
        self.asks_site: bool = bool(words) and part.type == "where" and is_site
        self.kinds: frozenset[str] = kinds_of(part) if part.type == "which" else frozenset()
        self.asks_past: bool = bool(_PAST.search(part.text.lower()))
        self.named: frozenset[str] = frozenset(word.stem for word in words if word.is_name)
        years = {stem for stem in self.named if _YEAR.fullmatch(stem)}
        self.years: frozenset[str] = frozenset(years if part.expected != "date" else ())
        self.verb: str = plain_deed_of(part)
        self.prefixed: frozenset[str] = frozenset(
            after.stem
            for before, after in pairwise(tokenize(part.text, "en"))
            if before.norm in PREFIXES and part.text[after.start - 1] == "-"
        )
        self.predicate: int = sum(1 << n for n, word in enumerate(words) if word.stem == predicate)
        self.names_mask: int = sum(1 << n for n, word in enumerate(words) if word.is_name)
        self.needed: tuple[Needed, ...] = _needed(part, words)
        self._total = sum(word.weight for word in words)
        self._shares: dict[int, float] = {}

    @cached_property
    def fact_keys(self) -> frozenset[str]:
        """The numbers and dates of the question."""
        return frozenset(fact.key for fact in extract_facts(self.text))

    def unsaid(self, wanted: re.Pattern[str], clause: Sentence) -> Iterator[str]:
        """What a pattern finds in a clause that the question does not say itself."""
        return (match[0] for match in wanted.finditer(clause.lower) if match[0] not in self.lower)

    def places(self, index: ChunkIndex) -> dict[str, int]:
        """The stems of a text that count as words of the question: stem -> bits in the order of ``words``."""
        positions = index.positions
        found: dict[str, int] = {}
        for number, word in enumerate(self.words):
            stems = [stem for stem in word.stems if stem in positions]
            if not stems and not word.is_name:
                root = word.stem[:SHORTEST_ROOT]
                stems = [s for s in positions if s.startswith(root) and same_family(word.stem, s)]
            for stem in stems:
                found[stem] = found.get(stem, 0) | 1 << number
        return found

    @staticmethod
    def masks(index: ChunkIndex, places: dict[str, int]) -> list[int]:
        """For each sentence of a text the words that it holds, as bits in the order of ``words``."""
        masks = [0] * len(index.sentences)
        positions, sentence_of = index.positions, index.sentence_of
        for stem, bits in places.items():
            for position in positions[stem]:
                masks[sentence_of[position]] |= bits
        return masks

    def is_topic(self, mask: int) -> bool:
        """Whether a text that holds these words is about what the question names."""
        return not self.names_mask or bool(mask & self.names_mask)

    def holds_needed(self, mask: int) -> bool:
        """Whether these words are enough for a statement on a yes/no question."""
        return all((mask & words.bits).bit_count() >= words.count for words in self.needed)

    def share(self, mask: int) -> float:
        """Weight of the words of a mask as a share of the whole, rounded to 9 decimals."""
        known = self._shares.get(mask)
        if known is None:
            weight = sum(word.weight for number, word in enumerate(self.words) if mask >> number & 1)
            known = self._shares[mask] = round(weight / self._total, _DIGITS) if self._total else 0.0
        return known


_DO = DOES | {f"{word}n't" for word in DOES}


def _needed(part: QuestionPart, words: tuple[AskedWord, ...]) -> tuple[Needed, ...]:
    """For a yes/no question its subject, and after "does" the words up to the first function word."""
    if part.type != "yes_no" or len(part.words) < 2:
        return ()
    run = 1
    for before, after in zip(part.words, part.words[1:], strict=False):
        if after.start - before.end > 1:
            break
        run += 1
    bits = {word.stem: 1 << number for number, word in enumerate(words)}
    found = [tokenize(word.text) for word in part.words[:run]]
    first = [bits[tokens[0].stem] for tokens in found if tokens and tokens[0].stem in bits]
    if not first:
        return ()
    subject = first[0] | first[1] if run > 2 and len(first) > 1 else first[0]
    verb = next((word.stem for word in words if bits[word.stem] == first[-1]), "")
    asks_deed = part.text.split(maxsplit=1)[0].lower() in _DO and len(first) > 1
    if not asks_deed or verb in stems_of(WEAK_WORDS):
        return (Needed(subject, 1),)
    most = Needed(sum(set(first)), math.ceil(0.6 * len(set(first))))
    return (Needed(subject, 1), Needed(first[-1], 1) if len(first) == 2 else most)


def ask(part: QuestionPart, info: QuestionInfo) -> Asked:
    """A part of a question, ready to be looked for."""
    return _ask(part, info.question)


@lru_cache(maxsize=512)
def _ask(part: QuestionPart, question: str) -> Asked:
    tokens = tokenize(question, "en")
    wanted = sorted((word.start, word.end) for word in part.words)
    chosen = [t for t in tokens if any(start <= t.start < end for start, end in wanted)]
    content = [t for t in chosen if not t.is_stop] or chosen
    kept: dict[str, Token] = {}
    for token in content:
        kept.setdefault(token.stem, token)
    # A question in capitals throughout, or in title case, shows no names by them.
    titled = question.isupper() or (len(content) > 3 and all(t.text[0].isupper() for t in content))
    named = {
        stem
        for stem, t in kept.items()
        if t.is_number or (not titled and t.is_name) or _has_digit(t.text) or _is_identifier(question, t)
    }
    key = next((t.stem for t in content if t.start == part.key), "")
    last = content[-1].stem if content and part.type in LAST_COUNTS and not key else ""
    kinds = dict.fromkeys(kinds_of(part) - named, IMPLIED) if part.expected == "choice" else {}
    if kinds and key in kinds:
        key = ""
    deed = next((t.stem for t in content if t.start == part.deed), "")
    stressed = {**kinds_of_names(content, named, key, last), **kinds, last: LAST, deed: DEED}
    words = tuple(weighted(kept, named, key, part, stressed))
    stems = frozenset(t.stem for t in tokens)
    names = tuple(_name_runs(chosen, named))
    predicate = predicate_of(part, content, key, named)
    return Asked(
        part, words, stems, names, slots_of(tokens, chosen, named, part.focus.lower()), question, predicate
    )


def _is_identifier(question: str, token: Token) -> bool:
    """Whether a word is a piece of "queue_size"."""
    return (
        question[token.end : token.end + 1] == "_" or question[max(token.start - 1, 0) : token.start] == "_"
    )


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


def _name_runs(tokens: list[Token], named: set[str]) -> list[frozenset[str]]:
    runs: list[frozenset[str]] = []
    run: set[str] = set()
    last = -2
    for token in tokens:
        if token.stem in named and not token.is_number:
            if run and token.start - last > 2:
                runs.append(frozenset(run))
                run = set()
            run.add(token.stem)
            last = token.end
    if run:
        runs.append(frozenset(run))
    return runs
