"""Four times as many claims beside four times as many sentences: no square of what is compared."""

from itertools import count

import pytest
from growth import grows_at_most

import pytest_grounding as pg

#: Linear work grows by 4, a square by 16.
MOST = 11
NUMBERS = count()


def names(number):
    """Each claim has one word that its own sentence of the chunk has otherwise."""
    people = [f"Anna{next(NUMBERS)} Smith met" for _ in range(number)]
    return " ".join(f"{one} Bob." for one in people), " ".join(f"{one} Tom." for one in people), ()


def forbidden(number):
    """Each sentence is asked for each fact."""
    start = next(NUMBERS) * 10_000
    said = " ".join(f"Item {start + n} is blue." for n in range(number))
    return said, "Item 1 is blue.", [f"item {start + n} is red" for n in range(number)]


@pytest.mark.parametrize(("made", "few"), [(names, 120), (forbidden, 60)])
def test_pairs_are_found_and_not_tried(made, few):
    def judge(number):
        answer, source, facts = made(number)
        told = {"id": "t", "question": "What?", "chunks": [{"id": "c", "text": source}], "answer": answer}
        return pg.validate(told | {"forbidden": list(facts)})

    assert grows_at_most(MOST, lambda: judge(few), lambda: judge(4 * few), floor=0.03)
