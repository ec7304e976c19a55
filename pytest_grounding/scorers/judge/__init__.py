"""A language model as the judge: borderline claims, claim extraction and the three Self-RAG checks."""

from pytest_grounding.scorers.judge.base import (
    BatchJudge,
    Complete,
    Judge,
    Ruling,
    one_by_one,
)
from pytest_grounding.scorers.judge.chat import ChatJudge

__all__ = ["BatchJudge", "ChatJudge", "Complete", "Judge", "Ruling", "one_by_one"]
