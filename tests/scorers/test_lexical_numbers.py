"""Numbers that need no source of their own, and the short names of countries."""

from __future__ import annotations

from every import examples

import pytest_grounding as pg


@examples(
    ("claim", "source"),
    [
        ("Repeat step 4 until the slide is dry.", "Repeat the smear until the slide is dry."),
        ("Option 2: Turn the valve off by hand.", "You can turn the valve off by hand."),
        (
            "There are two types of amino acids: essential and non-essential.",
            "Amino acids are essential or non-essential.",
        ),
        (
            "The difference between the two is their size.",
            "Rocks and stones differ: the difference is the size.",
        ),
        ("Repairs cost several thousand dollars.", "Repairs cost from $3,000 to $9,500."),
    ],
)
def test_labels_counts_and_orders_of_magnitude_are_no_missing_numbers(claim: str, source: str) -> None:
    missing = pg.support(claim, [source]).missing
    assert not {"4", "2", "two", "thousand"} & set(missing)


@examples(
    ("claim", "source", "number"),
    [
        ("The dose is 4 grams.", "The dose is given in grams.", "4"),
        ("Two nurses check the dose.", "Nurses check the dose.", "Two"),
        ("The warranty covers nine types of damage.", "The warranty covers types of damage.", "nine"),
        ("Repairs cost nine thousand dollars.", "Repairs cost dollars.", "nine"),
    ],
)
def test_a_number_that_measures_is_missed(claim: str, source: str, number: str) -> None:
    score = pg.support(claim, [source])
    assert number in score.missing
    assert score.probability is not None
    assert score.probability < 0.7


def test_a_converted_value_is_the_same_value() -> None:
    source = "Bake the bratwurst at 350 °F for 30 minutes. The trail is 26 miles long."
    assert pg.support("Bake the bratwurst at 350 °F (175 °C) for 30 minutes.", [source]).missing == ()
    assert pg.support("The trail is 42 km long.", [source]).missing == ()
    assert "90" in pg.support("The trail is 90 km long.", [source]).missing
    wrong = pg.support("Bake the bratwurst at 350 °F (250 °C) for 30 minutes.", [source])
    assert "250" in wrong.missing


@examples(
    ("claim", "source"),
    [
        ("It is the largest chain in the us.", "It is the largest chain in the united states."),
        ("It is the largest chain in the U.S.", "It is the largest chain in the United States."),
        ("It is the largest chain in the United States.", "It is the largest chain in the USA."),
        ("It is the largest chain in the UK.", "It is the largest chain in the United Kingdom."),
    ],
)
def test_a_country_by_its_short_name_is_found_by_its_long_one(claim: str, source: str) -> None:
    score = pg.support(claim, [source])
    assert not {"us", "U.S.", "UK", "States", "states"} & set(score.missing)
    assert score.probability is not None
    assert score.probability > 0.9


def test_us_as_a_pronoun_is_no_country() -> None:
    assert (
        pg.support("They told us that the bridge is closed.", ["The bridge is closed."]).probability
        is not None
    )
    assert "us" in pg.support("Call us in the united kingdom.", ["Call in the united kingdom."]).missing
    assert "state" in pg.support("Call the state office.", ["Call us at the office."]).missing
