"""The gate: every golden question is asked over HTTP, and what came back is judged."""

from __future__ import annotations

import pytest
from service import GOLDEN, recorded

import pytest_grounding as pg

ANSWERED = [asked for asked in GOLDEN if asked["says"]]
DECLINED = [asked for asked in GOLDEN if not asked["says"]]


@pytest.fixture(scope="session")
def exchange(shadow):
    """Ask once in a run, whatever number of tests looks at the answer."""
    known = {}

    def ask(asked):
        if asked["id"] not in known:
            known[asked["id"]] = recorded(shadow.chat(asked["question"]), asked)
        return known[asked["id"]]

    return ask


@pytest.mark.parametrize("asked", ANSWERED, ids=lambda asked: asked["id"])
def test_the_answer_is_grounded_in_what_was_retrieved(exchange, asked):
    pg.assert_grounded(exchange(asked))


@pytest.mark.parametrize("asked", ANSWERED, ids=lambda asked: asked["id"])
def test_every_citation_leads_to_the_source_of_its_statement(exchange, asked):
    pg.assert_citations_valid(exchange(asked), min_precision=1.0, min_recall=1.0)


@pytest.mark.parametrize("asked", GOLDEN, ids=lambda asked: asked["id"])
def test_the_answer_can_be_relied_on(exchange, asked):
    pg.assert_confidence_at_least(exchange(asked), 0.7)


@pytest.mark.parametrize("asked", ANSWERED, ids=lambda asked: asked["id"])
def test_the_retrieval_brought_the_answer_and_it_is_given(exchange, asked):
    transcript = exchange(asked)
    pg.assert_evidence_for(pg.assert_answer_present(transcript), asked["says"])
    assert asked["says"] in transcript.answer


@pytest.mark.parametrize("asked", DECLINED, ids=lambda asked: asked["id"])
def test_what_the_pages_do_not_say_is_declined(exchange, grounding, asked):
    verdict = grounding.validate(exchange(asked))
    assert verdict.declined
    assert verdict.status == "pass"
