"""The formulas of confidence and the gate, row by row, with their edges."""

import json
import math

import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.errors import SettingsError
from pytest_grounding.gate import confidence, decide, rejection
from pytest_grounding.gate.confidence import Signals
from pytest_grounding.model.finding import Finding
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
    return Signals(**{**values, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize("query_type", ["default", "factual", "conversational"])
@pytest.mark.parametrize("share", [0.01, 0.5, 0.9, 0.99])
def test_partial_support_stays_between_half_and_accept(query_type: str, share: float) -> None:
    value = confidence.self_rag(signals(support="partial", support_share=share, query_type=query_type)).value
    assert 0.5 <= value <= 0.69


@each("default", "factual", "conversational")
def test_the_four_promises_of_self_rag(query_type: str) -> None:
    assert confidence.self_rag(signals(query_type=query_type)).value >= 0.9
    unsupported = signals(support="none", support_share=0.0, query_type=query_type)
    assert confidence.self_rag(unsupported).value < 0.3
    assert confidence.self_rag(signals(relevant=False, query_type=query_type)).value < 0.5


def test_weights_are_those_of_the_table() -> None:
    useless = confidence.self_rag(signals(useful=False))
    assert useless.value == pytest.approx(0.7)
    assert confidence.self_rag(signals(useful=False, query_type="factual")).value == pytest.approx(0.75)
    talk = confidence.self_rag(signals(useful=False, query_type="conversational"))
    assert talk.value == pytest.approx(0.5)
    assert [term.weight for term in useless.terms] == [0.3, 0.4, 0.3]


def test_the_lowest_ceiling_wins_and_is_shown() -> None:
    both = confidence.self_rag(signals(relevant=False, support="none", support_share=0.0))
    assert both.ceiling == 0.29
    assert both.ceiling_reason == "no claim is supported"
    assert both.value == pytest.approx(0.29) or both.value < 0.29
    assert confidence.self_rag(signals()).ceiling is None


def test_with_nothing_checked_the_support_term_is_left_out_and_weights_scale_up() -> None:
    talk = confidence.self_rag(signals(support="unknown", support_share=None))
    assert talk.value == 1.0
    weights = {term.name: term.weight for term in talk.terms}
    assert weights == {"relevance": 0.5, "support": 0.0, "usefulness": 0.5}


@each(("none", 0.9), ("full", 0.3), ("partial", 0.6), ("abstain", 0.6))
def test_a_refusal_is_scored_on_usefulness_alone(present: str, value: float) -> None:
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
def test_tiers_at_their_edges(scores: list[float], base: float) -> None:
    assert confidence.tiered(signals(recorded_scores=scores)).value == pytest.approx(base)


def test_tiered_bonus_and_malus() -> None:
    high = {"recorded_scores": [0.9]}
    assert confidence.tiered(signals(**high, citations=2, citations_valid=2)).value == pytest.approx(1.0)
    assert confidence.tiered(signals(**high, citations=2, citations_valid=1)).value == pytest.approx(0.7)
    assert confidence.tiered(signals(**high)).value == pytest.approx(0.9)
    low = signals(recorded_scores=[0.1], citations=1, citations_valid=0)
    assert confidence.tiered(low).value == pytest.approx(0.3)


def test_tiered_says_whose_scores_it_used() -> None:
    own = confidence.tiered(signals(recorded_scores=[0.9], relevance_scores=[0.1]))
    assert own.terms[0].value == 0.9
    assert "recorded" in own.terms[0].reason
    scorer = confidence.tiered(signals(relevance_scores=[0.1]))
    assert scorer.terms[0].value == 0.5
    assert "relevance scorer" in scorer.terms[0].reason


def test_an_empty_answer_has_confidence_zero_in_every_model() -> None:
    found = confidence.measure(signals(empty=True, recorded_scores=[0.95]), DEFAULTS)
    assert {name: item.value for name, item in found.items()} == dict.fromkeys(
        ("learned", "self_rag", "tiered"), 0.0
    )


def test_calibrated_maps_another_confidence(tmp_path) -> None:
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
def test_a_file_that_is_no_calibration_map_is_refused(tmp_path, content: str) -> None:
    file = tmp_path / "map.json"
    file.write_text(content)
    with pytest.raises(SettingsError, match="not a calibration map"):
        confidence.measure(signals(), Settings(calibration=str(file)))


def test_calibrated_without_a_file_is_a_settings_error() -> None:
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
def test_confidences_stay_in_range(share, relevant, useful, query_type, scores, citations) -> None:
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
    return Finding(rule="r", severity=severity, message="m", suggestion="do this")  # type: ignore[arg-type]


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
def test_gate(confidence_, rate, support, severities, expected) -> None:
    status, reason = decide(
        confidence=confidence_,
        hallucination_rate=rate,
        support=support,
        findings=[finding(severity) for severity in severities],
        settings=DEFAULTS,
    )
    assert status == expected
    assert reason


def test_rejection_payload_is_the_same_on_every_run() -> None:
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
