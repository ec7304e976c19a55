"""Values that are calculated, repeated or written in another form."""

import re

import pytest
from every import each, table

import pytest_grounding as pg
from pytest_grounding import validate
from pytest_grounding.evidence.arithmetic import place_of_result
from pytest_grounding.evidence.sentence_view import sources_of, view_of_claim
from pytest_grounding.reading.facts.often import agree, often_in
from pytest_grounding.reading.identifiers import identifiers
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts.conflict_search import candidates_of
from pytest_grounding.scorers.builtin.conflicts.contest import Contest


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


@each(*table(__file__, "test_the_reason_names_the_values_of_a_calculation"))
def test_the_reason_names_the_values_of_a_calculation(text, claim, told):
    (judged,) = validate(
        {"id": "t", "question": "How much?", "chunks": [{"id": "c", "text": text}], "answer": claim}
    ).claims
    assert (told in judged.reason) if told else ("computed" not in judged.reason)


DAY = 86400.0


@each(*table(__file__, "candidates"))
def test_another_value_is_a_candidate_and_the_same_value_is_not(claim, source, kind):
    contest = Contest(view_of_claim(claim, tokenize(claim)), sources_of(source))
    # Clauses that are laid side by side are another finder's.
    found = {found.kind for found in candidates_of(contest)} - {"parallel"}
    assert kind in found if kind else not found


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
    ("The pond is cleaned every seven days.", "The pond is cleaned at least once a month."),
    # A later date is no older amount.
    ("They caught 300 more eels.", "They caught 900 eels. In the pond there are 600 carp."),
    # The span of two other dates.
    ("The fair lasts fourteen days.", "The fair opens on 4 June. The market closes on 18 June."),
)
def test_a_similar_value_is_missing(claim, source):
    assert lacks_a_number(claim, source)


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


@each(*table(__file__, "missing"))
def test_a_value_or_a_country_that_no_source_gives_is_missing(claim, source, missing, fails):
    """What fails by it, and what is surely supported, is named in the table."""
    score = pg.support(claim, [source])
    assert list(score.missing) == missing
    assert fails is None or (score.probability < 0.7 if fails else score.probability > 0.9)
