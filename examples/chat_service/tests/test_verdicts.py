"""What becomes of an answer that is not accepted, and of an exchange that fails."""

from __future__ import annotations

import pytest
from service import Service

NOTE = "Note: not every statement in this answer is backed by the sources it cites."


def test_an_accepted_answer_goes_out_as_it_is(strict):
    reply = strict.chat("What does Oriole Plus cost?")
    assert reply["answer"] == "Oriole Plus costs 4 euros a month or 40 euros a year [1]."
    assert reply["metadata"]["status"] == "PASS"
    assert reply["sources"][0]["section_title"] == "Price"


def test_a_rejected_answer_does_not_go_out(strict):
    reply = strict.chat("LIE: What does Oriole Plus cost?")
    assert set(reply) == {"status", "reason", "suggestion", "partial_response", "audit_id"}
    assert reply["status"] == "REJECT"
    assert "97 euros" in reply["reason"]
    assert "4 euros" in reply["suggestion"]
    assert reply["partial_response"] == ""


def test_of_a_rejected_answer_only_what_is_supported_is_left(strict):
    reply = strict.chat("ADD: Where are repairs done?")
    assert reply["status"] == "REJECT"
    assert reply["partial_response"] == "Repairs are done in the workshop in Graz [1]."


def test_an_empty_answer_is_rejected(strict):
    reply = strict.chat("SILENCE: Where are repairs done?")
    assert reply["status"] == "REJECT"
    assert "empty" in reply["reason"]


def test_a_doubtful_answer_goes_out_with_a_note(strict):
    reply = strict.chat("DOUBT: What does Oriole Plus cost?")
    assert reply["metadata"]["status"] == "REVIEW"
    assert reply["answer"].endswith(f"[2].\n\n{NOTE}")


def test_declining_what_the_pages_answer_is_no_accepted_answer(strict, warning):
    reply = strict.chat("shy: What does Oriole Plus cost?")
    assert reply["status"] == "REJECT"
    # It states nothing, so there is nothing to warn of.
    assert NOTE not in warning.chat("shy: What does Oriole Plus cost?")["answer"]


def test_before_rejecting_is_switched_on_a_bad_answer_goes_out_with_the_note(warning):
    reply = warning.chat("LIE: What does Oriole Plus cost?")
    assert reply["metadata"]["status"] == "REJECT"
    assert "97 euros" in reply["answer"]
    assert reply["answer"].endswith(NOTE)
    assert NOTE not in warning.chat("What does Oriole Plus cost?")["answer"]


@pytest.mark.parametrize(
    ("mood", "status", "error"), [("FAIL", 502, "model_failed"), ("HANG", 504, "model_timeout")]
)
def test_a_model_that_fails_gives_no_answer_and_no_verdict(strict, mood, status, error):
    before = len(strict.records())
    response = strict.http.post("/chat", json={"question": f"{mood}: What does Oriole Plus cost?"})
    assert (response.status_code, response.json()["error"]) == (status, error)
    assert "Oriole" not in response.text
    assert len(strict.records()) == before
    assert strict.figures()["helpdesk_replies_total", error] >= 1


def test_without_anything_retrieved_the_model_is_not_asked_and_the_answer_declines(strict):
    reply = strict.chat("FAIL: xylophone zeppelin?")
    assert reply["sources"] == []
    assert reply["answer"].startswith("I don't have that information")
    assert reply["metadata"]["status"] == "PASS"


def test_a_broken_retriever_is_stopped_in_the_service_too(tmp_path):
    with Service(tmp_path, retriever="tests.broken:ShiftedNumbers") as service:
        reply = service.chat("Where are repairs done?")
    assert reply["status"] == "REJECT"
    assert "[0]: there is no source 0" in reply["reason"]
    assert "cite [1]" in reply["suggestion"]
