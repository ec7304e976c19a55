"""A language model as the judge: borderline claims, claim extraction and the three Self-RAG checks."""

from pytest_grounding.scorers.judge.base import (
    BatchJudge,
    Complete,
    Completion,
    Judge,
    Ruling,
    Usage,
    one_by_one,
)
from pytest_grounding.scorers.judge.chat import ChatJudge

__all__ = ["BatchJudge", "ChatJudge", "Complete", "Completion", "Judge", "Ruling", "Usage", "one_by_one"]
