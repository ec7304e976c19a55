"""What a baseline holds of failing findings, and what of a run is known, new and gone."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_verdicts import citation, claim, verdict
from recorded_suites import transcript

from pytest_grounding import validate
from pytest_grounding.errors import InputError
from pytest_grounding.model.finding import Finding, Waived
from pytest_grounding.model.run_report import RunFacts, RunReport
from pytest_grounding.reports.figure_lines import only_new
from pytest_grounding.reports.terminal import run_lines, verdict_text
from pytest_grounding.settings import Settings
from pytest_grounding.suite.baseline_file import (
    LOW_CONFIDENCE,
    baseline_of,
    failing,
    read_baseline,
    render,
    write_baseline,
)
from pytest_grounding.suite.known_findings import KnownFindings, prune, renew
from pytest_grounding.suite.suite_figures import decide

NEW = Settings(baseline_gate="new")
FACTS = RunFacts()


def unsupported(index, severity="warning", rule="unsupported_claim"):
    return Finding(rule=rule, severity=severity, message=f"message of {index}", claim=index)


def held_back(identifier="a", *texts, status="review", confidence=0.5, **more):
    """A transcript whose claims no source backs."""
    claims = [claim("unsupported", index=number, text=text) for number, text in enumerate(texts)]
    found = [unsupported(number) for number in range(len(texts))]
    facts = {"status": status, "confidence": confidence, "claims": claims, "findings": found}
    return verdict(identifier, **{"citations": [], **facts, **more})


def report_of(*verdicts, facts=FACTS, settings=NEW, against=None):
    return decide(RunReport.of(verdicts, facts), settings, against)


def accepted(*verdicts):
    return baseline_of(report_of(*verdicts), NEW)


def ratchet(before, after, **more):
    return report_of(*after, against=accepted(*before), **more).gate.baseline.ratchet


def test_a_known_finding_is_known_whatever_else_the_answer_says():
    before = [held_back("a", "The moon is cheese.", "Cats can fly.")]
    found = ratchet(before, [held_back("a", "Dogs can fly.", "Cats can fly.")])
    assert found.line == "1 known, 1 new, 1 gone"
    assert [(item.transcript, item.rule, item.words) for item in found.new] == [
        ("a", "unsupported_claim", "Dogs can fly.")
    ]
    assert [item.words for item in found.gone] == ["The moon is cheese."]


def test_the_same_claim_in_another_transcript_or_under_another_rule_is_new():
    before = [held_back("a", "Cats can fly."), verdict("b")]
    assert ratchet(before, [verdict("a"), held_back("b", "Cats can fly.")]).line == "0 known, 1 new, 1 gone"
    other = held_back("a", "Cats can fly.", findings=[unsupported(0, rule="contradicted", severity="error")])
    assert ratchet(before, [other, verdict("b")]).line == "0 known, 1 new, 1 gone"


def test_a_warning_that_becomes_an_error_is_new_and_the_other_way_is_known():
    mild = held_back("a", "Cats can fly.")
    grave = held_back("a", "Cats can fly.", findings=[unsupported(0, "error")], status="reject")
    assert ratchet([mild], [grave]).line == "0 known, 1 new, 1 gone"
    assert ratchet([grave], [mild]).line == "1 known, 0 new, 0 gone"


def test_one_more_of_the_same_is_new():
    twice = held_back("a", "Cats can fly.", findings=[unsupported(0), unsupported(0)])
    once = held_back("a", "Cats can fly.")
    assert ratchet([once], [twice]).line == "1 known, 1 new, 0 gone"
    assert ratchet([twice], [once]).line == "1 known, 0 new, 1 gone"
    assert accepted(twice).transcripts[0].known[0].number == 2


def test_a_marker_that_points_elsewhere_leaves_the_claim_what_it_was():
    def answer(marker, *, is_broken=False):
        text = f"Cats can fly {marker}."
        cited = citation(False, text=marker, target=marker, start=13, end=13 + len(marker), claim=0)
        broken = Finding(rule="source_exists", severity="error", message="none", claim=0, citation=0)
        words = claim("unsupported", text=text, end=len(text), citations=(0,))
        found = [broken, unsupported(0)] if is_broken else [unsupported(0)]
        return held_back("a", claims=[words], citations=[cited], findings=found, status="reject")

    assert ratchet([answer("[7]")], [answer("[12]")]).line == "1 known, 0 new, 0 gone"
    broken = [answer("[7]", is_broken=True)], [answer("[12]", is_broken=True)]
    assert ratchet(*broken).line == "1 known, 1 new, 1 gone", "another source that is not there"
    assert accepted(answer("[7]")).transcripts[0].known[0].words == "Cats can fly."


def test_a_finding_without_a_claim_goes_by_its_citation_and_one_without_words_by_the_transcript():
    def cited(target, content):
        broken = Finding(rule="source_exists", severity="error", message="none", citation=0)
        return held_back(
            "a", citations=[citation(False, target=target)], findings=[broken], transcript_hash=content
        )

    assert ratchet([cited("7", "one")], [cited("7", "two")]).line == "1 known, 0 new, 0 gone"
    assert ratchet([cited("7", "one")], [cited("8", "one")]).line == "0 known, 1 new, 1 gone"
    empty = Finding(rule="empty_answer", severity="error", message="empty")
    one, two = (
        held_back("a", findings=[empty], claims=[], transcript_hash=content) for content in ("one", "two")
    )
    assert ratchet([one], [one]).line == "1 known, 0 new, 0 gone"
    assert ratchet([one], [two]).line == "0 known, 1 new, 1 gone"


def test_a_place_in_the_answer_stands_for_the_claims_that_it_touches():
    claims = [claim(text="One."), claim(index=1, text="Two.", start=5, end=9)]
    strange = Finding(rule="injection", severity="warning", message="m", span=(6, 8))
    found = held_back("a", claims=claims, findings=[strange])
    assert [line.words for _, line in failing(found)] == ["Two."]


def test_a_known_fault_hides_no_further_one_on_the_same_claim():
    known = "Employees receive 30 vacation days per year"
    before, after = (validate(transcript("a", f"{known} {markers}.")) for markers in ("[1]", "[1][9]"))
    assert ratchet([before], [before]).line == "2 known, 0 new, 0 gone"
    found = ratchet([before], [after])
    assert (found.line, [item.rule for item in found.new]) == ("2 known, 1 new, 0 gone", ["source_exists"])
    shown, _ = KnownFindings(accepted(before)).without_known(after)
    assert "there is no source 9" in verdict_text(shown)


def test_what_a_person_waived_is_neither_known_nor_new():
    waived = unsupported(0).model_copy(update={"waived": Waived(reason="wrong", by="Ann")})
    excused = held_back("a", "Cats can fly.", "Pigs can fly.", findings=[waived, unsupported(1)])
    assert [line.words for _, line in failing(excused)] == ["Pigs can fly."]
    assert ratchet([held_back("a", "Cats can fly.")], [excused]).line == "0 known, 1 new, 1 gone"


def test_a_transcript_that_was_not_checked_is_never_known():
    broken = Finding(rule="internal_error", severity="error", message="m")
    before = held_back("a", findings=[broken], claims=[], status="reject")
    assert accepted(before).transcripts[0].known == ()
    assert ratchet([before], [before]).line == "0 known, 1 new, 0 gone"


def test_what_fails_by_its_confidence_alone_is_held_too_and_may_not_fall():
    low = held_back("a", confidence=0.5)
    assert [line.rule for _, line in failing(low)] == [LOW_CONFIDENCE]
    reworded = {"transcript_hash": "other"}
    assert ratchet([low], [held_back("a", confidence=0.5, **reworded)]).line == "1 known, 0 new, 0 gone"
    assert ratchet([low], [held_back("a", confidence=0.49, **reworded)]).line == "0 known, 1 new, 1 gone"
    assert ratchet([verdict("a")], [low]).line == "0 known, 1 new, 0 gone"


def test_mending_a_finding_does_not_make_the_low_confidence_behind_it_new():
    before = held_back("a", "Cats can fly.", confidence=0.5)
    assert ratchet([before], [held_back("a", confidence=0.6)]).line == "1 known, 0 new, 1 gone"
    assert ratchet([before], [held_back("a", confidence=0.4)]).line == "0 known, 1 new, 1 gone"


def test_a_confidence_that_is_no_number_is_never_known_by_an_earlier_one():
    before = held_back("a", "Cats can fly.", confidence=0.5)
    nothing = held_back("a", confidence=math.nan, status="reject")
    assert ratchet([before], [nothing]).line == "0 known, 1 new, 1 gone"


def test_gone_is_said_of_the_transcripts_of_the_run_alone():
    before = [held_back("a", "Cats can fly."), held_back("b", "Dogs can fly.")]
    partial = RunFacts(narrowed=("-k b",))
    found = report_of(verdict("b"), facts=partial, against=accepted(*before)).gate
    assert found.baseline.ratchet.line == "0 known, 0 new, 1 gone"
    assert [item.transcript for item in found.baseline.ratchet.gone] == ["b"]
    assert (found.baseline.outcome, found.status) == ("undecided", "undecided")


def test_the_figures_of_the_suite_count_what_is_new_and_say_so():
    known = [held_back(f"known-{number}", f"Cat {number} can fly.") for number in range(5)]
    good = [verdict(f"good-{number}") for number in range(5)]
    report = report_of(*known, *good, against=accepted(*known, *good))
    assert report.gate.status == "pass"
    by_name = {item.name: item for item in report.gate.thresholds}
    rate, confident = by_name["hallucination_rate"], by_name["confident_share"]
    assert (rate.count, rate.total, rate.known, rate.outcome) == (0, 5, 5, "pass")
    assert (confident.count, confident.total, confident.known) == (5, 5, 5)
    assert "ok (5 known left out)" in "\n".join(line.text for line in run_lines(report))
    assert report.summary.claims_hallucinated == 5, "the figures of the whole suite stay what they are"
    planted = [held_back("good-0", "Cats can fly."), *good[1:]]
    worse = report_of(*known, *planted, against=accepted(*known, *good))
    rate = next(item for item in worse.gate.thresholds if item.name == "hallucination_rate")
    assert (rate.count, rate.total, rate.known, rate.outcome) == (1, 5, 5, "fail")


def test_a_known_bad_citation_leaves_accuracy_and_a_new_one_beside_it_does_not():
    def answer(*targets):
        cited = [citation(False, index=n, target=target, claim=n) for n, target in enumerate(targets)]
        claims = [claim(index=n, text=f"Claim {target}.") for n, target in enumerate(targets)]
        broken = [
            Finding(rule="source_exists", severity="error", message="none", claim=n, citation=n)
            for n in range(len(targets))
        ]
        return held_back("a", citations=cited, claims=claims, findings=broken, status="reject")

    good = [verdict(f"good-{number}") for number in range(3)]
    against = accepted(answer("7"), *good)
    same = {item.name: item for item in report_of(answer("7"), *good, against=against).gate.thresholds}
    assert (same["citation_accuracy"].count, same["citation_accuracy"].total) == (3, 3)
    assert (same["ungrounded_answers"].count, same["ungrounded_answers"].total) == (0, 3)
    more = {item.name: item for item in report_of(answer("7", "8"), *good, against=against).gate.thresholds}
    assert (more["citation_accuracy"].count, more["citation_accuracy"].total) == (3, 4)
    assert (more["ungrounded_answers"].count, more["ungrounded_answers"].total) == (1, 4)


def test_an_abstained_claim_that_is_known_is_let_pass_and_a_new_one_fails():
    lost = Finding(rule="not_scored", severity="warning", message="m", claim=0)
    before = held_back("a", claims=[claim("abstained", text="Cats can fly.")], findings=[lost])
    assert report_of(before, verdict("b"), against=accepted(before, verdict("b"))).gate.status == "pass"
    new = report_of(before, verdict("b"), against=accepted(verdict("a"), verdict("b"))).gate
    assert any("could not be scored" in reason for reason in new.reasons)


def test_only_the_new_ones_are_listed_as_worst():
    known = held_back("a", "Cats can fly.", "Dogs can fly.")
    run = report_of(
        held_back("a", "Cats can fly.", "Pigs can fly."),
        against=accepted(known),
        facts=RunFacts(failed=("a",)),
    )
    text = "\n".join(line.text for line in run_lines(run))
    assert "worst findings (1 of 1)" in text
    assert [item.message for item in only_new(run).transcripts[0].findings] == ["message of 1"]


def test_by_default_a_known_finding_fails_as_ever():
    before = held_back("a", "Cats can fly.")
    found = report_of(before, settings=Settings(), against=accepted(before)).gate
    assert found.baseline.ratchet is None
    assert found.status == "fail"
    assert all(item.known == 0 for item in found.thresholds)


def test_what_is_gone_is_noted():
    settings = Settings(baseline_gate="new")
    before = accepted(held_back("a", "Cats can fly."))
    found = report_of(verdict("a"), settings=settings, against=before).gate
    assert found.status == "pass"
    assert "--prune" in " ".join(found.notes)


def test_a_renewed_baseline_only_shrinks_unless_it_may_grow():
    old = accepted(held_back("a", "Cats can fly.", "Dogs can fly."), verdict("b"))
    run = report_of(held_back("a", "Dogs can fly."), held_back("b", "Pigs can fly."), held_back("c", "New."))
    found = renew(old, run, NEW)
    known = {entry.id: [line.words for line in entry.known] for entry in found.baseline.transcripts}
    assert known == {"a": ["Dogs can fly."], "b": []}
    assert [item.words for item in found.refused] == ["Pigs can fly.", "New."]
    assert "2 new findings were not taken" in found.refusal("--allow-new")
    assert "Pigs can fly." in found.refusal("--allow-new")
    grown = renew(old, run, NEW, allow_new=True)
    assert [len(entry.known) for entry in grown.baseline.transcripts] == [1, 1, 1]
    assert grown.refusal("--allow-new") == ""
    later = report_of(held_back("a", "Cats can fly."), verdict("b"), against=found.baseline)
    assert later.gate.baseline.ratchet.line == "0 known, 1 new, 1 gone", "what was taken out is new"


def test_a_lower_confidence_is_not_taken_by_a_renewal_either():
    old = accepted(held_back("a", confidence=0.5))
    lower = held_back("a", confidence=0.4, transcript_hash="other")
    found = renew(old, report_of(lower), NEW)
    assert [item.rule for item in found.refused] == [LOW_CONFIDENCE]
    assert report_of(lower, against=found.baseline).gate.baseline.ratchet.line == "0 known, 1 new, 0 gone"


def test_pruning_takes_out_what_is_gone_and_touches_no_other_line(tmp_path):
    before = [held_back("a", "Cats can fly.", "Dogs can fly."), held_back("b", "Pigs can fly."), verdict("c")]
    old = accepted(*before)
    run = report_of(held_back("a", "Dogs can fly."), held_back("c", "New."), facts=RunFacts(narrowed=("a",)))
    found = prune(old, run, NEW)
    assert [(item.transcript, item.words) for item in found.gone] == [("a", "Cats can fly.")]
    lines = render(old).splitlines()
    left = render(found.baseline).splitlines()
    assert [line for line in lines if line not in left] == [line for line in lines if "Cats can fly." in line]
    write_baseline(found.baseline, tmp_path / "b.json")
    assert read_baseline(tmp_path / "b.json") == found.baseline


def test_nothing_is_pruned_by_other_settings_or_another_engine():
    old = accepted(held_back("a", "Cats can fly."))
    with pytest.raises(InputError, match="nothing was pruned: the settings changed: supported_threshold"):
        prune(old, report_of(verdict("a")), NEW.with_values({"supported_threshold": 0.9}))
    with pytest.raises(InputError, match="nothing was pruned: the engine changed"):
        prune(old.model_copy(update={"engine_version": "0"}), report_of(verdict("a")), NEW)


def test_a_transcript_that_a_folder_or_mark_judges_otherwise_keeps_its_findings():
    strict = held_back("a", "Cats can fly.", settings_hash="strict")
    old = accepted(strict)
    assert prune(old, report_of(verdict("a", settings_hash="other")), NEW).gone == ()
    assert len(prune(old, report_of(verdict("a", settings_hash="strict")), NEW).gone) == 1


WORDS = st.lists(st.sampled_from(["Cats fly.", "Dogs fly.", "Pigs fly.", "Cows fly."]), max_size=5)


@given(before=WORDS, after=WORDS)
def test_known_new_and_gone_add_up(before, after):
    found = KnownFindings(accepted(held_back("a", *before))).sort(held_back("a", *after))
    gone = sum(line.number for line in found.gone)
    lines = max(1, len(before)), max(1, len(after))
    assert len(found.known) + len(found.new) == lines[1]
    if after:  # a low confidence that was hidden is known without a line of its own
        assert len(found.known) + gone == lines[0]
    same = KnownFindings(accepted(held_back("a", *before))).sort(held_back("a", *reversed(before)))
    assert (same.new, same.gone) == ((), ())
