"""Labels of sources and list counters, which are no words of a claim."""

from __future__ import annotations

import re

from pytest_grounding._io.lazy_patterns import lazy, letters_of

# Labels of sources ("(Passage 2)"), citation markers and tags ("</s>") are not words of a claim; they become
# blanks, so that offsets stay.
_LABEL = lazy(
    r"\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]"
    r"|\(?\b(?:passage|document|source|excerpt|context)s?\s+\(?#?\d{1,2}\b(?:\s*(?:,(?:\s*(?:and|&|or))?|and|&|or)\s*#?\d{1,2}\b)*\)?"
    r"|^\s*(?:\d{1,2}[.)]|[-*•+])\s|</?[a-z]{1,8}/?>",
    re.IGNORECASE,
)
#: One of these occurs in every label that does not open the claim, as `letters_of` writes them.
_IN_LABELS = ("[", "<", "passage", "document", "source", "excerpt", "context")
_BULLETS = "-*•+"


def without_labels(claim: str) -> str:
    """The claim with source labels and markers replaced by blanks; offsets stay."""
    first = claim.lstrip()[:1]
    if first not in _BULLETS and not first.isdecimal():
        letters = letters_of(claim)
        if not any(some in letters for some in _IN_LABELS):
            return claim
    return _LABEL.sub(lambda match: " " * len(match.group()), claim)
