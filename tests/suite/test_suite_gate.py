import math

import pytest
from every import each
from made_verdicts import citation, claim, verdict

from pytest_grounding.gate import fails
from pytest_grounding.model.run_report import Problem, RunFacts, RunReport
from pytest_grounding.settings import Settings
from pytest_grounding.suite.suite_figures import COMPARE, decide_suite


def gate_of(verdicts, facts=None, **settings):
    return decide_suite(RunReport.of(verdicts, facts), Settings(**settings)).gate


def threshold(gate, name):
    return next(item for item in gate.thresholds if item.name == name)


def many(number, **more):
    return [verdict(f"t{index:03}", **more) for index in range(number)]


def test_rates_are_sums_over_claims_and_not_means_of_answers():
    long = verdict("long", claims=[claim(index=i) for i in range(9)])
    short = verdict("short", claims=[claim("unsupported")])
    gate = gate_of([long, short])
    figure = threshold(gate, "hallucination_rate")
    assert (figure.count, figure.total, figure.value) == (1, 10, 0.1)
    assert figure.outcome == "pass"
    assert figure.low < 0.1 < figure.high


@pytest.mark.row(38)
@each(
    ("citation_accuracy", {"citations": [citation(), citation(valid=False, index=1)]}, 1),
    ("ungrounded_answers", {"citations": [citation(valid=False)]}, 2),
    ("hallucination_rate", {"claims": [claim("contradicted")]}, 2),
    ("confident_share", {"confidence": 0.69}, 0),
    ("with_confidence", {"confidence": math.nan, "reported_confidence": 0.9}, 0),
)
def test_each_threshold_can_fail_the_suite(name, bad, count):
    gate = gate_of(many(2, **bad))
    assert threshold(gate, name).outcome == "fail"
    assert gate.status == "fail"
    assert any(threshold(gate, name).label in reason for reason in gate.reasons)
    good = threshold(gate_of(many(2, reported_confidence=0.9)), name)
    assert good.outcome == "pass"


def test_limits_are_strict_or_not_as_specified():
    seven_of_ten = many(7) + [verdict(f"low{i}", confidence=0.5) for i in range(3)]
    assert threshold(gate_of(seven_of_ten), "confident_share").outcome == "fail"
    one_of_hundred = [*many(99), verdict("bad", citations=[citation(valid=False)])]
    assert threshold(gate_of(one_of_hundred), "ungrounded_answers").outcome == "fail"
    assert threshold(gate_of(one_of_hundred), "citation_accuracy").outcome == "pass"
    assert threshold(
        gate_of(one_of_hundred, suite_max_ungrounded_answers=0.011), "ungrounded_answers"
    ).outcome == ("pass")


def test_nothing_to_measure_is_neither_zero_nor_a_pass():
    gate = gate_of([verdict("a", claims=[claim("unchecked", skip_reason="greeting")], citations=[])])
    assert threshold(gate, "hallucination_rate").value is None
    assert threshold(gate, "hallucination_rate").outcome == "nothing"
    assert threshold(gate, "citation_accuracy").outcome == "nothing"
    assert gate.status == "pass"
    assert any("no claim" in note for note in gate.notes)
    assert gate_of([verdict("a", claims=[])], nothing_checked="fail").status == "fail"
    assert gate_of([verdict("a", claims=[])], nothing_checked="pass").notes == ()


@each(*sorted(COMPARE))
def test_nan_never_passes(compare):
    assert not COMPARE[compare](math.nan, 0.5)
    assert not COMPARE[compare](0.5, math.nan)


def test_claims_that_were_not_scored_follow_their_policy():
    abstained = [verdict("a", claims=[claim(), claim("abstained", index=1)])]
    assert gate_of(abstained).status == "fail"
    assert gate_of(abstained, abstained="warn").notes == ("1 claim could not be scored",)
    assert gate_of(abstained, abstained="pass").status == "pass"


