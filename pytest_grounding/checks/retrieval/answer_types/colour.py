"""Colours."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.lexicon.patterns import pattern

_COLOUR = pattern("answers", "colour")


def answers(asked: Asked, clause: Sentence) -> Iterator[str]:
    """A word for a colour."""
    yield from asked.unsaid(_COLOUR, clause)
