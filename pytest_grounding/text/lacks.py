"""Sentences that say what the sources lack in other words than most refusals."""

from __future__ import annotations

from pytest_grounding.lexicon.patterns import parts, pattern

_LACKS = parts("lacks")
#: What the sources hold, set against what they lack: "they give the fee for children but not for adults".
_CONTRAST = pattern("lack_signs", "contrast")
#: What tells what the sources do hold, and so what they do not.
_INSTEAD = pattern("lack_signs", "instead")
#: Courtesy around a refusal: what was looked at, thanks, where to ask.
_COURTESY = pattern("lack_signs", "courtesy")
_UNCOVERED = pattern("lack_signs", "uncovered")
_LONGEST = 500


def says_lack(sentence: str) -> bool:
    """Whether a sentence tells that the sources, or who answers, lack something."""
    return len(sentence) <= _LONGEST and _LACKS.search(sentence)


def sets_against(sentence: str) -> bool:
    """Whether a sentence tells what the sources hold only to say what they lack."""
    return _CONTRAST.match(sentence[:_LONGEST]) is not None


def tells_instead(sentence: str) -> bool:
    """Whether a sentence tells what the sources hold instead of what was asked."""
    return _INSTEAD.match(sentence[:_LONGEST]) is not None


def is_uncovered(sentence: str) -> bool:
    """Whether a sentence says that something is not covered: a refusal beside what the sources do cover."""
    return _UNCOVERED.search(sentence[:_LONGEST]) is not None


def answers_nothing(sentence: str) -> bool:
    """Whether a sentence answers nothing beside a refusal: courtesy, or what the sources hold instead."""
    return (
        _COURTESY.match(sentence[:_LONGEST]) is not None or tells_instead(sentence) or sets_against(sentence)
    )
