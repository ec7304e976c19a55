"""Conflicts of numbers, units and dates; and differences that are none."""

from __future__ import annotations

from every import examples

import pytest_grounding as pg
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts import conflicts_between, find_conflicts
from pytest_grounding.scorers.builtin.token_index import index_of

NUMBERS = [
    ("The battery lasts 10 hours on a full charge.", "The battery lasts 12 hours on a full charge."),
    ("The town has 5,000 inhabitants.", "The town has 8,000 inhabitants."),
    ("The club has twelve members in Oslo.", "The club has 15 members in Oslo."),
    ("The fee is $50 per month.", "The fee is $75 per month."),
    ("Sales rose by 5% last year.", "Sales rose by 8% last year."),
    ("Bake the bread for 30 minutes at low heat.", "Bake the bread for 45 minutes at low heat."),
    ("The bridge is 300 metres long.", "The bridge is 450 metres long."),
    ("She won third prize in the contest.", "She won first prize in the contest."),
    ("The lake is 5 km from the village.", "The lake is 5.9 km from the village."),
    ("The company employs 1.2 million people.", "The company employs 2.1 million people."),
    ("Cook the rice for 6 to 8 hours.", "Cook the rice for 2 to 3 hours."),
    ("More than 300 soldiers died in the battle.", "More than 30 soldiers died in the battle."),
    ("The trial covered half of the patients.", "The trial covered a quarter of the patients."),
    ("Refunds arrive within 3 days of the request.", "Refunds arrive within 10 days of the request."),
    ("The tower has 40 floors and a garden.", "The tower has 55 floors and a garden."),
    ("The oven must reach 350 degrees Fahrenheit.", "The oven must reach 250 degrees Fahrenheit."),
]

NO_NUMBERS = [
    ("The battery lasts 10 hours.", "The battery lasts ten hours on a full charge."),
    ("The town has 5,000 inhabitants.", "The town has 5000 inhabitants."),
    ("The lake is 5 km from the village.", "The lake is 5000 m from the village."),
    ("It takes one day to deliver.", "It takes 24 hours to deliver."),
    ("The town has about 50 shops.", "The town has 48 shops."),
    ("The company employs 1.2 million people.", "The company employs 1,234,567 people."),
    ("Cook the rice for 7 hours.", "Cook the rice for 6 to 8 hours."),
    ("The tower has more than 50 floors.", "The tower has 55 floors and a garden."),
    ("Half of the patients got better.", "50% of the patients got better."),
    ("The house has 4 rooms.", "The house has 4 rooms and 2 baths."),
    ("The house has 2 baths.", "The house has 4 rooms and 2 baths."),
    ("The oven must reach 177 °C.", "The oven must reach 350 degrees Fahrenheit."),
    ("1. Bake the bread for 30 minutes.", "Bake the bread for 30 minutes at low heat."),
    ("The cat sat on 2 mats.", "The price of oil was 85 dollars."),
    ("She paid a dozen workers.", "She paid 12 workers."),
]

UNITS = [
    ("Take 5 mg of the drug daily.", "Take 5 g of the drug daily."),
    ("The trip takes 3 days by ship.", "The trip takes 3 weeks by ship."),
    ("The wall is 6 feet high.", "The wall is 6 inches high."),
    ("Add 2 cups of sugar to the bowl.", "Add 2 teaspoons of sugar to the bowl."),
    ("The fee rose by 5 dollars.", "The fee rose by 5 percent."),
    ("The race is 10 miles long.", "The race is 10 kilometres long."),
    ("The baby weighed 7 kg at birth.", "The baby weighed 7 pounds at birth."),
    ("The contract lasts 2 months.", "The contract lasts 2 years."),
    ("The disk holds 500 MB of data.", "The disk holds 500 GB of data."),
    ("It costs €40 to enter the park.", "It costs $40 to enter the park."),
    ("The oven is set to 200 °F.", "The oven is set to 200 °C."),
    ("Rest the dough for 20 seconds.", "Rest the dough for 20 minutes."),
    ("The engine gives 90 kW.", "The engine gives 90 hp."),
    ("Water the plant every 4 hours.", "Water the plant every 4 weeks."),
    ("The tank holds 50 gallons.", "The tank holds 50 litres."),
]

NO_UNITS = [
    ("The trip takes 3 weeks.", "The trip takes 21 days by ship."),
    ("The wall is 6 feet high.", "The wall is 72 inches high."),
    ("The race is 10 km long.", "The race is 10 kilometers long."),
    ("The contract lasts 2 years.", "The contract lasts 24 months."),
    ("The contract lasts 2.", "The contract lasts 2 years."),
    ("It costs 40 USD to enter.", "It costs $40 to enter the park."),
    ("The disk holds 1 TB.", "The disk holds 1000 GB."),
    ("The speed was 60 mph.", "The speed was 60 miles per hour."),
    ("The tank holds 3 gallons.", "The tank holds 3 gal of fuel."),
    ("Rest the dough for 60 seconds.", "Rest the dough for 1 minute."),
    ("The share was 25%.", "The share was a quarter of the total."),
    ("He is 15 years old.", "The 15-year-old won."),
    ("Rain was 400 inches per year.", "Rain was 400 inches per year in the hills."),
    ("The baby weighed 1000 grams.", "The baby weighed 1 kilogram."),
    ("It was 20 degrees in May.", "It was 20 °C in May."),
]

