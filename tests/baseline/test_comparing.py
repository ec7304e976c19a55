"""A run against its baseline: pairs by id, what flipped and why, and each of the policies."""

import math

import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st
from made_verdicts import citation, claim, verdict

from pytest_grounding.errors import SettingsError
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.run_report import RunFacts, RunReport
from pytest_grounding.reports.terminal import run_lines
from pytest_grounding.settings import Settings
from pytest_grounding.suite.baseline_file import baseline_of
from pytest_grounding.suite.suite_figures import decide_suite

FACTS = RunFacts()
# The suite's own limits are not what these tests are about.
LOOSE = {
    "suite_min_citation_accuracy": 0,
    "suite_max_ungrounded_answers": 1,
    "suite_max_hallucination_rate": 1,
    "suite_min_confident_share": 0,
}


def accepted(*verdicts, **settings):
    chosen = Settings(**settings)
    return baseline_of(decide_suite(RunReport.of(verdicts), chosen), chosen)


def gate(before, after, facts=FACTS, **settings):
    return decided(before, after, facts, **settings).gate


def decided(before, after, facts=FACTS, **settings):
    report = RunReport.of(after, facts)
    return decide_suite(report, Settings(**{**LOOSE, **settings}), accepted(*before), refresh="write it anew")


def bad(identifier="a", **more):
    found = Finding(rule="source_exists", severity="error", message="there is no source 7")
    facts = {"status": "reject", "reason": "1 error", "confidence": 0.2, "findings": [found]}
    return verdict(identifier, citations=[citation(valid=False)], **{**facts, **more})


def many(*identifiers):
    return [verdict(name) for name in identifiers]


def test_an_unchanged_run_passes():
    found = gate(many("a", "b"), many("a", "b"))
    assert (found.status, found.baseline.outcome, found.baseline.pairs) == ("pass", "pass", 2)
    assert found.baseline.flipped + found.baseline.moved + found.baseline.drift == ()
    assert {item.outcome for item in found.baseline.figures} == {"same"}


def test_names_a_flip_with_its_finding():
    found = gate(many("a", "b"), [bad("a", source="f.json", line=3), verdict("b")])
    (flip,) = found.baseline.flipped
    assert (flip.id, flip.before, flip.after, flip.is_worse) == ("a", "pass", "reject", True)
    assert flip.why == "error source_exists: there is no source 7"
    assert (flip.source, flip.line) == ("f.json", 3)
    assert found.status == "fail"
    assert "baseline: 1 transcript flipped to the worse: a (pass -> reject)" in found.reasons


def test_a_transcript_with_fewer_scored_claims_is_unscored():
    before = verdict("a", claims=[claim(), claim(index=1)])
    fewer = verdict("a", claims=[claim(), claim("abstained", index=1)])
    as_many = verdict("a", claims=[claim(), claim("abstained", index=1), claim(index=2)])
    assert gate([before], [fewer]).baseline.unscored == ("a",)
    assert gate([before], [as_many]).baseline.unscored == ()


def test_a_flip_without_a_finding_gives_the_reason():
    found = gate(many("a"), [verdict("a", status="review", reason="confidence 0.60 is below 0.7")])
    assert found.baseline.flipped[0].why == "confidence 0.60 is below 0.7"


def test_a_flip_to_the_better_passes():
    found = gate([bad("a")], many("a"))
    assert found.status == "pass"
    assert found.baseline.flipped[0].why == "gone: error source_exists"
    assert {item.outcome for item in found.baseline.figures} <= {"better", "same"}


