"""Does a sentence hold an answer of the expected type that the question does not already name?"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module

from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.scorers.lexical.index import ChunkIndex
from pytest_grounding.text.questions.answer_types import AnswerType

Finder = Callable[[Asked, Sentence], Iterator[str]]
ROOM = "pytest_grounding.checks.retrieval.answer_types"


@cache
def _finder(row: AnswerType) -> Finder:
    """What finds the answers of a type in a clause; its module is imported for the first question."""
    finder: Finder = import_module(f"{ROOM}.{row.module or row.name}").answers
    return finder


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
    return next(_finder(asked.type)(asked, sentence), None) is not None
