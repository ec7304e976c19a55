"""What the service takes and what it refuses."""

from __future__ import annotations

import pytest
from helpdesk.config import Config
from helpdesk.desk import Desk

import pytest_grounding as pg

LIMIT = 2000


@pytest.mark.parametrize("question", ["?", "x" * LIMIT, "battery " * (LIMIT // 8), "\N{BELL}" * LIMIT])
def test_1_and_2000_characters_are_answered(strict, question):
    assert len(question) in {1, LIMIT}
    reply = pg.ChatResponse.model_validate(strict.chat(question))
    assert reply.answer
    assert reply.metadata.confidence is not None


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({"question": ""}, 400, "question_empty"),
        ({"question": " \n\t"}, 400, "question_empty"),
        ({"question": "q" * (LIMIT + 1)}, 400, "question_too_long"),
        ({"question": "\N{BELL}" * (LIMIT + 1)}, 400, "question_too_long"),
        ({}, 400, "field_missing"),
        ({"question": "Why?", "filter": {}}, 400, "unknown_field"),
        ({"question": "Why?", "filters": {"language": "de"}}, 400, "unknown_filter"),
        ({"question": 5}, 400, "invalid_request"),
        ({"question": "Why?", "filters": "all"}, 400, "invalid_request"),
        ([], 400, "invalid_request"),
    ],
)
@pytest.mark.parametrize("door", ["/chat", "/chat/stream"])
def test_what_breaks_the_contract_is_refused_before_anything_is_sent(strict, door, body, status, error):
    before = len(strict.records())
    response = strict.http.post(door, json=body)
    assert response.status_code == status
    assert response.json()["error"] == error
    # A sentence for people, without the words of the question.
    assert len(response.json()["message"]) > 15
    assert "qqq" not in response.text
    assert len(strict.records()) == before


def test_the_message_says_how_long_the_question_is_and_may_be(strict):
    body = strict.http.post("/chat", json={"question": "q" * 2001}).json()
    assert body == {
        "error": "question_too_long",
        "message": "the question has 2001 characters; write at most 2000",
        "limit": 2000,
        "length": 2001,
    }


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"[" * 50_000])
def test_a_body_that_is_no_json_is_a_bad_request(strict, body):
    response = strict.http.post("/chat", content=body, headers={"content-type": "application/json"})
    assert (response.status_code, response.json()["error"]) == (400, "no_json")


def test_a_wrong_door_is_told_in_the_same_form(strict):
    assert strict.http.get("/chats").json()["error"] == "not_found"
    assert strict.http.get("/chat").json()["error"] == "method_not_allowed"


def test_a_filter_narrows_the_retrieval(strict):
    question = "How long are recordings kept?"
    everywhere = pg.ChatResponse.model_validate(strict.chat(question))
    assert len({source.chapter_id for source in everywhere.sources}) > 1
    narrowed = pg.ChatResponse.model_validate(strict.chat(question, filters={"chapter": "4"}))
    assert {source.chapter_id for source in narrowed.sources} == {"4"}


def test_the_doors_describe_themselves(strict):
    described = strict.http.get("/openapi.json").json()
    assert {"/chat", "/chat/stream", "/metrics", "/healthz"} <= set(described["paths"])
    assert described["components"]["schemas"]["ChatRequest"]["required"] == ["question"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"mode": "block"}, "HELPDESK_MODE = 'block'; write one of: shadow, warn, reject"),
        ({"workers": "many"}, "HELPDESK_WORKERS = 'many'; write a number"),
        ({"modus": "warn"}, "HELPDESK_MODUS is not a setting of this service"),
        ({"retriever": "helpdesk.retriever:Bm52"}, "'helpdesk.retriever:Bm52' cannot be loaded"),
        ({"documents": "helpdesk"}, "helpdesk contains no pages"),
    ],
)
def test_a_wrong_setting_ends_the_service_with_a_sentence(settings, words):
    environ = {f"HELPDESK_{name.upper()}": value for name, value in settings.items()}
    with pytest.raises(SystemExit) as end:
        Desk(Config.of(environ))
    assert words in str(end.value)
