"""What can go wrong with a judge of OpenAI's or Anthropic's dialect: each row of the table beside this."""

import json
import re
import socket
import tempfile
import time
from pathlib import Path

import pytest
from dialects import CHAT, KEYS, chat, says, whole
from every import each
from every import table as rows
from loopback import answers, fault_of, hangs

import pytest_grounding as pg
from pytest_grounding.scorers.remote import scorer_factory as remote
from pytest_grounding.scorers.remote.cassette_file import Store

PAGE = Path(__file__).with_name("failures_of_judges.md")
#: The SDK's timeout; shorter for those that do not answer.
CALL_S = 8.0
CUT_S = {hangs: (0.6,)}
TRANSCRIPT = {
    "id": "a",
    "question": "How long do refunds take?",
    "chunks": [{"id": "c1", "text": "Refunds take 30 days."}],
    "answer": "A refund will take 30 days or so.",
}


def closes(handler):
    """Hangs up without a word."""
    handler.close_connection = True


def declines(handler):
    body = handler.server.seen[-1][1]
    reply = chat(body)
    reply["choices"][0]["message"].update(content=None, refusal="I can't help with that.")
    handler.reply(200, reply)


def error(status, message, headers=None):
    return answers(status, {"error": {"message": message, "type": "some_error"}}, headers)


#: Row of the table: what the service does (for both dialects, or one each), and whether it is kept.
FAULTS = rows(__file__, "faults") | {"nested": ({"openai": ["says", '{"value": ' + "[" * 100_000]}, False)}
MAKERS = {maker.__name__: maker for maker in (says, whole, declines, closes)}


def cases():
    for row, (faults, is_kept) in FAULTS.items():
        for judge, told in faults.items():
            for one in ("openai", "anthropic") if judge == "both" else (judge,):
                yield row, one, fault_of(told, MAKERS), is_kept


def table():
    """The rows of the docs: id -> the texts in code that a message holds."""
    text = PAGE.read_text(encoding="utf-8")
    section = text.partition("# What can go wrong with a judge\n")[2].partition("\n#")[0]
    rows = re.findall(r"^\| `([a-z0-9-]+)` \|[^|]*\|([^|]*)\|", section, re.MULTILINE)
    return {row: re.findall(r"`([^`]+)`", said) for row, said in rows}


def settings(server, folder, judge="openai", **more):
    """Every claim is borderline, so that every claim needs the judge."""
    return {
        "judge": judge,
        "judge_url": f"{server.url}/v1",
        "judge_model": "m",
        "record": "new",
        "cassette": str(folder / "c.jsonl"),
        "supported_threshold": 1.0,
        "borderline_threshold": 0.0,
        "remote_retries": 0,
        **more,
    }


def test_documents_exactly_these_failures():
    own = {"refused-connection", "no-key", "extra"}
    assert set(table()) == {*FAULTS, *own}
    assert all(table().values())


@each(*cases())
def test_a_failing_judge_abstains_and_never_passes(row, judge, fault, is_kept, chats, tmp_path):
    remote.reset()
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    chats.fault = fault
    words = table()[row]
    start = time.monotonic()
    for seconds in CUT_S.get(fault, (CALL_S,)):
        given = settings(chats, folder, judge, remote_deadline=seconds)
        verdict = pg.validate(TRANSCRIPT, given)
        (claim,) = verdict.claims
        if all(word in claim.reason for word in words):
            break
    assert time.monotonic() - start < 60
    assert claim.status == "abstained"
    assert verdict.status == "reject"
    for word in words:
        assert word in claim.reason, claim.reason
    assert claim.reason.isprintable()
    assert not any(key in verdict.to_json() for key in KEYS.values())
    kept = list(Store(folder / "c.jsonl").records())
    assert [bool(record.refusal) for record in kept] == ([True] if is_kept else [])
    if is_kept:
        # A replay says the same, and that is not "it is not on the cassette".
        assert pg.validate(TRANSCRIPT, given | {"record": "none"}).claims == verdict.claims


def test_a_refused_connection(chats, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    given = settings(chats, tmp_path) | {"judge_url": f"http://127.0.0.1:{port}/v1"}
    (claim,) = pg.validate(TRANSCRIPT, given).claims
    assert claim.status == "abstained"
    assert all(word in claim.reason for word in table()["refused-connection"])


@pytest.mark.parametrize(
    ("judge", "variable"), [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")]
)
def test_sends_nothing_without_key_and_address(chats, tmp_path, monkeypatch, judge, variable):
    monkeypatch.delenv(variable)
    (claim,) = pg.validate(TRANSCRIPT, settings(chats, tmp_path, judge, judge_url="")).claims
    assert claim.status == "abstained"
    assert all(word in claim.reason for word in table()["no-key"])
    assert f"set {variable}" in claim.reason
    assert chats.seen == []


@pytest.mark.parametrize("status", [400, 401, 500])
def test_hides_a_key_that_the_service_repeats(chats, tmp_path, status):
    key = KEYS[CHAT]
    # The key stands where a message is cut.
    chats.fault = error(status, f"bad key {key} {'x' * 150} {key} {'y' * 300}")
    verdict = pg.validate(TRANSCRIPT, settings(chats, tmp_path))
    assert "bad key ***" in verdict.claims[0].reason
    chats.fault = says(json.dumps({"value": "full", "reason": f"your key is {key}"}))
    other = pg.validate(
        {**TRANSCRIPT, "answer": "Refunds may well take 30 days."}, settings(chats, tmp_path, "openai:b")
    )
    assert "your key is ***" in other.claims[0].reason
    files = "".join(path.read_text() for path in tmp_path.iterdir())
    assert "***" in files
    for text in (files, verdict.to_json(), other.to_json()):
        assert key[:12] not in text


def test_a_short_placeholder_key_hides_no_words(chats, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    chats.fault = says('{"value": "none", "reason": "nothing of it"}')
    (claim,) = pg.validate(TRANSCRIPT, settings(chats, tmp_path)).claims
    assert (claim.status, claim.method) == ("unsupported", "llm_judge")
    assert "none: nothing of it" in claim.reason


@pytest.mark.parametrize("key", ["sk-one\nsk-two-and-more", "sk-schlüssel-9321"])
def test_rejects_a_key_that_does_not_fit_into_a_header(chats, tmp_path, monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    verdict = pg.validate(TRANSCRIPT, settings(chats, tmp_path))
    assert "the key in OPENAI_API_KEY contains a character" in verdict.claims[0].reason
    assert "sk-" not in verdict.to_json()
    assert chats.seen == []
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEYS[CHAT]}\n")
    remote.reset()
    assert pg.validate(TRANSCRIPT, settings(chats, tmp_path)).claims[0].method == "llm_judge"