def test_a_narrowed_run_is_undecided_unless_a_whole_one_is_required():
    facts = RunFacts(narrowed=("-k refund",))
    gate = gate_of(many(2, confidence=0.1), facts)
    assert (gate.status, gate.suite) == ("undecided", "undecided")
    assert threshold(gate, "confident_share").outcome == "fail"
    assert gate_of(many(2), facts, partial_runs="fail").status == "fail"


def test_transcripts_that_failed_count_in_a_narrowed_run_too():
    gate = gate_of(many(2), RunFacts(narrowed=("-k x",), failed=("t001",)))
    assert (gate.status, gate.suite) == ("fail", "undecided")
    assert "1 transcript failed: t001 (1 passed by the gate)" in gate.reasons


def test_an_interrupted_run_decides_nothing():
    assert gate_of(many(2), RunFacts(interrupted=("interrupted",))).suite == "undecided"


def test_rows_that_cannot_be_read_fail_the_run():
    gate = gate_of(many(2), RunFacts(problems=(Problem(place="x.jsonl:3", message="m"),)))
    assert gate.status == "fail"
    assert "1 row could not be read: x.jsonl:3" in gate.reasons


@each(("fail", "fail"), ("warn", "pass"), ("pass", "pass"))
def test_missing_transcripts_follow_their_policy(policy, status):
    gate = gate_of(many(2), RunFacts(missing={"gone": "its worker crashed"}), missing=policy)
    assert gate.status == status
    said = " ".join((*gate.reasons, *gate.notes))
    assert ("gone (its worker crashed)" in said) == (policy != "pass")


@each(("fail", "fail"), ("warn", "pass"), ("pass", "pass"))
def test_an_empty_run_follows_its_policy(policy, status):
    assert gate_of([], RunFacts(promised=("--grounding",)), missing=policy).status == status


def test_fewer_than_expected_fail():
    assert gate_of(many(2), expect=2).status == "pass"
    gate = gate_of(many(2), expect=3)
    assert gate.reasons == ("2 transcripts validated, at least 3 expected",)


def test_two_contents_under_one_id_name_both_places():
    first = verdict("a", source="x.jsonl", line=1)
    second = verdict("a", source="y.jsonl", line=7, transcript_hash="other")
    gate = gate_of([first, second])
    assert gate.status == "fail"
    assert "x.jsonl:1" in gate.reasons[0]
    assert "y.jsonl:7" in gate.reasons[0]
    made = gate_of([first, verdict("a", transcript_hash="other")])
    assert made.status == "pass"
    assert "share the id 'a'" in made.notes[0]


def test_disabled_checks_are_not_passed():
    assert gate_of(many(2), enabled=False).suite == "off"
    assert gate_of(many(2), suite="off").suite == "off"
    off = gate_of(many(2, claims=[]), hallucination_detection=False)
    assert threshold(off, "hallucination_rate").outcome == "off"


def test_expected_failures_are_in_no_figure():
    decided = decide_suite(RunReport.of(many(1), RunFacts(expected=("bad", "t000"))), Settings())
    assert decided.summary.expected_failures == 1
    assert decided.summary.transcripts == 1


@each(
    ("pass", "review", False),
    ("review", "review", True),
    ("review", "reject", False),
    ("reject", "review", True),
    ("reject", "reject", True),
)
def test_when_a_transcript_fails_on_its_own(status, fail_on, failed):
    assert fails(verdict(status=status), Settings(fail_on=fail_on)) is failed


def test_an_unmentioned_list_entry_counts_only_when_invalid():
    entry = {"syntax": "list", "start": -1, "end": -1, "text": ""}
    unmentioned = verdict("a", citations=[citation(), citation(index=1, **entry)])
    assert threshold(gate_of([unmentioned]), "citation_accuracy").total == 1
    invented = verdict("a", citations=[citation(), citation(valid=False, index=1, **entry)])
    assert threshold(gate_of([invented]), "citation_accuracy").value == 0.5
