"""The types of answers, one row each. Whatever needs to know a type reads it here."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_grounding.lexicon import table, words
from pytest_grounding.text.questions.values import QuestionPart, QuestionType


@dataclass(frozen=True, slots=True)
class AnswerType:
    """A type of answer.

    Attributes:
        name: its name, which verdicts show.
        wanted: what is looked for, in words.
        asked_by: types of questions that ask for it where no noun tells otherwise.
        nouns: they ask for it behind "which", "what is the" and the like.
        is_replaced: no text need repeat the noun right behind the question word: "which city".
    """

    name: str
    wanted: str
    asked_by: tuple[QuestionType, ...] = ()
    nouns: frozenset[str] = frozenset()
    is_replaced: bool = False

    @property
    def is_value(self) -> bool:
        """Whether a date or an amount answers it, which no other wording can stand for."""
        return self.name in {"date", "quantity"}

    @property
    def has_look(self) -> bool:
        """Whether a text without a sign of it does not hold it."""
        return self.name in {"date", "quantity", "location", "person", "reason"}


#: Noun -> what an amount that it asks for measures.
MEASURES = table("questions", "measures")


def _nouns(name: str) -> frozenset[str]:
    return words("questions", f"{name}_nouns")


#: The last row of a noun or a type of question decides.
ANSWER_TYPES: tuple[AnswerType, ...] = (
    AnswerType("date", "a date or time", ("when",), _nouns("date"), is_replaced=True),
    AnswerType("location", "a place", ("where",), _nouns("location"), is_replaced=True),
    AnswerType("person", "a person or body", ("who",), _nouns("person"), is_replaced=True),
    AnswerType("reason", "a reason", ("why",), _nouns("reason")),
    AnswerType("method", "a way to do it", ("how",), _nouns("method")),
    AnswerType("quantity", "an amount", ("how_many", "how_much"), frozenset(MEASURES)),
    AnswerType("definition", "a definition"),
    AnswerType("thing", "what is asked for", ("what",)),
    AnswerType("choice", "one of the choices", ("which",)),
    AnswerType("polarity", "a statement on it", ("yes_no",)),
)
_UNTOLD = AnswerType("", "the answer", ("other",))
_BY_NAME = {row.name: row for row in (*ANSWER_TYPES, _UNTOLD)}
#: Noun -> the type of answer that it asks for.
OF_NOUN: dict[str, str] = {noun: row.name for row in ANSWER_TYPES for noun in row.nouns}
#: Type of question -> the type of answer that it expects by itself.
OF_QUESTION: dict[str, str] = {kind: row.name for row in (*ANSWER_TYPES, _UNTOLD) for kind in row.asked_by}


#: Types whose noun a text need not repeat.
REPLACED = frozenset(row.name for row in ANSWER_TYPES if row.is_replaced)


def answer_type(part: QuestionPart) -> AnswerType:
    """The type of answer that a part of a question expects."""
    return _BY_NAME[part.expected]


def wanted_by(part: QuestionPart) -> str:
    """What a part of a question expects, in words."""
    is_span = part.expected == "quantity" and part.measure == "duration"
    return "a length of time" if is_span else answer_type(part).wanted
