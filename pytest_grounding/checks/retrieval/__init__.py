"""Whether the retrieval brought what the question needs."""

from pytest_grounding.checks.retrieval.retrieval_check import RetrievalOutcome, check, validate_retrieval

__all__ = ["RetrievalOutcome", "check", "validate_retrieval"]
