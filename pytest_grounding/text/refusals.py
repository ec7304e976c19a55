"""Refusals: sentences that say that the answer is not known or not in the sources."""

from __future__ import annotations

from pytest_grounding._patterns import lazy
from pytest_grounding.lexicon.patterns import parts, pattern
from pytest_grounding.text.grammar import has_finite_verb, opens_with_subject_and_verb, words_of
from pytest_grounding.text.lacks import says_lack, tells_instead
from pytest_grounding.text.leads import is_lead

_REFUSAL = parts("refusals")
_OTHER = parts("refusals_elsewhere")
_ASIDES = parts("asides")
_WEAK = pattern("refusal_signs", "weak")
_AT_HAND = pattern("refusal_signs", "at_hand")
_APOLOGY = pattern("refusal_signs", "apology")
_REFERRAL = pattern("refusal_signs", "referral")
_PARTS = pattern("refusal_signs", "parts")
_CONCESSION = pattern("refusal_signs", "concession")
_COMMA = lazy(r",\s+")
_ASIDE = lazy(r"\([^()]{0,200}\)")
_MIN_CLAIM_WORDS = 4
# A refusal is a short thing to say; what goes on longer than this says something besides.
_LONGEST = 700


def is_refusal(sentence: str) -> bool:
    """Whether a sentence declines and claims nothing besides."""
    if len(sentence) > _LONGEST:
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
    return _REFERRAL.match(sentence[:400]) is not None and not any(char.isdigit() for char in sentence)


def _refuses(text: str, whole: str) -> bool:
    """Whether some part of a text says that something is not known or not in the sources."""
    if _REFUSAL.search(text) or _APOLOGY.match(text) is not None:
        return True
    if _WEAK.search(text) is not None and _AT_HAND.search(whole) is not None:
        return True
    return says_lack(text) or _OTHER.search(text)


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
    if not any(char.isdigit() for char in part):
        is_aside = _ASIDES.match(part) or is_lead(part.rstrip(" ,;"))
        if is_aside or is_referral(part) or tells_instead(part):
            return False
    return has_finite_verb(words) or opens_with_subject_and_verb(part)
