"""What is open until six closes at six: the end of a period turns its state."""

import pytest

import pytest_grounding as pg

TURNED = (
    ("The museum is open from 10 am to 6 pm.", "The museum closes at 6 pm."),
    ("The road is closed from 3 May to 9 June.", "The road opens on 9 June."),
    ("The pass is closed until 9 June.", "The pass opens on 9 June."),
    ("The kitchen is open 9:00-17:30.", "The kitchen closes at 17:30."),
    ("The pool stays closed until 10 am.", "The pool opens at 10 am."),
    ("The gate is open 8 am through 9 pm.", "The gate closes at 9 pm."),
)
NOT_TURNED = (
    ("The museum is open from 10 am to 6 pm.", "The museum closes at 10 am."),
    ("The road is closed from 3 May to 9 June.", "The road opens on 3 May."),
    ("The pass is closed from 9 June.", "The pass opens on 9 June."),
    ("The kitchen opens at 9:00.", "The kitchen closes at 9:00."),
    ("The museum opens at 6 pm.", "The museum closes at 6 pm."),
    ("The sale begins on 3 May.", "The sale ends on 3 May."),
)


def status_of(source, answer):
    row = {"id": "page", "question": "When does it open or close?", "answer": answer}
    return pg.validate({**row, "chunks": [{"id": "page", "text": source}]}).status


@pytest.mark.parametrize(("source", "answer"), TURNED)
def test_the_end_of_a_period_turns_its_state(source, answer):
    assert status_of(source, answer) == "pass"


@pytest.mark.parametrize(("source", "answer"), NOT_TURNED)
def test_no_other_point_in_time_does(source, answer):
    assert status_of(source, answer) != "pass"
