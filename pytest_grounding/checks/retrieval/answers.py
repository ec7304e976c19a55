"""Does a sentence hold an answer of the expected type that the question does not already name?"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import cache

from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.scorers.lexical.index import ChunkIndex

Test = Callable[[Asked, Sentence], bool]


@cache
def _test_of(expected: str) -> Test | None:
    """What tells whether a sentence holds an answer of a type."""
    # Deferred for cost: most questions ask for one type, and the tests of all are long.
    if expected in {"person", "location"}:
        from pytest_grounding.checks.retrieval import entities

        return entities.holds_person if expected == "person" else entities.holds_location
    if expected in {"date", "quantity"}:
        from pytest_grounding.checks.retrieval import measures

        return measures.holds_date if expected == "date" else measures.holds_quantity
    from pytest_grounding.checks.retrieval import statements

    tests: dict[str, Test] = {
        "reason": statements.holds_reason,
        "method": statements.holds_method,
        "choice": statements.holds_choice,
        "polarity": statements.holds_polarity,
        "definition": statements.holds_definition,
        "thing": statements.holds_thing,
    }
    return tests.get(expected)


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
    test = _test_of(asked.part.expected)
    return test is not None and test(asked, sentence)
