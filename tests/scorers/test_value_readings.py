"""Values in other words are supported, and values that differ are candidates for a conflict."""

from every import each

import pytest_grounding as pg
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts import conflicts_between
from pytest_grounding.scorers.builtin.conflicts.conflict_search import candidates_of
from pytest_grounding.scorers.builtin.conflicts.contest import Contest
from pytest_grounding.scorers.builtin.conflicts.sentence_view import sources_of, view_of_claim

HELD = [
    ("The battery is charged to 70 %.", "The battery is charged to 70 percent."),
    ("The battery is charged to 70 percent.", "The battery is charged to 70%."),
    ("The battery is charged to seventy per cent.", "The battery is charged to 70%."),
    ("The response takes under 20 ms.", "The response takes less than 20 milliseconds."),
    ("The response takes less than 20 milliseconds.", "The response takes under 20 ms."),
    ("The response takes fewer than 20 milliseconds.", "The response takes < 20 ms."),
    ("The temperature must be at least 5 °C.", "The temperature must not be below 5 °C."),
    ("The temperature must not fall below 5 °C.", "The temperature must be at least 5 °C."),
    ("The temperature must not exceed 40 °C.", "The temperature must be at most 40 °C."),
    ("The weight is no more than 20 kg.", "The weight may not exceed 20 kg."),
    (
        "The router works with 2.4 GHz only.",
        "The router works with 2.4 GHz. 5 GHz are not supported by the router.",
    ),
    ("The router only supports 2.4 GHz.", "The router supports 2.4 GHz; 5 GHz are not supported."),
    ("The router does not support 5 GHz.", "The router supports only 2.4 GHz."),
    ("Attachments may have up to 25 MB.", "Attachments larger than 25 MB are rejected."),
    ("Attachments larger than 25 MB are rejected.", "Attachments can have up to 25 MB."),
    ("Attachments over 25 MB are not accepted.", "Attachments of at most 25 MB are accepted."),
    ("Files bigger than 25 MB are refused.", "Files may be 25 MB at most."),
    ("The device works down to -10 °C.", "Operating temperature: minimum −10 °C. The device works."),
    ("The device works down to −10 °C.", "The device works at a minimum of -10 °C."),
    ("The device works at -10 °C or above.", "The device works down to −10 degrees Celsius."),
    ("The parking fee is 12 euros per day.", "The parking fee is 12 euros a day."),
    ("The parking fee is 12 euros per day.", "The parking fee is €12/day."),
    ("The parking fee is 12 euros daily.", "The parking fee is 12 euros per day."),
    ("The parking fee is 12 euros each day.", "The daily parking fee is 12 euros."),
    ("The gym opens three times a week.", "The gym opens three times per week."),
    ("The gym opens twice a week.", "The gym opens two times per week."),
    ("The balance is −12 euros.", "The balance is -12 euros."),
    ("The balance is minus 12 euros.", "The balance is −12 euros."),
    ("The balance is −€12.", "The balance is -12 euros."),
    (
        "The set costs 6,270 euros in total.",
        "The machine of the set costs 5,490 euros. The installation costs 780 euros.",
    ),
    (
        "The set costs 6,270 euros in total.",
        "The set: the machine costs 5,490 euros and the installation costs 780 euros.",
    ),
    ("The refund takes 30 working days.", "The refund takes 30 business days."),
    ("The hotline is open around the clock.", "The hotline is open 24/7."),
    ("The hotline is open 24/7.", "The hotline is open around the clock."),
    ("The hotline is open 24/7.", "The hotline is open 24 hours a day, seven days a week."),
    ("The hotline is open 24 hours a day, seven days a week.", "The hotline is open 24/7."),
    ("The hotline is open all day, every day.", "The hotline is open 24/7."),
    ("The fee is over 12 euros.", "The fee is more than 12 euros."),
    ("The fee is 12 euros or more.", "The fee is at least 12 euros."),
    ("Guests over 18 may enter.", "Guests older than 18 may enter."),
    ("The stay lasts two weeks.", "The stay lasts 14 days."),
    ("The lease runs for 36 months.", "The lease runs for three years."),
    ("The lease runs for 1.5 years.", "The lease runs for 18 months."),
    ("The disc holds 1.5 GB.", "The disc holds 1500 MB."),
    ("The path is 3 km long.", "The path is 3000 metres long."),
    ("The price is ١٢ euros.", "The price is 12 euros."),
    ("The price is １２ euros.", "The price is 12 euros."),
    ("The price is ⑫ euros.", "The price is 12 euros."),
    ("The room has 12 m².", "The room has 12 square metres."),
    ("The room has 12 m2.", "The room has 12 m²."),
    ("Employees must wear a badge.", "Employees are required to wear a badge."),
    ("Employees can work from home.", "Employees may work from home."),
    ("Requests within 30 days are honoured.", "Requests up to 30 days are honoured."),
    ("The limit is 100 requests per minute.", "The limit is 100 requests a minute."),
    ("The fee is between 10 and 20 euros.", "The fee is 10 to 20 euros."),
    ("The fee is 10–20 euros.", "The fee is from 10 to 20 euros."),
    ("The minimum age is 18.", "You must be at least 18; this is the minimum age."),
    ("A password has at least 12 characters.", "A password has a minimum of 12 characters."),
    ("A password needs 12 or more characters.", "A password needs at least 12 characters."),
    ("Refunds are possible for no longer than 14 days.", "Refunds are possible for up to 14 days."),
    ("The lamp supports only 230 V mains.", "The lamp runs on 230 V. 110 V is not supported."),
    (
        "The reader accepts only 13 MHz cards; 125 kHz cards are not accepted.",
        "The reader accepts 13 MHz cards. It does not accept 125 kHz cards.",
    ),
    ("The printer cannot use 90 g paper.", "The printer uses only 80 g paper."),
    ("Applicants must not be younger than 21 years.", "Applicants must be at least 21 years old."),
    ("The humidity must never drop below 40 %.", "The humidity must be 40 percent or more."),
    ("Speeds must not be lower than 30 km/h.", "The minimum speed is 30 km/h."),
    ("The load may not be more than 150 kg.", "The maximum load is 150 kg."),
    ("The load must not exceed 150 kg.", "Loads of more than 150 kg are not allowed."),
    ("Bags heavier than 23 kg are not accepted.", "Bags may weigh up to 23 kg."),
    ("We refuse parcels over 30 kg.", "Parcels may weigh 30 kg at most."),
    ("No more than 8 people may use the lift.", "The lift is for up to 8 people."),
    ("The freezer cools to as low as −24 °C.", "The freezer cools down to −24 °C."),
    ("The jacket is rated down to minus 15 degrees Celsius.", "The jacket is rated to −15 °C."),
    (
        "The tunnel is open at all hours, 24 hours a day.",
        "The tunnel is open around the clock, at all hours.",
    ),
    ("The gate is staffed 24 hours a day, 7 days a week.", "The gate is staffed 24/7."),
    ("Delivery takes 5 working days.", "Delivery takes five business days."),
    ("Residents can park for 3 euros an hour.", "Residents can park at 3 euros per hour."),
    ("The subscription is $120 per year.", "The subscription is $10 per month."),
    ("The pump moves 60 litres per minute.", "The pump moves 1 litre per second."),
    (
        "Both items cost 1,250 dollars together.",
        "The desk costs 900 dollars. The chair costs 350 dollars. Both items are in stock.",
    ),
    ("The trip takes 7 hours in total.", "The trip takes 4 hours to Lyon and 3 hours to Nice."),
    ("Students are not required to buy a laptop.", "Students do not have to buy a laptop."),
    ("Tenants have to report damage.", "Tenants must report damage."),
    ("Members may bring a guest.", "Members are allowed to bring a guest."),
    ("The latency stays below 50 ms.", "The latency stays under 50 milliseconds."),
    ("The service answers in less than 2 seconds.", "The service answers in under 2 s."),
    ("It takes fewer than 10 minutes.", "It takes less than ten minutes."),
    ("The tank holds 2.5 litres.", "The tank holds 2500 ml."),
    ("About two thirds of visitors return.", "About 67 % of visitors return."),
    ("The discount is 15 per cent.", "The discount is 15 %."),
]

