"""Analyse a question: its type, the expected kind of answer, its parts and content words."""

from pytest_grounding.questions.analysis import analyse
from pytest_grounding.questions.demands import (
    ContextualQuestion,
    Demand,
    analyse_after,
    asked_after,
    count_parts,
    demands_of,
    names_topic,
    refers_to_earlier_turn,
    topic_turn,
)
from pytest_grounding.questions.language_look import language_by_look, looks_english
from pytest_grounding.questions.question_words import QuestionInfo, QuestionPart

__all__ = ["ContextualQuestion", "Demand", "QuestionInfo", "QuestionPart", "analyse", "analyse_after"]
__all__ += ["asked_after", "count_parts", "demands_of", "language_by_look", "looks_english", "names_topic"]
__all__ += ["refers_to_earlier_turn", "topic_turn"]
