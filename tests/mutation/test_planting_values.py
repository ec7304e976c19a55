"""What each fault makes of a claim, and that nothing else changes."""

import re

from every import each, table
from planted import afters, made, planted

LEAVE = "Employees get 16 weeks of leave. The notice period is 30 days for managers."


@each(*table(__file__, "planted"))
def test_a_fault_is_planted_only_where_the_claim_becomes_false(fault, answer, chunks, expected):
    """A number that is a date, a label, code or half of a range is left alone, and so is a mere condition."""
    assert afters(fault, made(answer, *chunks)) == set(expected)


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


def test_list_counters_are_left_alone():
    answer = "1. Employees get leave for 16 weeks.\n2. Managers give their notice for 30 days."
    for claim in (0, 1):
        found = afters("new_number", made(answer, LEAVE), claim)
        assert found
        for text in found:
            assert re.match(
                r"(1\. Employees get leave for (?!16)|2\. Managers give their notice for (?!30))", text
            )


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
