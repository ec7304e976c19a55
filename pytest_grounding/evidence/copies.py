"""Claims that copy a part of a source, or leave out what is only noted: neither contradicts it."""

from __future__ import annotations

from pytest_grounding.evidence.denial_words import count_of_deniers, has_contrast, says_otherwise, sets_apart
from pytest_grounding.evidence.lost_denials import is_about_exception, is_taken_back
from pytest_grounding.evidence.sentence_view import numbers_in
from pytest_grounding.evidence.statements import parts_of
from pytest_grounding.evidence.token_index import fold_words
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading.facts import Fact, extract_facts
from pytest_grounding.reading.words import tokenize

_VALUES = frozenset({"number", "unit"})
_DENIAL, _OPPOSITE, _ENGLISH = "negation", "antonym", "en"


def is_no_conflict(claim: str, conflict: Conflict, language: str) -> bool:
    """Whether a conflict is none: a copied part, a price without its period, a denial in other words."""
    sentence = conflict.evidence.text
    if sentence.rstrip().endswith("?"):
        # A question states nothing that a claim could contradict.
        return True
    if conflict.kind == _DENIAL and language == _ENGLISH and _is_denied_otherwise(claim, conflict):
        return True
    if conflict.kind == _OPPOSITE and is_about_exception(tokenize(claim), tokenize(sentence)):
        # "Closed on Mondays" beside "open daily except Mondays".
        return True
    return is_copied_part(claim, sentence) or _leaves_out_period(conflict)


def _is_denied_otherwise(claim: str, conflict: Conflict) -> bool:
    """Whether a claim that denies speaks of two things, denies twice, or meets a denial without a "not"."""
    tokens, said = tokenize(claim), tokenize(conflict.evidence.text)
    stems = frozenset(token.stem for token in tokens)
    if not count_of_deniers(tokens):
        return is_taken_back(parts_of(conflict.evidence.text, said), stems)
    if has_contrast(tokens) or sets_apart(said) or says_otherwise(said, besides=stems):
        return True
    parts = parts_of(claim, tokens)
    return any(
        count_of_deniers(part) > 1
        for part in parts
        if conflict.claim_start is not None and part[0].start <= conflict.claim_start <= part[-1].start
    )


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
