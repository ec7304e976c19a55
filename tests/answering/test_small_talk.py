"""Small talk passes as nothing to check; what states something, or leaves a question open, does not."""

import pytest
from every import table

import pytest_grounding as pg

CHUNK = {"id": "c1", "text": "Refunds are paid within 14 days of the return."}


def judged(question, answer, chunks, **settings):
    return pg.validate({"id": "t", "question": question, "chunks": chunks, "answer": answer}, settings)


@pytest.mark.row(27)
@pytest.mark.parametrize("chunks", [[], [CHUNK]], ids=["nothing retrieved", "a chunk"])
@pytest.mark.parametrize(("question", "answer"), table(__file__, "passes"))
def test_small_talk_passes_with_a_note(question, answer, chunks):
    verdict = judged(question, answer, chunks)
    assert verdict.status == "pass"
    assert verdict.hallucination_rate is None
    noted = [(cause.rule, cause.severity) for cause in verdict.causes]
    assert ("nothing_checked", "info") in noted


@pytest.mark.parametrize(("question", "answer"), table(__file__, "held"))
def test_anything_else_is_no_small_talk(question, answer):
    assert judged(question, answer, [CHUNK]).status != "pass"
