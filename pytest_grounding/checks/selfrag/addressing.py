"""Does an answer hold the kind of thing that its question asks for, and is it about the question at all?"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from pytest_grounding._patterns import letters_of
from pytest_grounding.checks.base import CheckContext
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.verdict import ClaimVerdict, RetrievalVerdict
from pytest_grounding.scorers.lexical.index import index_of
from pytest_grounding.scorers.lexical.subjects import leans
from pytest_grounding.scorers.lexical.tokens import stems_of, tokenize
from pytest_grounding.text.facts import Fact, extract_facts
from pytest_grounding.text.grammar import has_finite_verb, words_of
from pytest_grounding.text.questions import QuestionInfo, QuestionPart
from pytest_grounding.text.refusals import is_refusal

_NUMBER = pattern("answers", "any_number")
_TIME = pattern("answers", "any_time")
#: What says where a text comes from: its numbers and names are no answer.
_SOURCE_NOTES = pattern("answers", "source_notes")
#: One of these stands in every such note.
_OF_NOTES = ("[", "(", "【", "http", "source", "reference", "citation")
_PERSONS = words("questions", "persons")
_PLACES_BEFORE = words("questions", "places_before")
_WHY = pattern("answers", "any_reason")
_SETTLES = pattern("answers", "settles")
_HOW = pattern("answers", "any_way")

#: An answer of at most so many words says one thing.
_SHORT = 12
_ONE_STATEMENT = 8
#: Words of a question that say little, and how many others make it a specific one.
_BROAD = " ".join(sorted({"work", *words("questions", "whole_texts")}))
_SPECIFIC = 2
#: Values hold few words in lower case, such as units; an answer with more of them says something besides.
_WORDS_OF_VALUES = 6
#: Characters of an answer that are read before all of it.
_OPENING = 300
Answering = Literal["held", "missing", "unknown"]


@dataclass(frozen=True, slots=True)
class Expected:
    """What a part of a question asks for, and whether the answer holds it."""

    answering: Answering
    part: QuestionPart


def plain_answer(context: CheckContext) -> str:
    """The answer without markers, links, notes of sources and names of the chunks' documents."""
    text = " ".join(claim.bare for claim in context.claims)
    for chunk in context.transcript.chunks:
        for key in ("title", "document", "path", "url"):
            name = getattr(chunk.metadata, key, None)
            if isinstance(name, str) and len(name) > 3 and any(char.isdigit() for char in name):
                text = text.replace(name, " ")
    letters = letters_of(text)
    return _SOURCE_NOTES.sub(" ", text) if any(sign in letters for sign in _OF_NOTES) else text


def holds_expected(context: CheckContext, question: QuestionInfo) -> Expected:
    """Whether an answer holds what its question, or a part of it, asks for."""
    first = question.parts[0]
    if question.language != "en":
        return Expected("unknown", first)
    answer = plain_answer(context)
    found = [Expected(_holds(answer, part, question), part) for part in question.parts]
    for wanted in ("held", "unknown"):
        for item in found:
            if item.answering == wanted:
                return item
    is_refused = any(is_refusal(claim.bare) for claim in context.claims)
    return Expected("unknown", first) if is_refused else found[0]


def _holds(answer: str, part: QuestionPart, question: QuestionInfo) -> Answering:
    if part.expected == "quantity":
        return "held" if _NUMBER.search(answer) else "missing"
    if part.expected == "date":
        # A digit is the cheaper half of the pattern: mostly one stands there.
        return "held" if any(map(str.isdecimal, answer)) or _TIME.search(answer) else "missing"
    if part.expected in {"person", "location", "reason", "method"}:
        return _holds_new(answer, part, question)
    if part.expected in {"polarity", "choice"} and _SETTLES.match(answer):
        return "held"
    return "unknown"