DIFFERENT = [
    ("The parking fee is 12 euros per week.", "The parking fee is 12 euros per day."),
    ("The parking fee is 12 euros per day.", "The parking fee is 12 euros per week."),
    ("The parking fee is 12 euros a day.", "The parking fee is 12 euros a month."),
    ("The parking fee is 12 euros.", "The parking fee is 12 euros per day."),
    ("The parking fee is 12 euros per day.", "The parking fee is 12 euros."),
    ("The gym opens three times a week.", "The gym opens three times per day."),
    ("The limit is 100 requests per minute.", "The limit is 100 requests per hour."),
    ("The balance is 12 euros.", "The balance is −12 euros."),
    ("The balance is −12 euros.", "The balance is 12 euros."),
    ("The balance is -12 euros.", "The balance is 12 euros."),
    ("The device works down to 10 °C.", "The device works down to −10 °C."),
    ("The fee is over 12 euros.", "The fee is 12 euros."),
    ("The fee is more than 12 euros.", "The fee is 12 euros."),
    ("The fee is less than 12 euros.", "The fee is 12 euros."),
    ("The fee is 12 euros.", "The fee is over 12 euros."),
    ("The fee is at least 12 euros.", "The fee is at most 12 euros."),
    ("The fee is at least 12 euros.", "The fee is up to 12 euros."),
    ("The fee is 12² euros.", "The fee is 12 euros."),
    ("The fee is 12 euros.", "The fee is 12² euros."),
    ("The fee is ⑲ euros.", "The fee is 12 euros."),
    ("The refund takes 30 business days.", "The refund takes 30 days."),
    ("The refund takes 30 days.", "The refund takes 30 business days."),
    ("Employees must wear a badge.", "Employees may wear a badge."),
    ("Employees may wear a badge.", "Employees must wear a badge."),
    ("Employees have to wear a badge.", "Employees can wear a badge."),
    ("Employees are required to submit receipts.", "Employees are allowed to submit receipts."),
    ("Attachments may have up to 25 MB.", "Attachments larger than 20 MB are rejected."),
    ("Attachments larger than 25 MB are accepted.", "Attachments larger than 25 MB are rejected."),
    ("Attachments must have at least 25 MB.", "Attachments larger than 25 MB are rejected."),
    ("The response takes under 20 s.", "The response takes less than 20 milliseconds."),
    ("The response takes more than 20 ms.", "The response takes less than 20 milliseconds."),
    ("The battery is charged to 70 percent.", "The battery is charged to 80 %."),
    (
        "The set costs 6,370 euros in total.",
        "The machine of the set costs 5,490 euros. The installation costs 780 euros.",
    ),
    ("The router supports 5 GHz.", "The router supports only 2.4 GHz."),
    ("The router supports 5 GHz.", "The router supports 2.4 GHz. 5 GHz is not supported."),
    ("The temperature must be at most 5 °C.", "The temperature must not be below 5 °C."),
    ("The disc holds 15 GB.", "The disc holds 1500 MB."),
    ("The price is ١٣ euros.", "The price is 12 euros."),
    ("The room has 12 m².", "The room has 12 m."),
    ("The fee is 1,2 euros.", "The fee is 12 euros."),
    ("The lamp supports 110 V mains.", "The lamp runs on 230 V. 110 V is not supported."),
    ("Applicants must be younger than 21 years.", "Applicants must be at least 21 years old."),
    ("The humidity must be below 40 %.", "The humidity must never drop below 40 %."),
    ("Bags of 25 kg are accepted.", "Bags may weigh up to 23 kg."),
    ("Bags heavier than 23 kg are accepted.", "Bags may weigh up to 23 kg."),
    ("Parcels must weigh at least 30 kg.", "We refuse parcels over 30 kg."),
    ("The lift is for more than 8 people.", "No more than 8 people may use the lift."),
    ("The freezer cools down to 24 °C.", "The freezer cools down to −24 °C."),
    ("The jacket is rated to −25 °C.", "The jacket is rated down to −15 °C."),
    ("Delivery takes 5 business days.", "Delivery takes five days."),
    ("Residents can park for 3 euros a day.", "Residents can park at 3 euros per hour."),
    ("The subscription is $120 per month.", "The subscription is $120 per year."),
    ("The pump moves 60 litres per hour.", "The pump moves 60 litres per minute."),
    ("The medicine is taken twice a week.", "The medicine is taken twice a day."),
    ("The API allows 500 calls per second.", "The API allows 500 calls per minute."),
    (
        "Both items cost 1,350 dollars together.",
        "The desk costs 900 dollars. The chair costs 350 dollars. Both items are in stock.",
    ),
    ("Students must buy a laptop.", "Students may buy a laptop."),
    ("Students have to buy a laptop.", "Students do not have to buy a laptop."),
    ("Tenants may report damage.", "Tenants are required to report damage."),
    ("Members must bring a guest.", "Members can bring a guest."),
    ("Drivers can wear a vest.", "Drivers must wear a vest."),
    ("The latency stays above 50 ms.", "The latency stays under 50 milliseconds."),
    ("The shop is open around the clock.", "The shop is open from 9 am to 6 pm."),
    ("The account shows 40 euros.", "The account shows −40 euros."),
    ("The profit was 3 million euros.", "The profit was −3 million euros."),
    ("The tank holds 2.5 ml.", "The tank holds 2.5 litres."),
    ("The area is 40 m³.", "The area is 40 m²."),
    ("The reward is more than 15 points.", "The reward is 15 points."),
    # "More than 5 kg" leaves room for "less than 30 kg", and does not say it.
    (
        "Bags of more than 5 kg and less than 30 kg cost 4 euros.",
        "Bags of more than 5 kg and less than 20 kg cost 4 euros.",
    ),
    ("A tank holds at least 10 and at most 90 litres.", "A tank holds at least 10 and at most 40 litres."),
]

