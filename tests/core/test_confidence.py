"""Confidence, usefulness and the diagnosis of a verdict."""

import json

import pytest
from counted_calls import calls_of
from every import each, table
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.errors import SettingsError
from pytest_grounding.gate import confidence, decide, rejection
from pytest_grounding.gate.confidence import Signals
from pytest_grounding.model.finding import Finding
from pytest_grounding.settings import Settings

DEFAULTS = Settings()


def signals(**changes):
    values = {
        "empty": False,
        "declined": False,
        "answer_present": "full",
        "relevant": True,
        "support": "full",
        "support_share": 1.0,
        "useful": True,
        "query_type": "default",
        "recorded_scores": (),
        "relevance_scores": (),
        "citations": 0,
        "citations_valid": 0,
        "reasons": {},
    }
    return Signals(**{**values, **changes})


@pytest.mark.parametrize("query_type", ["default", "factual", "conversational"])
@pytest.mark.parametrize("share", [0.01, 0.5, 0.9, 0.99])
def test_partial_support_stays_between_half_and_accept(query_type, share):
    value = confidence.self_rag(signals(support="partial", support_share=share, query_type=query_type)).value
    assert 0.5 <= value <= 0.69


@each("default", "factual", "conversational")
def test_support_and_relevance_bound_self_rag(query_type):
    assert confidence.self_rag(signals(query_type=query_type)).value >= 0.9
    unsupported = signals(support="none", support_share=0.0, query_type=query_type)
    assert confidence.self_rag(unsupported).value < 0.3
    assert confidence.self_rag(signals(relevant=False, query_type=query_type)).value < 0.5


@each(("default", 0.7, [0.3, 0.4, 0.3]), ("factual", 0.75, None), ("conversational", 0.5, None))
def test_weights_of_self_rag(query_type, value, weights):
    useless = confidence.self_rag(signals(useful=False, query_type=query_type))
    assert useless.value == pytest.approx(value)
    assert weights is None or [term.weight for term in useless.terms] == weights


def test_the_lowest_ceiling_applies():
    both = confidence.self_rag(signals(relevant=False, support="none", support_share=0.0))
    assert (both.ceiling, both.ceiling_reason) == (0.29, "no claim is supported")
    assert both.value <= 0.29 or both.value == pytest.approx(0.29)
    assert confidence.self_rag(signals()).ceiling is None


def test_leaves_out_support_when_nothing_was_checked():
    talk = confidence.self_rag(signals(support="unknown", support_share=None))
    assert talk.value == 1.0
    weights = {term.name: term.weight for term in talk.terms}
    assert weights == {"relevance": 0.5, "support": 0.0, "usefulness": 0.5}


@each(("none", 0.9), ("full", 0.3), ("partial", 0.6), ("abstain", 0.6))
def test_a_refusal_is_scored_only_on_usefulness(present, value):
    declined = signals(declined=True, answer_present=present, support="unknown", support_share=None)
    assert confidence.self_rag(declined).value == value


@pytest.mark.row(4)
@each(*table(__file__, "tiers"))
def test_tiers_at_their_edges_and_with_citations(scores, citations, valid, value):
    given = signals(recorded_scores=scores, citations=citations, citations_valid=valid)
    assert confidence.tiered(given).value == pytest.approx(value)


@each(({"recorded_scores": [0.9]}, 0.9, "recorded"), ({}, 0.5, "relevance scorer"))
def test_tiered_prefers_recorded_scores(recorded, value, source):
    term = confidence.tiered(signals(relevance_scores=[0.1], **recorded)).terms[0]
    assert term.value == value
    assert source in term.reason


def test_an_empty_answer_has_confidence_zero_in_every_model():
    found = confidence.measure(signals(empty=True, recorded_scores=[0.95]), DEFAULTS)
    assert {name: item.value for name, item in found.items()} == dict.fromkeys(
        ("learned", "self_rag", "tiered"), 0.0
    )


def test_calibrated_maps_another_confidence(tmp_path):
    file = tmp_path / "map.json"
    file.write_text(json.dumps({"input": "self_rag", "x": [0.0, 0.5, 1.0], "y": [0.1, 0.2, 0.9]}))
    found = confidence.measure(signals(useful=False), Settings(calibration=str(file)))
    assert found["calibrated"].value == pytest.approx(0.2 + 0.2 / 0.5 * 0.7)


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        "{}",
        "not json",
        '{"input": "self_rag", "x": [0, 1], "y": [1, 0]}',
        '{"input": "self_rag", "x": [0.5, 0.5], "y": [0, 1]}',
        '{"input": "mood", "x": [0, 1], "y": [0, 1]}',
        '{"input": "self_rag", "x": [0, 1], "y": [0, 2]}',
    ],
)
def test_rejects_a_malformed_calibration_map(tmp_path, content):
    file = tmp_path / "map.json"
    file.write_text(content)
    with pytest.raises(SettingsError, match="not a calibration map"):
        confidence.measure(signals(), Settings(calibration=str(file)))
    with pytest.raises(SettingsError, match="needs the setting calibration"):
        confidence.measure(signals(), Settings(confidence_model="calibrated"))


