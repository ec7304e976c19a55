"""Whether the retrieval brought what the question needs."""

from pytest_grounding.checks.retrieval.retrieval_check import check, validate_retrieval

__all__ = ["check", "validate_retrieval"]
