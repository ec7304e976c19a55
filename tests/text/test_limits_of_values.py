"""Where the reading of a value changes: at the limit, and beside it."""

import pytest

import pytest_grounding as pg
from pytest_grounding.reading.facts import extract_facts


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("31.12.69", "2069-12-31"),
        ("01.01.70", "1970-01-01"),
        ("3 June '69", "2069-06-03"),
        ("3 June '70", "1970-06-03"),
    ],
)
def test_a_year_of_two_digits_is_of_the_last_century_from_70_on(written, read):
    [fact] = extract_facts(f"The station opened on {written} in the morning.")
    assert (fact.kind, fact.key) == ("date", read)


def status_of_value(source, answer):
    chunks = [{"id": "a", "text": source}]
    verdict = pg.validate({"id": "x", "question": "What does it say?", "chunks": chunks, "answer": answer})
    [fact] = verdict.claims[0].facts
    return fact.status


@pytest.mark.parametrize(
    ("said", "status"),
    # 26 miles are 41.84 km: a rounded conversion may differ by 3 %.
    [("40.6", "found"), ("40.5", "missing"), ("42", "found"), ("43.1", "found"), ("43.2", "missing")],
)
def test_a_length_in_another_unit_may_be_rounded_by_three_percent(said, status):
    answer = f"The coastal route is {said} km long."
    assert status_of_value("The coastal route is 26 miles long.", answer) == status


@pytest.mark.parametrize(
    ("said", "status"),
    # 350 °F are 176.67 °C: a rounded conversion may differ by two degrees.
    [("174", "missing"), ("175", "found"), ("178", "found"), ("179", "missing")],
)
def test_a_temperature_in_another_unit_may_be_rounded_by_two_degrees(said, status):
    assert status_of_value("Bake the bread at 350 °F.", f"Bake the bread at {said} °C.") == status
