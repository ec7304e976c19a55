"""Ways to do something, or how it goes: an instruction, a means, a process."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.scorers.lexical.tokens import tokenize

_METHOD = pattern("answers", "method")
_DONE = pattern("answers", "done")
_MEANS = pattern("answers", "means")


def answers(asked: Asked, clause: Sentence) -> Iterator[str]:
    """A sign of a way that the question does not hold."""
    if clause.new_words(asked.stems):
        for match in _METHOD.finditer(clause.lower):
            if match[0].strip() not in asked.lower and not _only_done(asked, clause, match):
                yield match[0]


def _only_done(asked: Asked, clause: Sentence, match: re.Match[str]) -> bool:
    """Whether a passive says no more than that it is done: "Tulips are planted in October"."""
    start = match.end() - 2 if match[0].endswith(" be") else match.start()
    done = _DONE.match(clause.lower, start)
    if done is None:
        return False
    if not any(t.stem in asked.known for t in tokenize(done[1])):
        # "How do I delete ...": that it is listed or restored is no way to.
        return asked.part.deed >= 0
    return _MEANS.match(clause.lower, done.end()) is None