@pytest.mark.row(38)
@each(
    ({"confidence": 0.9}, "confidence 0.95 -> 0.9"),
    ({"confidence": math.nan}, "confidence 0.95 -> none"),
    ({"claims": [claim(), claim("unsupported", index=1)]}, "hallucination rate 0 of 1 -> 1 of 2"),
    ({"citations": [citation(), citation(valid=False, index=1)]}, "citation accuracy 1 of 1 -> 1 of 2"),
    ({"citations": []}, "citation accuracy 1 of 1 -> nothing to measure"),
    ({"findings": [Finding(rule="r", severity="warning", message="m")]}, "new: warning r"),
)
def test_any_worsening_fails(after, why):
    found = gate(many("a", "b"), [verdict("a", **after), verdict("b")])
    assert found.status == "fail"
    assert [(item.id, item.why, item.is_worse) for item in found.baseline.moved] == [("a", why, True)]
    assert "baseline: 1 transcript got worse: a" in found.reasons


def test_a_gain_elsewhere_does_not_hide_a_loss():
    found = gate([verdict("a"), bad("b")], [bad("a"), verdict("b")])
    assert found.status == "fail"
    assert [item.id for item in found.baseline.flipped] == ["a", "b"]


def test_added_and_changed_transcripts_do_not_fail():
    found = gate(many("a"), [verdict("a", transcript_hash="new"), verdict("z")])
    assert (found.baseline.added, found.baseline.changed) == (("z",), ("a",))
    assert found.status == "pass"
    assert any("1 transcript not in the baseline: z" in note for note in found.notes)


@each(("fail", "fail"), ("warn", "pass"), ("pass", "pass"))
def test_a_vanished_transcript_fails_unless_allowed(policy, status):
    found = gate(many("a", "b"), many("a"), missing=policy)
    assert found.status == status
    assert dict(found.baseline.vanished) == {"b": "not in this run"}
    assert any("vanished: b" in text for text in (*found.reasons, *found.notes)) == (policy != "pass")


def test_an_expected_failure_has_vanished():
    found = gate(many("a", "b"), many("a"), RunFacts(expected=("b",)))
    assert "expected to fail now" in found.baseline.vanished["b"]
    assert found.status == "fail"


def test_a_transcript_that_is_no_longer_scored_fails_unless_allowed():
    after = [verdict("a", claims=[claim("abstained")]), verdict("b")]
    found = gate(many("a", "b"), after, abstained="pass", baseline_policy="tolerance=0.9")
    assert found.baseline.unscored == ("a",)
    assert found.status == "fail"
    allowed = {"missing": "warn", "baseline_policy": "tolerance=0.9"}
    assert gate(many("a", "b"), after, abstained="pass", **allowed).status == "pass"


def test_a_lost_figure_fails():
    found = gate(many("a"), [verdict("a", citations=[])], baseline_policy="tolerance=0.5")
    accuracy = next(item for item in found.baseline.figures if item.name == "citation_accuracy")
    assert (accuracy.before, accuracy.after, accuracy.drop, accuracy.outcome) == (1.0, None, None, "lost")
    assert found.status == "fail"


def test_a_run_without_common_transcripts_is_inconclusive():
    found = gate(many("a"), many("b"), missing="pass")
    assert (found.baseline.outcome, found.status) == ("inconclusive", "pass")


def suite(number, worse):
    names = [f"q{index:03}" for index in range(number)]
    return many(*names), [bad(name) if index < worse else verdict(name) for index, name in enumerate(names)]


@each((1, 0.2, "pass"), (2, 0.2, "pass"), (3, 0.2, "fail"))
def test_tolerance_allows_a_small_drop(worse, tolerance, status):
    assert gate(*suite(10, worse), baseline_policy=f"tolerance={tolerance}").status == status


@pytest.mark.row(54)
def test_a_drop_by_chance_is_inconclusive():
    found = gate(*suite(40, 2), baseline_policy="significant=0.05")
    assert (found.baseline.outcome, found.status) == ("inconclusive", "pass")
    assert any(note.startswith("baseline inconclusive: answers that pass") for note in found.notes)


