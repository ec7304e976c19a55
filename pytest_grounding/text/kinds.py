"""Fact, opinion or inference, by the words that mark the latter two."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_grounding._patterns import lazy
from pytest_grounding.lexicon import words as listed
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.text.grammar import has_finite_verb, words_of
from pytest_grounding.text.spans import ClaimKind

# Said in the first person and about taste or advice: nothing that a source could confirm.
_OPINION = pattern("kinds", "opinion")
_BELIEF = pattern("kinds", "belief")
_EVALUATION = pattern("kinds", "evaluation")
_CONCLUSION = pattern("kinds", "conclusion")
_HEDGE = pattern("kinds", "hedge")
_FIRST_PERSON = listed("refusals", "first_person")
# White space was made one blank before.
_PARTS = lazy(r",? (?:and|but|although|though|because|since|as|which|who) |; ", re.IGNORECASE)
# Both begin with what is found fast.
_NUMBER = lazy(r"\d")
_NAME = lazy(r" (?<=[a-z,] )(?!I\b)[A-Z]\w")


@dataclass(frozen=True, slots=True)
class KindSeen:
    """The kind of a claim, and how sure it is: 0.9 by explicit wording, 0.6 to 0.7 by weak signs."""

    kind: ClaimKind
    confidence: float


def kind_of(sentence: str) -> KindSeen:
    """The kind of a claim."""
    head = sentence[:600]
    if _BELIEF.search(head) is not None:
        if _EVALUATION.search(head) is not None and not _is_specific(head):
            return KindSeen("inference", 0.5) if _states_more(head) else KindSeen("opinion", 0.8)
        return KindSeen("inference", 0.7)
    if _OPINION.search(head) is not None:
        return KindSeen("fact", 0.5) if _states_more(head) else KindSeen("opinion", 0.9)
    if _CONCLUSION.search(head) is not None:
        return KindSeen("inference", 0.9)
    if _HEDGE.search(head) is not None:
        return KindSeen("inference", 0.6)
    return KindSeen("fact", 0.95 if _is_specific(head) else 0.8)


def _is_specific(text: str) -> bool:
    """Whether a sentence holds a number, or inside it a name."""
    return _NUMBER.search(text) is not None or _NAME.search(text) is not None


def _states_more(sentence: str) -> bool:
    """Whether an opinion comes with a statement: "I like it because it costs $5"."""
    if any(char.isdigit() for char in sentence):
        return True
    for part in _PARTS.split(sentence)[1:]:
        words = words_of(part)
        if len(words) >= 4 and has_finite_verb(words) and not _FIRST_PERSON.intersection(words):
            return _EVALUATION.search(part) is None
    return False
