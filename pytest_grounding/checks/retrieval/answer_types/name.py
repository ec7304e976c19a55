"""Names of things: of a hotel, a brand, a moon."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.scorers.lexical.tokens import tokenize


def answers(asked: Asked, clause: Sentence) -> Iterator[str]:
    """A name that says more than the question does."""
    for fact in clause.facts:
        is_name = fact.kind == "name" and not fact.initial
        if is_name and not {t.stem for t in tokenize(fact.text)} <= asked.stems:
            yield fact.text
