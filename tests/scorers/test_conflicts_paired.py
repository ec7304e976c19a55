"""What one sentence tells side by side, put together the wrong way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pytest_grounding as pg
from pytest_grounding.scorers.lexical.conflicts import pairing_line
from pytest_grounding.scorers.lexical.conflicts.pairing_line import MEASURES, line

PASS = "The pass costs €20 for children and €35 for adults."
FARES = "Adults pay €35 and children €20."
REFUNDS = "Refunds take 5 days by card and 10 days by bank transfer."
TOURS = "Tours start at 9:00 on weekdays and at 11:00 on weekends."
LINES = "The red line goes to Oslo and the blue line to Bergen."
LEADS = "Anna leads sales and Ben leads support."
PLANS = "The free plan has 5 GB and the paid plan 50 GB."
SISTERS = "Maria was born in 1950 and her sister Eva in 1954."


def errors(claim: str, *texts: str, question: str = "What is known?") -> list[tuple[str, str]]:
    chunks = [{"id": f"c{number}", "text": text} for number, text in enumerate(texts)]
    verdict = pg.validate({"id": "t", "question": question, "answer": claim, "chunks": chunks})
    return [
        (item.claim_text, item.evidence_text)
        for judged in verdict.claims
        for item in judged.conflicts
        if item.kind == "crossed" and item.severity == "error"
    ]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (PASS, "The pass costs €20 for adults and €35 for children."),
        (PASS, "The pass costs €35 for children."),
        (FARES, "Adults pay €20 and children €35."),
        (FARES, "Children pay €35."),
        (REFUNDS, "By bank transfer, refunds take 5 days."),
        (REFUNDS, "Refunds by card take ten days."),
        (TOURS, "Tours start at 11:00 on weekdays and at 9:00 on weekends."),
        (LINES, "The red line goes to Bergen and the blue line to Oslo."),
        (LEADS, "Anna leads support and Ben leads sales."),
        (PLANS, "The paid plan has 5 GB."),
        (SISTERS, "Eva was born in 1950."),
    ],
)
def test_the_value_of_the_thing_beside_it_is_a_conflict(text: str, claim: str) -> None:
    assert errors(claim, text)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (PASS, "The pass costs €35 for adults and €20 for children."),
        (PASS, "Adults pay €35, which is €15 more than children pay."),
        (FARES, "Children pay €20 and adults €35."),
        (FARES, "Unlike children, who pay €20, adults pay €35."),
        (FARES, "Children do not pay €35."),
        (REFUNDS, "By bank transfer, refunds take 10 days."),
        (TOURS, "On weekends tours start at 11:00, on weekdays at 9:00."),
        (LINES, "The blue line goes to Bergen, the red line to Oslo."),
        (LEADS, "Support is led by Ben and sales by Anna."),
        (PLANS, "You get 50 GB with the paid plan."),
        (SISTERS, "Eva was born in 1954."),
        ("The lap pool and the spa are kept at 26 °C and 32 °C respectively.", "The spa is kept at 32 °C."),
        (f"{FARES} From May on children pay €35.", "Children pay €35."),
    ],
)
def test_what_the_sentence_says_is_none(text: str, claim: str) -> None:
    assert errors(claim, text) == []


def test_both_quotes_stand_where_they_differ() -> None:
    assert errors("Children pay €35.", FARES) == [("€35", "€20")]


def test_a_short_answer_speaks_of_what_was_asked() -> None:
    assert errors("€35.", FARES, question="What do children pay?")
    assert not errors("€20.", FARES, question="What do children pay?")


def test_the_weights_are_those_of_the_measures() -> None:
    data = json.loads(Path(pairing_line.__file__).with_name("pairing.json").read_text(encoding="utf-8"))
    assert list(data["weights"]) == list(MEASURES)
    assert line().least > 0
    assert line().log_odds([0.0] * len(MEASURES)) == data["intercept"]
