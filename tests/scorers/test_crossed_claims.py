"""A claim that gives one thing the value of the thing beside it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_grounding as pg
from benchmarks.apart import measure

PLANS = "The Pro plan is $20 per month, billed yearly. The Team plan is $50 per month."
LIST = "Prices:\n- Pro: $20 per month\n- Team: $50 per month"
TABLE = "| flight | gate | time |\n|---|---|---|\n| Oslo | B12 | 14:05 |\n| Riga | C3 | 14:40 |"
USERS = "| plan | price | users |\n|---|---|---|\n" + "\n".join(
    f"| Plan {number} | ${number * 10} | {number + 2} |" for number in range(1, 20)
)
TOWERS = "The west tower is 54 metres high, the east tower 61 metres."
KEYS = "The red key opens the garage. The blue key opens the cellar."
GERMAN = "Der Pro-Tarif kostet 20 Euro im Monat. Der Team-Tarif kostet 50 Euro im Monat."


def crossed(
    claim: str, *texts: str, question: str = "What is known?", language: str = "en"
) -> list[tuple[str, str]]:
    chunks = [{"id": f"c{number}", "text": text} for number, text in enumerate(texts)]
    row = {"id": "t", "question": question, "answer": claim, "chunks": chunks, "language": language}
    return [
        (item.claim_text, item.evidence_text)
        for judged in pg.validate(row).claims
        for item in judged.conflicts
        if item.kind == "crossed" and item.severity == "error"
    ]


@pytest.mark.parametrize(
    ("text", "claim", "found"),
    [
        (PLANS, "The Pro plan costs $50 a month.", ("$50 a month", "$20 per month")),
        (PLANS, "The Team plan is billed at $20 per month.", ("$20 per month", "$50 per month")),
        (LIST, "The price of Pro is $50 per month.", ("$50 per month", "$20 per month")),
        (TABLE, "The flight to Oslo leaves from gate C3.", ("C3", "B12")),
        (TABLE, "The flight to Riga leaves at 14:05.", ("14:05", "14:40")),
        (USERS, "Plan 7 costs $90.", ("$90", "$70")),
        (TOWERS, "The east tower is 54 metres high.", ("54 metres", "61 metres")),
        (KEYS, "The red key opens the cellar.", None),
    ],
)
def test_the_value_of_another_is_a_conflict(text: str, claim: str, found: tuple[str, str] | None) -> None:
    conflicts = crossed(claim, text)
    assert len(conflicts) == 1
    assert found is None or conflicts == [found]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (PLANS, "The Pro plan costs $20 a month."),
        (PLANS, "The Pro plan costs $20 a month and the Team plan $50."),
        (PLANS, "The Pro plan does not cost $50 a month."),
        (PLANS, "Unlike the Team plan at $50, the Pro plan is $20 per month."),
        (PLANS + " From January the Pro plan is $50 per month.", "The Pro plan costs $50 a month."),
        (LIST, "The price of Team is $50 per month."),
        (TABLE, "The flight to Oslo leaves from gate B12 at 14:05."),
        (TABLE, "Oslo: gate B12."),
        (TOWERS, "The east tower is 61 metres high."),
        ("Cats eat fish. Dogs eat meat.", "Cats and dogs eat fish and meat."),
        ("In passage 1 we push torn bread. In passage 2 we push white bread.", "Passage 2 has white bread."),
    ],
)
def test_what_is_said_of_it_is_none(text: str, claim: str) -> None:
    assert crossed(claim, text) == []


@pytest.mark.parametrize(
    ("question", "answer", "is_crossed"),
    [
        ("What does the Pro plan cost?", "It costs $50 per month.", True),
        ("What does the Pro plan cost?", "$50 a month.", True),
        ("What does the Team plan cost?", "It costs $50 per month.", False),
        ("What does the Team plan cost?", "$50 per month.", False),
        ("Which plan is $50?", "Pro.", True),
        ("Which plan is $50?", "The Team plan.", False),
    ],
)
def test_a_short_answer_speaks_of_what_was_asked(question: str, answer: str, is_crossed: bool) -> None:
    assert bool(crossed(answer, PLANS, question=question)) is is_crossed


def test_statements_may_stand_in_two_chunks_and_in_another_language() -> None:
    one, other = PLANS.split(", billed yearly. ")
    assert crossed("The Pro plan costs $50 a month.", other, one + ".")
    assert crossed("Der Pro-Tarif kostet 50 Euro.", GERMAN, language="de")
    assert not crossed("Der Team-Tarif kostet 50 Euro.", GERMAN, language="de")


def test_the_verdict_shows_both_sides() -> None:
    answer, chunk = "The Pro plan costs $50 a month.", {"id": "c1", "text": PLANS}
    verdict = pg.validate({"id": "t", "question": "What is Pro?", "answer": answer, "chunks": [chunk]})
    assert verdict.status == "reject"
    finding = next(item for item in verdict.findings if item.rule == "contradicted")
    assert '"$50 a month", the source says "$20 per month"' in finding.message
    shown = verdict.claims[0].conflicts[0].evidence
    assert shown.text == "The Pro plan is $20 per month, billed yearly."


_WORDS = st.sampled_from("red blue key door lamp opens shuts lights 3 7 12 at the a of".split())
_TEXT = st.lists(_WORDS, min_size=1, max_size=8).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(st.lists(_TEXT, min_size=1, max_size=4), st.integers(min_value=0, max_value=3))
def test_a_sentence_of_the_sources_is_never_crossed(sentences: list[str], which: int) -> None:
    text = ". ".join(sentence.capitalize() for sentence in sentences) + "."
    assert crossed(sentences[which % len(sentences)].capitalize() + ".", text) == []


def test_rates_on_our_own_rows() -> None:
    rows = [(row["label"], hit) for row, hit, _ in measure("crossed") if row["role"] == "tune"]
    wrong = [hit for label, hit in rows if label == "crossed"]
    right = [hit for label, hit in rows if label == "supported"]
    assert len(wrong) == len(right) == 74
    assert sum(wrong) >= 59
    assert sum(right) == 0