def _holds_new(answer: str, part: QuestionPart, question: QuestionInfo) -> Answering:
    """Whether what an answer adds to its question can be a person, a place, a reason or a way."""
    asked = {t.stem for t in tokenize(question.question, "en")}
    if part.expected != "person" and len(answer) > _OPENING:
        # Mostly the opening tells enough; where it ends at a blank, its words are those of the answer.
        opening = tokenize(answer[: answer.rfind(" ", 0, _OPENING) + 1], "en")
        new = [t for t in opening if not t.is_stop and t.stem not in asked]
        if sum([t.text.islower() for t in new]) > _WORDS_OF_VALUES:
            return "unknown"
    tokens = tokenize(answer, "en")
    new = [t for t in tokens if not t.is_stop and t.stem not in asked]
    if part.expected == "person" and any(t.norm in _PERSONS for t in tokens):
        return "held"
    if sum(t.text.islower() for t in new) > _WORDS_OF_VALUES:
        return "unknown"
    facts = [fact for fact in extract_facts(answer) if fact.kind != "negation"]
    spans = [(fact.start, fact.end) for fact in facts if not (fact.kind == "name" and fact.initial)]
    if not _lie_within(spans, [t.start for t in new]):
        return "unknown"
    names = [fact for fact in facts if fact.kind == "name" and _is_new(fact, asked)]
    if part.expected == "person":
        return "held" if any(not _is_place(answer, fact) for fact in names) else "missing"
    if part.expected == "location":
        return (
            "held"
            if any(_is_place(answer, fact) or not _is_agent(answer, fact) for fact in names)
            else "missing"
        )
    marker = _WHY if part.expected == "reason" else _HOW
    return "unknown" if marker.search(answer) else "missing"


def _lie_within(spans: Sequence[tuple[int, int]], places: Sequence[int]) -> bool:
    """Whether each place lies in a span; each is looked up, for an answer may be a list of numbers."""
    ordered = sorted(spans)
    starts = [start for start, _ in ordered]
    # How far any span reaches of those that begin up to here.
    ends = list(accumulate((end for _, end in ordered), max, initial=-1))
    return all(place < ends[bisect_right(starts, place)] for place in places)


def _is_new(fact: Fact, asked: set[str]) -> bool:
    return not {t.stem for t in tokenize(fact.text, "en")} <= asked


def _word_before(answer: str, fact: Fact) -> str:
    return "".join(words_of(answer[max(0, fact.start - 40) : fact.start])[-1:])


def _is_place(answer: str, fact: Fact) -> bool:
    return _word_before(answer, fact) in _PLACES_BEFORE


def _is_agent(answer: str, fact: Fact) -> bool:
    return _word_before(answer, fact) in {"by", "with"}


def is_off_topic(
    context: CheckContext,
    asked: Sequence[frozenset[str]],
    retrieval: RetrievalVerdict,
    claims: Sequence[ClaimVerdict],
) -> bool:
    """Whether an answer and what backs it hold no word of the question, nor bear on it in others."""
    if not asked or not all(asked) or context.language != "en":
        return False
    words = frozenset().union(*asked)
    # Claim by claim, as the scorer has read them already.
    said = {t.stem for claim in context.claims for t in tokenize(claim.bare, context.language)}
    length = sum(len(claim.bare.split()) for claim in context.claims)
    short = length <= _SHORT
    if short and not any(has_finite_verb(words_of(claim.bare)) for claim in context.claims):
        # "Emma Stone and Ryan Gosling.": the bare value.
        return False
    told = words - stems_of(_BROAD)
    if short and len(told) < _SPECIFIC:
        # "How do refunds work?": any statement on it is an answer.
        return False
    if short:
        # A name alone does not make it the topic: "Acme was founded in 1990" says nothing on what Acme sells.
        # But it does in "What does the entry say about Acme?".
        names = {token.stem for token in tokenize(context.transcript.question, "en") if token.is_name}
        words = words - names if told - names else words
    if words & said:
        return False
    backing = [claim.evidence[0] for claim in claims if claim.evidence]
    if any(words & _said_with(piece, short=short) for piece in backing):
        return False
    if short and retrieval.answer_present == "full":
        stated = {(piece.chunk_id, piece.sentence_index) for piece in retrieval.evidence}
        return not any((piece.chunk_id, piece.sentence_index) in stated for piece in backing)
    if len(claims) == 1 and length <= _ONE_STATEMENT:
        return True
    chunks = context.chunk_by_id
    texts = [chunks[piece.chunk_id].text for piece in backing if piece.chunk_id in chunks]
    return all(words.isdisjoint(index_of(text).positions) for text in texts)


def _said_with(piece: Evidence, *, short: bool) -> set[str]:
    """Stems of a sentence with its neighbours; behind a short answer only of those that it goes on about."""
    tokens = tokenize(piece.text, "en")
    if not short:
        tokens = [*tokens, *tokenize(piece.before, "en"), *tokenize(piece.after, "en")]
    elif leans(tokens) and piece.before:
        tokens = [*tokens, *tokenize(piece.before, "en")]
    return {token.stem for token in tokens}
