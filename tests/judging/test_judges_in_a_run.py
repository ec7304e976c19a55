"""What judges took and cost, in reports and lists; how many ask at once changes nothing that is written."""

from __future__ import annotations

import json
import random
import re
import time
from pathlib import Path

import pytest
from loopback import ANSWERS, KEY, Server

from pytest_grounding.cli import main
from pytest_grounding.scorers import remote

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


def write(path: Path, number: int = 8) -> None:
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


def test_order_of_requests_changes_no_byte_of_cassette_or_report(folder, server, capsys):
    found = {}
    for threads in (1, 8):
        before = len(server.seen)
        name = f"c{threads}.jsonl"
        _, out, err = check(
            capsys, "record=new", f"judge_concurrency={threads}", f"cassette={name}", "judge_self_rag=true"
        )
        assert len(server.seen) - before == 24, err
        _, replayed, _ = check(capsys, f"cassette={name}", "judge_self_rag=true")
        assert replayed == out
        found[threads] = (folder / name).read_bytes(), out
    assert found[1] == found[8]


def test_a_budget_stops_a_check_and_what_was_not_asked_is_no_pass(folder, server, capsys):
    found = {}
    for threads in (1, 4):
        before = len(server.seen)
        name = f"b{threads}.jsonl"
        status, out, _ = check(
            capsys,
            "record=new",
            "judge_budget=9000 tokens",
            f"judge_concurrency={threads}",
            f"cassette={name}",
        )
        asked = len(server.seen) - before
        assert status == 1
        assert 0 < asked < 8
        report = json.loads(out)
        unasked = [item for item in report["transcripts"] if "judge_budget" in json.dumps(item)]
        assert len(unasked) == 8 - asked
        assert all(item["status"] != "pass" for item in unasked)
        found[threads] = (folder / name).read_bytes(), out
    assert found[1] == found[4]


def test_the_report_tells_what_judges_took_and_the_replay_what_it_would_cost(folder, server, capsys):
    prices = "judge_prices=command-a-03-2025 = 2.5, 10; unit = USD"
    _, out, _ = check(capsys, "record=new", prices, json_out=False)
    rows = [json.loads(line) for line in (folder / "grounding.cassette.jsonl").read_text().splitlines()]
    taken = sum(row["usage"]["input_tokens"] for row in rows)
    cost = f"{(taken * 2.5 + 12 * 8 * 10) / 1e6:.6f}".rstrip("0")
    said = f"cohere.chat command-a-03-2025, 8 requests, {taken} + 96 tokens, {cost} USD"
    assert f"asked in this run: {said}" in out
    assert f"judgements relied on: {said}" in out
    _, out, _ = check(capsys, prices, json_out=False)
    assert "asked in this run" not in out
    assert f"judgements relied on: {said}" in out
    _, out, _ = check(capsys, prices)
    (spent,) = json.loads(out)["run"]["spending"]
    assert (spent["requests"], spent["input_tokens"], spent["unit"]) == (8, taken, "USD")
    assert spent["price"] == pytest.approx(float(cost))
    assert rows[0]["usage"]["unit"] == "USD"
    assert main(["cassette", "list", "--set", prices]) == 0
    listed = capsys.readouterr().out
    assert f"cohere.chat command-a-03-2025: 8 requests, {taken} + 96 tokens, {cost} USD" in listed
    assert f"[{rows[0]['usage']['input_tokens']} + 12 tokens, " in listed
    target = folder / "page.html"
    argv = ["check", "a.transcripts.jsonl", "--report", f"html:{target}", "--set", "judge=cohere"]
    main([*argv, "--set", "judge_scope=all", "--set", prices])
    capsys.readouterr()
    assert said in target.read_text()


def test_a_wrong_table_or_budget_ends_a_check_before_its_first_transcript(folder, capsys):
    for setting, said in (
        ("judge_prices=none.toml", "none.toml: cannot be read"),
        ("judge_budget=a lot", "judge_budget = 'a lot' is no amount"),
        ("judge_prompt=none.txt", "judge_prompt = 'none.txt' cannot be read"),
    ):
        status, out, err = check(capsys, setting)
        assert status == 2
        assert said in err
        assert out == ""
