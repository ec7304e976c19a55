"""Values that are calculated, repeated or written in another form."""

import re

import pytest
from every import each, table

import pytest_grounding as pg
from pytest_grounding import validate
from pytest_grounding.reading.facts.often import agree, often_in
from pytest_grounding.reading.identifiers import identifiers
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts.arithmetic import place_of_result
from pytest_grounding.scorers.builtin.conflicts.conflict_search import candidates_of
from pytest_grounding.scorers.builtin.conflicts.contest import Contest
from pytest_grounding.scorers.builtin.conflicts.sentence_view import sources_of, view_of_claim

#: A claim with [the value that follows from others|another value], and its source.


def place(claim, source, value):
    """Where the value that starts with some words follows from."""
    view = view_of_claim(claim, tokenize(claim))
    at = claim.index(value)
    fact = next(fact for fact in view.facts if fact.start <= at < fact.end)
    return place_of_result(fact, view, sources_of(source).views)


@each(*table(__file__, "CALCULATED"))
def test_a_calculated_value_is_supported_and_a_wrong_one_is_not(marked, source):
    right, wrong = re.search(r"\[(.*)\|(.*)\]", marked).groups()
    claim, planted = (re.sub(r"\[.*\]", value, marked) for value in (right, wrong))
    assert place(claim, source, right) is not None
    assert place(planted, source, wrong) is None
    found, other = pg.support(claim, [source]), pg.support(planted, [source])
    assert next(word.strip("€") for word in right.split()) not in found.missing
    assert found.probability > other.probability


@each(
    # Neither operand stands in a source.
    ("Three chairs at €150 each make €450.", "The table costs €900.", "€450"),
    # No word says that two values are subtracted.
    ("The desk costs €130 with a lamp of €410.", "The lamp costs €540.", "€130"),
    # A bare number needs the operation and both values.
    ("The club has 12 members.", "The club has 20 chairs and 8 tables.", "12"),
    ("The club has 3 more chairs.", "The club has 8 tables and 5 chairs.", "3"),
)
def test_unrelated_values_are_not_taken_for_a_calculation(claim, source, value):
    assert place(claim, source, value) is None


def candidates(claim, source):
    contest = Contest(view_of_claim(claim, tokenize(claim)), sources_of(source))
    return [(found.kind, claim[found.start : found.end]) for found in candidates_of(contest)]


STEPS = "Trainees get €950 a month in the first year, €1,010 in the second and €1,090 in the third."


@each("| 1st | €950 |", "| 2nd | €1,010 |", "| 3rd | €1,090 |")
def test_a_table_row_agrees_with_its_item_of_a_list(row):
    assert candidates(row, STEPS) == []


@each("| 4th | €1,010 |", "| 6th | €950 |")
def test_a_table_row_that_no_item_gives_is_a_candidate(row):
    assert "number" in {kind for kind, _ in candidates(row, STEPS)}


@each(
    ("Bury the hose at least 2 m away from gas pipes.", True),
    ("Do not bury the hose within 2 m of gas pipes.", True),
    ("Bury the hose at least 3 m away from gas pipes.", False),
    ("Bury the hose within 2 m of gas pipes.", False),
    ("Bury the hose at most 2 m away from gas pipes.", False),
)
def test_not_within_a_distance_means_at_least_that_distance(claim, is_held):
    source = "Do not bury the hose within 2 m of gas pipes."
    assert ("number" not in {kind for kind, _ in candidates(claim, source)}) == is_held


@each(
    ("The wash takes an hour and a quarter.", "The wash takes 75 minutes."),
    ("The flight takes an hour and a half.", "The flight takes 90 minutes."),
    ("The lease runs for two years and a half.", "The lease runs for 30 months."),
)
def test_a_fraction_after_a_duration_belongs_to_it(claim, source):
    assert candidates(claim, source) == []
    assert candidates(claim, source.replace(source.split()[-2], "7")) != []


def test_cents_are_hundredths_of_dollars_or_euros():
    for price in ("€0.09", "$0.09"):
        assert "9" not in pg.support("Each label costs 9 cents.", [f"Each label costs {price}."]).missing
        assert "8" in pg.support("Each label costs 8 cents.", [f"Each label costs {price}."]).missing
    assert "9" in pg.support("Each label costs 9 cents.", ["Each label costs £0.09."]).missing


@each(*table(__file__, "test_the_reason_names_the_values_of_a_calculation"))
def test_the_reason_names_the_values_of_a_calculation(text, claim, told):
    (judged,) = validate(
        {"id": "t", "question": "How much?", "chunks": [{"id": "c", "text": text}], "answer": claim}
    ).claims
    assert (told in judged.reason) if told else ("computed" not in judged.reason)


