"""Confidence, usefulness and the diagnosis of a verdict."""

import json
import math
import subprocess

import pytest
import warm_starts
from counted_calls import calls_of
from every import each
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.checks import selfrag
from pytest_grounding.errors import SettingsError
from pytest_grounding.gate import confidence, decide, rejection
from pytest_grounding.gate.confidence import Signals
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.questions import analyse
from pytest_grounding.settings import Settings

DEFAULTS = Settings()


def signals(**changes: object) -> Signals:
    values: dict[str, object] = {
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
def test_the_four_promises_of_self_rag(query_type):
    assert confidence.self_rag(signals(query_type=query_type)).value >= 0.9
    unsupported = signals(support="none", support_share=0.0, query_type=query_type)
    assert confidence.self_rag(unsupported).value < 0.3
    assert confidence.self_rag(signals(relevant=False, query_type=query_type)).value < 0.5


def test_weights_are_those_of_the_table():
    useless = confidence.self_rag(signals(useful=False))
    assert useless.value == pytest.approx(0.7)
    assert confidence.self_rag(signals(useful=False, query_type="factual")).value == pytest.approx(0.75)
    talk = confidence.self_rag(signals(useful=False, query_type="conversational"))
    assert talk.value == pytest.approx(0.5)
    assert [term.weight for term in useless.terms] == [0.3, 0.4, 0.3]


def test_the_lowest_ceiling_wins_and_is_shown():
    both = confidence.self_rag(signals(relevant=False, support="none", support_share=0.0))
    assert both.ceiling == 0.29
    assert both.ceiling_reason == "no claim is supported"
    assert both.value == pytest.approx(0.29) or both.value < 0.29
    assert confidence.self_rag(signals()).ceiling is None


def test_with_nothing_checked_the_support_term_is_left_out_and_weights_scale_up():
    talk = confidence.self_rag(signals(support="unknown", support_share=None))
    assert talk.value == 1.0
    weights = {term.name: term.weight for term in talk.terms}
    assert weights == {"relevance": 0.5, "support": 0.0, "usefulness": 0.5}


@each(("none", 0.9), ("full", 0.3), ("partial", 0.6), ("abstain", 0.6))
def test_a_refusal_is_scored_on_usefulness_alone(present, value):
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


def test_tiered_bonus_and_malus():
    high = {"recorded_scores": [0.9]}
    assert confidence.tiered(signals(**high, citations=2, citations_valid=2)).value == pytest.approx(1.0)
    assert confidence.tiered(signals(**high, citations=2, citations_valid=1)).value == pytest.approx(0.7)
    assert confidence.tiered(signals(**high)).value == pytest.approx(0.9)
    low = signals(recorded_scores=[0.1], citations=1, citations_valid=0)
    assert confidence.tiered(low).value == pytest.approx(0.3)


def test_tiered_says_whose_scores_it_used():
    own = confidence.tiered(signals(recorded_scores=[0.9], relevance_scores=[0.1]))
    assert own.terms[0].value == 0.9
    assert "recorded" in own.terms[0].reason
    scorer = confidence.tiered(signals(relevance_scores=[0.1]))
    assert scorer.terms[0].value == 0.5
    assert "relevance scorer" in scorer.terms[0].reason


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
def test_a_file_that_is_no_calibration_map_is_refused(tmp_path, content):
    file = tmp_path / "map.json"
    file.write_text(content)
    with pytest.raises(SettingsError, match="not a calibration map"):
        confidence.measure(signals(), Settings(calibration=str(file)))


def test_calibrated_without_a_file_is_a_settings_error():
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


def finding(severity: str) -> Finding:
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
    payload = rejection(
        status="reject", reason="bad", findings=[finding("error")], partial_response="", audit_id="k"
    )
    again = rejection(
        status="reject", reason="bad", findings=[finding("error")], partial_response="", audit_id="k"
    )
    assert payload == again
    assert payload is not None
    assert payload.status == "REJECT"
    assert payload.suggestion == "do this"
    assert payload.audit_id == "k"
    assert rejection(status="pass", reason="", findings=[], partial_response="", audit_id="k") is None


ACME = (
    "Acme was founded by Jane Roe. It was founded in 1990 in Lisbon because of a bet. Acme sells pens. "
    "Our office is in Berlin. Refunds take 30 days."
)


def judge(question: str, answer: str, text: str = ACME, **settings: object) -> Verdict:
    transcript = {
        "id": "t",
        "question": question,
        "chunks": [{"id": "c1", "text": text, "score": 0.9, "metadata": {"title": "Annual Report 2023"}}],
        "answer": answer,
    }
    return pg.validate(transcript, settings=settings)


def value(verdict: Verdict) -> str:
    return verdict.self_rag.usefulness.value


def rules(verdict: Verdict) -> set[str]:
    return {cause.rule for cause in verdict.causes}


#: A marker, a link, a source or an address holds the number; the answer itself does not.
ONLY_MARKERS = [
    ("When was Acme founded?", "Acme was founded by Jane Roe [1]."),
    ("When was Acme founded?", "Acme was founded by Jane Roe (Source: Annual Report 2023)."),
    ("When was Acme founded?", "Acme was founded by Jane Roe (Annual Report 2023)."),
    ("When was Acme founded?", "Acme was founded by Jane Roe ([history](https://acme.example/2021))."),
    ("When was Acme founded?", "Acme was founded by Jane Roe【4:0†report-2020.pdf】."),
    ("When was Acme founded?", "Acme was founded by Jane Roe https://acme.example/2021/05."),
    ("How many people work at Acme?", "Acme sells pens [1]."),
    ("How much does a pen cost?", "Acme sells pens (see section 4.2)."),
]

OTHER_KIND = [
    ("Who founded Acme?", "Acme was founded in 1990 [1]."),
    ("Who founded Acme?", "Acme was founded in Lisbon [1]."),
    ("Where was Acme founded?", "Acme was founded by Jane Roe [1]."),
    ("Where was Acme founded?", "Acme was founded in 1990 [1]."),
    ("Which city was Acme founded in?", "Acme was founded in 1990 [1]."),
    ("Why was Acme founded?", "Acme was founded in 1990 [1]."),
    ("Why was Acme founded?", "Acme was founded [1]."),
    ("How long do refunds take?", "Our office is in Berlin [1]."),
]

OFF_TOPIC = [
    ("What is the refund policy?", "Our office is in Berlin [1]."),
    ("Which products does Acme sell?", "Our office is in Berlin [1]."),
    ("Is Acme profitable?", "Our office is in Berlin [1]."),
    ("Is Acme profitable?", "Acme sells pens [1]."),
]

ADDRESSED = [
    ("When was Acme founded?", "Acme was founded in 1990 [1]."),
    ("Who founded Acme?", "Jane Roe."),
    ("Who founded Acme?", "Acme was founded by Jane Roe [1]."),
    ("Where was Acme founded?", "Acme was founded in Lisbon [1]."),
    ("Why was Acme founded?", "Acme was founded because of a bet [1]."),
    ("Why was Acme founded?", "Because of a bet [1]."),
    ("How long do refunds take?", "30 days."),
    ("How long do refunds take?", "Thirty days [1]."),
    ("Which products does Acme sell?", "Pens."),
    ("Does Acme sell pens?", "Yes [1]."),
    ("Which city is the office in?", "Berlin."),
    ("Who stars in the film?", "ryan gosling, emma stone"),
    ("What is the password?", "swordfish"),
]


@each(*(ONLY_MARKERS + OTHER_KIND + OFF_TOPIC))
def test_an_answer_to_something_else_is_not_useful_and_is_held_back(question, answer):
    verdict = judge(question, answer, not_useful="warn")
    assert value(verdict) == "not useful"
    assert "not_useful" in rules(verdict)
    assert verdict.status != "pass"


@each(*ADDRESSED)
def test_an_answer_to_the_question_is_useful(question, answer):
    verdict = judge(question, answer)
    assert value(verdict) == "useful"
    assert "not_useful" not in rules(verdict)


def test_it_alone_holds_the_answer_back_and_lowers_the_term():
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
def test_the_policy_says_how_grave_it_is(policy, severity, status):
    verdict = judge("When was Acme founded?", "Acme was founded by Jane Roe [1].", not_useful=policy)
    assert [f.severity for f in verdict.findings if f.rule == "not_useful"] == [severity]
    assert verdict.status == status
    assert verdict.confidences["self_rag"] == 0.75


@each("", "I don't have that information.", "   ")
def test_an_empty_or_declining_answer_has_findings_of_its_own(answer):
    assert "not_useful" not in rules(judge("When was Acme founded?", answer))


def test_half_an_answer_is_not_judged_by_its_kind():
    answer = "The sources do not say what a pen costs. Acme sells pens [1]."
    assert "not_useful" not in rules(judge("How much does a pen cost?", answer))


@each(
    ("Wann wurde Acme gegründet?", "Acme verkauft Stifte [1].", "Acme verkauft Stifte."),
    ("Acme 创立于何时？", "Acme 卖笔 [1]。", "Acme 卖笔。"),
    ("leasing meaning", "Renting for a term [1].", "Renting for a term."),
    ("And then?", "Acme sells pens [1].", "Acme sells pens."),
    ("I ride for transportation.", "Cyclists are called bikers too [1].", "Cyclists are called bikers too."),
    ("Where did he grow up?", "Roe is a founder [1].", "Roe is a founder of Acme."),
)
def test_other_languages_and_keywords_are_not_judged(question, answer, text):
    assert "not_useful" not in rules(judge(question, answer, text))


def test_a_long_list_of_numbers_costs_no_square():
    question = analyse("Where are refunds made?")

    def calls(count: int) -> int:
        numbers = " ".join(map(str, range(count)))
        return calls_of(lambda: selfrag._holds(numbers, question.parts[0], question))

    calls(10)
    # Four times as many numbers; the square would cost sixteen times as much.
    assert 0 < calls(2_000) < 5 * calls(500)


def test_the_command_line_tells_it_and_fails(tmp_path):
    chunk = {"id": "c1", "text": ACME, "score": 0.9}
    transcript = {
        "id": "t",
        "question": "When was Acme founded?",
        "chunks": [chunk],
        "answer": "Acme was founded by Jane Roe [1].",
    }
    file = tmp_path / "t.json"
    file.write_text(json.dumps(transcript), encoding="utf-8")
    done = subprocess.run(
        [warm_starts.python(), "-m", "pytest_grounding", "check", str(file), "--set", "not_useful=warn"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 1
    assert "the answer does not address the question: a when question" in done.stdout


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


def test_a_right_refusal_points_at_the_retrieval():
    question = "Who founded the observatory of Greenwich?"
    verdict = pg.validate({"id": "t", "question": question, "chunks": [REFUND], "answer": REFUSAL})
    assert "Retrieval missed the answer, and the answer rightly says so" in verdict.diagnosis
