"""ISUSE: an answer that says something else of its subject, although the chunks state what was asked."""

from __future__ import annotations

import pytest

import pytest_grounding as pg

POOL = "Six lifeguards work at the pool. The pool is heated all year."
HERBARIUM = "The herbarium is kept in Leiden. It was founded by Anna Vos."
TURBINE = "The turbine was designed by Mara Lind. It weighs 4 tonnes."
MARKET = "The flea market ends at 4 p.m. on Saturdays. Stalls cost nothing for children."
TREATY = "The treaty was signed in Utrecht. It ended a long war between the two houses."

BESIDE = [
    (POOL, "How many lifeguards work at the pool?", "The pool is heated all year [1]."),
    (HERBARIUM, "Where is the herbarium kept?", "The herbarium was founded by Anna Vos [1]."),
    (TURBINE, "Who designed the turbine?", "The turbine weighs 4 tonnes [1]."),
    (MARKET, "When does the flea market end?", "Stalls at the flea market cost nothing for children [1]."),
    (TREATY, "Where was the treaty signed?", "The treaty ended a long war [1]."),
]
ANSWERED = [
    (POOL, "How many lifeguards work at the pool?", "Six [1]."),
    (POOL, "How many lifeguards work at the pool?", "The pool, heated all year, has 6 lifeguards [1]."),
    (HERBARIUM, "Where is the herbarium kept?", "In Leiden [1]."),
    (HERBARIUM, "Who founded the herbarium?", "Anna Vos did [1]."),
    (TURBINE, "Who designed the turbine?", "It weighs 4 tonnes, and Mara Lind designed it [1]."),
    (MARKET, "How much does a stall cost for children?", "Stalls cost nothing for children [1]."),
    (TREATY, "What did the treaty do?", "The treaty ended a long war [1]."),
    (
        "The bakery is the oldest in town. It was opened in 1921 by two sisters.",
        "When was the bakery opened?",
        "In 1921 [1].",
    ),
    (
        "The parser library has one maintainer. She is called Noor Haddad.",
        "Who maintains the parser library?",
        "Noor Haddad [1].",
    ),
]


def judged(text: str, question: str, answer: str) -> pg.Verdict:
    chunks = [{"id": "c1", "text": text, "score": 0.9}]
    transcript = {"id": "t", "question": question, "chunks": chunks, "answer": answer}
    return pg.validate(transcript, {"not_useful": "warn"})


@pytest.mark.parametrize(("text", "question", "answer"), BESIDE)
def test_other_statement_is_no_answer(text: str, question: str, answer: str) -> None:
    verdict = judged(text, question, answer)
    assert verdict.claims[0].status == "supported"
    assert (verdict.status, [cause.rule for cause in verdict.causes]) == ("review", ["not_useful"])


@pytest.mark.parametrize(("text", "question", "answer"), ANSWERED)
def test_answer_in_any_form_is_useful(text: str, question: str, answer: str) -> None:
    assert judged(text, question, answer).self_rag.usefulness.value == "useful"
