"""A number is the same in circles, raised or lowered, on keycaps, in Roman or in another language's words."""

import json
from pathlib import Path

import pytest

import pytest_grounding as pg

ROWS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))


def judged(question, source, answer):
    chunk = {"id": "c1", "text": source}
    return pg.validate({"id": "t", "question": question, "chunks": [chunk], "answer": answer})


@pytest.mark.parametrize(("source", "answer"), ROWS["wrong"])
def test_a_wrong_number_is_seen(source, answer):
    verdict = judged(*ROWS["sources"][source], answer)
    assert verdict.status != "pass"
    assert verdict.claims[0].status in ("contradicted", "unsupported")


@pytest.mark.parametrize(("source", "answer"), ROWS["right"])
def test_the_right_number_is_supported(source, answer):
    verdict = judged(*ROWS["sources"][source], answer)
    assert [claim.status for claim in verdict.claims] == ["supported"]


@pytest.mark.parametrize(("answer", "source"), ROWS["marks"])
def test_marks_exponents_and_words_are_no_such_numbers(answer, source):
    verdict = judged("What do the notes say?", source, answer)
    assert {claim.status for claim in verdict.claims} == {"supported"}
