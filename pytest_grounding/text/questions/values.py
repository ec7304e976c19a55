"""The values of question analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

QuestionType = Literal[
    "who", "what", "when", "where", "why", "how", "how_many", "how_much", "which", "yes_no", "other"
]


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A content word of a question: ``question[start:end] == text``."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Focus:
    """The noun that names an answer.

    Attributes:
        expected: the kind of answer that it asks for, or "".
        measure: what a quantity measures, or "".
        noun: the noun, as written; "" where there is none.
        frame: its offset, where no answer need repeat it.
    """

    expected: str = ""
    measure: str = ""
    noun: str = ""
    frame: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """One of the things that a question asks.

    Attributes:
        start: offset in the question.
        end: one past its last character.
        text: the slice between them.
        type: its question type.
        expected: the kind of answer that it expects.
        measure: for a quantity what is measured: count, money, percent, duration, frequency, distance,
            length, size, speed, weight, temperature, amount; else "".
        focus: the noun that names the answer ("city" in "which city"), as written; "" where there is none.
        key: offset of the word that names the attribute or deed that is asked for ("founded" in "who founded
            Acme", "symptoms" in "what are the symptoms"), which a text on something else lacks; -1 where
            there is none, or where an answer of the expected kind says it by itself ("price", "year").
        deed: offset of the verb of a question that asks how one does something ("cancel" in "how do I cancel
            the pipeline"), or -1.
        words: its content words: no question word, no function word, no focus noun that the answer
            replaces. A part that leans on the one before it ("..., and when?") has that part's words.
    """

    start: int
    end: int
    text: str
    type: QuestionType
    expected: str
    measure: str = ""
    focus: str = ""
    words: tuple[QuestionWord, ...] = ()
    key: int = -1
    deed: int = -1


@dataclass(frozen=True, slots=True)
class QuestionInfo:
    """What a question asks.

    Attributes:
        question: the text, as given.
        type: type of its first part.
        expected: kind of answer that its first part expects.
        parts: what it asks, at least one part.
        words: the content words of all parts, in order of their start.
        language: primary subtag of the language that it was read in; "" where it is not English and no
            tag said which.
    """

    question: str
    type: QuestionType
    expected: str
    parts: tuple[QuestionPart, ...]
    words: tuple[QuestionWord, ...]
    language: str = "en"
