"""The confidence stays inside the bands of the specification with default settings."""

from dataclasses import replace

import pytest

import pytest_grounding as pg
from pytest_grounding.gate.bands import Band, Standing, band_of, is_close

CHUNKS = [
    "The harbour crane lifts 40 tonnes. It was built in 1931 by Karl Brenner.",
    "Guided tours start at 10:30 and take 50 minutes. A tour costs 12 euros.",
]
QUESTION = "What is known about the harbour crane and the guided tours?"
VERBATIM = [
    "The harbour crane lifts 40 tonnes [1].",
    "The harbour crane was built in 1931 by Karl Brenner [1].",
    "Guided tours start at 10:30 [2].",
    "Guided tours take 50 minutes [2].",
    "A tour costs 12 euros [2].",
]
INVENTED = [
    "The harbour crane lifts 95 tonnes [1].",
    "The harbour crane was built by Otto Lindqvist [1].",
    "Guided tours start at 14:15 [2].",
    "Guided tours take 50 hours [2].",
    "A tour costs 31 euros [2].",
]
#: Without a source, and contradicted by none: a contradiction is an error and rejects at any rate.
UNBACKED = [
    "The harbour crane was built by Otto Lindqvist [1].",
    "The harbour crane was repainted by Nora Falk [1].",
    "A famous choir sings before each concert [2].",
]


def verdict_on(answer, question=QUESTION):
    chunks = [{"id": f"c{number}", "text": text} for number, text in enumerate(CHUNKS, start=1)]
    return pg.validate({"id": "t1", "question": question, "chunks": chunks, "answer": answer})


@pytest.mark.parametrize("claim", VERBATIM)
def test_an_answer_that_repeats_its_sources_has_at_least_nine_tenths(claim):
    verdict = verdict_on(claim)
    assert verdict.status == "pass"
    assert verdict.confidence >= 0.9


@pytest.mark.parametrize("claim", INVENTED)
def test_an_answer_without_support_has_at_most_twenty_nine_hundredths(claim):
    verdict = verdict_on(claim)
    assert verdict.status == "reject"
    assert verdict.confidence <= 0.29


@pytest.mark.parametrize("wrong", UNBACKED)
def test_a_partly_supported_answer_is_a_review_between_half_and_069(wrong):
    verdict = verdict_on(" ".join([*VERBATIM[:4], wrong]))
    assert verdict.hallucination_rate == pytest.approx(0.2)
    assert verdict.status == "review"
    assert 0.5 <= verdict.confidence <= 0.69
    assert verdict.recommendation == "regenerate"


def test_more_wrong_claims_than_the_limit_reject():
    verdict = verdict_on(" ".join([VERBATIM[0], *INVENTED[1:]]))
    assert verdict.status == "reject"
    assert verdict.recommendation == "reject"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When was the town hall painted?", "Guided tours take 50 minutes [2]."),
        ("Which vitamins are in spinach?", "The harbour crane lifts 40 tonnes [1]."),
        ("Who won the chess tournament?", "A tour costs 12 euros [2]."),
    ],
)
def test_an_answer_off_the_question_has_less_than_half(question, answer):
    verdict = verdict_on(answer, question)
    assert any(finding.holds("off_question") for finding in verdict.findings)
    assert verdict.status == "review"
    assert verdict.confidence <= 0.49


def test_a_citation_of_nothing_has_less_than_half():
    assert verdict_on("The harbour crane lifts 40 tonnes [7].").confidence <= 0.49


def test_ceilings_go_before_floors():
    close = Standing("full", 0.0, 0.3, is_close=True)
    assert band_of(close) == Band(0.9, 1.0, "every claim repeats a source")
    for ceiling in ("is_irrelevant", "is_off_question", "has_wrong_citation"):
        assert band_of(replace(close, **{ceiling: True})).high == 0.49
    assert band_of(replace(close, support="none", is_off_question=True)).high == 0.29


def test_a_follow_up_and_a_remark_are_not_off_the_question():
    for question in ("And the other one?", "When did he die?", "I love harbour cranes and ships"):
        verdict = verdict_on("Guided tours take 50 minutes [2].", question)
        assert not any(finding.holds("off_question") for finding in verdict.findings)


@pytest.mark.parametrize(("likeness", "is_repeated"), [(0.94, True), (0.92, False)])
def test_a_claim_repeats_a_sentence_that_is_almost_the_same(likeness, is_repeated):
    (claim,) = verdict_on(VERBATIM[0]).claims
    near = claim.evidence[0].model_copy(update={"score": likeness})
    assert is_close([claim.model_copy(update={"method": "lexical", "evidence": (near,)})]) is is_repeated
