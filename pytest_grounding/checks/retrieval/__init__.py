"""Whether the retrieval brought what the question needs."""

from pytest_grounding.checks.retrieval.retrieval_check import check, retrieval_verdict

__all__ = ["check", "retrieval_verdict"]
