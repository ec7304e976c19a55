"""A language model as the judge of claims."""

from pytest_grounding.scorers.remote.judge.chat import ChatJudge
from pytest_grounding.scorers.remote.judge.contract import BatchJudge, Complete, Judge, Ruling, one_by_one

__all__ = ["BatchJudge", "ChatJudge", "Complete", "Judge", "Ruling", "one_by_one"]