DAY = 86400.0


def proposed(claim, source):
    """What the finders propose against a claim."""
    contest = Contest(view_of_claim(claim, tokenize(claim)), sources_of(source))
    return candidates_of(contest)


def kinds(claim, source):
    """The kinds that they propose, but for clauses that are laid side by side, which is another finder's."""
    return {found.kind for found in proposed(claim, source)} - {"parallel"}


@each(*table(__file__, "test_a_frequency_is_read"))
def test_a_frequency_is_read(text, period):
    found = often_in(text)
    assert len(found) == 1
    assert found[0].low == found[0].high == pytest.approx(1 / (period * DAY), rel=1e-3)


@each(
    "It costs 5 euros monthly.",
    "It takes 100 requests per minute.",
    "They work 8 hours a day.",
    "Every time it rains, the cellar floods.",
    "Three men came a week later.",
    "The shop is shut on Monday.",
)
def test_values_and_dates_are_not_frequencies(text):
    assert often_in(text) == ()


@each(
    ("at least once a week", "daily", True),
    ("at least once a week", "at least once a month", False),
    ("up to three times a day", "once a day", True),
    ("up to three times a day", "hourly", False),
    ("monthly", "every four weeks", True),
    ("quarterly", "four times a year", True),
    ("twice a year", "yearly", False),
)
def test_limits_and_calendar_units_are_compared(one, other, expected):
    (first,), (second,) = often_in(f"It runs {one}."), often_in(f"It runs {other}.")
    assert agree(first, second) is agree(second, first) is expected


FLUIDS = "The gearbox oil is changed every year and the brake fluid every two years."


@each(
    ("The nets are mended weekly.", "The nets are mended every day."),
    ("The nets are mended once a month.", "The nets are mended daily, the ropes once a month."),
    ("The gearbox oil is changed every month.", FLUIDS),
    ("The brake fluid is changed every year.", FLUIDS),
    ("The ferry runs every day.", "The ferry runs on weekdays."),
    ("The pills are taken daily.", "The pills are taken three times a day."),
)
def test_another_frequency_is_a_candidate(claim, source):
    assert "number" in kinds(claim, source)


@each(
    ("The nets are mended once a day.", "The nets are mended daily, the ropes once a month."),
    ("The bins are emptied every two weeks.", "The bins are emptied fortnightly; the yard every 3 weeks."),
    ("The brake fluid is changed every two years and the oil every year.", FLUIDS),
    ("The ferry runs on Mondays.", "The ferry runs daily."),
    ("The choir meets once a week.", "The choir meets every Wednesday."),
    ("The pills are taken every 8 hours.", "The pills are taken three times a day."),
    ("The pump takes 1 request per second.", "The pump takes 60 requests per minute."),
)
def test_the_same_frequency_is_not_a_candidate(claim, source):
    assert kinds(claim, source) == set()


@each(
    ("The rowers of Hask finished second.", "The rowers of Hask came third.", "number"),
    ("Frost is due on Friday morning.", "Frost is due on Friday night.", "opposed"),
    ("Only half of the members agreed.", "All ten members agreed.", "quantifier"),
    (
        "The spring gives 45 litres of water per day.",
        "The spring gives 45 litres of water per second.",
        "unit",
    ),
)
def test_another_rank_share_or_rate_is_a_candidate(claim, source, kind):
    assert kind in kinds(claim, source)


@each(
    ("The rowers of Hask finished second.", "The rowers of Hask came second."),
    ("The rowers of Hask came last.", "In the end the rowers of Hask came in last place."),
    ("The rowers of Hask came last of all.", "The rowers of Hask came third, behind Ull."),
    ("The rowers of Hask came last week.", "The rowers of Hask came third last week."),
    ("The chapel is the third oldest in Hask.", "The chapel is the third-oldest in Hask."),
    ("First stop, then call the office.", "First stop, second call the office."),
    ("Half the members agreed.", "Half of the members agreed."),
    ("The spring gives 60 litres of water per minute.", "The spring gives 1 litre of water per second."),
)
def test_the_same_rank_share_or_rate_is_not_a_candidate(claim, source):
    assert kinds(claim, source) == set()


#: A source, and a claim with [its value in another form|another value].


def lacks_a_number(claim, source):
    """Whether a value of a claim stands nowhere, or the claim is called contradicted."""
    score = pg.support(claim, [source, "Dogs are welcome."])
    values = set("half past quarter six seven two four three five nine eight hundred fourteen".split())
    lost = [word for word in score.missing if word[0].isdigit() or word.lower() in values]
    return bool(lost) or any(conflict.severity == "error" for conflict in score.conflicts)


