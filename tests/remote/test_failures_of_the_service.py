"""Failures of a service: retries, recorded refusals, and fallbacks."""

import contextlib
import json
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

import pytest
from every import each, table
from loopback import ANSWERS, KEY, answers, fault_of, hangs, pours

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.errors import RefusedError, ScorerError, SettingsError
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.scorers.remote import http_client
from pytest_grounding.scorers.remote import scorer_factory as remote
from pytest_grounding.scorers.remote.cassette_file import Store
from pytest_grounding.scorers.remote.cohere_rerank import CohereClient
from pytest_grounding.scorers.remote.http_client import (
    FAILURES_IN_A_ROW,
    MAX_REPLY_BYTES,
    PAUSE_SECONDS,
    CircuitBreaker,
)
from pytest_grounding.testing import Example

#: Seconds that a call may take: enough on a busy machine, and less than a fault asks to wait.
CALL_S = 8.0
#: The same for a service that never answers.
CUT_S = {hangs: (0.6,)}
MOST_S = 120.0

CHUNKS = [{"id": "c1", "text": "Refunds take 30 days."}, {"id": "c2", "text": "Shipping is free."}]
TRANSCRIPT = {
    "id": "a",
    "question": "How long do refunds take?",
    "chunks": CHUNKS,
    "answer": "It is 30 days.",
}


def settings(folder, record="new", **more):
    # Naming the built-in engine leaves out the fallback to embeddings.
    given = {
        "scorer": "cohere,builtin",
        "record": record,
        "cassette": str(folder / "c.jsonl"),
        "remote_retries": 0,
    }
    return {**given, **more}


@pytest.mark.parametrize(("name", "told", "words"), table(__file__, "faults"))
def test_reports_each_failure_and_uses_the_next_scorer(name, told, words, server, tmp_path):
    fault = fault_of(told)
    remote.reset()
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    server.fault = fault
    start = time.monotonic()
    for seconds in CUT_S.get(fault, (CALL_S,)):
        verdict = pg.validate(TRANSCRIPT, settings(folder, remote_deadline=seconds))
        if all(word in verdict.retrieval.scorer_failures[0].message for word in words):
            break
    assert time.monotonic() - start < MOST_S
    (claim,) = verdict.claims
    assert claim.method in ("lexical", "exact_match")
    (failure, *_) = verdict.retrieval.scorer_failures
    assert verdict.retrieval.scorer == "builtin"
    assert failure.scorer == "cohere"
    assert failure.error.isidentifier()
    assert verdict.fallbacks[0] == failure
    assert failure.message.isprintable()
    found = "".join(failures(verdict))
    assert all(word in failure.message and word in found for word in words), (failure.message, found)
    assert KEY not in verdict.to_json()
    # Only a refusal that is final is recorded, so that a replay reports it too.
    kept = list(Store(folder / "c.jsonl").records())
    is_for_good = words[0] in ("status 400", "status 401")
    assert bool(kept) == is_for_good
    assert all(record.refusal and words[0] in record.refusal.problem for record in kept)
    assert is_for_good or list(folder.iterdir()) == []


def test_stops_reading_an_endless_reply_at_the_limit(server):
    client = client_of(server, retries=0, call_seconds=MOST_S)
    tracemalloc.start()
    try:
        server.fault = pours
        with pytest.raises(ScorerError, match="larger than 32 MiB"):
            client.rerank("m", "q", ["d"])
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # What was read, joined once, and what lies in the buffers of the connection.
    assert most < 4 * MAX_REPLY_BYTES
    assert server.poured < 4 * MAX_REPLY_BYTES
    assert server.seen[0][2]["Accept-Encoding"] == "identity"


def client_of(server, **options):
    return CohereClient(environ={"CO_API_KEY": KEY, "CO_API_URL": server.url}, **options)


def test_retries_and_counts_the_attempts(server):
    soon = {"retry-after-ms": "20"}
    server.faults = [answers(503, b"", soon), answers(429, b"", soon)]
    assert client_of(server, retries=2).rerank("m", "a b", ["a b", "c"]) == [1.0, 0.0]
    assert len(server.seen) == 3
    server.fault = answers(429, {"message": "too many"}, soon)
    with pytest.raises(ScorerError, match=r"status 429 after 3 attempts: .*too many"):
        client_of(server, retries=2).rerank("m", "a", ["a"])


