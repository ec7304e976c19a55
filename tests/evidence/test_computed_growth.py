"""Sources with many numbers: what a claim computes from them grows with their number, not with its square."""

import pytest
from growth import grows_at_most

import pytest_grounding as pg

ANSWER = "5% of the 200 members pay 20 euros every week, 3 more than in 2022."


def judged(chunk):
    row = {"id": "many", "question": "Who pays?", "answer": ANSWER, "chunks": [{"id": "c", "text": chunk}]}
    return pg.validate(row)


@pytest.mark.parametrize("unit", ["7 ", "5% ", "20 euros ", "5,50,7,13\n", "5% off 20 euros. ", "Lot 7. "])
def test_many_values_take_linear_work(unit):
    # Four times as many; the square would cost sixteen times as much.
    assert grows_at_most(9, lambda: judged(unit * 500), lambda: judged(unit * 2000), floor=0.02)
