"""A number in seventy styles: the wrong one never passes, and the right one is read where it can be."""

import json
from pathlib import Path

import pytest

import pytest_grounding as pg

ROWS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))


def judged(text, number):
    question, source, said = ROWS["texts"][text]
    chunk = {"id": "c1", "text": source}
    told = {"id": "t", "question": question, "chunks": [chunk], "answer": said.replace("{}", number)}
    return pg.validate(told)


@pytest.mark.parametrize("style", ROWS["styles"], ids=lambda style: style[0])
def test_a_wrong_number_never_passes(style):
    _, text, _, wrong = style
    verdict = judged(text, wrong)
    assert verdict.status != "pass"
    assert verdict.claims[0].status in ("contradicted", "unsupported")


@pytest.mark.parametrize("style", ROWS["styles"], ids=lambda style: style[0])
def test_the_right_number_is_read(style):
    _, text, right, _ = style
    assert [claim.status for claim in judged(text, right).claims] == ["supported"]


@pytest.mark.parametrize("said", ROWS["no numbers"])
def test_signs_that_are_no_numbers_stay(said):
    chunk = {"id": "c1", "text": said}
    verdict = pg.validate(
        {"id": "t", "question": "What do the notes say?", "chunks": [chunk], "answer": said}
    )
    assert {claim.status for claim in verdict.claims} == {"supported"}
