"""What the SDK lets through when a service misbehaves, and what becomes of it: a clear finding, in time."""

import tempfile
import time
import tracemalloc
from pathlib import Path

import pytest
from every import each
from loopback import KEY, answers, bomb, cuts_off, hangs, pours

import pytest_grounding as pg
from pytest_grounding.errors import ScorerError
from pytest_grounding.scorers.remote import scorer_factory as remote
from pytest_grounding.scorers.remote.cassette_file import Store
from pytest_grounding.scorers.remote.cohere_rerank import CohereClient
from pytest_grounding.scorers.remote.http_client import MAX_REPLY_BYTES

#: A call may take so long: a service that answers has time even on a busy machine, one that does not is cut
#: off soon. The whole of a test takes a few times that at most, and less than what a fault asks to wait.
CALL_S = 8.0
#: How soon, for each that does not answer. A busy machine may not have come to the first byte by then: what
#: is said of it is then said at the next of these times.
CUT_S = {hangs: (0.6,)}
MOST_S = 120.0

CHUNKS = [{"id": "c1", "text": "Refunds take 30 days."}, {"id": "c2", "text": "Shipping is free."}]
TRANSCRIPT = {
    "id": "a",
    "question": "How long do refunds take?",
    "chunks": CHUNKS,
    "answer": "It is 30 days.",
}


def ranked(*results):
    return {"id": "x", "results": [{"index": index, "relevance_score": score} for index, score in results]}


#: Name, what the server does, words of the message.
FAULTS = [
    ("429", answers(429, {"message": "too many"}), ["status 429", "1 attempt", "too many"]),
    (
        "429 with a long wait",
        answers(429, {"message": "slow down"}, {"Retry-After": "500"}),
        ["status 429", "1 attempt", "slow down"],
    ),
    ("429 in HTML", answers(429, b"<html><b>Slow down</b></html>"), ["status 429", "Slow down"]),
    ("500", answers(500, {"message": "boom"}), ["status 500", "1 attempt", "boom"]),
    ("502", answers(502, b"bad gateway"), ["status 502", "bad gateway"]),
    ("503", answers(503, b"<h1>away</h1>"), ["status 503", "away"]),
    ("400", answers(400, {"message": "no such model"}), ["status 400", "no such model"]),
    ("401", answers(401, {"message": "invalid token"}), ["status 401", "invalid token"]),
    ("418", answers(418, {"message": "teapot"}), ["status 418", "teapot"]),
    ("redirect", answers(307, b"", {"Location": "/v2/rerank"}), ["status 307"]),
    ("hang", hangs, ["no answer within"]),
    ("truncated body", cuts_off, ["RemoteProtocolError", "1 attempt"]),
    ("too much", pours, ["the reply is larger than 32 MiB", "status 200"]),
    ("packed oddly", answers(200, b"{}", {"Content-Encoding": "br"}), ["the reply is packed as 'br'"]),
    (
        "escape sequences",
        answers(500, b"\x1b[2J\x1b]0;owned\x07\xc2\x9b31mred\x00\r"),
        ["\\x1b[2J\\x1b]0;owned\\x07", "status 500"],
    ),
    ("not JSON", answers(200, b"<html>hello</html>"), ["not JSON", "status 200", "hello"]),
    ("no body", answers(200, b""), ["not JSON", "no body"]),
    ("another object", answers(200, {"foo": 1}), ["no list of results"]),
    ("a list", answers(200, [1, 2]), ["not of the documented form"]),
    ("bad UTF-8", answers(200, b'{"results": "\xff\xfe"}'), ["not UTF-8"]),
    ("an index in words", answers(200, ranked(("zero", "high"))), ["'zero', which is not a number"]),
    ("a score in words", answers(200, ranked((0, "high"), (1, 0.1))), ["'high', which is not a number"]),
    (
        "an index out of range",
        answers(200, ranked((99, 0.5), (0, 0.1))),
        ["document 99, and 2 were sent"],
    ),
    ("a negative index", answers(200, ranked((-1, 0.5), (0, 0.1))), ["names document -1"]),
    ("NaN", answers(200, b'{"results":[{"index":0,"relevance_score":NaN}]}'), ["nan, which is not between"]),
    ("above 1", answers(200, ranked((0, 1.5), (1, 0.1))), ["1.5, which is not between 0 and 1"]),
    ("an index twice", answers(200, ranked((0, 0.5), (0, 0.4))), ["names document 0 twice"]),
    ("a missing result", answers(200, ranked((0, 0.5))), ["scores 1 of 2 documents; document 1 is missing"]),
]