def test_a_significant_drop_fails():
    found = gate(*suite(40, 12), baseline_policy="significant=0.05")
    assert (found.baseline.outcome, found.status) == ("fail", "fail")
    share = next(item for item in found.baseline.figures if item.name == "pass_share")
    assert (share.worse, share.better, share.drop) == (12, 0, 0.3)
    assert share.p_value == pytest.approx(2**-12, abs=1e-6)
    assert share.low <= 0.3 <= share.high


def test_repeats_are_tested_by_question():
    before = [verdict(f"q{index}#{repeat}") for index in range(6) for repeat in (1, 2, 3)]
    after = [bad(item.id) if item.id.startswith("q0") else item for item in before]
    found = gate(before, after, baseline_policy="significant=0.05")
    share = next(item for item in found.baseline.figures if item.name == "pass_share")
    assert (share.pairs, share.worse) == (6, 1)
    assert found.baseline.outcome == "inconclusive"


@pytest.mark.parametrize(
    "facts",
    [RunFacts(narrowed=("-k x",)), RunFacts(interrupted=("interrupted",))],
    ids=["partial", "stopped"],
)
def test_a_partial_run_is_undecided(facts):
    found = gate(many("a", "b"), [bad("a")], facts)
    assert (found.status, found.baseline.outcome) == ("undecided", "undecided")
    assert not found.baseline.vanished
    assert [item.id for item in found.baseline.flipped] == ["a"]


def test_shows_drift_with_the_command_to_renew():
    report = decided(many("a"), many("a"), supported_threshold=0.9)
    assert report.gate.baseline.drift == ("the settings changed: supported_threshold 0.8 -> 0.9",)
    lines = [line.text for line in run_lines(report)]
    start = next(number for number, line in enumerate(lines) if line.startswith("baseline: pass"))
    assert "supported_threshold 0.8 -> 0.9" in lines[start + 1]
    assert "write it anew" in lines[start + 3]


def test_another_engine_is_drift():
    old = accepted(verdict("a")).model_copy(update={"engine_version": "0"})
    found = decide_suite(RunReport.of(many("a")), Settings(), old).gate.baseline
    assert found.drift[0].startswith("the engine changed: 0 -> ")


def test_compares_nothing_when_the_suite_is_off():
    found = gate(many("a"), [bad("a")], suite="off")
    assert (found.suite, found.baseline) == ("off", None)


def test_switched_off_detection_is_no_loss():
    found = gate(many("a"), [verdict("a", claims=[])], hallucination_detection=False)
    assert "hallucination_rate" not in {item.name for item in found.baseline.figures}
    assert not found.baseline.unscored


@each("", "all", "tolerance", "tolerance=x", "tolerance=1", "significant=0", "significant=nan")
def test_rejects_a_wrong_policy(policy):
    with pytest.raises(SettingsError, match="baseline_policy"):
        Settings(baseline_policy=policy)


def test_escapes_hostile_ids():
    report = decided(many("a"), [bad("a\x1b[31m", reason="x")], missing="pass")
    assert not any("\x1b" in line.text for line in run_lines(report))


statuses = st.sampled_from(["pass", "review", "reject"])
suites = st.dictionaries(st.sampled_from("abcdef"), st.tuples(statuses, st.floats(0, 1)), max_size=6)


@given(suites, suites)
def test_the_any_policy_passes_if_nothing_got_worse(before, after):
    def made(values):
        return [verdict(key, status=status, confidence=value) for key, (status, value) in values.items()]

    if not before:
        return
    found = gate(made(before), made(after), abstained="pass").baseline
    rank = {"reject": 0, "review": 1, "pass": 2}
    fell = [
        key
        for key in before.keys() & after.keys()
        if rank[after[key][0]] < rank[before[key][0]]
        or (after[key][0] == before[key][0] and round(after[key][1], 6) < round(before[key][1], 6))
    ]
    named = [item.id for item in (*found.flipped, *found.moved) if item.is_worse]
    assert sorted(named) == sorted(fell)
    if fell or before.keys() - after.keys():
        assert found.outcome == "fail"