def test_leaves_only_the_endpoint_alone_that_failed_three_times_in_a_row(server):
    server.fault = only("/v2/rerank", answers(500, b"boom"))
    client = client_of(server, retries=0)
    for _ in range(3):
        with pytest.raises(ScorerError, match="rerank: status 500"):
            client.rerank("m", "a", ["a"])
    with pytest.raises(
        ScorerError, match=r"not asked after 3 failures in a row, .* 30 s .*: rerank: status 500"
    ):
        client.rerank("m", "a", ["a"])
    assert server.paths() == ["/v2/rerank"] * 3
    assert len(client.embed("m", "search_document", ["a"])) == 1


@pytest.fixture
def breaker():
    """A circuit breaker, and its clock as a list of one number."""
    now = [0.0]
    made = CircuitBreaker(clock=lambda: now[0])
    for _ in range(FAILURES_IN_A_ROW):
        with pytest.raises(ScorerError, match="boom"), made.counted():
            raise ScorerError("boom")
    return made, now


def asked(breaker, error=None):
    """Whether a call is made, which may fail."""
    made = False
    with contextlib.suppress(ScorerError), breaker.counted():
        made = True
        if error is not None:
            raise error
    return made


def test_one_call_tries_the_endpoint_after_the_pause(breaker):
    made, now = breaker
    now[0] = PAUSE_SECONDS - 0.1
    assert not asked(made)
    now[0] = PAUSE_SECONDS
    with made.counted():
        # Others wait for the result of the first.
        assert not asked(made)
    assert asked(made)
    assert asked(made)


def test_a_failed_try_starts_another_pause(breaker):
    made, now = breaker
    now[0] = PAUSE_SECONDS
    assert asked(made, ScorerError("still away"))
    now[0] = 2 * PAUSE_SECONDS - 0.1
    assert not asked(made)
    now[0] = 2 * PAUSE_SECONDS
    assert asked(made)


def test_an_endpoint_that_refuses_a_text_is_well(breaker):
    made, now = breaker
    now[0] = PAUSE_SECONDS
    assert asked(made, RefusedError("not this text", status=422, of_all=False))
    assert asked(made)


def only(path, fault):
    """The fault at one endpoint; the others answer."""

    def chosen(handler):
        if handler.path == path:
            fault(handler)
            return
        _, body, _ = handler.server.seen[-1]
        handler.reply(200, ANSWERS[handler.path](body))

    return chosen


def alone(folder, record="new", **more):
    """Settings that name rerank alone."""
    return settings(folder, record, scorer="cohere", **more)


@pytest.mark.row(8)
def test_a_failed_rerank_falls_back_to_embeddings_until_the_service_is_well(server, tmp_path, monkeypatch):
    server.fault = only("/v2/rerank", answers(500, {"message": "boom"}))
    for number in range(3):
        verdict = pg.validate(transcript(number), alone(tmp_path))
        assert verdict.retrieval.scorer == "cohere-embed"
        assert verdict.claims[0].method == "semantic_similarity"
        assert [item.scorer for item in verdict.retrieval.scorer_failures] == ["cohere"]
    assert server.paths().count("/v2/rerank") == 3
    server.fault = None
    # Still within the pause: rerank is not asked, although it would answer.
    assert pg.validate(transcript(3), alone(tmp_path)).retrieval.scorer == "cohere-embed"
    assert server.paths().count("/v2/rerank") == 3
    monkeypatch.setattr(http_client, "PAUSE_SECONDS", 0.0)
    server.fault = only("/v2/rerank", answers(500, {"message": "boom"}))
    remote.reset()
    for number in range(4, 7):
        pg.validate(transcript(number), alone(tmp_path))
    server.fault = None
    verdict = pg.validate(transcript(7), alone(tmp_path))
    assert verdict.retrieval.scorer == "cohere"
    assert not verdict.fallbacks


@pytest.mark.row(8)
def test_words_serve_when_embeddings_fail_too(server, tmp_path):
    server.fault = answers(500, {"message": "boom"})
    verdict = pg.validate(transcript(1), alone(tmp_path))
    assert verdict.retrieval.scorer == "builtin"
    assert [item.scorer for item in verdict.retrieval.scorer_failures] == ["cohere", "cohere-embed"]


