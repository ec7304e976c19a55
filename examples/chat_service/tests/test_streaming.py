"""The streamed answer: text as it comes, then its citations, then the verdict."""

from __future__ import annotations

import time

#: Facts of one response; they differ between two answers to one question.
OWN = {"response_id", "recorded_at", "processing_time_ms", "audit_id"}
QUESTION = "How long is the warranty?"


def steady(reply):
    return reply | {"metadata": {key: value for key, value in reply["metadata"].items() if key not in OWN}}


def test_the_events_come_in_order_and_add_up_to_the_reply(strict):
    events = strict.stream(QUESTION)
    names = [name for name, _ in events]
    pieces = [data["text"] for name, data in events if name == "delta"]
    assert len(pieces) > 5
    assert names == ["delta"] * len(pieces) + ["citations", "verdict"]
    verdict = events[-1][1]
    assert "".join(pieces) == verdict["answer"]
    assert steady(verdict) == steady(strict.chat(QUESTION))


def test_the_citations_say_where_they_stand_and_where_they_lead(strict):
    *_, (_, cited), (_, verdict) = strict.stream(QUESTION)
    assert len(cited["citations"]) == 2
    for item in cited["citations"]:
        assert verdict["answer"][item["position"] : item["end"]] == item["text"] == "[1]"
        assert item["url"] == "https://help.oriole.example/returns#2"
        assert verdict["sources"][item["index"] - 1]["section_title"] == "Warranty"


def test_the_verdict_of_a_rejected_answer_takes_the_text_back(strict):
    *pieces, (_, cited), (name, payload) = strict.stream("LIE: What does Oriole Plus cost?")
    assert "97 euros" in "".join(data["text"] for _, data in pieces)
    assert len(cited["citations"]) == 1
    assert name == "verdict"
    assert payload["status"] == "REJECT"
    assert "answer" not in payload


def test_text_goes_out_before_the_model_has_ended_and_a_failure_is_an_event(strict):
    events = strict.stream("HANG: What does Oriole Plus cost?")
    assert events[0] == ("delta", {"text": "Oriole"})
    assert events[-1][0] == "error"
    assert events[-1][1]["error"] == "model_timeout"
    assert len(events) == 2


def test_a_customer_who_leaves_is_counted_and_leaves_no_record(strict):
    name = "helpdesk_replies_total", "abandoned"
    before, records = strict.figures().get(name, 0), len(strict.records())
    body = {"question": "HANG: What does Oriole Plus cost?"}
    with strict.http.stream("POST", "/chat/stream", json=body) as response:
        assert next(response.iter_lines()) == "event: delta"
    until = time.monotonic() + 120
    while strict.figures().get(name, 0) == before and time.monotonic() < until:
        time.sleep(0.02)
    assert strict.figures()[name] == before + 1
    assert len(strict.records()) == records
