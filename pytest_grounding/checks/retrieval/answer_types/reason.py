"""Causes and purposes, by their markers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import pattern

_CAUSE = pattern("answers", "cause")
_SINCE = pattern("answers", "since")
#: Markers that count where it is asked why, and not "what is the reason".
_WHY = pattern("answers", "as"), pattern("answers", "for")
_PURPOSE = pattern("answers", "purpose")
_TAKES_TO = words("answers", "takes_to")
_NO_PURPOSES = words("answers", "no_purposes")
_OPENS_CAUSE = words("answers", "opens_cause")


def answers(asked: Asked, clause: Sentence) -> Iterator[str]:
    """A marker of a cause or purpose, with words beside it that the question does not hold."""
    if not clause.new_words(asked.stems):
        return
    for match in _CAUSE.finditer(clause.lower):
        fresh = match[0] not in asked.lower or match[0].startswith("caus")
        if fresh and not _is_itself_the_cause(asked, clause, match):
            yield match[0]
    for marker in (_SINCE, *_WHY) if asked.part.type == "why" else (_SINCE,):
        yield from (match[0] for match in marker.finditer(clause.lower))
    for match in _PURPOSE.finditer(clause.lower) if asked.part.type == "why" else ():
        if match[1] not in _TAKES_TO and match[2] not in _NO_PURPOSES and f"to {match[2]}" not in asked.lower:
            yield match[0]


def _is_itself_the_cause(asked: Asked, clause: Sentence, match: re.Match[str]) -> bool:
    """Whether what is asked for is the reason that a clause gives, and not what it gives a reason for."""
    if match[0] not in _OPENS_CAUSE:
        return False
    start, end = match.end(), len(clause.text)
    if not clause.text[: match.start()].strip():
        comma = clause.text.find(",", start)
        end = comma if comma > 0 else end
    said = [(t.start - clause.start, t.stem) for t in clause.tokens if t.stem in asked.content]
    cause = {stem for offset, stem in said if start <= offset < end}
    effect = {stem for offset, stem in said if not start <= offset < end}
    return len(cause - effect) > len(effect)