@each(*table(__file__, "PAIRS"))
def test_the_same_value_in_another_form_is_found_and_another_value_is_missing(source, marked):
    assert not lacks_a_number(re.sub(r"\[(.*)\|.*\]", r"\1", marked), source)
    assert lacks_a_number(re.sub(r"\[.*\|(.*)\]", r"\1", marked), source)


def test_a_negated_limit_is_the_same_limit():
    score = pg.support("Nothing over 30 kg can be sent.", ["Parcels must not be heavier than 30 kg."])
    assert not [conflict for conflict in score.conflicts if conflict.severity == "error"]


@each(
    # At least so often is not so often.
    ("The pond is cleaned every seven days.", "The pond is cleaned at least once a month."),
    # A later date is no older amount.
    ("They caught 300 more eels.", "They caught 900 eels. In the pond there are 600 carp."),
    # The span of two other dates.
    ("The fair lasts fourteen days.", "The fair opens on 4 June. The market closes on 18 June."),
)
def test_a_similar_value_is_missing(claim, source):
    assert lacks_a_number(claim, source)


#: Source, an answer that gives its value in another form, and an answer with another value.


@each(*table(__file__, "ANSWERS"))
def test_an_answer_passes_with_the_right_value_only(source, right, wrong):
    def status(answer):
        chunk = {"id": "c1", "text": source}
        row = {"id": "value", "question": "What does the note say?", "chunks": [chunk], "answer": answer}
        return pg.validate(row).status

    assert status(right) == "pass"
    assert status(wrong) != "pass"


def test_a_slash_between_units_is_not_a_path():
    found = [one.text for one in identifiers("It moves 45 m³/s, and the log is /var/log/pump.log.")]
    assert found == ["/var/log/pump.log"]


@each(
    ("Repeat step 4 until the slide is dry.", "Repeat the smear until the slide is dry."),
    ("Option 2: Turn the valve off by hand.", "You can turn the valve off by hand."),
    (
        "There are two types of amino acids: essential and non-essential.",
        "Amino acids are essential or non-essential.",
    ),
    ("The difference between the two is their size.", "Rocks and stones differ: the difference is the size."),
    ("Repairs cost several thousand dollars.", "Repairs cost from $3,000 to $9,500."),
)
def test_labels_counts_and_orders_of_magnitude_need_no_source(claim, source):
    missing = pg.support(claim, [source]).missing
    assert not {"4", "2", "two", "thousand"} & set(missing)


@each(
    ("The dose is 4 grams.", "The dose is given in grams.", "4"),
    ("Two nurses check the dose.", "Nurses check the dose.", "Two"),
    ("The warranty covers nine types of damage.", "The warranty covers types of damage.", "nine"),
    ("Repairs cost nine thousand dollars.", "Repairs cost dollars.", "nine"),
    ("It sends 3 mails a day.", "It sends 3 mails.", "day"),
)
def test_a_measurement_without_a_source_is_missing(claim, source, number):
    score = pg.support(claim, [source])
    assert number in score.missing
    assert score.probability < 0.7


def test_a_converted_value_is_the_same_value():
    source = "Bake the bratwurst at 350 °F for 30 minutes. The trail is 26 miles long."
    assert pg.support("Bake the bratwurst at 350 °F (175 °C) for 30 minutes.", [source]).missing == ()
    assert pg.support("The trail is 42 km long.", [source]).missing == ()
    assert "90" in pg.support("The trail is 90 km long.", [source]).missing
    wrong = pg.support("Bake the bratwurst at 350 °F (250 °C) for 30 minutes.", [source])
    assert "250" in wrong.missing


@each(
    ("It is the largest chain in the us.", "It is the largest chain in the united states."),
    ("It is the largest chain in the U.S.", "It is the largest chain in the United States."),
    ("It is the largest chain in the United States.", "It is the largest chain in the USA."),
    ("It is the largest chain in the UK.", "It is the largest chain in the United Kingdom."),
)
def test_a_country_is_found_by_another_of_its_names(claim, source):
    score = pg.support(claim, [source])
    assert not {"us", "U.S.", "UK", "States", "states"} & set(score.missing)
    assert score.probability > 0.9


def test_us_as_a_pronoun_is_not_a_country():
    assert (
        pg.support("They told us that the bridge is closed.", ["The bridge is closed."]).probability
        is not None
    )
    assert "us" in pg.support("Call us in the united kingdom.", ["Call in the united kingdom."]).missing
    assert "state" in pg.support("Call the state office.", ["Call us at the office."]).missing
