"""What is left of an exchange: the audit log, the metrics, and nothing else."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from service import GOLDEN, Service

import pytest_grounding as pg

STATUS = {"pass": "PASS", "review": "REVIEW", "reject": "REJECT"}


def test_every_reply_names_its_record_in_the_audit_log(strict):
    reply = strict.chat("Where are repairs done?")
    payload = strict.chat("LIE: What does Oriole Plus cost?")
    records = {record["verdict_id"]: record for record in strict.records()}
    accepted = records[reply["metadata"]["audit_id"]]
    assert accepted["query"] == "Where are repairs done?"
    assert accepted["response_id"] == reply["metadata"]["response_id"]
    assert accepted["validation_result"]["status"] == "PASS"
    rejected = records[payload["audit_id"]]
    assert rejected["validation_result"]["status"] == "REJECT"
    assert rejected["validation_result"]["hallucinations_detected"] == 1


def test_a_session_can_be_followed(strict):
    strict.http.post(
        "/chat", json={"question": "How long is the warranty?"}, headers={"X-Session-Id": "s-77"}
    )
    assert [record["query"] for record in strict.records() if record["session_id"] == "s-77"] == [
        "How long is the warranty?"
    ]


def test_many_customers_at_once_get_what_one_gets_alone(strict):
    before = len(strict.records())
    questions = [asked["question"] for asked in GOLDEN] * 3
    alone = {question: strict.chat(question)["answer"] for question in set(questions)}
    with ThreadPoolExecutor(8) as customers:
        replies = list(customers.map(strict.chat, questions))
    assert [reply["answer"] for reply in replies] == [alone[question] for question in questions]
    assert {reply["metadata"]["status"] for reply in replies} == {"PASS"}
    names = {reply["metadata"]["audit_id"] for reply in replies}
    assert len(names) == len(questions)
    assert len(strict.records()) == before + len(alone) + len(questions)


def test_the_metrics_are_those_of_the_audit_log(strict):
    for question in (
        "LIE: What does Oriole Plus cost?",
        "DOUBT: What does Oriole Plus cost?",
        "How long is the warranty?",
    ):
        strict.chat(question)
    results = [record["validation_result"] for record in strict.records()]
    figures = strict.figures()
    logged = Counter(result["status"] for result in results)
    assert all(logged[word] for word in STATUS.values())
    for status, word in STATUS.items():
        assert figures["grounding_answers_total", status] == logged[word]
        assert figures["helpdesk_replies_total", status] == logged[word]
    assert figures["citation_validation_duration_seconds_count", ""] == len(results)
    assert figures["citation_validation_total", "invalid_removed"] == sum(
        result["citations_failed"] for result in results
    )
    assert figures["grounding_claims_total", "contradicted"] + figures[
        "grounding_claims_total", "unsupported"
    ] == sum(result["hallucinations_detected"] for result in results)


def test_a_kept_transcript_gives_the_same_verdict_again(strict):
    reply = strict.chat("LIE: What does Oriole Plus cost?")
    record = next(record for record in strict.records() if record["verdict_id"] == reply["audit_id"])
    kept = {item.id: item for item in pg.load_transcripts(strict.kept)}
    verdict = pg.validate(kept[record["response_id"]])
    assert verdict.status == "reject"
    assert verdict.rejection is not None
    assert verdict.rejection.reason == reply["reason"]


def test_transcripts_are_kept_only_where_that_is_configured(shadow):
    shadow.chat("How long is the warranty?")
    assert not shadow.kept.exists()


def test_the_service_is_healthy_and_its_own_log_repeats_no_question(strict):
    assert strict.http.get("/healthz").json() == {"status": "ok", "mode": "reject", "sections": 25}
    strict.http.post("/chat", json={"question": "FAIL: the battery of my neighbour Aurelia"})
    assert "RuntimeError" in strict.output()
    for word in ("Aurelia", "battery", "upstream", "97 euros"):
        assert word not in strict.output()


@pytest.mark.parametrize("name", ["audit", "kept"])
def test_what_is_kept_is_for_the_owner_alone(strict, name):
    strict.chat("How long is the warranty?")
    path = getattr(strict, name)
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(("required", "status"), [("no", 200), ("yes", 503)])
def test_an_answer_without_a_record_goes_out_only_where_no_record_is_required(tmp_path, required, status):
    # A folder cannot be appended to.
    with Service(tmp_path, audit=str(tmp_path), audit_required=required) as service:
        response = service.http.post("/chat", json={"question": "How long is the warranty?"})
        counted = service.figures()["grounding_answers_total", "pass"]
    assert response.status_code == status
    assert counted == (status == 200)
    if status == 503:
        assert response.json()["error"] == "validation_failed"
        assert "3 years" not in response.text
