"""Answers about code: a cited place answers "where" and holds what was asked for; its words match whole."""

import pytest
from every import table

import pytest_grounding as pg

ENGINE = "class DelegationEngine:\n    def run(self):\n        return self.pool.submit(task)"
FILES = [
    ("src/delegation/engine.py", 45, 58, ENGINE),
    ("app/config.py", 1, 2, "MAX_RETRIES = 5\nTIMEOUT = 30"),
]
CHUNKS = [
    {"id": path, "text": text, "metadata": {"path": path, "line_start": first, "line_end": last}}
    for path, first, last, text in FILES
]


def judged(question, answer):
    return pg.validate({"id": "t", "question": question, "chunks": CHUNKS, "answer": answer})


@pytest.mark.parametrize(("question", "answer"), table(__file__, "right"))
def test_an_answer_whose_cited_lines_hold_it_passes(question, answer):
    verdict = judged(question, answer)
    assert verdict.status == "pass"
    assert [claim.status for claim in verdict.claims] == ["supported"]
    assert not [cause.rule for cause in verdict.causes if cause.rule == "not_useful"]


@pytest.mark.parametrize(("question", "answer"), table(__file__, "wrong"))
def test_another_place_or_another_word_does_not(question, answer):
    assert judged(question, answer).status != "pass"
