"""Relevance and rating of a retrieval, for any texts."""

import math

import pytest
from every import each, table
from fixed import Broken, Fixed, chunks_of, judge
from hypothesis import given
from hypothesis import strategies as st
from shown import assert_shows

import pytest_grounding as pg
from pytest_grounding.checks.retrieval import retrieval_verdict
from pytest_grounding.checks.retrieval.retrieval_check import rate_retrieval
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import ChunkRelevance
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
from pytest_grounding.settings import Settings

QUESTION = "Who founded Acme?"
ANSWER = "Acme was founded by Jane Roe."
OTHER = "Acme sells robots to bakeries."


def run(*scorers):
    return retrieval_verdict(QUESTION, chunks_of(ANSWER, OTHER), scorers=scorers, settings=Settings())


@pytest.mark.row(7)
@each((0.3, True), (0.299999, False), (0.1 + 0.2, True), (0.3 - 1e-12, True), (0.0, False), (1.0, True))
def test_a_chunk_is_relevant_from_the_threshold_on(score, relevant):
    assert judge(QUESTION, ANSWER, scores=[score]).relevance[0].relevant is relevant


@pytest.mark.row(11)
@each(*table(__file__, "ratings"))
def test_the_rating_of_a_retrieval(texts, scores, expected):
    assert_shows(judge(QUESTION, *texts, scores=scores), expected)


def test_settings_move_the_thresholds():
    assert judge(QUESTION, ANSWER, scores=[0.5], relevance_threshold=0.5).relevance[0].relevant
    assert not judge(QUESTION, ANSWER, scores=[0.5], relevance_threshold=0.51).relevance[0].relevant


def test_uses_the_first_working_scorer():
    first, second = Fixed(0.9, 0.8, name="first"), Fixed(0.1, 0.1, name="second")
    verdict = run(first, second)
    assert (verdict.scorer, verdict.scorer_failures) == ("first", ())
    assert second.calls == 0
    assert first.calls == 1  # one call for all chunks


def test_reports_the_fallback_to_the_next_scorer():
    verdict = run(Broken(name="cohere"), Fixed(0.9, 0.8, name="backup"))
    assert verdict.scorer == "backup"
    (failure,) = verdict.scorer_failures
    assert (failure.scorer, failure.error) == ("cohere", "ScorerError")
    assert str(failure) == "cohere: no cassette for this request"
    assert [item.score for item in verdict.relevance] == [0.9, 0.8]


@each(
    (Fixed(None, None, name="mute"), "mute: could score no chunk (no idea)"),
    (Fixed(0.5, name="short"), "short: gave 1 scores for 2 chunks"),
    (Fixed(math.nan, math.nan, name="nan"), "nan: could score no chunk (the scorer answered not a number)"),
)
def test_a_scorer_without_scores_has_failed(bad, why):
    verdict = run(bad, LexicalScorer())
    assert (verdict.scorer, [*map(str, verdict.scorer_failures)]) == ("builtin", [why])
    assert verdict.scorer_failures[0].error == "ScorerError"


def test_the_last_scorer_may_score_no_chunk():
    verdict = run(Fixed(None, None, name="mute"))
    assert (verdict.scorer, verdict.scorer_failures) == ("mute", ())
    assert [item.reason for item in verdict.relevance] == ["not scored: no idea"] * 2
    verdict = run(Fixed(math.nan, math.nan, name="nan"))
    assert (verdict.scorer, len(verdict.scorer_failures)) == ("", 1)


def test_a_crashing_scorer_has_failed():
    class Crashing(Fixed):
        def relevance(self, *_, **__):
            raise KeyError("results")

    verdict = run(Crashing(name="mine"), Fixed(0.9, 0.8, name="backup"))
    assert (verdict.scorer, [*map(str, verdict.scorer_failures)]) == ("backup", ["mine: KeyError: 'results'"])
    assert verdict.scorer_failures[0].error == "KeyError"


def test_without_a_working_scorer_nothing_is_relevant():
    verdict = run(Broken(name="a"), Broken(name="b"))
    assert (verdict.scorer, len(verdict.scorer_failures)) == ("", 2)
    assert (verdict.rating, verdict.reason) == ("partial", "Partial: relevance could not be scored")
    assert [item.score for item in verdict.relevance] == [None, None]
    assert not any(item.relevant for item in verdict.relevance)
    assert verdict.answer_present != "full"


def test_an_unscored_chunk_does_not_count():
    verdict = run(Fixed(0.8, None))
    assert verdict.relevance[1].score is None
    assert (verdict.mean_relevance, verdict.mean_all) == (0.8, 0.8)
    assert verdict.relevance[1].reason == "not scored: no idea"


