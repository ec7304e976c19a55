"""A time with a full stop ("7.30 am") equals one with a colon; other values with one are not times."""

from every import each, table

import pytest_grounding as pg
from pytest_grounding.reading.facts import extract_facts

HALF_PAST_SEVEN = "07:30"


def status_of(source, answer):
    chunk = {"id": "c1", "text": source}
    told = {"id": "t", "question": "When is that?", "chunks": [chunk], "answer": f"{answer} [1]"}
    return pg.validate(told).status


@each(*table(__file__, "right"))
def test_the_right_time_passes_in_either_spelling(source, answer):
    assert status_of(source, answer) == "pass"


@each(*table(__file__, "wrong"))
def test_another_time_or_another_value_is_stopped(source, answer):
    assert status_of(source, answer) != "pass"


@each(*table(__file__, "times"))
def test_a_mark_or_a_preposition_makes_it_a_time(text):
    assert [fact.key for fact in extract_facts(text) if fact.kind == "time"][:1] == [HALF_PAST_SEVEN]


@each(*table(__file__, "values"))
def test_other_values_with_a_full_stop_stay_values(text):
    assert [fact.kind for fact in extract_facts(text) if fact.kind == "time"] == []
