"""Labels of sources, list counters and a "yes" before a statement, which are no words of a claim."""

from __future__ import annotations

import re

from pytest_grounding._io.lazy_patterns import lazy, letters_of
from pytest_grounding.lexicon import alternation

#: Labels of sources ("(Passage 2)"), citation markers and tags ("</s>"): no words of a claim.
_LABEL = lazy(
    r"\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]"
    r"|\(?\b(?:passage|document|source|excerpt|context)s?\s+\(?#?\d{1,2}\b(?:\s*(?:,(?:\s*(?:and|&|or))?|and|&|or)\s*#?\d{1,2}\b)*\)?"
    r"|^\s*(?:\d{1,2}[.)]|[-*•+])\s|</?[a-z]{1,8}/?>",
    re.IGNORECASE,
)
#: One of these occurs in every label that does not open the claim, as `letters_of` writes them.
_IN_LABELS = ("[", "<", "passage", "document", "source", "excerpt", "context")
_BULLETS = "-*•+"
#: "Yes, ", "No: " before a statement.
_ANSWER = lazy(rf"\s*(?:{alternation('answers', 'words of answer')})\s*[,:;.!–—-]+\s+(?=\S)", re.IGNORECASE)


def without_answer_word(claim: str) -> str:
    """A claim without the "yes" or "no" before its statement; offsets stay."""
    match = _ANSWER.match(claim)
    return claim if match is None else " " * match.end() + claim[match.end() :]


def without_labels(claim: str) -> str:
    """The claim with source labels and markers replaced by blanks; offsets stay."""
    first = claim.lstrip()[:1]
    if first not in _BULLETS and not first.isdecimal():
        letters = letters_of(claim)
        for some in _IN_LABELS:
            if some in letters:
                break
        else:
            return claim
    return _LABEL.sub(lambda match: " " * len(match.group()), claim)
