"""Refusals: sentences that say that the answer cannot be given."""

from __future__ import annotations

import re

_REFUSAL = re.compile(
    r"(?i)\b(?:I|we)(?:'m| am| are)? (?:don't|do not|cannot|can't|could not|couldn't|(?:not|un)\s?able)\b"
    r".{0,40}\b(?:information|answer|know|find|help)"
    r"|\b(?:sources?|passages?|context|documents?)\b.{0,30}\b(?:do(?:es)? not|don't|doesn't) "
    r"(?:say|mention|contain|provide|include|specify|state)|unable to answer"
)


def is_refusal(sentence: str) -> bool:
    """Whether a sentence says that the answer is not known or not in the sources."""
    return _REFUSAL.search(sentence) is not None
