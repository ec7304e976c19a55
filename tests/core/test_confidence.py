"""Confidence, usefulness and the diagnosis of a verdict."""

import json
import math

import pytest
from counted_calls import calls_of
from every import each
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


@each(
    ([], 0.5),
    ([0.69], 0.5),
    ([0.7], 0.7),
    ([0.1] * 7 + [0.7 * 8 - 0.7], 0.7),
    ([0.8499], 0.7),
    ([0.85], 0.9),
    ([1.0, 0.7], 0.9),
    # 0.1 + 0.2 style sums: the mean of these is 0.7 but for the last bit.
    ([0.6, 0.7, 0.8], 0.7),
    ([0.84, 0.85, 0.86], 0.9),
)
def test_tiers_at_their_edges(scores, base):
    assert confidence.tiered(signals(recorded_scores=scores)).value == pytest.approx(base)


@each((0.9, 2, 2, 1.0), (0.9, 2, 1, 0.7), (0.9, 0, 0, 0.9), (0.1, 1, 0, 0.3))
def test_citations_change_the_tier(score, citations, valid, value):
    found = confidence.tiered(signals(recorded_scores=[score], citations=citations, citations_valid=valid))
    assert found.value == pytest.approx(value)


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


@each(
    (0.7, 0.0, "full", [], "pass"),
    (0.7, None, "unknown", ["info"], "pass"),
    (0.699, 0.0, "full", [], "review"),
    (0.9, 0.0, "full", ["warning"], "review"),
    (0.9, 0.0, "full", ["error"], "reject"),
    (0.9, 0.0, "partial", [], "review"),
    (0.4, 0.0, "full", [], "review"),
    (0.399, 0.0, "full", [], "reject"),
    (0.9, 0.3, "partial", [], "review"),
    (0.9, 0.31, "partial", [], "reject"),
    (math.nan, 0.0, "full", [], "reject"),
    (0.9, math.nan, "full", [], "reject"),
)
def test_gate(confidence_, rate, support, severities, expected):
    status, reason = decide(
        confidence=confidence_,
        hallucination_rate=rate,
        support=support,
        findings=[finding(severity) for severity in severities],
        settings=DEFAULTS,
    )
    assert status == expected
    assert reason


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


def value(verdict):
    return verdict.self_rag.usefulness.value


def rules(verdict):
    return {cause.rule for cause in verdict.causes}


#: Question -> answers that do not address it; a number in a marker, link or source does not count.
NOT_ADDRESSED = {
    "When was Acme founded?": (
        "Acme was founded by Jane Roe [1].",
        "Acme was founded by Jane Roe (Source: Annual Report 2023).",
        "Acme was founded by Jane Roe (Annual Report 2023).",
        "Acme was founded by Jane Roe ([history](https://acme.example/2021)).",
        "Acme was founded by Jane Roe【4:0†report-2020.pdf】.",
        "Acme was founded by Jane Roe https://acme.example/2021/05.",
    ),
    "How many people work at Acme?": ("Acme sells pens [1].",),
    "How much does a pen cost?": ("Acme sells pens (see section 4.2).",),
    "Who founded Acme?": ("Acme was founded in 1990 [1].", "Acme was founded in Lisbon [1]."),
    "Where was Acme founded?": ("Acme was founded by Jane Roe [1].", "Acme was founded in 1990 [1]."),
    "Which city was Acme founded in?": ("Acme was founded in 1990 [1].",),
    "Why was Acme founded?": ("Acme was founded in 1990 [1].", "Acme was founded [1]."),
    "How long do refunds take?": ("Our office is in Berlin [1].",),
    "What is the refund policy?": ("Our office is in Berlin [1].",),
    "Which products does Acme sell?": ("Our office is in Berlin [1].",),
    "Is Acme profitable?": ("Our office is in Berlin [1].", "Acme sells pens [1]."),
}
ADDRESSED = {
    "When was Acme founded?": ("Acme was founded in 1990 [1].",),
    "Who founded Acme?": ("Jane Roe.", "Acme was founded by Jane Roe [1]."),
    "Where was Acme founded?": ("Acme was founded in Lisbon [1].",),
    "Why was Acme founded?": ("Acme was founded because of a bet [1].", "Because of a bet [1]."),
    "How long do refunds take?": ("30 days.", "Thirty days [1]."),
    "Which products does Acme sell?": ("Pens.",),
    "Does Acme sell pens?": ("Yes [1].",),
    "Which city is the office in?": ("Berlin.",),
    "Who stars in the film?": ("ryan gosling, emma stone",),
    "What is the password?": ("swordfish",),
}


@each(*((question, answer) for question, answers in NOT_ADDRESSED.items() for answer in answers))
def test_an_answer_to_another_question_is_not_useful(question, answer):
    verdict = judge(question, answer, not_useful="warn")
    assert value(verdict) == "not useful"
    assert "not_useful" in rules(verdict)
    assert verdict.status != "pass"


