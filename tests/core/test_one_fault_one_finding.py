"""What several rules find on the same words is one finding, and none of them is lost by that."""

import itertools
import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_verdicts import verdict

import pytest_grounding as pg
from pytest_grounding.audit.verifying import draft
from pytest_grounding.engine import registry
from pytest_grounding.engine.pipeline import extract_and_score, joined
from pytest_grounding.model.baseline_values import Entry
from pytest_grounding.model.finding import Cause, Finding, Waived, as_one
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.reports.report_links import Context
from pytest_grounding.reports.terminal import run_lines, verdict_text
from pytest_grounding.reports.write import render
from pytest_grounding.settings import Settings
from pytest_grounding.suite.suite_figures import decide

ROW: dict[str, Any] = {
    "id": "refunds",
    "question": "How long do refunds take?",
    "chunks": [
        {"id": "h", "text": "Refunds are paid within 14 days of the return."},
        {"id": "z", "text": "The office is in Bern."},
    ],
    "answer": "Refunds are paid within 45 days of the return [2] [9]. The office is in Bern [2].",
}
RULES = ("contradicted", "source_exists", "semantic_alignment")
ANSWER = "The desk opens at nine. The cafe sells tea. Parking is free on Sundays."
CONTEXT = extract_and_score(
    pg.Transcript.model_validate({**ROW, "answer": ANSWER}), Settings(), registry.scorers(Settings())
)[0]
WAIVED = Waived(reason="read by hand")


@pytest.fixture(scope="module")
def judged() -> pg.Verdict:
    return pg.validate(ROW)


def test_one_claim_has_one_finding_and_the_gravest_leads(judged: pg.Verdict) -> None:
    [finding] = judged.findings
    assert (finding.rule, finding.severity, finding.claim) == ("contradicted", "error", 0)
    assert finding.rules == RULES
    assert [cause.severity for cause in finding.causes] == ["error", "warning"]
    assert finding.causes[0].message == "[9]: there is no source 9: 2 chunks were retrieved"
    assert judged.reason.startswith("1 error: contradicts h")
    assert pg.Verdict.model_validate_json(judged.to_json()).findings == judged.findings


def test_what_a_citation_bears_stays_with_it(judged: pg.Verdict) -> None:
    own = [[finding.rule for finding in item.findings] for item in judged.citations]
    assert own == [["semantic_alignment"], ["source_exists"], []]
    assert [item.valid for item in judged.citations] == [True, False, True]


def test_a_verdict_in_words_names_each_cause_once_and_what_to_do(judged: pg.Verdict) -> None:
    text = verdict_text(judged, pg.Transcript.model_validate(ROW))
    assert text.count("[error]") + text.count("[warning]") == 1
    for rule in RULES[1:]:
        assert text.count(f"  also:     {rule}: ") == 1
    assert "  do:       use the source's value: '14 days'" in text
    assert "  do:       [9]: write a number from 1 to 2" in text


def test_every_rule_is_found_wherever_rules_are_looked_for(judged: pg.Verdict) -> None:
    report = decide(RunReport.of([judged]), Settings())
    assert set(Entry.of(judged).findings) == {
        "error contradicted",
        "error source_exists",
        "warning semantic_alignment",
    }
    assert {item["rule"] for item in draft(judged)["rules"]} == set(RULES)
    sarif = json.loads(render(report, "sarif", Context()))["runs"][0]
    assert {rule["id"] for rule in sarif["tool"]["driver"]["rules"]} == set(RULES)
    assert [result["ruleId"] for result in sarif["results"]] == ["contradicted"]
    assert sarif["results"][0]["properties"]["alsoRules"] == list(RULES[1:])
    assert 'value="contradicted semantic_alignment source_exists"' in render(report, "junit", Context())
    [whole] = json.loads(render(report, "json", Context()))["transcripts"][0]["findings"]
    assert [whole["rule"], *(cause["rule"] for cause in whole["causes"])] == list(RULES)
    assert "(also source_exists, semantic_alignment)" in render(report, "terminal", Context())
    for rule in ("source_exists", "semantic_alignment"):
        with pytest.raises(AssertionError, match=rule):
            pg.assert_citations_valid(ROW, rules=[rule])
    pg.assert_citations_valid(ROW, rules=["content_match"])


def found(rule: str, severity: str = "warning", **more: Any) -> Finding:
    return Finding(rule=rule, severity=severity, message=rule, **more)  # type: ignore[arg-type]


