"""Tests of the program itself, against the documentation as it is now."""

from __future__ import annotations

import pytest
from assistant import DECLINED, Assistant

from pytest_grounding import assert_citations_valid, assert_grounded

SUPPORTED = "When is a claim supported, and when is it borderline?"
REJECTED = "Below which confidence is a transcript rejected?"


@pytest.fixture(scope="module")
def assistant():
    return Assistant()


@pytest.fixture
def ask(assistant):
    """Ask now; the id says that this is not a recording."""

    def ask_now(question):
        transcript = assistant.ask(question)
        return transcript | {"id": f"live-{transcript['id']}"}

    return ask_now


def test_the_documentation_gives_chunks_with_ids_of_their_own(assistant):
    ids = [chunk["id"] for chunk in assistant.chunks]
    assert len(ids) > 20
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("question", [SUPPORTED, REJECTED])
def test_a_live_answer_is_grounded_and_cites_its_source(ask, question):
    transcript = ask(question)
    assert transcript["answer"] != DECLINED
    assert_grounded(transcript)
    assert_citations_valid(transcript, require_citations="error")


def test_a_question_that_the_documentation_cannot_answer_is_declined(ask, grounding):
    verdict = grounding.validate(ask("Who painted the ceiling of the Sistine Chapel?"))
    assert verdict.declined
    assert verdict.status == "pass"


def test_a_tampered_answer_is_caught(ask, grounding):
    transcript = ask(REJECTED)
    assert "below 0.4" in transcript["answer"]
    transcript["answer"] = transcript["answer"].replace("below 0.4", "below 0.65")
    # Not recorded: a fault that is planted on purpose must not count for the suite's figures.
    verdict = grounding.validate(transcript, record=False)
    assert verdict.status != "pass"
    assert "0.65" in verdict.hallucinated[0].text
