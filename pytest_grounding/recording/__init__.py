"""Run a RAG program and keep what it said; replay it without the program."""

from pytest_grounding.recording.run import Outcome, Progress, Question, read_questions, record, record_all

__all__ = ["Outcome", "Progress", "Question", "read_questions", "record", "record_all"]
