"""Do the claims of an answer exclude each other: a denial does, two values of two things do not."""

import json
from pathlib import Path

import pytest
from every import each

import pytest_grounding as pg

#: Sources that back both halves of a list, and both of a denial.
BOTH = (
    "Refunds are possible. Refunds to cards take 14 days. Refunds in cash take 30 days. "
    "Refunds are not possible for gift cards."
)
OTHER = "The shop sells bread."


def flagged(answer: str, chunk: str = OTHER) -> bool:
    verdict = pg.validate(
        {
            "id": "t",
            "question": "How are refunds paid?",
            "chunks": [{"id": "c1", "text": chunk, "score": 0.9}],
            "answer": answer,
        },
        {"internal_contradiction": "warn"},
    )
    found = [item for item in verdict.causes if item.rule == "internal_contradiction"]
    assert all(item.severity == "warning" for item in found)
    return bool(found)


@pytest.mark.parametrize("chunk", [OTHER, BOTH], ids=["nothing backs it", "sources back it"])
@pytest.mark.parametrize(
    "answer",
    [
        "Refunds to cards take 14 days. Refunds in cash take 30 days.",
        "Refunds to a card are paid within 14 days of the return. "
        "Refunds in cash are paid within 30 days of the return.",
        "- Refunds to cards are paid within 14 days\n- Refunds in cash are paid within 30 days",
        "Adults pay 10 euros for a day ticket. Children pay 5 euros for a day ticket.",
        "Sealed goods can be returned to the shop. Opened goods cannot be returned to the shop.",
        "Dogs are allowed in the garden. Cats are not allowed in the garden.",
        "Red wine is served chilled. White wine is not served chilled.",
        "Changes are possible before Friday. Changes are not possible after Friday.",
        "Entry is free on Sundays. Entry is not free on Mondays.",
        "Refunds are possible within 30 days. After 30 days, refunds are not possible.",
        "Refunds are possible. Refunds are not possible for gift cards.",
        "The shop in Oslo is open on Sunday. The shop in Bergen is closed on Sunday.",
        "This is possible. This is not possible.",
    ],
)
def test_what_is_said_of_different_things_is_no_contradiction(answer: str, chunk: str) -> None:
    assert not flagged(answer, chunk)


@pytest.mark.parametrize("chunk", [OTHER, BOTH], ids=["nothing backs it", "sources back it"])
@pytest.mark.parametrize(
    "answer",
    [
        "Refunds are possible. Refunds are not possible.",
        "Refunds are possible within 30 days [1]. Refunds are not possible [1].",
        "A refund is possible for 30 days. However, it is not possible to get a refund.",
        "Refunds are possible within 30 days. Refunds are not possible within 30 days.",
        "Yes, refunds are possible. No, refunds are not possible.",
    ],
)
def test_a_denial_of_the_same_thing_is_a_contradiction_whatever_backs_it(answer: str, chunk: str) -> None:
    assert flagged(answer, chunk)


@each(
    "A day ticket costs 10 euros. A day ticket costs 12 euros.",
    "Refunds take 14 days. Refunds take 30 days.",
    "The library is open on Sunday. The library is closed on Sunday.",
    "The price of wheat rose in May. The price of wheat fell in May.",
    "You can cancel the subscription at any time. You cannot cancel the subscription.",
)
def test_two_values_of_one_thing_are_a_contradiction(answer: str) -> None:
    assert flagged(answer)


def test_two_values_of_one_thing_are_found_where_sources_hold_both() -> None:
    text = Path(__file__).with_name("both_values.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    found = [flagged(f"{row['first']} {row['second']}", f"{row['first']}\n\n{row['second']}") for row in rows]
    wrong = [hit for hit, row in zip(found, rows, strict=True) if row["wrong"]]
    right = [hit for hit, row in zip(found, rows, strict=True) if not row["wrong"]]
    assert (len(wrong), len(right)) == (10, 10)
    assert sum(wrong) >= 9
    assert sum(right) == 0