def test_a_replay_uses_the_embeddings_that_served_when_recorded(server, tmp_path):
    server.fault = only("/v2/rerank", answers(403, {"message": "rerank is not in your plan"}))
    recorded = pg.validate(transcript(1), alone(tmp_path))
    assert recorded.retrieval.scorer == "cohere-embed"
    remote.reset()
    calls = len(server.seen)
    assert pg.validate(transcript(1), alone(tmp_path, "none")).to_json() == recorded.to_json()
    assert len(server.seen) == calls


def test_sends_nothing_without_a_key():
    pytest.importorskip("cohere")
    with pytest.raises(ScorerError, match="there is no key: set CO_API_KEY"):
        CohereClient(environ={}).rerank("m", "a", ["a"])


@each(
    ({"embeddings": {"float": [[1.0, 2.0]]}}, "holds 1 embeddings for 2 texts"),
    ({"embeddings": {"int8": [[1], [2]]}}, "contains no float embeddings"),
    ({"foo": 1}, "contains no float embeddings"),
    (b'{"embeddings": {"float": [[1.0], [NaN]]}}', "holds nan, which is not a number"),
    ({"embeddings": {"float": [[1.0], [0.0]]}}, "all zeros"),
    ({"embeddings": {"float": [[1.0], []]}}, "not a list of numbers"),
)
def test_rejects_malformed_embeddings(body, words, server):
    remote.reset()
    server.fault = answers(200, body)
    with pytest.raises(ScorerError, match=words):
        client_of(server, retries=0).embed("m", "search_document", ["a", "b"])


def said(text, finish="COMPLETE"):
    content = [{"type": "text", "text": text}]
    return {"id": "x", "finish_reason": finish, "message": {"role": "assistant", "content": content}}


@each(
    (said('{"value": "full"', "MAX_TOKENS"), "was not completed"),
    (said("Sure! Here it is."), "is not JSON"),
    (said("[1]"), "is not JSON object"),
    ({"foo": 1}, "was not completed"),
)
def test_rejects_malformed_chat_replies(body, words, server):
    remote.reset()
    server.fault = answers(200, body)
    with pytest.raises(ScorerError, match=words):
        client_of(server, retries=0).chat("m", "s", "u", {"type": "object"})


def test_embeds_at_most_96_texts_per_call(server):
    vectors = client_of(server).embed("m", "search_document", [f"text {number}" for number in range(200)])
    assert [len(body["texts"]) for _, body, _ in server.seen] == [96, 96, 8]
    assert len(vectors) == 200
    assert server.seen[0][1]["embedding_types"] == ["float"]


def transcript(number, chunk="Refunds take 30 days."):
    chunks = [chunk, f"Shipping number {number} is free."]
    asked = Example(f"How long do refunds number {number} take?", chunks, id=f"t{number}")
    return asked.answered(f"Refund number {number} takes 30 days.")


def failures(verdict):
    return {item.message.split("; the next")[0] for item in verdict.causes if item.rule == "scorer_failed"}


def refuses(word, status=422):
    """Refuses whatever holds a word, and answers all else."""

    def fault(handler):
        _, body, _ = handler.server.seen[-1]
        if word in json.dumps(body):
            handler.reply(status, {"message": f"{word} is not allowed"})
            return
        handler.reply(200, ANSWERS["/v2/rerank"](body))

    return fault


@pytest.mark.parametrize("status", [401, 403, 404])
def test_asks_a_forbidden_model_once_per_run_and_replays_its_refusal(server, tmp_path, status, capsys):
    server.fault = answers(status, {"message": "model 'rerank-x' is not for you"})
    first = [pg.validate(transcript(n), settings(tmp_path)) for n in range(5)]
    assert len(server.seen) == 1
    (message,) = failures(first[0])
    assert f"status {status}" in message
    assert all(failures(verdict) == {message} for verdict in first)
    remote.reset()
    server.fault = answers(500, {"message": "nobody may ask in a replay"})
    again = [pg.validate(transcript(n), settings(tmp_path, "none")) for n in range(5)]
    assert len(server.seen) == 1
    assert [failures(verdict) for verdict in again] == [{message}] * 5
    assert "not on the cassette" not in again[0].to_json()
    assert KEY not in (tmp_path / "c.jsonl").read_text()
    assert main(["show", "cassette", "list", "--set", f"cassette={tmp_path}/c.jsonl"]) == 0
    assert f"cohere.rerank rerank-v3.5  refused, status {status}: " in capsys.readouterr().out


