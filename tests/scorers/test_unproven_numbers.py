"""Numbers that look given and are not: by the question alone, or with another unit."""

from __future__ import annotations

import pytest

import pytest_grounding as pg


def claim_of(question: str, source: str, answer: str) -> pg.ClaimVerdict:
    chunks = [{"id": "c1", "text": source, "score": 0.9}]
    verdict = pg.validate({"id": "t", "question": question, "chunks": chunks, "answer": answer})
    return next(claim for claim in verdict.claims if claim.checked)


def is_backed(question: str, source: str, answer: str) -> bool:
    return claim_of(question, source, answer).status in ("supported", "borderline")


REFUNDS = "Refunds are paid within 14 days of the return."


@pytest.mark.parametrize(
    ("question", "source", "answer"),
    [
        ("Do I get my refund within 45 days?", REFUNDS, "Yes, you get your refund within 45 days."),
        ("Is it true that refunds take 45 days?", REFUNDS, "Yes, refunds take 45 days."),
        (
            "Is the warranty 5 years?",
            "The warranty on all mowers is 2 years.",
            "Yes, the warranty is 5 years.",
        ),
        (
            "Was it founded in 1998?",
            "The company was founded in 2003 in Oslo.",
            "Yes, the company was founded in 1998.",
        ),
        (
            "Is the limit 100 requests?",
            "The limit is 60 requests per minute.",
            "Yes, the limit is 100 requests.",
        ),
        (
            "Why does the trial last 60 days?",
            "The trial lasts 30 days so that all can test it.",
            "The trial lasts 60 days so that all can test it.",
        ),
        (
            "Can I return it after 40 days?",
            "You can return items within 30 days of purchase.",
            "Yes, you can return it after 40 days.",
        ),
    ],
)
def test_the_questions_number_is_no_fact_where_the_sources_say_another(
    question: str, source: str, answer: str
) -> None:
    assert claim_of(question, source, answer).status in ("unsupported", "contradicted")


@pytest.mark.parametrize(
    ("question", "source", "answer"),
    [
        (
            "Is the limit of the card 500 euros?",
            "The card has a limit that the bank sets for each customer.",
            "The limit of the card is 500 euros.",
        ),
        (
            "Does the tank hold 90 litres?",
            "The tank has a capacity that the maker states on a plate.",
            "Yes, the tank holds 90 litres.",
        ),
        (
            "Will the repair take 3 weeks?",
            "The repair is done in our workshop in Lund. It can take some time.",
            "The repair will take 3 weeks and is done in the workshop in Lund.",
        ),
        (
            "Did the strike end in March 2019?",
            "The strike ended after the owners agreed to talks.",
            "Yes, the strike ended in March 2019 after talks.",
        ),
        (
            "Does the ward have 30 beds?",
            "The ward has beds for children and for adults.",
            "The ward has 30 beds for children and adults.",
        ),
    ],
)
def test_who_asks_for_a_value_is_not_told_so_by_a_text_without_one(
    question: str, source: str, answer: str
) -> None:
    assert claim_of(question, source, answer).status == "unsupported"


@pytest.mark.parametrize(
    ("question", "source", "answer"),
    [
        (
            "Can I use version 3 with Linux?",
            "Linux is supported by all versions.",
            "Yes, version 3 can be used with Linux, as all versions support it.",
        ),
        (
            "Did the 2021 report name the cause?",
            "The report names rust as the cause.",
            "Yes, the 2021 report names rust as the cause.",
        ),
        (
            "Can a group of 12 people book online?",
            "Groups of up to 20 people can book online.",
            "Yes, a group of 12 people can book online.",
        ),
        (
            "Can I return it after 20 days?",
            "You can return items within 30 days of purchase.",
            "Yes, you can return it after 20 days.",
        ),
        (
            "How many days off do the 12 staff get?",
            "Staff get 25 days off a year.",
            "The 12 staff get 25 days off a year.",
        ),
        (
            "How do I remove the door panel of a 2006 Chevy?",
            "To remove the door panel, take out the two screws.",
            "To remove the door panel of a 2006 Chevy, take out the two screws.",
        ),
        ("Do refunds take 14 days?", REFUNDS, "Yes, refunds take 14 days."),
        ("Do refunds take two weeks?", REFUNDS, "Yes, refunds are paid within two weeks."),
        (
            "Can all 12 of us get 25 days off?",
            "Staff get 25 days off a year.",
            "Yes, all 12 of you get 25 days off.",
        ),
    ],
)
def test_the_questions_number_needs_no_evidence_where_nothing_speaks_against_it(
    question: str, source: str, answer: str
) -> None:
    assert is_backed(question, source, answer)


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        (
            "Returns are accepted within 30 days. A return fee applies to opened items.",
            "A return fee of $30 applies to opened items.",
        ),
        ("The battery lasts 12 hours. The phone is light.", "The phone is light at 12 grams."),
        (
            "The Pro plan includes 50 GB of storage. It is billed monthly.",
            "The Pro plan is billed monthly at $50.",
        ),
        ("A full charge takes 75 minutes.", "A full charge takes 75 seconds."),
        ("Members get 15 % off. They meet monthly.", "Members pay 15 euros when they meet."),
        ("The museum opened on 12 March. It has a tower.", "The museum has a tower of 12 metres."),
    ],
)
def test_a_number_with_another_unit_is_no_evidence(source: str, answer: str) -> None:
    assert claim_of("What do the notes say?", source, answer).status in ("unsupported", "contradicted")


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("An access token lasts 60 minutes.", "An access token lasts 1 hour."),
        ("An access token lasts 1 hour, and a code 60 seconds.", "An access token lasts 60 minutes."),
        ("| Plan | Price in $ |\n|---|---|\n| Pro | 30 |", "The Pro plan has a price of $30."),
        (
            "Charging takes 95 minutes, or 75 minutes at up to 20 °C.",
            "Charging takes 20 minutes less, or 75 minutes.",
        ),
        ("The oven is heated to 350 °F (175 °C).", "The oven is heated to 175 degrees."),
    ],
)
def test_the_same_value_in_another_unit_and_a_number_without_one_are_evidence(
    source: str, answer: str
) -> None:
    missing = claim_of("What do the notes say?", source, answer).missing_words
    assert not [word for word in missing if word[0].isdigit()]
