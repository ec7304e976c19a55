"""Assertions on recorded RAG answers, for pytest and for any other runner: they raise AssertionError.

Each takes a Transcript, a mapping, a path to a file with exactly one transcript, or a Verdict, returns
the Verdict, and fails with a message that quotes the fault and says what to do about it.
"""

from __future__ import annotations

from pytest_grounding.plugin.assertions.answer_assertions import (
    assert_citations_valid,
    assert_confidence_at_least,
    assert_grounded,
)
from pytest_grounding.plugin.assertions.case import GroundingWarning, judge
from pytest_grounding.plugin.assertions.golden_assertion import assert_matches_golden
from pytest_grounding.plugin.assertions.retrieval_assertions import (
    assert_answer_present,
    assert_evidence_for,
    assert_retrieval_quality,
    assert_self_corrects,
)

__all__ = ["GroundingWarning", "assert_answer_present", "assert_citations_valid", "judge"]
__all__ += ["assert_confidence_at_least", "assert_evidence_for", "assert_grounded"]
__all__ += ["assert_matches_golden", "assert_retrieval_quality", "assert_self_corrects"]