@pytest.mark.row(12)
def test_timings_are_not_part_of_the_json():
    verdict = judge(QUESTION, ANSWER)
    assert {"question", "relevance", "presence", "conflicts", "quality", "rating"} == set(verdict.stage_ms)
    assert all(value >= 0 for value in verdict.stage_ms.values())
    assert "stage_ms" not in verdict.model_dump(mode="json")


def judged(*scores):
    return [
        ChunkRelevance(chunk_id=f"c{number}", score=score, relevant=score is not None and score >= 0.3)
        for number, score in enumerate(scores)
    ]


def sure(presence, *scores):
    found = rate_retrieval(judged(*scores), presence, Settings())
    return found.rating, found.confidence, found.confidence_reason


@pytest.mark.row(13)
@each(*table(__file__, "test_confidence_of_the_rating", deep=True))
def test_confidence_of_the_rating(presence, scores, rating, confidence, said):
    found = sure(presence, *scores)
    assert found[0] == rating
    assert found[1] == pytest.approx(confidence)
    assert said in found[2]


SCORES = st.lists(st.integers(0, 100).map(lambda value: value / 100), min_size=1, max_size=6)
PRESENCE = st.sampled_from(["full", "partial", "none", "abstain"])


@given(SCORES, PRESENCE, st.integers(-20, 20))
def test_the_rating_survives_the_stated_shift(scores, presence, hundredths):
    rating, confidence, _ = sure(presence, *scores)
    assert 0.0 <= confidence <= 1.0
    free = round((confidence - 0.5) * 2 * 20) if confidence >= 0.5 else 0
    if abs(hundredths) <= free:
        moved = [round(score + hundredths / 100, 9) for score in scores]
        assert sure(presence, *moved)[0] == rating


def test_verdicts_contain_the_confidence_of_the_rating():
    question = "How long do refunds take?"
    found = pg.validate_retrieval(question, ["Refunds take 14 days.", "Bananas are yellow."])
    assert 0.0 <= found.rating_confidence <= 1.0
    assert found.rating_confidence_reason
    given_ = {"id": "a", "question": question, "answer": "Refunds take 14 days.", "chunks": []}
    assert pg.validate(given_).retrieval.rating_confidence == 1.0
    assert pg.validate_retrieval("How long?", ["x" * 3_000_001]).rating_confidence is None


SENTENCES = st.sampled_from(
    [
        "Acme was founded by Jane Roe in 1990.",
        "It costs 5 euros per month!",
        "Who founded Acme?",
        "To open it, press the button because it is red.",
        "这家公司由王先生创立。",
        "Dr. Smith lives in St. Gallen…",
        "  ",
        "\n\n",
        "- item one\n- item two",
        "U+FFFD \ufffd \u200b \u0301",
    ]
)
TEXTS = st.one_of(st.text(max_size=120), st.lists(SENTENCES, max_size=6).map(" ".join))
QUESTIONS = st.one_of(
    st.sampled_from(
        (
            "Who founded Acme and when?|How much does it cost?|Why is the button red?|How do I open it?|"
            "Is it open?|Which button opens it?|What is Acme?|Where does Dr. Smith live?"
        ).split("|")
    ),
    st.text(min_size=1, max_size=80),
)


@given(QUESTIONS, st.lists(TEXTS, max_size=4))
def test_rates_any_text_with_verbatim_evidence(question, texts):
    chunks = [Chunk(id=str(n), text=text) for n, text in enumerate(texts)]
    verdict = retrieval_verdict(question, chunks, scorers=[LexicalScorer()], settings=Settings())
    again = retrieval_verdict(question, chunks, scorers=[LexicalScorer()], settings=Settings())
    assert verdict.model_dump_json() == again.model_dump_json()
    for piece in verdict.evidence:
        text = chunks[int(piece.chunk_id)].text
        assert text[piece.start : piece.end] == piece.text
        assert piece.before in text
        assert piece.after in text
    assert len(verdict.relevance) == len(chunks)
    assert all(0.0 <= (item.quality or 0.0) <= 1.0 for item in verdict.relevance)
    assert (verdict.rating == "poor") <= (not any(item.relevant for item in verdict.relevance))
    if verdict.answer_present in {"none", "abstain"}:
        assert verdict.evidence == ()
    if verdict.rating == "good":
        assert verdict.answer_present == "full"


@pytest.mark.parametrize("text", ["a ", "to the ", "1 ", "Acme by ", "for the for ", "("])
@pytest.mark.parametrize("question", ["Who founded Acme?", "How much is Acme?"])
def test_rates_hostile_chunks(question, text):
    text *= 60_000 // len(text)
    chunks = [Chunk(id="x", text=text + ". Acme is founded by nobody."), Chunk(id="y", text=text)]
    verdict = retrieval_verdict(question, chunks, scorers=[LexicalScorer()], settings=Settings())
    assert len(verdict.relevance) == 2
