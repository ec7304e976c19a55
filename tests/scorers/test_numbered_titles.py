"""A title that holds a number is a name: an answer may name its source by it."""

from __future__ import annotations

from every import examples

import pytest_grounding as pg

FILTER = "The filter is changed every 6 months."
MANUAL = "Service Manual X200"
PARKING = "Only residents may park in the yard."
STAFF = "In the second quarter 12 staff left."


def status_of(title: str, text: str, answer: str) -> str:
    chunk = {"id": "c1", "text": text, "score": 0.9, "metadata": {"title": title}}
    verdict = pg.validate({"id": "t", "question": "What is said?", "chunks": [chunk], "answer": answer})
    return next(claim.status for claim in verdict.claims if claim.checked)


@examples(
    ("title", "text", "answer"),
    [
        ("Leave Policy 2024", "It grants 28 days.", "The Leave Policy 2024 grants 28 days."),
        (MANUAL, FILTER, "The Service Manual X200 says: the filter is changed every 6 months."),
        ("House Rules 2021", PARKING, "The House Rules 2021 say that only residents may park in the yard."),
        ("Q2 Report 2023", STAFF, "The Q2 Report 2023 says that 12 staff left in the second quarter."),
    ],
)  # fmt: skip
def test_a_title_with_a_number_counts_as_said(title: str, text: str, answer: str) -> None:
    assert status_of(title, text, answer) == "supported"


@examples(
    ("title", "text", "answer"),
    [
        ("House Rules 2021", PARKING, "The House Rules 2019 say that only residents may park in the yard."),
        (MANUAL, FILTER, "The Service Manual X200 says: the filter is changed every 9 months."),
        ("Report 2023", STAFF, "In the second quarter 2023 staff left."),
        ("2023", STAFF, "In the second quarter 2023 staff left."),
    ],
)  # fmt: skip
def test_another_title_and_its_number_alone_do_not(title: str, text: str, answer: str) -> None:
    assert status_of(title, text, answer) in ("unsupported", "contradicted")
