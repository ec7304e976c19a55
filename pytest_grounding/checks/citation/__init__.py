"""Check the citations of an answer."""

from pytest_grounding.checks.citation.alignment import suggested_chunks
from pytest_grounding.checks.citation.citation_check import CitationOutcome, check

__all__ = ["CitationOutcome", "check", "suggested_chunks"]
