"""A source that says "Created in 2011" is about the one name in the question, unless it names another."""

import pytest
from every import table

import pytest_grounding as pg


def judged(question, documents, answer):
    chunks = [
        {"id": f"c{number}", "text": text, "metadata": {"title": title}}
        for number, (title, text) in enumerate(documents.items(), 1)
    ]
    return pg.validate({"id": "t", "question": question, "chunks": chunks, "answer": answer})


@pytest.mark.parametrize(("question", "documents", "answer"), table(__file__, "right"))
def test_the_question_supplies_the_subject(question, documents, answer):
    verdict = judged(question, documents, answer)
    assert verdict.status == "pass"
    assert {claim.status for claim in verdict.claims} == {"supported"}


@pytest.mark.parametrize(("question", "documents", "answer"), table(__file__, "wrong"))
def test_a_source_about_something_else_supports_nothing(question, documents, answer):
    verdict = judged(question, documents, answer)
    assert verdict.status != "pass"
    assert verdict.claims[0].status != "supported"
