"""Where nothing was scored, and where checking is off, there is no confidence: neither 0 nor 1."""

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding import gate
from pytest_grounding.gate import confidence
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.scorers.protocol import RelevanceScore, SupportScore
from pytest_grounding.settings import Settings

TEXT = "Refunds are paid within 14 days of the return."
TRANSCRIPT = {
    "id": "t",
    "question": "How long do refunds take?",
    "chunks": [{"id": "c", "text": TEXT, "score": 0.9}],
    "answer": f"{TEXT[:-1]} [1].",
}
UNSCORED = {"scorer": "nobody"}


class Nobody:
    """A scorer that scores nothing."""

    name = "nobody"

    def relevance(self, question, chunks, *, language="en"):
        return [RelevanceScore(None, reason="asleep") for _ in chunks]

    def support(self, claims, chunks, *, question="", language="en"):
        return [SupportScore(None, reason="asleep") for _ in claims]


class Extension:
    @pg.hookimpl
    def pytest_grounding_scorers(self, settings):
        return [Nobody()]


@pytest.fixture
def nobody():
    extension = Extension()
    pg.register(extension)
    yield
    pg.unregister(extension)


@each(
    ({"enabled": False}, "validation"),
    ({"hallucination_detection": False}, "hallucination detection"),
    ({"hallucination_detection": False, "confidence_model": "tiered"}, "hallucination detection"),
)
def test_what_is_switched_off_has_no_confidence_and_is_skipped(off, name):
    verdict = pg.validate(TRANSCRIPT, off)
    assert verdict.confidence is None
    assert verdict.confidences == {}
    assert verdict.switched_off == (name,)
    assert (verdict.status, verdict.shown_status, verdict.skipped) == ("review", "skipped", True)
    assert verdict.rejection is None
    assert verdict.recommendation is None
    assert f"{name} is switched off" in verdict.reason
    assert "switched off" in verdict.confidence_breakdown.notes[0]
    assert Verdict.model_validate_json(verdict.to_json()).to_json() == verdict.to_json()


@each(
    ("Refunds are paid within 14 days [9].", "source_exists"),
    ("", "empty_answer"),
    ("Refunds take 14 days [0].", "source_exists"),
)
def test_what_is_still_checked_still_rejects(answer, rule):
    verdict = pg.validate({**TRANSCRIPT, "answer": answer}, {"hallucination_detection": False})
    assert verdict.status == "reject"
    assert not verdict.skipped
    assert rule in {finding.rule for finding in verdict.causes}
    assert verdict.rejection is not None


def test_validation_that_is_off_looks_at_nothing():
    verdict = pg.validate(
        {**TRANSCRIPT, "answer": "Nobody knows [9]. See ../secret.py:1."}, {"enabled": False}
    )
    assert (verdict.claims, verdict.citations) == ((), ())
    assert [finding.rule for finding in verdict.findings] == ["switched_off"]


@pytest.mark.usefixtures("nobody")
@pytest.mark.parametrize(("policy", "status"), [("fail", "reject"), ("warn", "review"), ("pass", "pass")])
def test_claims_that_nobody_could_score_give_no_confidence(policy, status):
    verdict = pg.validate(TRANSCRIPT, {**UNSCORED, "abstained": policy})
    assert not verdict.scored
    assert verdict.confidence is None
    assert verdict.status == status
    assert not verdict.skipped
    assert "no claim could be scored, of 1 checked" in verdict.confidence_breakdown.notes[0]
    # Retrieval scores and citations are there all the same, and the tiered model asks for no more.
    assert verdict.confidences == {"tiered": 1.0}


@pytest.mark.usefixtures("nobody")
def test_the_tiered_confidence_decides_where_it_is_chosen():
    verdict = pg.validate(TRANSCRIPT, {**UNSCORED, "confidence_model": "tiered", "abstained": "pass"})
    assert verdict.confidence == 1.0


@pytest.mark.usefixtures("nobody")
def test_an_answer_that_declines_needs_no_claim():
    asked = {**TRANSCRIPT, "chunks": [{"id": "c", "text": "The cafeteria opens at noon.", "score": 0.1}]}
    verdict = pg.validate({**asked, "answer": "I don't have that information."}, UNSCORED)
    assert verdict.confidence == 0.9


@pytest.mark.usefixtures("nobody")
def test_assertions_say_so_in_one_sentence():
    with pytest.raises(
        AssertionError, match=r"there is no confidence, and at least 0\.70 was asked for: no claim"
    ):
        pg.assert_confidence_at_least(pg.validate(TRANSCRIPT, UNSCORED))
    with pytest.raises(pytest.skip.Exception, match="switched off, so nothing was asserted"):
        pg.assert_confidence_at_least(pg.validate(TRANSCRIPT, {"hallucination_detection": False}))
    with pytest.raises(pytest.skip.Exception, match="switched off, so nothing was asserted"):
        pg.assert_grounded(pg.validate(TRANSCRIPT, {"enabled": False}))


@pytest.mark.usefixtures("nobody")
def test_self_correction_copes_without_a_confidence():
    asked: list[str] = []

    def generate(prompt: str) -> str:
        asked.append(prompt)
        return "Refunds take 14 days [1]."

    verdict = pg.self_correct(TRANSCRIPT, generate, UNSCORED)
    assert verdict.confidence_gain is None
    assert [attempt.confidence for attempt in verdict.attempts] == [None] * 3
    asked.clear()
    verdict = pg.self_correct(TRANSCRIPT, generate, {"hallucination_detection": False})
    assert verdict.skipped
    assert asked == []  # there is nothing to correct


def test_what_breaks_or_is_too_large_has_none_either():
    found = pg.validate({**TRANSCRIPT, "answer": "x " * 600_000})
    assert found.status == "reject"
    assert found.confidence is None
    assert "too_large" in {finding.rule for finding in found.causes}


def test_a_calibration_map_maps_no_confidence_to_none(tmp_path):
    file = tmp_path / "map.json"
    file.write_text('{"input": "self_rag", "x": [0, 1], "y": [0.1, 0.9]}')
    found = {"self_rag": confidence.none_of("self_rag", "nobody scored")}
    mapped = confidence.calibrated(found, confidence.load_calibration(str(file)))
    assert (mapped.value, mapped.notes) == (None, ("nobody scored",))


def test_a_number_that_is_none_still_never_passes():
    status, _ = gate.decide(
        confidence=float("nan"), hallucination_rate=0.0, support="full", findings=(), settings=Settings()
    )
    assert status == "reject"


def test_a_verdict_of_old_is_still_read():
    old = pg.validate(TRANSCRIPT).as_dict()
    old["switched_off"] = ["hallucination detection"]
    verdict = Verdict.model_validate(old)
    assert (verdict.confidence, verdict.skipped, verdict.shown_status) == (old["confidence"], False, "pass")
