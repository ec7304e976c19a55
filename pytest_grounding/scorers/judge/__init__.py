"""A language model as the judge: borderline claims, claim extraction and the three Self-RAG checks."""

from pytest_grounding.scorers.judge.base import Judge, Ruling
from pytest_grounding.scorers.judge.chat import ChatJudge, Complete

__all__ = ["ChatJudge", "Complete", "Judge", "Ruling"]
