"""Refusals: sentences that say that the answer is not known or not in the sources."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_grounding._patterns import lazy
from pytest_grounding.text.grammar import has_finite_verb, opens_with_subject_and_verb, words_of
from pytest_grounding.text.lacks import says_lack, tells_instead
from pytest_grounding.text.leads import is_lead
from pytest_grounding.text.refusal_patterns import (
    APOLOGY,
    AT_HAND,
    EMPTY_PART,
    ENGLISH_WEAK,
    HINT_WORDS,
    REFERRAL,
    REFUSAL,
    SUBJECT_WORDS,
)
from pytest_grounding.text.refusal_tongues import OTHER, hints_at_another

_PARTS = lazy(
    r"[,;:–—]\s+(?:but|however|although|though|while|whereas|yet|so|and|nor|as|since|because|which|instead|"
    r"therefore|even though|it does|they do)\b,?\s*"
    r"|;\s+|\s+(?:although|even though|but|because|whereas)\s+",
    re.IGNORECASE,
)
_CONCESSION = lazy(
    r"\W*(?:while|although|though|even though|whereas|since|because|as|despite)\b", re.IGNORECASE
)
_COMMA = lazy(r",\s+")
_ASIDE = lazy(r"\([^()]{0,200}\)")
# What is asked, and so not told: "the sources do not say when, nor how many people work there".
_ASKED = lazy(r"\W*(?:nor |or |and )?(?:how|whether|why|what|who|whom|whose)\b", re.IGNORECASE)
_MIN_CLAIM_WORDS = 4
# "Not specified in any of them": a whole answer may refuse without saying who does not know.
_SHORT_ANSWER = 6
# A refusal is a short thing to say; what goes on longer than this says something besides.
_LONGEST = 700


def is_refusal(sentence: str, words: Sequence[str] | None = None) -> bool:
    """Whether a sentence declines and claims nothing besides.

    "The sources do not say when it opened" is a refusal; "The sources do not say when it opened, but it
    has 40 rooms" is not, because its second part claims something.

    Args:
        sentence: one sentence or clause, without markers and markup.
        words: its words (`words_of`), if they are known already.
    """
    if len(sentence) > _LONGEST:
        return False
    words = words if words is not None else words_of(sentence)
    if not _can_refuse(sentence, words) and not says_lack(sentence, list(words)):
        return False
    if "(" in sentence:
        # "Rye (not mentioned in the passages)" is no refusal: what stands outside counts.
        outside = _ASIDE.sub("", sentence)
        sentence = outside if any(char.isalnum() for char in outside) else sentence
    if not _refuses(sentence, sentence):
        return False
    return not any(_claims_something(part, sentence) for part in _parts(sentence))


def is_referral(sentence: str) -> bool:
    """Whether a sentence only sends its reader elsewhere ("You may want to ask the support")."""
    return REFERRAL.match(sentence[:400]) is not None and not any(char.isdigit() for char in sentence)


def _can_refuse(sentence: str, words: Sequence[str]) -> bool:
    """A cheap look for words without which no pattern matches; most sentences end here."""
    if not sentence.isascii() and hints_at_another(sentence):
        return True
    if len(words) > _SHORT_ANSWER and SUBJECT_WORDS.isdisjoint(words):
        return False
    if not HINT_WORDS.isdisjoint(words):
        return True
    return ("'" in sentence or "’" in sentence) and any(word.endswith("n't") for word in words)


def _refuses(text: str, whole: str) -> bool:
    """Whether some part of a text says that something is not known or not in the sources."""
    if REFUSAL.search(text) or APOLOGY.match(text) is not None:
        return True
    if ENGLISH_WEAK.search(text) is not None and AT_HAND.search(whole) is not None:
        return True
    return says_lack(text, words_of(text)) or (hints_at_another(text) and OTHER.search(text))


def _parts(sentence: str) -> list[str]:
    parts = _PARTS.split(sentence)
    if _CONCESSION.match(sentence):
        head = _COMMA.split(parts[0], maxsplit=1)
        parts = [*head, *parts[1:]]
    return parts


def _claims_something(part: str, whole: str) -> bool:
    words = words_of(part)
    if len(words) < _MIN_CLAIM_WORDS or _refuses(part, whole):
        return False
    if not any(char.isdigit() for char in part) and (
        EMPTY_PART.match(part) or is_referral(part) or is_lead(part.rstrip(" ,;")) or tells_instead(part)
    ):
        return False
    return has_finite_verb(words) or opens_with_subject_and_verb(part)
