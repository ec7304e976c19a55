"""Assertions on recorded RAG answers, for pytest and for any other runner: they raise AssertionError.

Each takes a Transcript, a mapping, a path to a file with exactly one transcript, or a Verdict, returns
the Verdict, and fails with a message that quotes the fault and says what to do about it.
"""

from __future__ import annotations

from pytest_grounding.plugin.assertions.answer_assertions import (
    assert_citations_valid as assert_citations_valid,
)
from pytest_grounding.plugin.assertions.answer_assertions import (
    assert_confidence_at_least as assert_confidence_at_least,
)
from pytest_grounding.plugin.assertions.answer_assertions import assert_grounded as assert_grounded
from pytest_grounding.plugin.assertions.case import GroundingWarning as GroundingWarning
from pytest_grounding.plugin.assertions.case import judge as judge
from pytest_grounding.plugin.assertions.golden_assertion import assert_matches_golden as assert_matches_golden
from pytest_grounding.plugin.assertions.retrieval_assertions import (
    assert_answer_present as assert_answer_present,
)
from pytest_grounding.plugin.assertions.retrieval_assertions import assert_evidence_for as assert_evidence_for
from pytest_grounding.plugin.assertions.retrieval_assertions import (
    assert_retrieval_quality as assert_retrieval_quality,
)
from pytest_grounding.plugin.assertions.retrieval_assertions import (
    assert_self_corrects as assert_self_corrects,
)
