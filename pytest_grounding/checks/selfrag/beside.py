"""Does an answer speak of something else, although the chunks state what was asked?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_grounding.checks.base import CheckContext
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.verdict import ClaimVerdict, RetrievalVerdict
from pytest_grounding.scorers.lexical.tokens import tokenize
from pytest_grounding.text.facts import Fact, extract_facts
from pytest_grounding.text.grammar import words_of
from pytest_grounding.text.questions import QuestionInfo

#: What is asked for can be told from the sentence that states it; a reason or a way may be put otherwise.
_VALUES = frozenset({"person", "location", "date", "quantity"})
#: Of these, what is told by a name.
_NAMED = frozenset({"person", "location"})


def is_beside(
    context: CheckContext,
    question: QuestionInfo,
    retrieval: RetrievalVerdict,
    claims: Sequence[ClaimVerdict],
) -> bool:
    """Whether no claim comes from what states the answer, and none holds a word or a value that it adds."""
    checked = [claim for claim in claims if claim.status != "unchecked"]
    if retrieval.answer_present != "full" or question.language != "en" or context.language != "en":
        return False
    if not checked or not all(claim.evidence for claim in checked):
        return False
    if not all(part.expected in _VALUES for part in question.parts):
        return False
    asked = [token for token in tokenize(context.transcript.question, "en") if not token.is_stop]
    said = {token.stem for claim in context.claims for token in tokenize(claim.bare, "en")}
    if all(token.stem in said for token in asked if not token.is_name):
        return False
    known = {fact.key for fact in extract_facts(context.transcript.question)}
    expected = {part.expected for part in question.parts}
    pieces = [_read(piece, known, expected) for piece in retrieval.evidence]
    stems = {token.stem for token in asked}
    stating = [piece for piece in pieces if not _stands_by(piece, pieces, stems)]
    behind = {(claim.evidence[0].chunk_id, claim.evidence[0].sentence_index) for claim in checked}
    if any(piece.place in behind for piece in stating):
        return False
    values = {fact.key for claim in context.claims for fact in extract_facts(claim.bare)}
    return not any((piece.stems - stems) & said or values & piece.facts for piece in stating)


@dataclass(frozen=True, slots=True)
class _Stated:
    """A sentence that shows that the answer is stated."""

    place: tuple[str, int]
    stems: frozenset[str]
    facts: frozenset[str]
    has_value: bool


def _read(piece: Evidence, known: set[str], expected: set[str]) -> _Stated:
    facts = [fact for fact in extract_facts(piece.text) if fact.kind != "negation" and fact.key not in known]
    return _Stated(
        (piece.chunk_id, piece.sentence_index),
        frozenset(token.stem for token in tokenize(piece.text, "en") if not token.is_stop),
        frozenset(fact.key for fact in facts),
        any(_may_be(fact, piece.text, expected) for fact in facts),
    )


def _may_be(fact: Fact, text: str, expected: set[str]) -> bool:
    if fact.kind != "name":
        return not expected <= _NAMED
    return "person" in expected or ("location" in expected and not _is_agent(text, fact))


def _stands_by(piece: _Stated, pieces: Sequence[_Stated], asked: set[str]) -> bool:
    """Whether a sentence without a value was read together with one that has it, and more of the question."""
    own = piece.stems & asked
    return not piece.has_value and any(other.has_value and own < other.stems & asked for other in pieces)


def _is_agent(text: str, fact: Fact) -> bool:
    return words_of(text[max(0, fact.start - 40) : fact.start])[-1:] in (["by"], ["with"])
