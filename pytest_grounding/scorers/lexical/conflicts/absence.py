"""Claims about the sources themselves: "the passages do not mention X"."""

from __future__ import annotations

import re

from pytest_grounding._patterns import lazy
from pytest_grounding.scorers.lexical.conflicts.marks import SOURCE
from pytest_grounding.scorers.lexical.conflicts.view import View

_ABSENT = lazy(
    r"\b(?:not|n[o']t|never)\s+(?:\w+\s+){0,2}?(?:mention|state|specif|provid|discuss|contain|includ|addressed|given|"
    r"say|explain|describ|determin|found|clear|indicat)\w*"
    r"|\bno\s+(?:\w+\s+){0,6}?(?:mention|information|link|reference|detail|evidence)\w*(?:\s+\w+)?",
    re.IGNORECASE,
)
_SOURCES = lazy(
    r"\b(?:passages?|contexts?|sources?|documents?|texts?|articles?|excerpts?|mentioned|stated)\b",
    re.IGNORECASE,
)


def speaks_of_sources(claim: View) -> bool:
    """Whether a claim says that the sources do not say something."""
    return _absent(claim) is not None


def _absent(claim: View) -> re.Match[str] | None:
    """Where a claim says that the sources do not say something."""
    if not claim.with_mark(SOURCE) or _SOURCES.search(claim.text) is None:
        return None
    return _ABSENT.search(claim.text)
