"""Does a sentence hold an answer of the expected type that the question does not already name?"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable

from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.entities import holds_location, holds_person
from pytest_grounding.checks.retrieval.measures import holds_date, holds_quantity
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.checks.retrieval.statements import (
    holds_choice,
    holds_definition,
    holds_method,
    holds_polarity,
    holds_reason,
    holds_thing,
)
from pytest_grounding.scorers.lexical.index import ChunkIndex

_TESTS: dict[str, Callable[[Asked, Sentence], bool]] = {
    "person": holds_person,
    "location": holds_location,
    "date": holds_date,
    "quantity": holds_quantity,
    "reason": holds_reason,
    "method": holds_method,
    "choice": holds_choice,
    "polarity": holds_polarity,
    "definition": holds_definition,
    "thing": holds_thing,
}


def sentence_of(index: ChunkIndex, number: int) -> Sentence:
    """One sentence of a text with its words."""
    start, end = index.sentences[number]
    first = bisect_left(index.sentence_of, number)
    last = bisect_right(index.sentence_of, number)
    return Sentence(index.text[start:end], start, index.tokens[first:last])


def holds_answer(asked: Asked, sentence: Sentence) -> bool:
    """Whether a sentence holds an entity of the type that the question expects.

    What the question itself names is no answer to it, and neither is a sentence that only asks.
    """
    if sentence.text.rstrip("\"'”’) ").endswith("?"):
        return False
    test = _TESTS.get(asked.part.expected)
    return test is not None and test(asked, sentence)
