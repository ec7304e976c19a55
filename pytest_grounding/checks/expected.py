"""Facts that an answer must or must not state, and sources that must be retrieved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.wording import one_line
from pytest_grounding.checks.check_context import CheckContext, stems_in
from pytest_grounding.claims.splitting import extract_claims
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import Expectations
from pytest_grounding.reading.facts import extract_facts
from pytest_grounding.reading.facts.fact import Fact
from pytest_grounding.reading.sentences import segment
from pytest_grounding.reading.visible_text import blanked, fingerprint, hidden_in, letters_in
from pytest_grounding.reading.words import Token, tokenize
from pytest_grounding.scorers import ClaimText, Scorer

_CLAUSE = lazy(r"[,;:()]\s|\s(?:but|while|whereas)\s")
_REJECTED = pattern("expected", "rejected")
_SUPPOSED = pattern("expected", "supposed")
_UNSEEN = pattern("expected", "unseen")
_SEAMS = lazy(r"<wbr ?/?>")  # where a word may be broken
#: Parts of an answer that state nothing.
_UNSTATED = frozenset({"comment", "front_matter", "definition", "question", "restated_question"})
_TURNING = words("agents", "turning")
_DEGREES = frozenset({"deg", "degC"})
#: A statement with this many words may be paraphrased in one of them; with values; and its support.
_STATEMENT = 3
_MISSING = 5
_SUPPORTED = 0.8
_SHOWN = 120
_NAMED = frozenset({"date", "time", "ordinal"})
_WORDLESS = frozenset({"name", "negation"})
_SIGNS_OF_NAMES = frozenset("_/@\\")  # signs of paths, addresses and variables


def is_stated_in(fact: str, answer: str, scorer: Scorer, language: str = "en") -> bool:
    """Whether a sentence of an answer has the words and values of a fact, or the scorer finds it stated."""
    # "A third" alone is a rank; "a third of it" is a share.
    wanted = [_Parts(text, language) for text in (fact, f"{fact} of it")]
    is_plain = _REJECTED.match(fact) is None
    said = _statements(answer, language, is_statement=wanted[0].is_statement) if is_plain else [answer]
    if any(one.are_in(part) for part in _parts_said(tuple(said), language) for one in wanted):
        return True
    return wanted[0].is_backed("\n".join(said), scorer)


@lru_cache(maxsize=4)
def _statements(answer: str, language: str, *, is_statement: bool) -> list[str]:
    """What a reader sees stated: no comment, hidden or struck text, question, or statement called false."""
    answer = _UNSEEN.sub(" ", _SEAMS.sub("", answer))
    hidden = [(found.start, found.end) for found in hidden_in(answer, letters_in(answer))]
    said: dict[tuple[int, int], list[str]] = {}
    for claim in extract_claims(blanked(answer, hidden), language=language):
        if claim.skip_reason not in _UNSTATED:
            said.setdefault((claim.sentence, answer.count(";", 0, claim.start)), []).append(claim.bare)
    stated = [text for text in map(" ".join, said.values()) if _REJECTED.match(text) is None]
    return [_SUPPOSED.sub("", part) for part in stated] if is_statement else stated


@dataclass(frozen=True, slots=True)
class _Stated:
    text: str
    stems: frozenset[str]
    values: Sequence[Fact]
    denials: int


@lru_cache(maxsize=4)
def _parts_said(texts: tuple[str, ...], language: str) -> tuple[_Stated, ...]:
    """Sentences and clauses; a negation counts for its clause: "dogs are allowed, other animals are not"."""
    sentences = [sentence.text for text in texts for sentence in segment(text, language=language)]
    found = []
    for part in [part for sentence in sentences for part in (sentence, *_CLAUSE.split(sentence))]:
        stems = frozenset(stems_in(part, language))
        found.append(_Stated(part, stems, expected_values(part), _number_of_denials(part)))
    return tuple(found)


class _Parts:
    def __init__(self, fact: str, language: str) -> None:
        self._fact = fact
        self._language = language
        self._values = expected_values(fact)
        self._words = [word.stem for word in _content_words_of(fact, self._values, language)]
        self._denials = _number_of_denials(fact)
        self.is_statement = len(self._words) + len(self._values) >= _STATEMENT
        # Paths, addresses and variables must match letter by letter.
        held = [word.strip("`'\".,;:!?") for word in fact.split()]
        self._names = [word for word in held if not _SIGNS_OF_NAMES.isdisjoint(word)]

    def is_backed(self, answer: str, scorer: Scorer) -> bool:
        # Only a statement has enough words to be paraphrased.
        found = expected_values(answer)
        if not self.is_statement or not all(is_among(value, found) for value in self._values):
            return False
        chunk = Chunk(id="answer", text=answer)
        score = scorer.support([ClaimText(self._fact)], [chunk], language=self._language)[0]
        is_close = len(score.missing) * _MISSING <= len(self._words) and not score.conflicts
        held = score.evidence[0].text if score.evidence else ""
        is_alike = _number_of_denials(held) % 2 == self._denials % 2
        return (score.probability or 0.0) >= _SUPPORTED and is_close and is_alike

    def are_in(self, said: _Stated) -> bool:
        if not said.stems.issuperset(self._words) or said.denials % 2 != self._denials % 2:
            return False
        if not all(name in said.text for name in self._names):
            return False
        if not all(is_among(value, said.values) for value in self._values):
            return False
        return bool(self._values or self._words) or fingerprint(self._fact) in fingerprint(said.text)


def expected_values(text: str) -> list[Fact]:
    """The numbers, dates and times of a text."""
    return [fact for fact in extract_facts(text) if fact.kind not in _WORDLESS]


def _number_of_denials(text: str) -> int:
    return sum(fact.kind == "negation" for fact in extract_facts(text))


def _content_words_of(text: str, values: Sequence[Fact], language: str) -> Iterator[Token]:
    for word in tokenize(text, language):
        is_value = any(value.lead <= word.start and word.end <= value.tail for value in values)
        if not is_value and (not word.is_stop or word.norm in _TURNING):
            yield word


def is_same_value(value: Fact, other: Fact) -> bool:
    """Whether a value of an answer matches that of a fact; a limit counts only if the fact has one."""
    if value.bound and value.bound != other.bound:
        return False
    if value.value is None or other.value is None or value.kind in _NAMED or other.kind in _NAMED:
        return value.kind == other.kind and value.key.lstrip("<>=~") == other.key.lstrip("<>=~")
    is_unit = value.kind == "number" or value.unit == other.unit or {value.unit, other.unit} <= _DEGREES
    return is_unit and value.per == other.per and (value.value, value.high) == (other.value, other.high)


def is_among(value: Fact, others: Iterable[Fact]) -> bool:
    """Whether a value matches one of some others, as `is_same_value` decides."""
    return any(is_same_value(value, other) for other in others)


def check(context: CheckContext) -> tuple[Expectations, list[Finding]]:
    """Report expected facts that are missing, forbidden ones that are stated, and missing sources."""
    transcript = context.recorded
    facts = [(fact,) if isinstance(fact, str) else fact for fact in transcript.expected or ()]
    stated = tuple(any(map(partial(_is_in_answer, context), fact)) for fact in facts)
    found = Expectations(facts=stated, ranks=ranks(transcript))
    return found, [*_facts(context, stated), *_missing_sources(transcript, found.ranks)]


def _is_in_answer(context: CheckContext, fact: str) -> bool:
    return is_stated_in(fact, context.transcript.answer, context.own_scorer, context.language)


def _facts(context: CheckContext, stated: Sequence[bool]) -> Iterator[Finding]:
    for fact, is_there in zip(context.recorded.expected or (), stated, strict=True):
        if not is_there:
            said = fact if isinstance(fact, str) else " or ".join(fact)
            advice = "check whether it was retrieved; if so, change the prompt, or the expectation"
            yield _error("expected_fact", "the answer does not state what is expected of it", said, advice)
    for fact in context.recorded.forbidden or ():
        if _is_in_answer(context, fact):
            advice = "find the source of it"
            yield _error("expected_fact", "the answer states what it must not", fact, advice)


def _error(rule: str, problem: str, said: str, advice: str) -> Finding:
    message = f"{problem}: {one_line(said, _SHOWN)}"
    return Finding(rule=rule, severity="error", message=message, suggestion=advice, details={"said": said})


def ranks(transcript: Transcript) -> tuple[int | None, ...]:
    """For each expected source the rank of its first chunk among the retrieved ones, from 1, or None."""
    names = [
        {chunk.id, *filter(None, (chunk.metadata.document, chunk.metadata.path, chunk.metadata.url))}
        for chunk in transcript.chunks
    ]
    first: dict[str, int] = {}
    for rank, held in enumerate(names, start=1):
        for name in held:
            first.setdefault(name, rank)
    return tuple(map(first.get, transcript.expected_sources or ()))


def _missing_sources(transcript: Transcript, found: Sequence[int | None]) -> Iterator[Finding]:
    for wanted, rank in zip(transcript.expected_sources or (), found, strict=True):
        if rank is None:
            advice = "see the query, the index and the number of chunks"
            yield _error("expected_source", "the retrieval does not bring the source", wanted, advice)
