"""What judges took and cost, in reports and lists; how many ask at once changes nothing that is written."""

import json
import random
import re
import time

import pytest
from loopback import ANSWERS, KEY, Server

from pytest_grounding.cli import main
from pytest_grounding.scorers.remote import scorer_factory as remote

CHUNK = "Refunds are paid within 14 days of the return. Items must be unused. Shipping is free from 50 euros."


def ruled(body):
    """The answer of a model that calls each statement with a 45 in it unsupported, with its usage."""
    reply = ANSWERS["/v2/chat"](body)
    text = reply["message"]["content"][0]["text"]
    asked = body["messages"][-1]["content"]
    value = json.loads(text)
    statements = re.findall(r"<<<statement ?(\d*)>>>\n(.*?)\n<<<end", asked, re.DOTALL)
    bad = {number for number, said in statements if "45" in said}
    for ruling in value.get("rulings", ()):
        ruling["value"] = "none" if str(ruling["number"]) in bad else "full"
    if "" in bad:
        value["value"] = "none"
    reply["message"]["content"][0]["text"] = json.dumps(value)
    reply["usage"] = {"tokens": {"input_tokens": len(asked), "output_tokens": 12}}
    return reply


@pytest.fixture
def server(monkeypatch):
    pytest.importorskip("cohere")
    dice = random.Random(7)
    with Server() as running:

        def slowly(handler):
            path, body, _ = running.seen[-1]
            pause = dice.uniform(0.0, 0.05)
            time.sleep(pause)
            handler.reply(200, ruled(body) if path == "/v2/chat" else ANSWERS[path](body))

        running.fault = slowly
        monkeypatch.setenv("CO_API_KEY", KEY)
        monkeypatch.setenv("CO_API_URL", running.url)
        yield running


def write(path, number=8):
    rows = [
        {
            "id": f"t{row}",
            "question": f"How long do refunds of order {row} take?",
            "chunks": [{"id": "h", "text": CHUNK}],
            "answer": f"Refunds are paid within {45 if row % 3 == 0 else 14} days of the return, "
            f"as order {row} says. Items of order {row} must be unused and in their box.",
        }
        for row in range(number)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def check(capsys, *settings, json_out=True):
    remote.reset()
    given = [part for item in ("judge=cohere", "judge_scope=all", *settings) for part in ("--set", item)]
    status = main(["check", "a.transcripts.jsonl", *(["--json"] if json_out else []), *given])
    remote.reset()
    out = capsys.readouterr()
    return status, out.out, out.err


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a.transcripts.jsonl")
    return tmp_path


def test_the_order_of_requests_does_not_change_cassette_or_report(folder, server, capsys):
    found = {}
    for again in (1, 2):
        before = len(server.seen)
        name = f"c{again}.jsonl"
        _, out, err = check(capsys, "record=new", f"cassette={name}")
        assert len(server.seen) - before == 8, err
        _, replayed, _ = check(capsys, f"cassette={name}")
        assert replayed == out
        found[again] = (folder / name).read_bytes(), out
    assert found[1] == found[2]


def test_answers_beyond_the_limit_of_requests_do_not_pass(folder, server, capsys, monkeypatch):
    monkeypatch.delenv("PYTEST_XDIST_WORKER_COUNT", raising=False)
    found = {}
    for again in (1, 2):
        before = len(server.seen)
        name = f"b{again}.jsonl"
        status, out, _ = check(capsys, "record=new", "judge_max_requests=3", f"cassette={name}")
        asked = len(server.seen) - before
        assert status == 1
        assert asked == 3
        report = json.loads(out)
        unasked = [item for item in report["transcripts"] if "judge_max_requests" in json.dumps(item)]
        assert len(unasked) == 8 - asked
        assert all(item["status"] != "pass" for item in unasked)
        found[again] = (folder / name).read_bytes(), out
    assert found[1] == found[2]


def test_a_wrong_setting_of_the_judge_ends_a_check_before_its_first_transcript(folder, capsys):
    for setting, said in (("judge_max_requests=-1", "judge_max_requests = '-1' is out of range"),):
        status, out, err = check(capsys, setting)
        assert status == 2
        assert said in err
        assert out == ""
