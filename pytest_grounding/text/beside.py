"""Pieces beside the matter: advice to look elsewhere, notes on the answer, illustrations of a word."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pytest_grounding._patterns import lazy
from pytest_grounding.lexicon import words as listed
from pytest_grounding.lexicon.patterns import pattern

_LONGEST = 300
_SHORTEST_EXAMPLE = 4

_SENDING = listed("refusals", "sending")
_ANSWER_WORDS = listed("refusals", "answers")
_ABOUT_WORDS = listed("refusals", "language")
_USAGE = listed("refusals", "usage")
_ADVICE = pattern("beside", "advice")
_NAME = lazy(r"[\w,;:'’)] (?!I\b)[A-Z]")
_REASON = pattern("beside", "reason")

_ON_THE_ANSWER = pattern("beside", "on_the_answer")

#: "The passage mentions two topics:" announces what follows, however many.
SOURCES_ANNOUNCE = pattern("beside", "sources_announce")

#: "(see section 2)", "(Table 4)", "(cf. pages 3-5)".
_REFERENCE = pattern("beside", "reference")
_ABOVE_BELOW = pattern("beside", "above_below")

_FOR_EXAMPLE = pattern("beside", "for_example")
_EXAMPLE = pattern("beside", "example")
#: 'How is "so that" used?'
_QUOTED = lazy(r"[\"“‘'][^\"”’']{1,40}[\"”’']")
_DIGIT = lazy(r"\d")


def is_advice_elsewhere(sentence: str, words: Sequence[str], question: Sequence[str] = ()) -> bool:
    """Whether a sentence only advises to ask somebody or to look somewhere else."""
    if _SENDING.isdisjoint(words) or not is_bare(sentence) or not _SENDING.isdisjoint(question):
        return False
    return _ADVICE.match(sentence) is not None and _REASON.search(sentence) is None


def is_about_the_answer(sentence: str, words: Sequence[str]) -> bool:
    """Whether a sentence says what the answer covers or rests on, or that more would have to be known."""
    if _ANSWER_WORDS.isdisjoint(words) or not is_bare(sentence):
        return False
    return _ON_THE_ANSWER.match(sentence) is not None


def is_bare(sentence: str) -> bool:
    """Whether a sentence is short and holds neither a figure nor, behind its first word, a name."""
    return len(sentence) <= _LONGEST and _DIGIT.search(sentence) is None and _NAME.search(sentence) is None


def asks_about_words(question: str, words: Sequence[str]) -> bool:
    """Whether a question, with its words in lower case, is about language: grammar, or a phrase in quotes."""
    if not _ABOUT_WORDS.isdisjoint(words):
        return True
    return not _USAGE.isdisjoint(words) and _QUOTED.search(question) is not None


def is_illustration(sentence: str, words: Sequence[str], intro: str) -> bool:
    """Whether a sentence shows a word at work, in an answer to a question that `asks_about_words`."""
    if len(words) < _SHORTEST_EXAMPLE or _DIGIT.search(sentence):
        return False
    if not _ABOUT_WORDS.isdisjoint(words):
        return False  # it speaks about words, and does not use them alone
    return _FOR_EXAMPLE.match(sentence) is not None or _EXAMPLE.search(intro) is not None


def without_references(sentence: str) -> str:
    """A heading without the places that it points at: "Pricing (see section 2):" becomes "Pricing:"."""
    if "(" not in sentence and "[" not in sentence:
        return sentence
    return _ABOVE_BELOW.sub("", _REFERENCE.sub("", sentence))


class Lack(NamedTuple):
    """What a sentence says that one numbered source lacks.

    Attributes:
        number: 1-based number of the source.
        start: offset where the words for what is missing begin.
        mentions: whether it is said not to be mentioned at all, rather than not told.
    """

    number: int
    start: int
    mentions: bool


_LACK = pattern("beside", "lack")


# A dozen places ask it of each claim.
@lru_cache(maxsize=256)
def lack_of(sentence: str) -> Lack | None:
    """What a sentence says that a numbered source lacks ("Passage 3 does not give the fee"); else None."""
    found = _LACK.match(sentence)
    return Lack(int(found["number"]), found.end(), bool(found["mentions"])) if found else None
