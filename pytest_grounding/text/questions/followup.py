"""A question that says what it is about only together with the turns before it: "How long?", "And then?"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pytest_grounding.lexicon import words
from pytest_grounding.model.transcript import Turn
from pytest_grounding.reading import Reading, reading_of
from pytest_grounding.text.questions import words as w
from pytest_grounding.text.questions.analysis import analyse, question_sentences
from pytest_grounding.text.questions.tokens import split_words
from pytest_grounding.text.questions.values import QuestionInfo

#: A longer question names something, whatever its words are.
_LONGEST = 120
_ELSEWHERE = words("questions", "elsewhere")
_REPLIES = words("questions", "replies") | words("questions", "whole_texts")


@dataclass(frozen=True, slots=True)
class ContextualQuestion:
    """A question as it is to be read.

    Attributes:
        text: the question, after the turn that it leans on, if any.
        turn: that turn, or "".
        names_topic: whether ``text`` names anything that can be looked for.
    """

    text: str
    turn: str = ""
    names_topic: bool = True


def names_topic(question: str, language: str = "en") -> bool:
    """Whether a question has a word that says what it is about."""
    return len(question) > _LONGEST or reading_of(question, language).part(_names_topic)


def _names_topic(reading: Reading) -> bool:
    question = reading.text
    tokens = split_words(question)
    if all(token.lower in _ELSEWHERE for token in tokens):
        return False
    pieces = [question[start:end].rstrip(".?!") for start, end in question_sentences(question)]
    content = (word.text for piece in pieces for word in analyse(f"{piece}?", reading.language).words)
    return any(text.lower() not in _REPLIES for text in content)


def leans(question: str, language: str = "en") -> bool:
    """Whether a question refers to what was said before: it names nothing, or it has a pronoun."""
    pronoun = any(token.lower in w.PRONOUNS for token in split_words(question[:_LONGEST]))
    return pronoun or not names_topic(question, language)


def topic_turn(history: Iterable[Turn], language: str = "en") -> str:
    """The last thing that the user said which names a topic, or else the last that anybody said, or ""."""
    said = [(turn.role.strip().casefold(), turn.content.strip()) for turn in history]
    named = [(role, text) for role, text in said if text and names_topic(text, language)]
    users = [text for role, text in named if role in {"user", "human"}]
    return (users or [text for _, text in named] or [""])[-1]


def asked_after(question: str, history: Iterable[Turn], language: str = "en") -> ContextualQuestion:
    """The question as it is to be read: alone where it names its topic, else after the turn that does."""
    if names_topic(question, language):
        return ContextualQuestion(question)
    turn = topic_turn(history, language)
    if turn:
        return ContextualQuestion(f"{turn}\n{question}", turn)
    return ContextualQuestion(question, names_topic=False)


def analyse_after(asked: ContextualQuestion, question: str, language: str = "en") -> QuestionInfo:
    """What a question asks, with the content words of the turn that it leans on."""
    alone = analyse(question, language)
    if not asked.turn:
        return alone
    joined = analyse(asked.text, language)
    first = len(asked.text) - len(question)
    parts = tuple(part for part in joined.parts if part.start >= first)
    if not parts or alone.type == "other":
        return alone
    return replace(joined, type=parts[0].type, expected=parts[0].expected, parts=parts)
