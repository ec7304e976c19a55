"""Numbers, units and dates: the planted value is another one, and nothing else changes."""

import re

from every import each
from planted import afters, made, planted

LEAVE = "Employees get 16 weeks of leave. The notice period is 30 days for managers."


def test_a_new_number_is_in_no_chunk_and_far_from_the_old_one():
    found = afters("new_number", made("Employees get 16 weeks of leave [1].", LEAVE))
    assert len(found) > 3
    for text in found:
        match = re.fullmatch(r"Employees get (\d+) weeks of leave \[1\]\.", text)
        assert match, text
        assert int(match[1]) >= 22
        assert match[1] not in {"16", "30"}


@each(
    ("new_number", "It costs $1,200 a year.", r"It costs \$\d,\d{3} a year\."),
    ("new_number", "It weighs 4.5 tons when empty.", r"It weighs \d+\.\d tons when empty\."),
    ("new_number", "Only 40% of the visitors return.", r"Only \d\d?% of the visitors return\."),
    ("date", "The bridge was opened in 1926 by the king.", r"The bridge was opened in 19\d\d by the king\."),
    ("date", "The fair starts in June every year.", r"The fair starts in [A-Z][a-z]+ every year\."),
    ("date", "The market is held on Friday.", r"The market is held on [A-Z][a-z]+day\."),
    ("date", "It is closed on 25 December.", r"It is closed on 25 [A-Z][a-z]+\."),
    ("date", "The file was changed on 2021-11-03.", r"The file was changed on \d{4}-11-03\."),
)
def test_a_planted_value_keeps_the_form_of_the_old_one(fault, answer, pattern):
    found = afters(fault, made(answer, answer))
    assert found
    assert answer not in found
    for text in found:
        assert re.fullmatch(pattern, text), text


@each(
    "The museum opened in 1926 near the harbor [1].",  # a date
    "Passage 2 describes the museum at the harbor.",  # a label
    "See Section 43(6) of the Act for the details.",
    "Call 0800 555 010 to block the card.",  # a telephone number
    "The bake takes 10-15 minutes in the oven.",  # half of a range
    "The option is set in `limit=30` of the file.",  # code
)
def test_what_only_looks_like_a_number_is_left_alone(answer):
    assert afters("new_number", made(answer, answer)) == set()


def test_list_counters_are_left_alone():
    answer = "1. Employees get leave for 16 weeks.\n2. Managers give their notice for 30 days."
    for claim in (0, 1):
        found = afters("new_number", made(answer, LEAVE), claim)
        assert found
        for text in found:
            assert re.match(
                r"(1\. Employees get leave for (?!16)|2\. Managers give their notice for (?!30))", text
            )


def test_a_swapped_number_comes_from_the_chunks():
    found = afters("swapped_number", made("Employees get 16 weeks of leave [1].", LEAVE))
    assert found == {"Employees get 30 weeks of leave [1]."}


def test_a_number_is_not_swapped_for_another_true_one():
    equal = made("It costs 1200 euros a year.", "It costs 1200 euros a year. In other words 1,200 euros.")
    assert afters("swapped_number", equal) == set()
    said = made("The fee is 5 euros.", "The fee is 5 euros for adults. For groups the fee is 7 euros.")
    assert afters("swapped_number", said) == set()


def test_a_unit_changes_and_its_number_stays():
    chunk = "The battery lasts 10 hours and weighs 300 grams. It costs $90."
    assert afters("unit", made("The battery lasts 10 hours.", chunk)) == {"The battery lasts 10 days."}
    assert afters("unit", made("It weighs 300 grams.", chunk)) == {"It weighs 300 kilograms."}
    assert afters("unit", made("It costs $90 in the shop.", chunk)) == {"It costs €90 in the shop."}
    assert afters("unit", made("It is made in many hours.", chunk)) == set()


def test_a_unit_is_not_planted_where_the_chunks_say_it_too():
    chunk = "The notice period is 14 days. In some contracts the notice period is 14 weeks."
    assert afters("unit", made("The notice period is 14 days.", chunk)) == set()


@each("You may 5 times try.", "The verse is Matthew 22:39 there.", "It is 2000 mg.")
def test_what_only_looks_like_a_date_is_left_alone(answer):
    assert afters("date", made(answer, answer)) == set()


def test_provider_spans_move_along():
    answer = "Employees get 16 weeks of leave. Managers give notice."
    spans = [
        {"start": 14, "end": 31, "text": "16 weeks of leave", "chunk_ids": ["c1"]},
        {"start": 33, "end": 53, "text": "Managers give notice", "chunk_ids": ["c1"]},
    ]
    mutant = planted("unit", made(answer, LEAVE, citations=spans))
    assert [span.text for span in mutant.transcript.citations] == [
        "16 months of leave",
        "Managers give notice",
    ]
    assert mutant.transcript.citations[1].start == 34