#: What the value finders propose, and what other finders see in the same words.
VALUES = {"number", "unit", "date", "modality"}
KINDS = VALUES | {"negation", "antonym", "opposed", "comparison"}


def candidates(claim: str, source: str) -> list[tuple[str, str, str]]:
    """Kind, words of the claim and words of the source of all that the finders propose."""
    contest = Contest(view_of_claim(claim, tokenize(claim)), sources_of(source))
    return [
        (found.kind, claim[found.start : found.end], source[found.rival_start : found.rival_end])
        for found in candidates_of(contest)
    ]


@each(*HELD)
def test_the_same_value_in_other_words_is_supported(claim, source):
    assert [found for found in candidates(claim, source) if found[0] in VALUES] == []
    score = pg.support(claim, [source])
    assert not any(word[0].isdigit() for word in score.missing)
    assert score.probability >= 0.7


@each(*DIFFERENT)
def test_a_value_that_differs_is_a_candidate(claim, source):
    assert KINDS & {found[0] for found in candidates(claim, source)}
    assert pg.support(claim, [source]).method != "exact_match"


@each(
    (
        "Files larger than 25 MB are accepted.",
        "Files larger than 25 MB are rejected.",
        ("larger than 25 MB", "larger than 25 MB are rejected"),
    ),
    ("The fee is −12 euros.", "The fee is 12 euros.", ("−12 euros", "12 euros")),
    ("The gym opens 3 times a week.", "The gym opens 3 times a day.", ("3 times a week", "3 times a day")),
)
def test_the_words_that_differ_are_shown(claim, source, shown):
    assert shown in [(item.claim_text, item.evidence_text) for item in conflicts_between(claim, source)]


