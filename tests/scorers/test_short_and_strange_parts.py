"""What one word or phrase shows by itself: short predicates, durations, comparisons, trailing phrases."""

from __future__ import annotations

from every import examples

import pytest_grounding as pg

PLAN = "The Pro plan costs $20 a month. It includes five seats and email support."
DOUGH = "Cover the dough with a towel and leave it in a warm place."
CELLS = "White blood cells are produced in the bone marrow. They defend the body against infection."


def passes(claim: str, *chunks: str, question: str = "") -> bool:
    transcript = {
        "id": "one",
        "question": question or "What is known of it?",
        "chunks": [{"id": f"c{number}", "text": text} for number, text in enumerate(chunks)],
        "answer": claim,
    }
    claims = pg.validate(pg.Transcript.model_validate(transcript)).claims
    assert [item.checked for item in claims] == [True]
    return claims[0].status in {"supported", "borderline"}


@examples(
    ("claim", "source"),
    [
        ("The Pro plan is free.", PLAN),
        ("The Pro plan is waterproof.", PLAN),
        ("The bridge was renovated.", "The bridge was built in 1932. It carries two railway tracks."),
        ("Requests are encrypted.", "Requests are limited to 100 per minute."),
        ("Return shipping is included.", "Return shipping takes four days."),
        ("Marta Lind resigned.", "Marta Lind joined the company in 2011."),
    ],
)
def test_a_short_predicate_that_stands_nowhere_does_not_pass(claim: str, source: str) -> None:
    assert not passes(claim, source)


def test_the_reason_names_the_words() -> None:
    assert pg.support("The Pro plan is free.", [PLAN]).reason == "not in the sources in these words: free"


@examples(
    ("claim", "source"),
    [
        ("The Pro plan isn't free.", PLAN),
        ("Plastic bags are prohibited.", "The law bans plastic bags in shops."),
        ("The library shuts at 6 p.m.", "The library opens at 9 a.m. and closes at 6 p.m."),
        ("The hike is 14 km.", "The trail is 14 km long; the hike takes a day."),
        ("Refunds aren't slow.", "Refunds are fast."),
    ],
)
def test_the_same_in_other_words_passes(claim: str, source: str) -> None:
    assert passes(claim, source)


@examples(
    ("claim", "source"),
    [
        (f"{DOUGH[:-1]} for an hour.", DOUGH),
        ("Stir the paint well and let it stand for one day.", "Stir the paint well and let it stand."),
        ("White blood cells are produced in the bone marrow at a lower rate than red blood cells.", CELLS),
        (
            "The old mill grinds rye more slowly than the new one.",
            "The old mill grinds rye for the bakery. The new one stands empty.",
        ),
    ],
)
def test_a_duration_or_a_comparison_that_no_source_makes_does_not_pass(claim: str, source: str) -> None:
    assert not passes(claim, source)


def test_a_duration_in_another_unit_or_a_comparison_of_numbers_is_not_refused() -> None:
    assert passes("The reset link is valid for one day.", "The reset link is valid for 24 hours.")
    assert passes(
        "The Basic plan is cheaper than the Team plan.",
        "The Basic plan costs $10 a month and the Team plan $25 a month.",
    )


def test_words_in_no_source_are_shown_of_a_claim_that_passes() -> None:
    source = "The festival in Oldenhain is in July, with concerts on three stages and a market."
    claim = "The festival in Oldenhain is in July, with concerts on three stages and a lively market."
    transcript = {
        "id": "one",
        "question": "What is on?",
        "chunks": [{"id": "a", "text": source}],
        "answer": claim,
    }
    verdict = pg.validate(pg.Transcript.model_validate(transcript))
    assert [(item.status, item.missing_words) for item in verdict.claims] == [("supported", ("lively",))]
    assert '"missing_words":["lively"]' in verdict.model_dump_json()


def test_a_claim_of_another_language_is_not_cut_into_english_parts() -> None:
    score = pg.support("Der Tarif ist kostenlos.", ["Der Tarif kostet zwanzig Euro im Monat."], language="de")
    assert "in these words" not in score.reason
