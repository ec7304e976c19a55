"""Claims that copy a part of a source, or leave out what is only noted: neither contradicts it."""

from __future__ import annotations

from pytest_grounding.evidence.sentence_view import numbers_in
from pytest_grounding.evidence.statements import parts_of
from pytest_grounding.evidence.token_index import fold_words
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading.facts import Fact, extract_facts
from pytest_grounding.reading.words import tokenize

_VALUES = frozenset({"number", "unit"})


def is_no_conflict(claim: str, conflict: Conflict) -> bool:
    """Whether a conflict is none: the claim copies a part of the sentence, or leaves out a price's period."""
    return is_copied_part(claim, conflict.evidence.text) or _leaves_out_period(conflict)


def is_copied_part(claim: str, sentence: str) -> bool:
    """Whether a claim is a whole sentence, or a part of it with a statement of its own, word for word."""
    folded = fold_words(claim)
    if folded not in fold_words(sentence):
        return False
    parts = (
        sentence[part[0].start : part[-1].end] for part in parts_of(sentence, tokenize(sentence)) if part
    )
    return any(fold_words(part) == folded for part in (sentence, *parts))


def _leaves_out_period(conflict: Conflict) -> bool:
    """Whether the claim has "$24" where the source has "$24 a month"."""
    if conflict.kind not in _VALUES:
        return False
    ours, theirs = extract_facts(conflict.claim_text), extract_facts(conflict.evidence_text)
    if len(ours) != 1 or len(theirs) != 1:
        return False
    return _is_without_period(ours[0], theirs[0])


def _is_without_period(fact: Fact, other: Fact) -> bool:
    is_price = fact.kind == "money" and other.unit == f"{fact.unit}/s"
    return is_price and numbers_in(fact.text) == numbers_in(other.text)
