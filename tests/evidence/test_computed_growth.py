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


TIMES = "At 8:20 in 25 minutes, 4 of them half as long as 6 others. "


def test_many_times_and_counts_take_linear_work():
    answer = "It ends at 9:40. Half of the 12 are half as long as the others, on average 7 minutes for 6."

    def of(times):
        row = {"id": "many", "question": "When does it end?", "answer": answer}
        return pg.validate({**row, "chunks": [{"id": "c", "text": TIMES * times}]})

    assert grows_at_most(9, lambda: of(150), lambda: of(600), floor=0.02)


CHANGES = "It was raised from 7 to 8 euros. "
TURNS = "Mara: I would like the plan today.\nIvo: It costs 7 euros.\n"


@pytest.mark.parametrize("unit", [CHANGES, TURNS], ids=["changes", "turns"])
def test_many_claims_about_many_replaced_values_take_linear_work(unit):
    # Twice the claims over twice the text: the square costs four times as much, a cube eight times.
    def of(times):
        answer = " ".join(f"The fee is {number} euros." for number in range(20 * times))
        row = {"id": "many", "question": "What is the fee?", "answer": answer}
        return pg.validate({**row, "chunks": [{"id": "c", "text": unit * (100 * times)}]})

    assert grows_at_most(6, lambda: of(2), lambda: of(4), floor=0.02)
