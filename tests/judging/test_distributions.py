"""A judge that answers with probabilities of supported, contradicted and not found."""

import json
import re

import pytest
from loopback import ANSWERS, KEY, Server

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.errors import ScorerError
from pytest_grounding.scorers.remote import scorer_factory as remote
from pytest_grounding.scorers.remote.judge import Ruling

ROW = {
    "id": "refunds",
    "question": "How long do refunds take?",
    "chunks": [{"id": "h", "text": "Refunds are paid within 14 days of the return. Items must be unused."}],
    "answer": "The money is back after two weeks. Worn shoes are sent back to the customer.",
}
SURE = {"supported": 0.91, "contradicted": 0.02, "not found": 0.07}
UNSURE = {"supported": 0.38, "contradicted": 0.3, "not found": 0.32}


def asked_once(body, scores):
    """The reply of a model that gives the shares in turn for the statements it is asked about."""
    reply = ANSWERS["/v2/chat"](body)
    statements = re.findall(
        r"<<<statement ?(\d*)>>>\n(.*?)\n<<<end", body["messages"][-1]["content"], re.DOTALL
    )
    rulings = [
        {"number": int(number or 1), "scores": scores["shoes" in text], "reason": "as told"}
        for number, text in statements
    ]
    value = {"rulings": rulings} if len(rulings) > 1 else rulings[0]
    reply["message"]["content"][0]["text"] = json.dumps(value)
    return reply


@pytest.fixture
def judged(tmp_path, monkeypatch, capsys):
    """Runs ``check`` with a judge that gives some shares; returns its exit status and what it printed."""
    pytest.importorskip("cohere")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.transcript.json").write_text(json.dumps(ROW))
    words = ["check", "a.transcript.json", "--set", "judge=cohere", "--set", "remote_retries=0"]

    def run(*options, scores=(SURE, UNSURE)):
        with Server() as running:
            running.fault = lambda handler: handler.reply(200, asked_once(running.seen[-1][1], scores))
            monkeypatch.setenv("CO_API_KEY", KEY)
            monkeypatch.setenv("CO_API_URL", running.url)
            remote.reset()
            status = main([*words, *options])
            remote.reset()
            return status, capsys.readouterr().out, len(running.seen)

    return run


def test_the_share_of_supported_decides_is_recorded_and_is_replayed(judged, tmp_path):
    _, out, asked = judged("--json", "--set", "record=new")
    assert asked
    (verdict,) = json.loads(out)["transcripts"]
    first, second = verdict["claims"]
    assert (first["status"], first["opinions"]["judge"]["value"]) == ("supported", "full")
    assert (second["status"], second["opinions"]["judge"]["value"]) == ("unsupported", "none")
    assert first["opinions"]["judge"]["scores"] == SURE
    kept = (tmp_path / "grounding.cassette.jsonl").read_text(encoding="utf-8")
    assert '"not found":0.32' in kept
    _, again, asked = judged("--json", scores=None)
    assert (again, asked) == (out, 0)


def test_the_shares_are_shown_beside_the_ruling(judged):
    judged("--set", "record=new")
    _, out, _ = judged()
    assert "none [supported 0.38, contradicted 0.30, not found 0.32] (as told)" in " ".join(out.split())


@pytest.mark.parametrize(
    "wrong",
    [
        {"supported": 0.9, "contradicted": 0.9, "not found": 0.1},
        {"supported": 1.5, "contradicted": -0.5, "not found": 0.0},
        {"supported": 1.0},
        {"supported": "1", "contradicted": 0, "not found": 0},
        {"supported": True, "contradicted": 0, "not found": 0},
        [1, 0, 0],
    ],
)
def test_what_is_no_distribution_decides_nothing(judged, wrong):
    _, out, _ = judged("--json", "--set", "record=new", scores=(wrong, wrong))
    (verdict,) = json.loads(out)["transcripts"]
    assert {claim["opinions"]["judge"]["value"] for claim in verdict["claims"]} == {None}
    assert (
        "must be shares of ('supported', 'contradicted', 'not found')"
        in verdict["claims"][0]["opinions"]["judge"]["reason"]
    )
    with pytest.raises(ScorerError):
        Ruling.of_scores(wrong)


def test_half_is_not_more_than_half():
    assert Ruling.of_scores({"supported": 0.5, "contradicted": 0.0, "not found": 0.5}).value == "none"
    assert Ruling.of_scores({"supported": 0.51, "contradicted": 0.0, "not found": 0.49}).value == "full"


class Panel:
    """A judge that asks five people, and gives the shares of their rulings."""

    name = "panel"

    def support(self, claim, chunks, *, question=""):
        said = ["supported"] * (4 if "money" in claim.text else 2)
        said += ["not found"] * (5 - len(said))
        shares = {name: said.count(name) / 5 for name in ("supported", "contradicted", "not found")}
        return Ruling.of_scores(shares, f"{said.count('supported')} of 5 say so")


def test_a_judge_of_a_project_shows_the_spread_of_its_rulings():
    class Extension:
        @staticmethod
        @pg.hookimpl
        def pytest_grounding_judges(settings):
            return [Panel()]

    extension = Extension()
    pg.register(extension)
    try:
        claims = pg.validate(ROW, {"judge": "panel"}).claims
    finally:
        pg.unregister(extension)
    assert [claim.status for claim in claims] == ["supported", "unsupported"]
    assert "judge panel: full [supported 0.80, contradicted 0.00, not found 0.20]" in str(claims[0].opinions)
