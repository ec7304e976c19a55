"""Refusals, advice, offers, notes and acknowledgements: what an answer says without a claim."""

import pytest
from every import each, table

import pytest_grounding as pg
from pytest_grounding.claims.sentence_type import is_referral, is_refusal
from pytest_grounding.claims.splitting import extract_claims, is_declined


@each(*table(__file__, "refusals"))
def test_refusals(sentence, refuses):
    assert is_refusal(sentence) is refuses


@each(*table(__file__, "declined"))
def test_an_answer_that_only_refuses_is_declined(answer, declined):
    assert is_declined(extract_claims(answer), answer) is declined


@each(*table(__file__, "test_referrals"))
def test_referrals(sentence, refers):
    assert is_referral(sentence) is refers


DECLINES = table(__file__, "DECLINES")
ANSWERS = table(__file__, "ANSWERS")


def verdict_on(question, answer, text):
    chunks = [{"id": "c1", "text": text, "score": 0.9}]
    return pg.validate({"id": "t", "question": question, "chunks": chunks, "answer": answer})


@pytest.mark.parametrize(("question", "answer"), DECLINES, ids=[answer for _, answer in DECLINES])
def test_declined_answers(question, answer):
    verdict = verdict_on(question, answer, "The Fenwick mill grinds rye and spelt.")
    assert verdict.declined
    assert verdict.abstention == "rightly_declined"


@pytest.mark.parametrize(("question", "answer", "text"), ANSWERS, ids=[answer for _, answer, _ in ANSWERS])
def test_answers_that_look_declined(question, answer, text):
    verdict = verdict_on(question, answer, text)
    assert not verdict.declined
    assert [claim.skip_reason for claim in verdict.claims] == [""]


@each(*table(__file__, "reasons"))
def test_what_is_not_a_claim(answer, question, reasons):
    claims = extract_claims(answer, question=question)
    assert [claim.skip_reason for claim in claims] == reasons
    assert [claim.checked for claim in claims] == [not reason for reason in reasons]


@each(
    ("parental leave is paid in gold coins. The rest", "unsupported", "reject"),
    (
        "you can inspect your file at any time by appointment. How long warnings stay in it",
        "supported",
        "pass",
    ),
)
def test_a_statement_beside_a_refusal_decides(statement, claim, status):
    question = "Can I inspect my file, and how long do warnings stay in it?"
    answer = f"I can answer the part about the file: {statement} isn't covered by the text I have."
    verdict = verdict_on(question, answer, "Employees may inspect their file at any time by appointment.")
    assert [claim.status for claim in verdict.claims] == [claim, "unchecked"]
    assert verdict.status == status
