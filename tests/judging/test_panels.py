"""Panels and repeats: what several judges, or several rounds of one, say together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from worded import (
    DENIED,
    NUMBER,
    OTHER_WORDS,
    VERBATIM,
    Together,
    Worded,
    judges,
    rules,
    transcript,
    validated,
)

import pytest_grounding as pg
from pytest_grounding.errors import ScorerError
from pytest_grounding.scorers.base import ClaimText
from pytest_grounding.scorers.cassette import Tape
from pytest_grounding.scorers.guarded import GuardedJudge
from pytest_grounding.scorers.judge import ChatJudge, Completion, Ruling
from pytest_grounding.scorers.judge.panel import Panel

DEAD = ScorerError("the line is dead")
ONE = transcript(OTHER_WORDS, question="How are refunds paid?")


def panel(*said: Any) -> list[Worded]:
    """One judge a word, named a, b, c, ..."""
    return [Worded({"": word}, name=name) for name, word in zip("abcdefg", said, strict=False)]


def ruled(*said: Any, **settings: Any) -> pg.Verdict:
    names = ",".join("abcdefg"[: len(said)])
    return validated(ONE, *panel(*said), judges=names, judge_scope="all", **settings)


@pytest.mark.parametrize(
    ("said", "majority", "every"),
    [
        (("full", "full", "full"), "full", "full"),
        (("full", "full", "none"), "full", "none"),
        (("full", "none", "none"), "none", "none"),
        (("full", "partial", "none"), "partial", "none"),
        (("full", "full", "partial"), "full", "partial"),
        (("full", "none"), "none", "none"),
        (("full", "partial"), "partial", "partial"),
        (("full", "full", "none", "none"), "none", "none"),
        (("full", "full", DEAD), "full", None),
        (("full", "none", DEAD), "none", "none"),
        (("full", DEAD), None, None),
        (("none", DEAD), None, "none"),
        (("full", DEAD, DEAD), None, None),
        ((DEAD, DEAD, DEAD), None, None),
        (("full", "full", "full", DEAD, DEAD), "full", None),
        (("full",), "full", "full"),
    ],
)
def test_what_a_panel_says_together(said: tuple[Any, ...], majority: str | None, every: str | None) -> None:
    for agreement, value in (("majority", majority), ("all", every)):
        (claim,) = ruled(*said, judge_agreement=agreement).claims
        assert claim.opinions is not None
        assert claim.opinions.judge.value == value
        assert (claim.status == "supported") == (value == "full")
        votes = [vote.value for vote in claim.opinions.judge.votes]
        assert votes == ([None if word is DEAD else word for word in said] if len(said) > 1 else [])


def test_votes_name_who_said_what_and_the_reason_counts_them() -> None:
    (claim,) = ruled("full", "none").claims
    assert claim.opinions is not None
    judge = claim.opinions.judge
    assert judge.judge == "a, b"
    assert [(vote.judge, vote.value, vote.reason) for vote in judge.votes] == [
        ("a", "full", "a has read it"),
        ("b", "none", "b has read it"),
    ]
    assert judge.reason == "1 full, 1 none; a tie counts as no: b has read it"
    (claim,) = ruled("full", "full", DEAD).claims
    assert claim.opinions is not None
    assert claim.opinions.judge.reason == "2 full, 1 without a vote: a has read it"
    assert claim.opinions.judge.votes[2].reason == "the line is dead"


def test_without_a_quorum_nobody_could_judge() -> None:
    verdict = ruled("full", DEAD, DEAD)
    (claim,) = verdict.claims
    assert claim.status == "unsupported"  # as the engine says
    assert rules(verdict)["judge_failed"] == "error"
    assert claim.opinions is not None
    assert len(claim.opinions.judge.votes) == 3
    assert "too few judges could tell: a: full; b: failed (the line is dead)" in claim.opinions.judge.reason


def repeated(*rounds: Any, count: int, given: dict[str, Any] = ONE, **settings: Any) -> pg.Verdict:
    """A verdict by one judge that is asked often; it says another word in each round."""
    judge = Worded({"": list(rounds)})
    return validated(given, judge, judge_repeats=count, judge_scope="all", **settings)


@pytest.mark.parametrize(
    ("rounds", "value"),
    [
        (["full", "full", "full"], "full"),
        (["full", "none", "full"], "inconclusive"),
        (["full", "partial", "full"], "inconclusive"),
        (["partial", "none", "partial"], "none"),
        (["full", "full", DEAD], "full"),
        (["full", "none", DEAD], "inconclusive"),
        (["full", DEAD, DEAD], None),
    ],
)
def test_rounds_that_stand_on_both_sides_are_inconclusive(rounds: list[Any], value: str | None) -> None:
    (claim,) = repeated(*rounds, count=3).claims
    assert claim.opinions is not None
    assert claim.opinions.judge.value == value
    assert [vote.repeat for vote in claim.opinions.judge.votes] == [0, 1, 2]
    assert (claim.status == "supported") == (value == "full")


@pytest.mark.parametrize(
    ("policy", "severity", "status"),
    [("fail", "error", "abstained"), ("warn", "warning", "supported"), ("pass", "info", "supported")],
)
def test_the_policy_decides_what_an_inconclusive_claim_does(policy: str, severity: str, status: str) -> None:
    given = transcript(VERBATIM, question="How are refunds paid?")
    verdict = repeated("full", "none", count=2, given=given, judge_inconclusive=policy)
    (claim,) = verdict.claims
    assert claim.status == status
    assert rules(verdict)["judge_inconclusive"] == severity
    assert "abstained" not in rules(verdict)
    assert verdict.status == {"fail": "reject", "warn": "review", "pass": "pass"}[policy]
    # What the engine holds back by itself stays held back, whatever the policy says.
    held = repeated("full", "none", count=2, judge_inconclusive=policy)
    assert held.claims[0].status == "unsupported"
    assert held.status != "pass"


def test_a_member_that_contradicts_itself_has_no_vote() -> None:
    firm = [Worded(usual="full", name="a"), Worded(usual="full", name="b")]
    wavering = Worded({"": ["full", "none"]}, name="c")
    settings = {"judges": "a,b,c", "judge_repeats": 2, "judge_scope": "all"}
    (claim,) = validated(ONE, *firm, wavering, **settings).claims
    assert claim.opinions is not None
    assert claim.opinions.judge.value == "full"
    assert len(claim.opinions.judge.votes) == 6
    wavering.words[""] = ["full", "none"]
    (claim,) = validated(ONE, *firm, wavering, **settings, judge_agreement="all").claims
    assert claim.opinions is not None
    assert claim.opinions.judge.value == "inconclusive"
    assert "c: full, none" in claim.opinions.judge.reason


def test_each_member_is_asked_once_a_round_for_all_claims() -> None:
    members = [Together(name=name) for name in "ab"]
    given = transcript(NUMBER, OTHER_WORDS, DENIED, VERBATIM)
    validated(given, *members, judges="a,b", judge_repeats=2, judge_scope="all")
    assert [member.calls for member in members] == [[4, 4], [4, 4]]


def test_a_panel_makes_the_self_rag_checks_too() -> None:
    class Odd(Worded):
        def usefulness(self, question: str, answer: str) -> Ruling:
            return Ruling("not useful", "it is evasive")

    members = [Worded(name="a"), Odd(name="b"), Odd(name="c")]
    verdict = validated(ONE, *members, judges="a,b,c", judge_self_rag=True)
    assert verdict.self_rag.usefulness.value == "not useful"
    assert "2 not useful" in verdict.self_rag.usefulness.reason
    assert verdict.self_rag.relevance.value == "relevant"
    assert verdict.self_rag.support.value == "full"


def test_the_claims_are_those_of_the_first_member_that_can_tell() -> None:
    class Deaf(Worded):
        def claims(self, answer: str, *, question: str = "") -> list[str]:
            raise DEAD

    class Picky(Worded):
        def claims(self, answer: str, *, question: str = "") -> list[str]:
            return [VERBATIM]

    given = transcript(OTHER_WORDS, VERBATIM)
    members = [Deaf(name="a"), Picky(name="b")]
    verdict = validated(given, *members, judges="a, b", judge_claims=True)
    assert [claim.checked for claim in verdict.claims] == [False, True]
    deaf = [Deaf(name="a"), Deaf(name="b")]
    verdict = validated(given, *deaf, judges="a,b", judge_claims=True)
    assert "claims could not be told: the line is dead" in str(verdict.fallbacks)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"judge": "a", "judges": "b"}, "judge = 'a' and judges = 'b' are both set; leave one empty"),
        ({"judges": "a,b,a"}, "judges names 'a' twice; write each once, and set judge_repeats"),
        ({"judges": " , "}, "judges = ' , ' names nobody"),
        ({"judges": "a,nobody"}, "judges = 'nobody' is not known; write one of: a, .*cohere"),
        (
            {"judges": "a, cohere, cohere:command-a-03-2025"},
            "judges names one model twice: 'cohere' and 'cohere:command-a-03-2025'; leave one",
        ),
        ({"judges": "a:big"}, "judges = 'a:big': a is of an extension and takes no model; write a"),
        ({"judge": "a:big"}, "judge = 'a:big': a is of an extension and takes no model; write a"),
    ],
)
def test_a_wrong_panel_is_one_clear_sentence(settings: dict[str, str], words: str) -> None:
    with judges(*panel("full", "full")), pytest.raises(pg.SettingsError, match=words):
        pg.validate(ONE, settings)


def chat(path: Path, replies: list[str], mode: str = "new") -> ChatJudge:
    """A chat that answers each request with the next of some words."""

    def complete(system: str, user: str, schema: Any) -> Completion:
        value = replies.pop(0)
        if "rulings" not in schema["properties"]:
            return Completion({"value": value, "reason": "so it says"})
        count = user.count("<<<statement ")
        return Completion(
            {"rulings": [{"number": number + 1, "value": value, "reason": "x"} for number in range(count)]}
        )

    return ChatJudge(complete, Tape(path, mode), name="mine", model="m")


def test_each_round_has_a_record_of_its_own_and_the_first_has_the_usual_key(tmp_path: Path) -> None:
    path, chunks = tmp_path / "c.jsonl", [pg.Chunk(id="c", text="The sky is blue.")]
    claim = ClaimText("The sky is green.")
    chat(path, ["full"]).support(claim, chunks)
    journal = path.with_name("c.jsonl.journal")
    (usual,) = [json.loads(line) for line in journal.read_text().splitlines()]
    assert usual["parameters"] == {"prompt": "support"}
    asked = Panel([chat(path, ["none", "none"])], repeats=3)
    with pytest.raises(ScorerError, match="no agreement: mine: full, none"):
        asked.support(claim, chunks)
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    assert [line["parameters"].get("repeat", 0) for line in lines] == [0, 1, 2]
    assert len({line["key"] for line in lines}) == 3
    replayed = Panel([chat(path, [], "none")], repeats=3)
    with pytest.raises(ScorerError) as raised:
        replayed.support(claim, chunks)
    assert [vote.value for vote in raised.value.votes] == ["full", "none", "none"]  # type: ignore[attr-defined]


def test_a_chat_of_an_extension_is_asked_anew_in_each_round(tmp_path: Path) -> None:
    judge = chat(tmp_path / "c.jsonl", ["full", "none"])
    verdict = validated(ONE, judge, judge_repeats=2, judge_scope="all")
    (claim,) = verdict.claims
    assert claim.opinions is not None
    assert claim.opinions.judge.value == "inconclusive"
    assert {vote.model for vote in claim.opinions.judge.votes} == {"m"}


def test_two_models_of_one_service_are_told_apart(tmp_path: Path) -> None:
    class Named(Worded):
        model = "small"

    class Bigger(Worded):
        model = "big"

    asked = Panel([GuardedJudge(Named()), GuardedJudge(Bigger())])
    assert asked.name == "mine:small, mine:big"
    assert asked.model == ""


@pytest.mark.parametrize("again", [lambda number: 1 / 0, lambda number: None, lambda number: [number]])
def test_a_judge_that_cannot_be_asked_in_rounds_is_one_clear_sentence(again: Any) -> None:
    judge = Worded()
    judge.repeated = again  # type: ignore[attr-defined]
    words = r"judge_repeats: mine cannot be asked in rounds: its repeated\(\) (raised ZeroDivision|gave a)"
    with pytest.raises(pg.SettingsError, match=words):
        validated(ONE, judge, judge_repeats=2)
    assert validated(ONE, judge, judge_scope="all").claims[0].status == "supported"


def test_what_fails_with_strange_words_is_kept_as_text() -> None:
    dead = Worded({"": ScorerError("broken \ud83d \x1b[31m")}, name="a")
    verdict = validated(ONE, dead, Worded(name="b"), judges="a,b", judge_scope="all")
    verdict.to_json().encode("utf-8")
    assert verdict.claims[0].status == "unsupported"