@pytest.mark.parametrize("status", [400, 413, 422])
def test_records_a_refused_text_and_scores_the_others(server, tmp_path, status):
    server.fault = refuses("forbidden", status)
    asked = transcript(1, "This forbidden text says that refunds take 30 days.")
    first = pg.validate(asked, settings(tmp_path))
    assert f"status {status}" in next(iter(failures(first)))
    calls = len(server.seen)
    assert failures(pg.validate(asked, settings(tmp_path))) == failures(first)
    assert len(server.seen) == calls  # it is not asked again
    fine = pg.validate(transcript(2), settings(tmp_path))
    assert not failures(fine)
    records = list(Store(tmp_path / "c.jsonl").records())
    refused = {tuple(record.request.texts.values()) for record in records if record.refusal}
    assert refused
    assert all(any("forbidden" in text for text in texts) for texts in refused)
    remote.reset()
    assert failures(pg.validate(asked, settings(tmp_path, "none"))) == failures(first)
    remote.reset()
    # A new run that records keeps what the text got; only a run that records all asks again.
    before = len(server.seen)
    pg.validate(asked, settings(tmp_path))
    assert len(server.seen) == before
    remote.reset()
    server.fault = None
    assert not failures(pg.validate(asked, settings(tmp_path, "all")))
    remote.reset()
    assert not failures(pg.validate(asked, settings(tmp_path, "none")))


@pytest.mark.parametrize(
    "fault", [answers(429, {"message": "slow down"}), answers(503, b"away"), answers(500, b"boom"), hangs]
)
def test_asks_again_after_a_temporary_failure_and_does_not_record_it(server, tmp_path, fault):
    server.fault = fault
    limits = {"remote_deadline": 0.5} if fault is hangs else {}
    for number in range(2):
        assert failures(pg.validate(transcript(number), settings(tmp_path, **limits)))
    assert len(server.seen) >= 2
    assert not (tmp_path / "c.jsonl").exists()
    server.fault = None
    remote.reset()  # a run gives up on a service that failed three times in a row
    assert not failures(pg.validate(transcript(0), settings(tmp_path)))


def test_refused_texts_do_not_count_as_failures_of_the_service(server, tmp_path):
    server.fault = refuses("forbidden")
    for number in range(5):
        assert failures(
            pg.validate(transcript(number, f"Forbidden no. {number}: forbidden."), settings(tmp_path))
        )
    assert not failures(pg.validate(transcript(9), settings(tmp_path)))


def test_the_next_run_uses_a_corrected_key(server, tmp_path, monkeypatch):
    monkeypatch.setenv("CO_API_KEY", "co-wrong")
    assert "status 401" in next(iter(failures(pg.validate(transcript(1), settings(tmp_path)))))
    remote.reset()
    monkeypatch.setenv("CO_API_KEY", KEY)
    assert not failures(pg.validate(transcript(1), settings(tmp_path)))
    remote.reset()
    assert not failures(pg.validate(transcript(1), settings(tmp_path, "none")))
    assert not any(record.refusal for record in Store(tmp_path / "c.jsonl").records())


def test_recording_all_with_a_wrong_key_keeps_recorded_answers(server, tmp_path, monkeypatch):
    pg.validate(transcript(1), settings(tmp_path))
    remote.reset()
    before = (tmp_path / "c.jsonl").read_text()
    monkeypatch.setenv("CO_API_KEY", "co-wrong")
    asked = len(server.seen)
    for _ in range(3):
        assert "status 401" in next(iter(failures(pg.validate(transcript(1), settings(tmp_path, "all")))))
    assert len(server.seen) == asked + 1
    remote.reset()
    assert (tmp_path / "c.jsonl").read_text() == before


def test_asks_a_forbidden_judge_once(server, tmp_path):
    server.fault = answers(403, {"message": "chat is not in your plan"})
    judged = {"judge": "cohere", "judge_scope": "all", "scorer": "builtin"}
    first = [pg.validate(transcript(n), {**settings(tmp_path), **judged}) for n in range(3)]
    assert len(server.seen) == 1
    remote.reset()
    again = [pg.validate(transcript(n), {**settings(tmp_path, "none"), **judged}) for n in range(3)]
    reasons = [[cause.message for cause in item.causes if cause.rule == "abstained"] for item in again]
    assert all(reasons)
    assert all("status 403" in message for messages in reasons for message in messages)
    assert [item.to_json() for item in again] == [item.to_json() for item in first]