def groups(findings: list[Finding]) -> set[tuple[str, ...]]:
    return {item.rules for item in joined(findings, CONTEXT)}


def test_only_what_stands_in_one_place_is_joined() -> None:
    second = CONTEXT.claims[1]
    inside, across = (second.start + 4, second.start + 8), (4, second.end)
    findings = [
        found("of_claim", claim=1),
        found("of_words", span=inside),
        found("of_two", span=across),
        found("of_all"),
        found("of_answer"),
        found("of_third", claim=2),
        found("listed", citation=0),
        found("listed_too", citation=0),
    ]
    alone = {("of_two",), ("of_all",), ("of_answer",), ("of_third",)}
    assert groups(findings) == alone | {("of_claim", "of_words"), ("listed", "listed_too")}


def test_words_of_no_claim_are_joined_where_they_overlap() -> None:
    far = len(ANSWER)
    spans = {"a": (far, far + 5), "b": (far + 3, far + 9), "c": (far + 9, far + 12)}
    assert groups([found(rule, span=span) for rule, span in spans.items()]) == {("a", "b"), ("c",)}


def test_what_a_policy_or_a_person_makes_mild_hides_nothing() -> None:
    mild = found("contradicted", "info")
    grave = found("semantic_alignment", "warning")
    assert as_one([mild, grave]).severity == "warning"
    excused = found("contradicted", "error", waived=WAIVED)
    assert as_one([excused, grave]).rules == ("semantic_alignment", "contradicted")
    assert as_one([excused, grave]).waived is None
    assert as_one([excused, grave.model_copy(update={"waived": WAIVED})]).waived == WAIVED


SPANS = st.tuples(st.integers(0, 75), st.integers(0, 20)).map(lambda pair: (pair[0], sum(pair)))
FINDINGS = st.lists(
    st.builds(
        found,
        st.sampled_from(["contradicted", "unsupported_claim", "source_exists", "own_rule"]),
        st.sampled_from(["error", "warning", "info"]),
        span=st.none() | SPANS,
        claim=st.none() | st.integers(0, 2),
        citation=st.none() | st.integers(0, 2),
        waived=st.none() | st.just(WAIVED),
    ),
    max_size=12,
)


@given(FINDINGS, st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_nothing_is_lost_and_nothing_grave_is_hidden(findings: list[Finding], dice: Any) -> None:
    whole = joined(findings, CONTEXT)
    parts = [part for finding in whole for part in finding.parts]
    assert Counter(map(repr, parts)) == Counter(repr(part) for item in findings for part in item.parts)
    order = {"error": 0, "warning": 1, "info": 2}
    for finding in whole:
        grave = [part for part in finding.parts if part.waived is None and part.severity != "info"]
        if grave:
            assert order[finding.severity] == min(order[part.severity] for part in grave)
        waived = any(part.waived is not None for part in finding.parts)
        assert (finding.waived is not None) == (waived and not grave)
    assert all(type(cause) is Cause for finding in whole for cause in finding.causes)
    about = [{part.claim for part in finding.parts} - {None} for finding in whole]
    assert all(len(names) <= 1 for names in about)
    assert all(not one & other for one, other in itertools.combinations(about, 2))
    mixed = list(findings)
    dice.shuffle(mixed)
    again = [sorted(map(repr, finding.parts)) for finding in joined(mixed, CONTEXT)]
    assert sorted(again) == sorted(sorted(map(repr, finding.parts)) for finding in whole)


def test_the_worst_findings_are_of_different_transcripts_and_the_gravest_come_first() -> None:
    errors = tuple(found(f"error_{number}", "error", span=(number, number + 1)) for number in range(4))
    warnings = tuple(found(f"warning_{number}", span=(9 + number, 10 + number)) for number in range(2))
    made = [
        verdict("a", status="reject", findings=errors, confidence=0.1),
        verdict("b", status="reject", findings=errors[:2], confidence=0.2),
        verdict("c", status="review", findings=warnings, confidence=0.3),
    ]
    report = decide(RunReport.of(made), Settings())
    lines = [line.text for line in run_lines(report, worst=7)]
    start = lines.index("worst findings (7 of 8):")
    told = [tuple(line.split()[:3]) for line in lines[start + 1 : start + 8]]
    assert [line[0] for line in told] == ["a", "b", "a", "b", "a", "a", "c"]
    assert len(set(told)) == 7
    assert [line[1] for line in told] == ["error"] * 6 + ["warning"]
