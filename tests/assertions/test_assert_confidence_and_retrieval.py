import math

import pytest
from every import each
from made_verdicts import evidence, verdict

import pytest_grounding as pg
from pytest_grounding.model.verdict import ChunkRelevance, RetrievalVerdict
from pytest_grounding.plugin.assertions import GroundingWarning

pytestmark = pytest.mark.grounding(suite="off")

GOOD = {
    "id": "t",
    "question": "How many vacation days do employees receive per year?",
    "chunks": [
        {"id": "hr-1", "text": "Employees receive 25 vacation days per year. Ask HR.", "score": 0.9},
        {"id": "hr-2", "text": "All employees receive 25 days of paid vacation each year.", "score": 0.8},
    ],
    "answer": "Employees receive 25 vacation days per year [1].",
}
OFF_TOPIC = {**GOOD, "chunks": [{"id": "c", "text": "Bananas are yellow.", "score": 0.1}]}


def failure(call, *arguments, **more):
    with pytest.raises(AssertionError) as caught:
        call(*arguments, **more)
    return str(caught.value)


def retrieved(**more):
    facts = {"rating": "good", "reason": "r", "question_type": "what", "answer_present": "full"}
    return verdict(retrieval=RetrievalVerdict(**{**facts, **more}))


def test_confidence_reaches_its_threshold_or_shows_its_terms():
    found = pg.assert_confidence_at_least(GOOD, 0.9)
    assert found.confidence >= 0.9
    text = failure(pg.assert_confidence_at_least, OFF_TOPIC, 0.7)
    assert "(learned) is below 0.70" in text
    assert "  support: -" in text
    text = failure(pg.assert_confidence_at_least, OFF_TOPIC, 0.7, model="self_rag")
    assert "(self_rag) is below 0.70" in text


def test_each_model_has_its_own_confidence():
    made = verdict(confidence=0.95)
    pg.assert_confidence_at_least(made, 0.5, model="tiered")
    assert "confidence 0.50 (tiered) is below 0.60" in failure(
        pg.assert_confidence_at_least, made, 0.6, model="tiered"
    )
    pg.assert_confidence_at_least(GOOD, 0.7, model="tiered")
    pg.assert_confidence_at_least(GOOD, 0.7, model="self_rag")


def test_confidence_arguments_out_of_range_are_refused():
    for threshold in (math.nan, 70, -1, "high"):
        with pytest.raises(ValueError, match=r"threshold = .* is not a number from 0 to 1"):
            pg.assert_confidence_at_least(GOOD, threshold)
    with pytest.raises(ValueError, match=r"'calibrated' gave no .*, or set calibration = FILE for it$"):
        pg.assert_confidence_at_least(GOOD, 0.7, model="calibrated")
    with pytest.raises(ValueError, match="model = 'vibes' gave no confidence; write one of: "):
        pg.assert_confidence_at_least(GOOD, 0.5, model="vibes")


def test_a_confidence_that_is_not_a_number_never_passes():
    assert "is below 0.00" in failure(pg.assert_confidence_at_least, verdict(confidence=math.nan), 0.0)


@each(
    ("good", "good", True),
    ("partial", "good", False),
    ("partial", "partial", True),
    ("poor", "partial", False),
    ("poor", "poor", True),
)
def test_retrieval_ratings_are_ordered(rating, at_least, passes):
    made = retrieved(rating=rating)
    if passes:
        pg.assert_retrieval_quality(made, at_least)
    else:
        assert f"retrieval is {rating}, at least {at_least} is wanted" in failure(
            pg.assert_retrieval_quality, made, at_least
        )


def test_a_poor_retrieval_shows_each_chunk():
    text = failure(pg.assert_retrieval_quality, OFF_TOPIC)
    assert "chunk c: " in text
    assert "not relevant" in text
    relevance = (ChunkRelevance(chunk_id="x", score=None, relevant=False, reason="not scored"),)
    assert "chunk x: - not relevant not scored" in failure(
        pg.assert_retrieval_quality, retrieved(rating="poor", relevance=relevance), "good"
    )


@each(
    ("full", "full", True),
    ("partial", "full", False),
    ("partial", "partial", True),
    ("none", "partial", False),
)
def test_answer_presence_is_ordered(present, at_least, passes):
    made = retrieved(answer_present=present, presence_reason="because")
    if passes:
        pg.assert_answer_present(made, at_least=at_least)
    else:
        assert f"({present}, {at_least} is wanted): because" in failure(
            pg.assert_answer_present, made, at_least=at_least
        )


def test_unknown_presence_follows_the_policy():
    made = retrieved(answer_present="abstain")
    assert "it is unknown" in failure(pg.assert_answer_present, made)


@pytest.mark.grounding(abstained="warn")
def test_unknown_presence_may_be_a_warning():
    with pytest.warns(GroundingWarning, match="it is unknown"):
        pg.assert_answer_present(retrieved(answer_present="abstain"))


def test_real_presence():
    pg.assert_answer_present(GOOD)
    failure(pg.assert_answer_present, OFF_TOPIC)


def test_evidence_is_compared_after_folding():
    pg.assert_evidence_for(GOOD, "25  VACATION days")
    made = retrieved(evidence=(evidence("It is the company\u2019s \u201cown\u201d rule \u2013 since 2020."),))
    pg.assert_evidence_for(made, 'company\'s "own" rule - since 2020')


def test_missing_evidence_shows_what_was_found():
    text = failure(pg.assert_evidence_for, GOOD, "45 days")
    assert 'no evidence says "45 days"' in text
    assert "evidence that was found:" in text
    assert "[chunk hr-1, sentence 0" in text


def test_wrong_words_are_refused():
    with pytest.raises(
        ValueError, match="at_least = 'great' is not known; write one of: poor, partial, good"
    ):
        pg.assert_retrieval_quality(GOOD, "great")
    with pytest.raises(ValueError, match="at_least"):
        pg.assert_answer_present(GOOD, at_least="none")
    with pytest.raises(ValueError, match="phrase is empty"):
        pg.assert_evidence_for(GOOD, "  ")