FALLBACK = {
    "id": "a",
    "question": "How long do refunds take?",
    "chunks": [
        {"id": "c1", "text": "Refunds are paid within 30 days of the return."},
        {"id": "c2", "text": "The shop sells garden tools and seeds."},
    ],
    "answer": "Refunds are paid in 30 days after the return [1].",
}
EMBED = """
import re

def embed(texts):
    vectors = []
    for text in texts:
        vector = [0.001] * 32
        for word in re.findall("[a-z0-9]+", text.lower()):
            vector[sum(map(ord, word)) % 32] += 1.0
        vectors.append(vector)
    return vectors

def broken(texts):
    raise OSError("no such model")
"""


@pytest.fixture
def vectors(tmp_path, monkeypatch):
    """A module with a callable that embeds, and one that fails."""
    (tmp_path / "own_vectors.py").write_text(EMBED)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "own_vectors"
    sys.modules.pop("own_vectors", None)


def test_does_not_load_the_callable_while_cohere_works(server, tmp_path, vectors):
    verdict = pg.validate(FALLBACK, alone(tmp_path, embeddings=f"{vectors}:embed"))
    assert verdict.retrieval.scorer == "cohere"
    assert verdict.fallbacks == ()
    assert vectors not in sys.modules


@pytest.mark.parametrize("scorer", ["cohere", "cohere-embed", "cohere,cohere-embed"])
def test_falls_back_from_cohere_to_embeddings(server, tmp_path, vectors, scorer):
    server.fault = answers(500, {"message": "boom"})
    verdict = pg.validate(FALLBACK, settings(tmp_path, scorer=scorer, embeddings=f"{vectors}:embed"))
    assert verdict.retrieval.scorer == "embeddings"
    assert verdict.claims[0].method == "semantic_similarity"
    failed = [failure.scorer for failure in verdict.retrieval.scorer_failures]
    assert failed == scorer.split(",")
    assert verdict.fallbacks[0].error == "InternalServerError"


def test_falls_back_to_the_built_in_engine_when_the_callable_fails_too(server, tmp_path, vectors):
    server.fault = answers(500, {"message": "boom"})
    verdict = pg.validate(FALLBACK, alone(tmp_path, embeddings=f"{vectors}:broken"))
    assert verdict.retrieval.scorer == "builtin"
    failed = [(failure.scorer, failure.error) for failure in verdict.retrieval.scorer_failures]
    assert failed == [("cohere", "InternalServerError"), ("embeddings", "OSError")]
    missing = pg.validate(FALLBACK, alone(tmp_path, embeddings="no_such_module:embed"))
    assert missing.retrieval.scorer == "builtin"
    assert [failure.scorer for failure in missing.retrieval.scorer_failures] == ["cohere", "embeddings"]


def test_a_named_fallback_takes_precedence_over_the_callable(server, tmp_path, vectors):
    server.fault = answers(500, {"message": "boom"})
    own = f"{vectors}:embed"
    verdict = pg.validate(FALLBACK, settings(tmp_path, scorer="cohere,builtin", embeddings=own))
    assert verdict.retrieval.scorer == "builtin"
    assert vectors not in sys.modules
    without = pg.validate(FALLBACK, settings(tmp_path))
    assert without.retrieval.scorer == "builtin"
    with pytest.raises(SettingsError, match="own_vectors"):
        pg.validate(FALLBACK, alone(tmp_path, embeddings="own_vectors"))


def test_the_json_of_a_verdict_contains_the_failure(server, tmp_path):
    server.fault = answers(429, {"message": "too many"})
    verdict = pg.validate(FALLBACK, settings(tmp_path))
    plain = json.loads(verdict.to_json())
    (failure,) = plain["retrieval"]["scorer_failures"]
    assert (failure["scorer"], failure["error"]) == ("cohere", "TooManyRequestsError")
    assert "status 429" in failure["message"]
    details = [item["details"] for item in plain["findings"] if item["rule"] == "scorer_failed"]
    assert {"failure": failure} in details
    assert Verdict.model_validate(plain).to_json() == verdict.to_json()
