"""What was recorded from a service is replayed without it: no server, no key, no SDK, no socket."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from loopback import KEY, answers

import pytest_grounding as pg
from pytest_grounding.errors import UnreadableCassetteError
from pytest_grounding.scorers.remote import scorer_factory as remote

CHUNKS = [
    {"id": "c1", "text": "Refunds are paid within 30 days of the return. Shipping is free of charge."},
    {"id": "c2", "text": "The shop sells garden tools and seeds."},
    {"id": "c3", "text": ""},
]
TRANSCRIPT = {
    "id": "a",
    "question": "How long do refunds take?",
    "chunks": CHUNKS,
    "answer": "Refunds are paid in 30 days after the return [1]. Shipping is always free [1]. "
    "They sell tools [2].",
}
CHOICES = {
    "rerank": {"scorer": "cohere"},
    "embed": {"scorer": "cohere-embed"},
    "chat": {"judge": "cohere", "judge_scope": "all"},
    "all": {"scorer": "cohere,cohere-embed", "judge": "cohere", "judge_scope": "all"},
}

#: Validates in a process in which every socket and the SDK are out of reach.
REPLAY = """
import json, sys

def forbid(event, arguments):
    if event.startswith("socket."):
        raise RuntimeError(f"forbidden: {event}")

sys.addaudithook(forbid)
for name in ("cohere", "httpx"):
    sys.modules[name] = None
import pytest_grounding as pg