DATES = [
    ("The bridge opened in 1998.", "The bridge opened in 1989."),
    ("She was born on 3 May 1950.", "She was born on 4 May 1950."),
    ("The war ended in November 1918.", "The war ended in December 1918."),
    ("The store opens on Monday.", "The store opens on Tuesday."),
    ("The meeting starts at 10:30 am.", "The meeting starts at 11:30 am."),
    ("The temple was built in 300 BC.", "The temple was built in AD 300."),
    ("The band formed in the 1990s.", "The band formed in the 1970s."),
    ("The deadline is March 5.", "The deadline is March 15."),
    ("The law passed on 2020-05-01.", "The law passed on 2020-06-01."),
    ("The castle dates from the 12th century.", "The castle dates from the 15th century."),
    ("The film came out in 2001.", "The film came out in 2003."),
    ("The shop closes at 5 pm.", "The shop closes at 7 pm."),
    ("He moved to Rome in June 1999.", "He moved to Rome in July 1999."),
    ("The plague struck in 1347.", "The plague struck in 1437."),
    ("The ship sank on 14 April 1912.", "The ship sank on 24 April 1912."),
]

NO_DATES = [
    ("The bridge opened in 1998.", "The bridge opened on 5 May 1998."),
    ("She was born on May 3rd, 1950.", "She was born on 3 May 1950."),
    ("The war ended on 11/11/1918.", "The war ended on 11 November 1918."),
    ("The band formed in the 1990s.", "The band formed in 1994."),
    ("The castle dates from the 12th century.", "The castle dates from 1150."),
    ("The law passed on May 1, 2020.", "The law passed on 2020-05-01."),
    ("The meeting starts at 10:30.", "The meeting starts at 10:30 am."),
    ("The shop closes at 17:00.", "The shop closes at 5 pm."),
    ("The bridge opened in 1998.", "The bridge opened in 1998 and closed in 2005."),
    ("The bridge closed in 2005.", "The bridge opened in 1998 and closed in 2005."),
    ("The plague struck around 1350.", "The plague struck in 1347."),
    ("The deadline is March 5.", "The deadline is March 5th, 2021."),
    ("The film came out in 2001.", "In 2001 the film came out."),
    ("He lived in Rome from 1990 to 1995.", "He lived in Rome from 1990 to 1995."),
    ("The temple was built in 300 BC.", "The temple was built 300 years before Christ."),
]


def kinds(claim: str, evidence: str) -> list[str]:
    return [conflict.kind for conflict in conflicts_between(claim, evidence)]


PASSWORDS = "Passwords must have at least 14 characters and are changed every 180 days."


@examples(("claim", "evidence"), NUMBERS)
def test_another_number_is_a_conflict(claim: str, evidence: str) -> None:
    assert kinds(claim, evidence) == ["number"]


@examples(("claim", "evidence"), NO_NUMBERS)
def test_the_same_number_is_no_conflict(claim: str, evidence: str) -> None:
    assert kinds(claim, evidence) == []


@examples(("claim", "evidence"), UNITS)
def test_another_unit_is_a_conflict(claim: str, evidence: str) -> None:
    assert kinds(claim, evidence) == ["unit"]


@examples(("claim", "evidence"), NO_UNITS)
def test_the_same_quantity_in_another_unit_is_no_conflict(claim: str, evidence: str) -> None:
    assert kinds(claim, evidence) == []


@examples(("claim", "evidence"), DATES)
def test_another_date_is_a_conflict(claim: str, evidence: str) -> None:
    assert kinds(claim, evidence) == ["date"]


@examples(("claim", "evidence"), NO_DATES)
def test_the_same_date_is_no_conflict(claim: str, evidence: str) -> None:
    assert kinds(claim, evidence) == []


def test_a_number_bound_to_the_same_words_elsewhere_is_no_conflict() -> None:
    claim = "The battery lasts 10 hours in flight mode."
    chunks = ["The battery lasts 12 hours on a full charge.", "In flight mode the battery lasts 10 hours."]
    indexes = [index_of(chunk) for chunk in chunks]
    assert find_conflicts(claim, tokenize(claim), indexes, ["a", "b"]) == ()


def test_a_number_of_another_thing_is_a_conflict() -> None:
    claim = "The battery lasts 40 hours on a full charge."
    chunks = ["The battery lasts 12 hours on a full charge.", "The warranty covers 40 hours of repair work."]
    indexes = [index_of(chunk) for chunk in chunks]
    (found,) = find_conflicts(claim, tokenize(claim), indexes, ["a", "b"])
    assert (found.kind, found.severity, found.evidence.chunk_id) == ("number", "error", "a")
    assert (found.claim_text, found.evidence_text) == ("40 hours", "12 hours")
    assert found.claim_start == claim.index("40")


def test_a_number_that_no_source_gives_is_missing_and_no_conflict() -> None:
    claim, source = (
        "The garden of the old castle has 4711 roses.",
        "The garden of the old castle has many roses.",
    )
    assert conflicts_between(claim, source) == ()
    found = pg.support(claim, [source])
    assert found.missing == ("4711",)
    assert found.probability is not None
    assert found.probability <= 0.5
