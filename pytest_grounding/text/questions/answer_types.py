"""The types of answers, one row each. Whatever needs to know a type reads it here.

How a question is read, how a text is searched for what it asks, and what is said of it follow `ANSWER_TYPES`.
A type is added in two places:

1. One file in ``checks/retrieval/answer_types`` with a generator: from a question part and a clause of a
   chunk to the pieces of the clause that are such an answer::

       def answers(asked: Asked, clause: Sentence) -> Iterator[str]:
           yield from asked.unsaid(LINK, clause)

2. One row here: ``AnswerType("link", "a link", nouns=frozenset({"link", "url", "website"}))``. A question
   that asks for one of the nouns ("what is the website of the museum?") then expects such an answer, and
   nothing else states it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_grounding.lexicon import table, words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.text.questions.values import QuestionPart, QuestionType


@dataclass(frozen=True, slots=True)
class AnswerType:
    """A type of answer.

    Attributes:
        name: its name, which verdicts show.
        wanted: what is looked for, in words.
        asked_by: types of questions that ask for it where no noun tells otherwise.
        nouns: they ask for it behind "which", "what is the" and the like.
        module: the file in ``checks/retrieval/answer_types`` that finds it; empty: that of its name.
        worded: words by which a question for a thing asks for it, whatever its noun.
        is_value: no wording can hide it, and a chunk may begin with it before it says what it is of:
            "Charging takes 6 hours. The battery ...".
        has_look: a text without a sign of it does not hold it.
        is_replaced: no text need repeat the noun right behind the question word: "which city", "what colour".
        may_precede: the sentence before can name it, and a pronoun then speaks of it: "Jane Roe left. She
            founded Acme." A date, an amount or a reason belongs to its own verb.
    """

    name: str
    wanted: str
    asked_by: tuple[QuestionType, ...] = ()
    nouns: frozenset[str] = frozenset()
    module: str = ""
    worded: re.Pattern[str] | None = None
    is_value: bool = False
    has_look: bool = True
    is_replaced: bool = False
    may_precede: bool = False


_NAMED = pattern("answers", "wants_name")
#: Characters of a question that are looked at for words beside its noun: those that a transcript allows.
_LONGEST = 2_000
#: Noun -> what an amount that it asks for measures.
MEASURES = table("questions", "measures")


def _nouns(name: str) -> frozenset[str]:
    return words("questions", f"{name}_nouns")


#: The last row of a noun or a type of question decides.
ANSWER_TYPES: tuple[AnswerType, ...] = (
    AnswerType("date", "a date or time", ("when",), _nouns("date"), is_value=True, is_replaced=True),
    AnswerType("location", "a place", ("where",), _nouns("location"), is_replaced=True, may_precede=True),
    AnswerType("person", "a person or body", ("who",), _nouns("person"), is_replaced=True, may_precede=True),
    AnswerType("reason", "a reason", ("why",), _nouns("reason")),
    AnswerType("method", "a way to do it", ("how",), _nouns("method"), has_look=False),
    AnswerType("quantity", "an amount", ("how_many", "how_much"), frozenset(MEASURES), is_value=True),
    AnswerType(
        "colour", "a colour", (), _nouns("colour"), has_look=False, is_replaced=True, may_precede=True
    ),
    AnswerType("name", "a name", (), _nouns("name"), "", _NAMED, has_look=False, may_precede=True),
    AnswerType("definition", "a definition", has_look=False, may_precede=True),
    AnswerType("thing", "what is asked for", ("what",), module="statement", has_look=False, may_precede=True),
    AnswerType(
        "choice", "one of the choices", ("which",), module="statement", has_look=False, may_precede=True
    ),
    AnswerType("polarity", "a statement on it", ("yes_no",), module="statement", has_look=False),
)
_UNTOLD = AnswerType("", "the answer", ("other",), has_look=False)
_BY_NAME = {row.name: row for row in (*ANSWER_TYPES, _UNTOLD)}
#: Noun -> the type of answer that it asks for.
OF_NOUN: dict[str, str] = {noun: row.name for row in ANSWER_TYPES for noun in row.nouns}
#: Type of question -> the type of answer that it expects by itself.
OF_QUESTION: dict[str, str] = {kind: row.name for row in (*ANSWER_TYPES, _UNTOLD) for kind in row.asked_by}


#: Types whose noun a text need not repeat.
REPLACED = frozenset(row.name for row in ANSWER_TYPES if row.is_replaced)


def worded(expected: str, question: str) -> str:
    """The type of answer that a question expects: of a thing also by words beside its noun ("called")."""
    if expected != "thing":
        return expected
    lower = question[:_LONGEST].lower()
    return next(
        (row.name for row in ANSWER_TYPES if row.worded is not None and row.worded.search(lower)), expected
    )


def answer_type(part: QuestionPart) -> AnswerType:
    """The type of answer that a part of a question expects."""
    return _BY_NAME[part.expected]


def wanted_by(part: QuestionPart) -> str:
    """What a part of a question expects, in words."""
    is_span = part.expected == "quantity" and part.measure == "duration"
    return "a length of time" if is_span else answer_type(part).wanted
