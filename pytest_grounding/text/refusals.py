"""Refusals: sentences that say that the answer is not known or not in the sources."""

from __future__ import annotations

import re

from pytest_grounding.text.grammar import has_finite_verb, words_of
from pytest_grounding.text.refusal_patterns import (
    APOLOGY,
    EMPTY_PART,
    ENGLISH,
    ENGLISH_HINT,
    OTHER,
    OTHER_HINT,
)

_PARTS = re.compile(
    r"[,;:–—]\s+(?:but|however|although|though|while|whereas|yet|so|and|nor|as|since|because|which|instead|"
    r"therefore|even though|it does|they do)\b,?\s*"
    r"|;\s+|\s+(?:although|even though|but|because|whereas)\s+",
    re.IGNORECASE,
)
_CONCESSION = re.compile(
    r"\W*(?:while|although|though|even though|whereas|since|because|as|despite)\b", re.IGNORECASE
)
_COMMA = re.compile(r",\s+")
_MIN_CLAIM_WORDS = 4
# A refusal is a short thing to say; what goes on longer than this says something besides.
_LONGEST = 700


def is_refusal(sentence: str) -> bool:
    """Whether a sentence declines and claims nothing besides.

    "The sources do not say when it opened" is a refusal; "The sources do not say when it opened, but it
    has 40 rooms" is not, because its second part claims something.

    Args:
        sentence: one sentence or clause, without markers and markup.
    """
    if len(sentence) > _LONGEST or not _refuses(sentence):
        return False
    return not any(_claims_something(part) for part in _parts(sentence))


def _refuses(text: str) -> bool:
    """Whether some part of a text says that something is not known or not in the sources."""
    if ENGLISH_HINT.search(text) is not None and ENGLISH.search(text) is not None:
        return True
    if APOLOGY.match(text) is not None:
        return True
    return OTHER_HINT.search(text) is not None and OTHER.search(text) is not None


def _parts(sentence: str) -> list[str]:
    parts = _PARTS.split(sentence)
    if _CONCESSION.match(sentence):
        head = _COMMA.split(parts[0], maxsplit=1)
        parts = [*head, *parts[1:]]
    return parts


def _claims_something(part: str) -> bool:
    if _refuses(part) or EMPTY_PART.match(part) is not None:
        return False
    words = words_of(part)
    return len(words) >= _MIN_CLAIM_WORDS and has_finite_verb(words)
