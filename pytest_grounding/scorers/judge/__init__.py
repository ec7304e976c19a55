"""A language model as the judge of claims."""

from pytest_grounding.scorers.judge.base import (
    BatchJudge,
    Complete,
    Judge,
    Ruling,
    one_by_one,
)
from pytest_grounding.scorers.judge.chat import ChatJudge

__all__ = ["BatchJudge", "ChatJudge", "Complete", "Judge", "Ruling", "one_by_one"]