transcript, settings = json.loads(sys.argv[1])
sys.stdout.buffer.write(pg.validate(transcript, settings).to_json().encode())
"""


@pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)
def test_a_replay_gives_the_same_bytes_with_nothing_to_ask(server, tmp_path, choice):
    cassette = tmp_path / "c.jsonl"
    recorded = pg.validate(TRANSCRIPT, {**choice, "cassette": str(cassette), "record": "new"})
    asked = len(server.seen)
    assert asked
    remote.reset()
    written = cassette.read_bytes()
    lines = written.decode().splitlines()
    assert lines == sorted(lines)
    assert KEY not in written.decode()
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("CO_", "COHERE_"))}
    settings = {**choice, "cassette": str(cassette), "record": "none"}
    done = subprocess.run(
        [sys.executable, "-c", REPLAY, json.dumps([TRANSCRIPT, settings])],
        capture_output=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode() == recorded.to_json()
    assert not recorded.retrieval.scorer_failures
    assert len(server.seen) == asked
    assert cassette.read_bytes() == written


def test_all_chunks_are_ranked_in_one_call_and_each_claim_in_one(server, tmp_path):
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "c.jsonl"), "record": "new"}
    verdict = pg.validate(TRANSCRIPT, settings)
    queries = [body["query"] for _, body, _ in server.seen]
    assert queries.count(TRANSCRIPT["question"]) == 1
    assert len(queries) == len(set(queries)) <= 1 + len(verdict.claims)
    texts = [chunk["text"] for chunk in CHUNKS if chunk["text"]]
    assert all(body["documents"] == texts for _, body, _ in server.seen)
    assert all(body["model"] == "rerank-v3.5" for _, body, _ in server.seen)
    assert verdict.retrieval.scorer == "cohere"
    assert {claim.method for claim in verdict.claims} <= {"rerank", "exact_match"}
    assert any(claim.method == "rerank" for claim in verdict.claims)


def test_a_changed_chunk_is_asked_for_alone(server, tmp_path):
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "c.jsonl"), "record": "new"}
    pg.validate(TRANSCRIPT, settings)
    before = len(server.seen)
    changed = {**TRANSCRIPT, "chunks": [*CHUNKS[:1], {"id": "c2", "text": "The shop sells garden chairs."}]}
    pg.validate(changed, settings)
    new = [body["documents"] for _, body, _ in server.seen[before:]]
    assert new
    assert all(documents == ["The shop sells garden chairs."] for documents in new)


def test_a_miss_fails_the_check_and_says_what_is_missing_and_how_to_record_it(server, tmp_path):
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "c.jsonl"), "record": "new"}
    pg.validate(TRANSCRIPT, settings)
    other = {**TRANSCRIPT, "answer": "Every return costs the buyer five coins."}
    asked = len(server.seen)
    verdict = pg.validate(other, {**settings, "record": "none"})
    assert len(server.seen) == asked
    (claim,) = verdict.claims
    assert claim.status == "abstained"
    assert verdict.status == "reject"
    assert verdict.hallucination_rate is None
    (finding,) = [item for item in verdict.findings if item.severity == "error"]
    assert "Every return costs the buyer five coins" in finding.message
    assert "is not on the cassette" in finding.message
    assert "pytest --grounding-record=new" in finding.message


def test_a_question_that_is_not_recorded_is_no_pass_by_the_next_scorer(server, tmp_path):
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "c.jsonl"), "record": "none"}
    whole = {**TRANSCRIPT, "answer": TRANSCRIPT["chunks"][0]["text"]}
    verdict = pg.validate(whole, settings)
    assert verdict.status == "reject"
    assert [item.rule for item in verdict.causes if item.severity == "error"] == ["not_recorded"]
    lenient = pg.validate(whole, {**settings, "abstained": "warn"})
    assert [item.severity for item in lenient.causes if item.rule == "not_recorded"] == ["warning"]


def test_all_asks_anew_and_keeps_the_new_answer(server, tmp_path):
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "c.jsonl")}
    pg.validate(TRANSCRIPT, {**settings, "record": "new"})
    first = len(server.seen)
    server.fault = lambda handler: handler.reply(
        200,
        {
            "results": [
                {"index": index, "relevance_score": 0.25}
                for index in range(len(server.seen[-1][1]["documents"]))
            ]
        },
    )
    again = pg.validate(TRANSCRIPT, {**settings, "record": "all"})
    assert len(server.seen) == 2 * first
    assert {item.score for item in again.retrieval.relevance if item.score is not None} == {0.25}
    replayed = pg.validate(TRANSCRIPT, {**settings, "record": "none"})
    assert replayed.to_json() == again.to_json()


def test_an_edited_record_is_an_error_and_not_a_score(server, tmp_path):
    cassette = tmp_path / "c.jsonl"
    settings = {"scorer": "cohere", "cassette": str(cassette)}
    pg.validate(TRANSCRIPT, {**settings, "record": "new"})
    remote.reset()
    text = cassette.read_text(encoding="utf-8")
    for damage in (
        text.replace('"score":', '"score":1'),
        text.replace('"document":"', '"document":"x'),
        text.replace('"score":0.', '"score":0.1'),
        text + "<<<<<<< ours\n",
    ):
        cassette.write_text(damage, encoding="utf-8")
        with pytest.raises(UnreadableCassetteError, match=r"c\.jsonl"):
            pg.validate(TRANSCRIPT, {**settings, "record": "none"})


def test_contradictions_are_found_whoever_scores(server, tmp_path):
    wrong = {
        **TRANSCRIPT,
        "answer": "Refunds are paid within 45 days of the return [1].",
    }
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "c.jsonl"), "record": "new"}
    verdict = pg.validate(wrong, settings)
    assert verdict.claims[0].status == "contradicted"
    assert verdict.claims[0].method == "rerank"


class _Secrets:
    @staticmethod
    @pg.hookimpl
    def pytest_grounding_redactors():
        return [lambda text: text.replace("hunter2", "[secret]")]


def test_secrets_are_taken_out_before_anything_is_sent_or_written(server, tmp_path):
    cassette = tmp_path / "c.jsonl"
    secret = {
        **TRANSCRIPT,
        "chunks": [{"id": "c1", "text": "The password of the box is hunter2 today."}],
        "answer": "The box opens with the password hunter2 [1].",
    }
    settings = {"scorer": "cohere", "cassette": str(cassette), "record": "new"}
    extension = _Secrets()
    pg.register(extension)
    try:
        recorded = pg.validate(secret, settings)
        remote.reset()
        replayed = pg.validate(secret, {**settings, "record": "none"})
    finally:
        pg.unregister(extension)
    assert replayed.to_json() == recorded.to_json()
    assert "hunter2" not in cassette.read_text(encoding="utf-8")
    assert "[secret]" in cassette.read_text(encoding="utf-8")
    assert "hunter2" not in json.dumps([body for _, body, _ in server.seen])
    assert "hunter2" in recorded.claims[0].text


def test_the_judge_settles_borderline_claims_and_its_failure_is_no_agreement(server, tmp_path):
    # Every score is borderline, so that every claim needs the judge.
    settings = {
        "scorer": "cohere",
        "judge": "cohere",
        "record": "new",
        "supported_threshold": 1.0,
        "borderline_threshold": 0.0,
        "remote_retries": 0,
    }
    one = {**TRANSCRIPT, "answer": "Money comes back within 30 days after the return [1]."}
    agreed = pg.validate(one, {**settings, "cassette": str(tmp_path / "yes.jsonl")})
    assert [(claim.status, claim.method) for claim in agreed.claims] == [("supported", "llm_judge")]
    assert "the judge answers: full" in agreed.claims[0].reason

    def denies(handler):
        body = server.seen[-1][1]
        if "documents" in body:
            from loopback import rerank

            handler.reply(200, rerank(body))
        else:
            content = [{"type": "text", "text": '{"value": "none", "reason": "they do not say so"}'}]
            message = {"role": "assistant", "content": content}
            handler.reply(200, {"finish_reason": "COMPLETE", "message": message})

    server.fault = denies
    denied = pg.validate(one, {**settings, "cassette": str(tmp_path / "no.jsonl")})
    assert [(claim.status, claim.method) for claim in denied.claims] == [("unsupported", "llm_judge")]

    server.fault = None
    cassette = str(tmp_path / "half.jsonl")
    pg.validate(one, {**settings, "judge": "", "cassette": cassette})
    server.fault = answers(500, b"boom")
    failed = pg.validate(one, {**settings, "cassette": cassette})
    assert [claim.status for claim in failed.claims] == ["abstained"]
    assert failed.status == "reject"
    assert "status 500" in failed.claims[0].reason


def test_a_ruling_of_another_form_is_no_ruling(server, tmp_path):
    content = [{"type": "text", "text": '{"value": "maybe", "reason": "who knows"}'}]
    reply = {"finish_reason": "COMPLETE", "message": {"role": "assistant", "content": content}}
    server.fault = answers(200, reply)
    settings = {"judge": "cohere", "judge_scope": "all", "record": "new", "remote_retries": 0}
    verdict = pg.validate(TRANSCRIPT, {**settings, "cassette": str(tmp_path / "c.jsonl")})
    messages = [item.message for item in verdict.causes if item.rule == "abstained"]
    assert messages
    assert "'maybe'" in messages[0]
    assert verdict.status == "reject"
    assert not Path(tmp_path / "c.jsonl").exists()


def test_the_sdk_is_not_needed_to_replay_and_its_absence_is_named_when_recording(tmp_path, monkeypatch):
    monkeypatch.setenv("CO_API_KEY", KEY)
    monkeypatch.setitem(sys.modules, "cohere", None)
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "c.jsonl"), "record": "new"}
    with pytest.raises(pg.MissingExtraError, match=r"pytest-rag-grounding\[cohere\]"):
        pg.validate(TRANSCRIPT, settings)
