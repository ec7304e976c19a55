"""Section 4.3: full only where the value is said of what was asked, on pairs that share all other words."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixed import judge

from benchmarks.presence.__main__ import BOUNDS, count, judged, load, page_table
from benchmarks.roles import part_of

#: Question, a text that says it of something else, a text that says it of what was asked.
PAIRS = [
    (
        "When was Litecoin created?",
        "Bitcoin was created in 2009. Litecoin uses Scrypt.",
        "Litecoin was created in 2011. Bitcoin uses SHA-256.",
    ),
    (
        "Who runs Halden Foods?",
        "Halden Foods bakes bread. Norda Foods is run by Eva Lind.",
        "Halden Foods is run by Eva Lind. Norda Foods bakes bread.",
    ),
    (
        "Where was Mira Sand born?",
        "Mira Sand painted ships. Her teacher was born in Bergen.",
        "Mira Sand painted ships. She was born in Bergen.",
    ),
    (
        "How long does the chalk paint take to dry?",
        "The oil paint takes 24 hours to dry. The chalk paint is white.",
        "The chalk paint takes 24 hours to dry. The oil paint is white.",
    ),
    (
        "How many floors does the Regent Hotel have?",
        "The Regent Hotel opened in 1960. The Marlin Hotel has nine floors.",
        "The Regent Hotel opened in 1960. It has nine floors.",
    ),
    (
        "Why was the mill closed?",
        "The mill was closed in May. The bakery was closed because of a fire.",
        "The mill was closed in May because of a fire.",
    ),
    (
        "Why does the colony die in autumn?",
        "The bees store no honey because their colony dies in autumn.",
        "The colony dies in autumn because no honey is stored.",
    ),
    (
        "How do I plant tulips?",
        "Push rose cuttings into wet sand. Tulips are planted in October.",
        "To plant tulips, push the bulbs into the soil.",
    ),
    (
        "Does the Basic plan include support?",
        "The Basic plan costs 5 euros. The Gold plan includes support.",
        "The Basic plan includes support.",
    ),
    (
        "Are laptops allowed in the laboratory?",
        "Laptops must be encrypted; phones are not allowed in the laboratory.",
        "Phones must be encrypted; laptops are not allowed in the laboratory.",
    ),
    (
        "Which mosquito transmits malaria?",
        "A vaccine against malaria is tested in Kenya.",
        "The Anopheles mosquito transmits malaria.",
    ),
    (
        "Which gate serves flight 12?",
        "Flight 12 leaves at noon. Gate 4 serves flight 13.",
        "Gate 4 serves flight 12. Flight 13 leaves at noon.",
    ),
    ("What is a lien?", "A lien can be removed by the court.", "A lien is a claim on a property."),
    (
        "What is an escrow account?",
        "The escrow account is held by the bank.",
        "An escrow account is an account that a third party holds.",
    ),
    (
        "What does the marsh otter eat?",
        "The river otter eats crabs. The marsh otter sleeps.",
        "The marsh otter eats crabs.",
    ),
    (
        "What was the share of wind in 2022?",
        "In 2023 the share of wind was 31 percent.",
        "In 2022 the share of wind was 31 percent.",
    ),
    (
        "When was the first report published?",
        "Ines wrote the first report. The second report was published in 2012.",
        "Ines wrote the second report. The first report was published in 2012.",
    ),
    (
        "Where was the final held?",
        "The semi-final was held in Oslo.",
        "The final was held in Oslo.",
    ),
    (
        "Where is Corvus Bank?",
        "Lost cards of Corvus Bank are blocked in the app.",
        "Corvus Bank is in Basel.",
    ),
    (
        "What is the password of the router?",
        "The password of the router is printed on the label.",
        "The password of the router is swordfish.",
    ),
]  # fmt: skip

TABLE = "| Van | Range | Driver |\n|---|---|---|\n| Heron | 420 km | Lena Ott |\n| Osprey | | |"
LIST = "To change the filter:\n- Switch off the pump.\n- Turn the lid to the left.\n- Push the new filter in."


@pytest.mark.parametrize(("question", "other", "same"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_the_value_of_something_else_is_never_full(question: str, other: str, same: str) -> None:
    assert judge(question, other).answer_present != "full"
    assert judge(question, same).answer_present == "full"


@pytest.mark.parametrize(
    ("question", "stated"),
    [
        ("What is the range of the Heron van?", True),
        ("Who is the driver of the Heron van?", True),
        ("Who is the driver of the Osprey van?", False),
        ("What is the range of the Osprey van?", False),
    ],
)
def test_a_table_is_read_cell_by_cell(question: str, stated: bool) -> None:
    assert (judge(question, TABLE).answer_present == "full") is stated


def test_the_entries_of_a_list_go_with_the_line_above_them() -> None:
    verdict = judge("How do I change the filter?", LIST)
    assert verdict.answer_present == "full"
    assert verdict.evidence[0].text == "To change the filter:"


def test_rows_of_a_group_stand_on_one_side_and_a_third_is_locked() -> None:
    rows = load()
    assert len(rows) >= 300
    assert len({(row.question, row.chunks) for row in rows}) == len(rows)
    assert {row.presence for row in rows} == {"full", "partial", "none"}
    assert {row.type for row in rows} >= set("who what when where why how how_many how_much which".split())
    locked = sum(part_of(row.group) in {0, 1} for row in rows)
    assert 0.25 <= locked / len(rows) <= 0.42
    assert all((row.side == "locked") == (part_of(row.group) in {0, 1}) for row in rows)


@pytest.mark.parametrize("column", ["full when absent", "absent when full"])
def test_the_shares_of_the_tune_rows_are_in_their_bounds(column: str) -> None:
    wrong, total = count([item for item in judged() if item.row.side == "tune"], column)
    assert total >= 150
    assert wrong <= BOUNDS[column][2] * total


def test_the_page_shows_the_rates() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "retrieval.md").read_text(encoding="utf-8")
    assert page_table() in page, f"docs/retrieval.md must say:\n{page_table()}"


def test_partial_rows_are_never_full() -> None:
    said = [item.said for item in judged() if item.row.presence == "partial" and item.row.side == "tune"]
    assert len(said) >= 5
    assert "full" not in said
