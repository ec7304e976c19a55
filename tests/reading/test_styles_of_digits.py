"""A number in seventy styles: the wrong one never passes, and the right one is read where it can be."""

import json
from pathlib import Path

import pytest

import pytest_grounding as pg

ROWS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
#: Styles whose right number may be asked about: no reader of English takes them for digits.
NOT_READ = 3


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


def test_the_right_number_is_read():
    held = [(style[0], judged(style[1], style[2])) for style in ROWS["styles"]]
    unread = [(name, verdict.claims[0].status) for name, verdict in held if verdict.status != "pass"]
    assert len(unread) <= NOT_READ, unread
