"""What a question asks: its type, the kind of answer that it expects, its parts and content words."""

from pytest_grounding.text.questions.analysis import analyse
from pytest_grounding.text.questions.language import looks_english, primary_subtag
from pytest_grounding.text.questions.values import (
    Expected,
    QuestionInfo,
    QuestionPart,
    QuestionType,
    QuestionWord,
)

__all__ = [
    "Expected",
    "QuestionInfo",
    "QuestionPart",
    "QuestionType",
    "QuestionWord",
    "analyse",
    "looks_english",
    "primary_subtag",
]
