"""What a question asks: its type, the kind of answer that it expects, its parts and content words."""

from pytest_grounding.text.questions.analysis import analyse
from pytest_grounding.text.questions.demands import Demand, count_parts, demands_of
from pytest_grounding.text.questions.followup import (
    ContextualQuestion,
    analyse_after,
    asked_after,
    leans,
    names_topic,
    topic_turn,
)
from pytest_grounding.text.questions.language import language_by_look, looks_english
from pytest_grounding.text.questions.values import QuestionInfo, QuestionPart, QuestionType, QuestionWord

__all__ = [
    "ContextualQuestion",
    "Demand",
    "QuestionInfo",
    "QuestionPart",
    "QuestionType",
    "QuestionWord",
    "analyse",
    "analyse_after",
    "asked_after",
    "count_parts",
    "demands_of",
    "language_by_look",
    "leans",
    "looks_english",
    "names_topic",
    "topic_turn",
]