@each(*[item[1:] for item in FAULTS])
def test_a_failure_is_a_finding_in_time_and_the_next_scorer_serves(fault, words, server, tmp_path):
    remote.reset()
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    server.fault = fault
    start = time.monotonic()
    settings = {
        "scorer": "cohere",
        "record": "new",
        "cassette": str(folder / "c.jsonl"),
        "remote_retries": 0,
    }
    for seconds in CUT_S.get(fault, (CALL_S,)):
        verdict = pg.validate(TRANSCRIPT, {**settings, "remote_deadline": seconds})
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
    findings = [item for item in verdict.causes if item.rule == "scorer_failed"]
    assert findings
    for word in words:
        assert word in failure.message
        assert any(word in item.message for item in findings)
    assert KEY not in verdict.to_json()
    # What is refused for good is kept as that, so that a replay tells it; of all else nothing is.
    kept = list(Store(folder / "c.jsonl").records())
    is_for_good = words[0] in ("status 400", "status 401")
    assert bool(kept) == is_for_good
    assert all(record.refusal and words[0] in record.refusal.problem for record in kept)
    assert is_for_good or list(folder.iterdir()) == []


def test_a_reply_that_never_ends_is_read_to_the_limit_and_no_further(server):
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


def test_what_a_proxy_packs_is_refused(server):
    server.fault = answers(200, bomb(1 << 28), {"Content-Encoding": "gzip"})
    with pytest.raises(ScorerError, match="is packed as 'gzip', which was not asked for"):
        client_of(server, retries=0).rerank("m", "q", ["d"])
    assert server.seen[0][2]["Accept-Encoding"] == "identity"


def test_an_error_with_escape_sequences_leaves_none_in_messages(server, tmp_path):
    server.fault = answers(500, b"\x1b[31mred\x1b[0m \xc2\x9b31m \xe2\x80\xaeeulb")
    with pytest.raises(ScorerError) as raised:
        client_of(server, retries=0).rerank("m", "a", ["a"])
    assert str(raised.value).isprintable()
    verdict = pg.validate(
        TRANSCRIPT,
        {"scorer": "cohere", "record": "new", "cassette": str(tmp_path / "c"), "remote_retries": 0},
    )
    assert "u001b" not in verdict.to_json()
    assert "\\\\x1b[31mred" in verdict.to_json()


def client_of(server, **options):
    return CohereClient(environ={"CO_API_KEY": KEY, "CO_API_URL": server.url}, **options)


def test_what_is_retried_can_succeed_and_the_attempts_are_counted(server):
    soon = {"retry-after-ms": "20"}
    server.faults = [answers(503, b"", soon), answers(429, b"", soon)]
    assert client_of(server, retries=2).rerank("m", "a b", ["a b", "c"]) == [1.0, 0.0]
    assert len(server.seen) == 3
    server.fault = answers(429, {"message": "too many"}, soon)
    with pytest.raises(ScorerError, match=r"status 429 after 3 attempts: .*too many"):
        client_of(server, retries=2).rerank("m", "a", ["a"])


def test_after_three_failures_in_a_row_nobody_is_asked_any_more(server):
    server.fault = answers(500, b"boom")
    client = client_of(server, retries=0)
    for _ in range(3):
        with pytest.raises(ScorerError, match="status 500"):
            client.rerank("m", "a", ["a"])
    with pytest.raises(ScorerError, match=r"not asked any more in this run after 3 failures: .*status 500"):
        client.rerank("m", "a", ["a"])
    assert len(server.seen) == 3


def test_without_a_key_nothing_is_sent():
    pytest.importorskip("cohere")
    with pytest.raises(ScorerError, match="there is no key: set CO_API_KEY"):
        CohereClient(environ={}).rerank("m", "a", ["a"])


def test_a_server_that_repeats_the_key_does_not_get_it_into_messages(server):
    server.fault = answers(400, {"message": f"bad key {KEY}"})
    with pytest.raises(ScorerError, match=r"bad key \*\*\*") as raised:
        client_of(server, retries=0).rerank("m", "a", ["a"])
    assert KEY not in repr(raised.value)


@each(
    ({"embeddings": {"float": [[1.0, 2.0]]}}, "holds 1 embeddings for 2 texts"),
    ({"embeddings": {"int8": [[1], [2]]}}, "contains no float embeddings"),
    ({"foo": 1}, "contains no float embeddings"),
    (b'{"embeddings": {"float": [[1.0], [NaN]]}}', "holds nan, which is not a number"),
    ({"embeddings": {"float": [[1.0], [0.0]]}}, "all zeros"),
    ({"embeddings": {"float": [[1.0], []]}}, "not a list of numbers"),
)
def test_embeddings_are_validated(body, words, server):
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
def test_chat_replies_are_validated(body, words, server):
    remote.reset()
    server.fault = answers(200, body)
    with pytest.raises(ScorerError, match=words):
        client_of(server, retries=0).chat("m", "s", "u", {"type": "object"})


def test_embed_sends_96_texts_a_call(server):
    vectors = client_of(server).embed("m", "search_document", [f"text {number}" for number in range(200)])
    assert [len(body["texts"]) for _, body, _ in server.seen] == [96, 96, 8]
    assert len(vectors) == 200
    assert server.seen[0][1]["embedding_types"] == ["float"]