@each(
    # A period that the source tells elsewhere, or that is plain from the matter, is not left out.
    ("The weekly fee is 40 euros.", "The fee is 40 euros per week."),
    ("The salary is 40,500 dollars.", "The salary is 40,500 dollars a year."),
    # Round numbers are given with and without "more than".
    ("The park has 400 trees.", "The park has more than 400 trees."),
    ("The park covers 300 acres.", "The park covers over 300 acres."),
    # A value that is ruled out is not a rival of the one that is not, nor a deadline of a limit.
    ("Accounts are closed after six months.", "Accounts are closed if nobody signs in within six months."),
)
def test_a_less_precise_value_is_not_a_conflict(claim, source):
    assert [found for found in candidates(claim, source) if found[0] in VALUES] == []


def test_small_counts_are_not_added_up_by_chance():
    source = "The shelter has 7 cats. It has 3 dogs."
    assert "10" in pg.support("The shelter has 10 volunteers in total.", [source]).missing
    assert "5,910" in pg.support("The roof costs 5,910 euros.", ["The roof costs 5,900 euros."]).missing


def test_parts_of_a_sum_are_close_together_or_named_with_it():
    far = "The desk costs 900 dollars. " + "It is made of oak. " * 5 + "The chair costs 350 dollars."
    claim = "The desk and the chair cost 1,250 dollars."
    assert "1,250" in pg.support(claim, [far]).missing
    said = "The desk costs 900 dollars and the chair 350 dollars, 1,250 dollars in total."
    assert "1,250" not in pg.support(said, [far]).missing
    assert "1,350" in pg.support(said.replace("1,250", "1,350"), [far]).missing
