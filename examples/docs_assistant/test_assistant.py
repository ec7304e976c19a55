"""Tests of the program itself, against the documentation as it is now."""

from __future__ import annotations

import pytest
from assistant import DECLINED, Assistant

from pytest_grounding import assert_citations_valid, assert_grounded, validate


@pytest.fixture(scope="module")
def assistant():
    return Assistant()


def test_the_documentation_gives_chunks_with_ids_of_their_own(assistant):
    ids = [chunk["id"] for chunk in assistant.chunks]
    assert len(ids) > 20
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    "question", ["From which support is a claim supported?", "When is a transcript rejected?"]
)
def test_a_live_answer_is_grounded_and_cites_its_source(assistant, question):
    transcript = assistant.ask(question)
    assert transcript["answer"] != DECLINED
    assert_grounded(transcript)
    assert_citations_valid(transcript, require_citations="error")


def test_a_question_that_the_documentation_cannot_answer_is_declined(assistant):
    transcript = assistant.ask("Who painted the ceiling of the Sistine Chapel?")
    assert transcript["answer"] == DECLINED
    verdict = validate(transcript)
    assert verdict.declined
    assert verdict.status == "pass"


def test_a_tampered_answer_is_caught(assistant):
    transcript = assistant.ask("From which support is a claim supported?")
    transcript["answer"] = transcript["answer"].replace("0.8", "0.4")
    with pytest.raises(AssertionError, match=r"0\.4"):
        assert_grounded(transcript)
