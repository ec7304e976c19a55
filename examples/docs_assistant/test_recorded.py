"""Regression tests over what was recorded: no retrieval, no model, no network."""

from __future__ import annotations

import pytest

from pytest_grounding import assert_citations_valid, assert_confidence_at_least, assert_grounded

RECORDED = "transcripts/docs.jsonl"


@pytest.mark.transcripts(RECORDED)
def test_every_recorded_answer_is_grounded(transcript):
    assert_grounded(transcript)


@pytest.mark.transcripts(RECORDED)
def test_every_recorded_answer_cites_what_was_retrieved(transcript):
    assert_citations_valid(transcript)


@pytest.mark.transcripts(RECORDED)
def test_every_recorded_answer_is_confident(transcript):
    assert_confidence_at_least(transcript, 0.7)