@given(
    share=st.none() | st.floats(0, 1),
    relevant=st.none() | st.booleans(),
    useful=st.booleans(),
    query_type=st.sampled_from(["default", "factual", "conversational"]),
    scores=st.lists(st.floats(0, 1), max_size=5),
    citations=st.integers(0, 4),
)
def test_confidences_stay_in_range(share, relevant, useful, query_type, scores, citations):
    support = "unknown" if share is None else "full" if share == 1 else "partial" if share else "none"
    given_signals = signals(
        support=support,
        support_share=share,
        relevant=relevant,
        useful=useful,
        query_type=query_type,
        recorded_scores=scores,
        citations=citations,
        citations_valid=citations // 2,
    )
    for item in confidence.measure(given_signals, DEFAULTS).values():
        assert 0.0 <= item.value <= 1.0


def finding(severity):
    return Finding(rule="r", severity=severity, message="m", suggestion="do this")


@each(*table(__file__, "gate"))
def test_gate(confidence_, rate, support, severities, expected):
    status, reason = decide(
        confidence=float(confidence_),
        hallucination_rate=None if rate is None else float(rate),
        support=support,
        findings=[finding(severity) for severity in severities],
        settings=DEFAULTS,
    )
    assert status == expected
    assert reason


@pytest.mark.row(16)
def test_rejection_payload_is_the_same_on_every_run():
    given = {"reason": "bad", "findings": [finding("error")], "partial_response": "", "audit_id": "k"}
    payload = rejection(status="reject", **given)
    assert payload == rejection(status="reject", **given)
    assert (payload.status, payload.suggestion, payload.audit_id) == ("REJECT", "do this", "k")
    assert rejection(status="pass", **given) is None


ACME = (
    "Acme was founded by Jane Roe. It was founded in 1990 in Lisbon because of a bet. Acme sells pens. "
    "Our office is in Berlin. Refunds take 30 days."
)


def judge(question, answer, text=ACME, **settings):
    transcript = {
        "id": "t",
        "question": question,
        "chunks": [{"id": "c1", "text": text, "score": 0.9, "metadata": {"title": "Annual Report 2023"}}],
        "answer": answer,
    }
    return pg.validate(transcript, settings=settings)


@each(*table(__file__, "useful"))
def test_an_answer_to_another_question_is_not_useful(question, answer, text, is_useful):
    """A number in a marker, a link or a source is no answer; of some answers nothing is said."""
    verdict = judge(question, answer, text or ACME, notes="warn")
    assert ("not_useful" in {cause.rule for cause in verdict.causes}) is (is_useful is False)
    if is_useful is not None:
        assert verdict.self_rag.usefulness.value == ("useful" if is_useful else "not useful")
        assert is_useful or verdict.status != "pass"


UNDATED = "Acme was founded by Jane Roe, who had it built from a mill."


@each(("off", "info", "pass"), ("warn", "warning", "review"), ("error", "error", "reject"))
def test_a_setting_decides_how_severe_not_useful_is(policy, severity, status):
    settings = {"notes": policy, "confidence_model": "self_rag"}
    # No source states when, so that the policy alone decides.
    verdict = judge("When was Acme founded?", "Acme was founded by Jane Roe [1].", UNDATED, **settings)
    assert (verdict.status, verdict.confidence, verdict.confidences["self_rag"]) == (status, 0.75, 0.75)
    terms = {term.name: term.value for term in verdict.confidence_breakdown.terms}
    assert terms == {"relevance": 1.0, "support": 1.0, "usefulness": 0.0}
    (finding,) = (found for found in verdict.findings if found.rule == "not_useful")
    assert finding.severity == severity
    assert finding.message.endswith("a when question, and the answer contains no date")


def test_many_numbers_take_linear_work():
    def calls(count):
        return calls_of(lambda: judge("Where are refunds made?", " ".join(map(str, range(count)))))

    calls(10)
    # Four times as many numbers; the square would cost sixteen times as much.
    assert 0 < calls(2_000) < 5 * calls(500)


REFUND = {"id": "refunds", "text": "Customers can return any item within 30 days of delivery.", "score": 0.9}
SHIPPING = {"id": "shipping", "text": "Standard shipping takes 3 to 5 business days.", "score": 0.8}


@pytest.mark.parametrize(("question", "answer", "ids", "settings", "words"), table(__file__, "diagnosis"))
def test_diagnosis(question, answer, ids, settings, words):
    chunks = [chunk for chunk in (REFUND, SHIPPING) if chunk["id"] in ids]
    verdict = pg.validate({"id": "t", "question": question, "chunks": chunks, "answer": answer}, settings)
    assert words in verdict.diagnosis