@each(*((question, answer) for question, answers in ADDRESSED.items() for answer in answers))
def test_an_answer_to_the_question_is_useful(question, answer):
    verdict = judge(question, answer)
    assert value(verdict) == "useful"
    assert "not_useful" not in rules(verdict)


def test_an_answer_that_is_not_useful_needs_review():
    verdict = judge(
        "When was Acme founded?",
        "Acme was founded by Jane Roe [1].",
        not_useful="warn",
        confidence_model="self_rag",
    )
    assert verdict.status == "review"
    assert verdict.confidence == verdict.confidences["self_rag"] == 0.75
    terms = {term.name: term.value for term in verdict.confidence_breakdown.terms}
    assert terms == {"relevance": 1.0, "support": 1.0, "usefulness": 0.0}
    finding = next(f for f in verdict.findings if f.rule == "not_useful")
    assert finding.severity == "warning"
    assert finding.message.endswith("a when question, and the answer contains no date")


@each(("off", "info", "pass"), ("warn", "warning", "review"), ("error", "error", "reject"))
def test_a_setting_decides_how_severe_not_useful_is(policy, severity, status):
    verdict = judge("When was Acme founded?", "Acme was founded by Jane Roe [1].", not_useful=policy)
    assert [f.severity for f in verdict.findings if f.rule == "not_useful"] == [severity]
    assert verdict.status == status
    assert verdict.confidences["self_rag"] == 0.75


@each(
    *(("When was Acme founded?", answer, ACME) for answer in ("", "I don't have that information.", "   ")),
    ("How much does a pen cost?", "The sources do not say what a pen costs. Acme sells pens [1].", ACME),
    ("Wann wurde Acme gegründet?", "Acme verkauft Stifte [1].", "Acme verkauft Stifte."),
    ("Acme 创立于何时？", "Acme 卖笔 [1]。", "Acme 卖笔。"),
    ("leasing meaning", "Renting for a term [1].", "Renting for a term."),
    ("And then?", "Acme sells pens [1].", "Acme sells pens."),
    ("I ride for transportation.", "Cyclists are called bikers too [1].", "Cyclists are called bikers too."),
    ("Where did he grow up?", "Roe is a founder [1].", "Roe is a founder of Acme."),
)
def test_does_not_judge_the_usefulness_of(question, answer, text):
    assert "not_useful" not in rules(judge(question, answer, text))


def test_many_numbers_take_linear_work():
    def calls(count):
        return calls_of(lambda: judge("Where are refunds made?", " ".join(map(str, range(count)))))

    calls(10)
    # Four times as many numbers; the square would cost sixteen times as much.
    assert 0 < calls(2_000) < 5 * calls(500)


REFUND = {"id": "refunds", "text": "Customers can return any item within 30 days of delivery.", "score": 0.9}
SHIPPING = {"id": "shipping", "text": "Standard shipping takes 3 to 5 business days.", "score": 0.8}
QUESTION = "Within how many days can customers return an item?"
REFUSAL = "I'm sorry, but the provided documents do not contain that information."
GOOD = "Customers can return any item within 30 days of delivery"
INVENTED = "Platinum travellers enjoy complimentary airport lounges worldwide."


@each(
    (f"{GOOD} [1].", [REFUND, SHIPPING], {}, "Nothing failed"),
    ("", [REFUND, SHIPPING], {}, "Generation: the answer is empty"),
    (REFUSAL, [REFUND, SHIPPING], {}, "declined although the answer was there"),
    (f"{GOOD} [9].", [REFUND, SHIPPING], {}, "Citation: 1 citation of 1 cannot be right"),
    (f"{GOOD} [2].", [REFUND, SHIPPING], {}, "[2] cites the wrong chunk; chunk refunds backs the claim"),
    (f"{GOOD}.", [REFUND, SHIPPING], {"require_citations": "error"}, "does not cite its sources"),
    (f"{INVENTED}", [REFUND, SHIPPING], {}, "the answer ignored what was retrieved"),
    (f"{INVENTED}", [], {}, "answered although it was not there"),
    (GOOD.replace("30", "45"), [REFUND, SHIPPING], {}, "contradicts what was retrieved"),
)
def test_diagnosis(answer, chunks, settings, words):
    verdict = pg.validate({"id": "t", "question": QUESTION, "chunks": chunks, "answer": answer}, settings)
    assert words in verdict.diagnosis


def test_diagnosis_of_a_correct_refusal():
    question = "Who founded the observatory of Greenwich?"
    verdict = pg.validate({"id": "t", "question": question, "chunks": [REFUND], "answer": REFUSAL})
    assert "Retrieval missed the answer, and the answer rightly says so" in verdict.diagnosis
