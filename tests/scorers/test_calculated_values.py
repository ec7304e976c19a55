"""Values that an answer calculates from two others are said; wrong arithmetic is not."""

from __future__ import annotations

from every import examples

import pytest_grounding as pg
from pytest_grounding import validate
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts.arithmetic import place_of_result
from pytest_grounding.scorers.builtin.conflicts.conflict_search import candidates_of
from pytest_grounding.scorers.builtin.conflicts.contest import Contest
from pytest_grounding.scorers.builtin.conflicts.sentence_view import sources_of, view_of_claim

#: Claim, source, the number that follows from others, and another that does not.
CALCULATED = [
    (
        "Two lamps come to 2 × €2,450 = €4,900.",
        "The lamp costs €2,450. The stand costs €380.",
        "€4,900",
        "€4,700",
    ),
    (
        "Together with the city's €40, the ticket comes to €69 a month.",
        "The city adds €40 a month to the ticket; residents pay €29.",
        "€69",
        "€71",
    ),
    (
        "The suite costs €130 more than the room (€410 instead of €280).",
        "The room costs €280 and the suite €410.",
        "€130",
        "€140",
    ),
    (
        "Managers get 33 days, three more than the 30 of other staff.",
        "Managers get 33 days of leave. Other staff gets 30 days of leave.",
        "three",
        "four",
    ),
    (
        "The large tent covers 80 m², so with 50 m² you have 30 m² to spare.",
        "The large tent covers up to 80 m².",
        "30 m²",
        "40 m²",
    ),
    (
        "If you save €300 a month, the bank adds €75.",
        "The bank adds 25 % of what you save.",
        "€75",
        "€85",
    ),
    (
        "The bonus is €1,800: €900 at the start and the rest later.",
        "The bonus is €1,800. Half is paid at the start.",
        "€900",
        "€800",
    ),
    (
        "Over the whole year the club costs €420.",
        "The club costs €35 a month.",
        "€420",
        "€430",
    ),
    (
        "For 400 km you are paid €128.",
        "Drivers are paid €0.32 per km.",
        "€128",
        "€138",
    ),
    (
        "The deposit adds up to €645.",
        "The deposit is €420 for the flat and €225 for the furniture.",
        "€645",
        "€655",
    ),
]


def place(claim: str, source: str, value: str) -> tuple[int, int] | None:
    """Where the value that starts with some words follows from."""
    view = view_of_claim(claim, tokenize(claim))
    at = claim.index(value)
    fact = next(fact for fact in view.facts if fact.start <= at < fact.end)
    return place_of_result(fact, view, sources_of(source).views)


@examples(("claim", "source", "right", "wrong"), CALCULATED)
def test_a_calculated_value_is_said_and_a_wrong_one_is_not(
    claim: str, source: str, right: str, wrong: str
) -> None:
    assert place(claim, source, right) is not None
    assert place(claim.replace(right, wrong), source, wrong) is None
    said, planted = pg.support(claim, [source]), pg.support(claim.replace(right, wrong), [source])
    number = next(word.strip("€") for word in right.split())
    assert number not in said.missing
    assert said.probability is not None
    assert planted.probability is not None
    assert said.probability > planted.probability


@examples(
    ("claim", "source", "value"),
    [
        # Neither operand stands in a source.
        ("Three chairs at €150 each make €450.", "The table costs €900.", "€450"),
        # No word says that two values are subtracted.
        ("The desk costs €130 with a lamp of €410.", "The lamp costs €540.", "€130"),
        # A bare number needs the operation and both values.
        ("The club has 12 members.", "The club has 20 chairs and 8 tables.", "12"),
        ("The club has 3 more chairs.", "The club has 8 tables and 5 chairs.", "3"),
    ],
)
def test_values_do_not_follow_by_chance(claim: str, source: str, value: str) -> None:
    assert place(claim, source, value) is None


def candidates(claim: str, source: str) -> list[tuple[str, str]]:
    contest = Contest(view_of_claim(claim, tokenize(claim)), sources_of(source))
    return [(found.kind, claim[found.start : found.end]) for found in candidates_of(contest)]


STEPS = "Trainees get €950 a month in the first year, €1,010 in the second and €1,090 in the third."


@examples("row", ["| 1st | €950 |", "| 2nd | €1,010 |", "| 3rd | €1,090 |"])
def test_a_row_of_a_table_goes_with_its_item_of_an_enumeration(row: str) -> None:
    assert candidates(row, STEPS) == []


@examples("row", ["| 4th | €1,010 |", "| 6th | €950 |"])
def test_a_row_that_no_item_of_the_enumeration_gives_is_a_candidate(row: str) -> None:
    assert "number" in {kind for kind, _ in candidates(row, STEPS)}


@examples(
    ("claim", "is_held"),
    [
        ("Bury the hose at least 2 m away from gas pipes.", True),
        ("Do not bury the hose within 2 m of gas pipes.", True),
        ("Bury the hose at least 3 m away from gas pipes.", False),
        ("Bury the hose within 2 m of gas pipes.", False),
        ("Bury the hose at most 2 m away from gas pipes.", False),
    ],
)
def test_what_is_not_done_within_a_distance_keeps_it(claim: str, is_held: bool) -> None:
    source = "Do not bury the hose within 2 m of gas pipes."
    assert ("number" not in {kind for kind, _ in candidates(claim, source)}) == is_held


@examples(
    ("claim", "source"),
    [
        ("The wash takes an hour and a quarter.", "The wash takes 75 minutes."),
        ("The flight takes an hour and a half.", "The flight takes 90 minutes."),
        ("The lease runs for two years and a half.", "The lease runs for 30 months."),
    ],
)
def test_a_fraction_behind_a_span_of_time_belongs_to_it(claim: str, source: str) -> None:
    assert candidates(claim, source) == []
    assert candidates(claim, source.replace(source.split()[-2], "7")) != []


def test_cents_are_of_dollars_or_of_euros() -> None:
    for price in ("€0.09", "$0.09"):
        assert "9" not in pg.support("Each label costs 9 cents.", [f"Each label costs {price}."]).missing
        assert "8" in pg.support("Each label costs 8 cents.", [f"Each label costs {price}."]).missing
    assert "9" in pg.support("Each label costs 9 cents.", ["Each label costs £0.09."]).missing


@examples(
    ("text", "claim", "told"),
    [
        (
            "Revenue was $100 million in 2023 and $110 million in 2024.",
            "Revenue rose by 10 % from 2023 to 2024.",
            "computed: 10 % from $100 million and $110 million",
        ),
        (
            "The ticket is $22 and parking is $18.",
            "You pay $40 in total for ticket and parking.",
            "computed: $40 from $22 and $18",
        ),
        ("The ticket is $22 and parking is $18.", "You pay $44 in total for ticket and parking.", ""),
        ("The ticket is $40.", "The ticket costs $40.", ""),
    ],
)
def test_a_computed_value_names_what_it_follows_from(text: str, claim: str, told: str) -> None:
    (judged,) = validate(
        {"id": "t", "question": "How much?", "chunks": [{"id": "c", "text": text}], "answer": claim}
    ).claims
    assert (told in judged.reason) if told else ("computed" not in judged.reason)
