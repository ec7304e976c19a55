"""Statuses of claims, contradictions inside an answer, and findings that are joined."""

import itertools
import json
from collections import Counter
from pathlib import Path

import pytest
from every import each, table
from hypothesis import given, settings
from hypothesis import strategies as st
from made_verdicts import verdict

import pytest_grounding as pg
from pytest_grounding.audit.records import draft
from pytest_grounding.checks.hallucination import recommend, status_of
from pytest_grounding.engine import registry
from pytest_grounding.engine.pipeline import extract_and_score, joined
from pytest_grounding.errors import ScorerError
from pytest_grounding.model.baseline_values import BaselineEntry
from pytest_grounding.model.finding import Cause, Evidence, Finding, Waived, as_one
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reports.report_links import LinkContext
from pytest_grounding.reports.terminal import run_lines, verdict_text
from pytest_grounding.reports.write import render_report
from pytest_grounding.scorers import RelevanceScore, SupportScore
from pytest_grounding.settings import Settings
from pytest_grounding.suite.suite_figures import decide_suite

DEFAULTS = Settings()
QUOTE = Evidence(chunk_id="c", sentence_index=0, text="x", start=0, end=1)


def conflict(severity):
    return Conflict(kind="number", severity=severity, claim_text="45", evidence_text="30", evidence=QUOTE)


@pytest.mark.row(15, 28)
@each(
    (1.0, "supported"),
    (0.8, "supported"),
    (0.1 + 0.7, "supported"),  # 0.7999999999999999
    (0.7999, "borderline"),
    (0.7, "borderline"),
    (0.6999, "unsupported"),
    (0.0, "unsupported"),
    (None, "abstained"),
    (float("nan"), "unsupported"),
)
def test_thresholds_of_support(probability, status):
    assert status_of(SupportScore(probability), DEFAULTS) == status


def test_only_a_certain_conflict_overrides_high_support():
    assert status_of(SupportScore(0.99, conflicts=(conflict("error"),)), DEFAULTS) == "contradicted"
    assert status_of(SupportScore(0.99, conflicts=(conflict("warning"),)), DEFAULTS) == "supported"


@each("off", "warn", "error")
def test_a_certain_conflict_is_always_an_error(policy):
    row = {
        "id": "loans",
        "question": "How long is a loan?",
        "chunks": [{"id": "c1", "text": "A loan lasts 14 days."}],
        "answer": "A loan lasts 45 days.",
    }
    verdict = pg.validate(row, {"possible_conflicts": policy})
    assert [item.severity for item in verdict.causes if item.rule == "contradicted"] == ["error"]


@pytest.mark.row(29)
@each(
    (None, None),
    (0.0, "accept"),
    (0.1, "accept"),
    (0.11, "regenerate"),
    (0.3, "regenerate"),
    (0.31, "reject"),
)
def test_recommendation_of_the_detector(rate, advice):
    assert recommend(rate, DEFAULTS) == advice


class Fixed:
    """Gives the scores to the claims in turn."""

    name = "fixed"

    def __init__(self, scores):
        self.scores = scores

    def relevance(self, question, chunks, *, language="en"):
        return [RelevanceScore(0.9)] * len(chunks)

    def support(self, claims, chunks, **_):
        if isinstance(self.scores, ScorerError):
            raise self.scores
        return [self.scores[index % len(self.scores)] for index in range(len(claims))]


class Extension:
    def __init__(self, scorer):
        self.scorer = scorer

    @pg.hookimpl
    def pytest_grounding_scorers(self, settings):
        return [self.scorer]


@pytest.fixture
def judged(request):
    def run(scores, **settings):
        extension = Extension(Fixed(scores))
        pg.register(extension)
        request.addfinalizer(lambda: pg.unregister(extension))
        transcript = {
            "id": "t",
            "question": "What is in the parcel?",
            "chunks": [{"id": "c", "text": "The parcel holds a book and weighs two kilograms."}],
            "answer": "The parcel holds a book. The parcel weighs two kilograms.",
        }
        return pg.validate(transcript, {"scorer": "fixed", **settings})

    return run


def test_the_rate_counts_only_scored_claims_and_borderline_ones_as_supported(judged):
    verdict = judged([SupportScore(0.9), SupportScore(None, reason="no answer")])
    assert verdict.hallucination_rate == 0.0
    assert verdict.counts == {"abstained": 1, "supported": 1}
    assert not verdict.scored
    assert judged([SupportScore(None)]).hallucination_rate is None
    verdict = judged([SupportScore(0.75)])
    assert (verdict.hallucination_rate, verdict.status) == (0.0, "pass")
    assert {item.severity for item in verdict.causes if item.rule == "borderline_claim"} == {"info"}


@pytest.mark.parametrize(
    ("policy", "severity", "status"),
    [("fail", "error", "reject"), ("warn", "warning", "review"), ("pass", "info", "review")],
)
def test_an_abstained_claim_is_never_a_pass(judged, policy, severity, status):
    verdict = judged([SupportScore(0.9), SupportScore(None, reason="no answer")], abstained=policy)
    found = [item for item in verdict.causes if item.rule == "abstained"]
    assert [item.severity for item in found] == [severity]
    assert "no answer" in found[0].message
    assert verdict.status == status


@pytest.mark.parametrize(
    ("policy", "severity", "status"),
    [
        ({}, "info", "pass"),
        ({"profile": "strict"}, "warning", None),
        ({"possible_conflicts": "warn"}, "warning", "review"),
        ({"possible_conflicts": "off"}, "info", "pass"),
        ({"possible_conflicts": "error"}, "error", "reject"),
    ],
)
def test_a_setting_decides_how_severe_a_possible_conflict_is(judged, policy, severity, status):
    verdict = judged([SupportScore(0.95, conflicts=(conflict("warning"),))], **policy)
    found = {item.severity for item in verdict.causes if item.rule == "possible_conflict"}
    assert found == {severity}
    assert status in (None, verdict.status)
    assert {claim.status for claim in verdict.claims} == {"supported"}


def test_reports_the_fallback_to_the_built_in_scorer(judged):
    verdict = judged(ScorerError("429 after 3 attempts"))
    failed = [item for item in verdict.causes if item.rule == "scorer_failed"]
    assert len(failed) == 1
    assert "429 after 3 attempts" in failed[0].message
    assert verdict.claims[0].support is not None


def test_rejects_an_unknown_scorer():
    with pytest.raises(pg.SettingsError, match="scorer = 'nobody' is not known"):
        pg.validate({"id": "t", "question": "q?", "chunks": [], "answer": "a"}, {"scorer": "nobody"})


#: Supports both parts of a list, and both parts of a denial.
BOTH = (
    "Refunds are possible. Refunds to cards take 14 days. Refunds in cash take 30 days. "
    "Refunds are not possible for gift cards."
)
OTHER = "The shop sells bread."


def flagged(answer, chunk=OTHER):
    verdict = pg.validate(
        {
            "id": "t",
            "question": "How are refunds paid?",
            "chunks": [{"id": "c1", "text": chunk, "score": 0.9}],
            "answer": answer,
        },
        {"notes": "warn"},
    )
    found = [item for item in verdict.causes if item.rule == "internal_contradiction"]
    assert all(item.severity == "warning" for item in found)
    return bool(found)


@each(*table(__file__, "contradictions"))
def test_statements_about_the_same_thing_contradict(answer, contradicts, whatever_the_sources_say):
    for chunk in (OTHER, BOTH)[: 1 + whatever_the_sources_say]:
        assert flagged(answer, chunk) is contradicts, chunk


@pytest.mark.row(34)
@each(*table(__file__, "plain"))
def test_a_plain_contradiction_is_a_warning_by_default(answer, severity):
    given = {"id": "t", "question": "What holds?", "chunks": [{"id": "c1", "text": BOTH}], "answer": answer}
    found = {item.severity for item in pg.validate(given).causes if item.rule == "internal_contradiction"}
    # A doubtful one is a note, if it is found at all.
    assert ("warning" in found) == (severity == "warning"), found
    assert found <= {severity, "info"}
    strict = pg.validate(given, {"notes": "error"})
    severities = {item.severity for item in strict.causes if item.rule == "internal_contradiction"}
    assert severities <= {"error"}


def test_two_values_contradict_even_if_sources_contain_both():
    text = Path(__file__).with_name("both_values.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    found = [flagged(f"{row['first']} {row['second']}", f"{row['first']}\n\n{row['second']}") for row in rows]
    wrong = [hit for hit, row in zip(found, rows, strict=True) if row["wrong"]]
    right = [hit for hit, row in zip(found, rows, strict=True) if not row["wrong"]]
    assert (len(wrong), len(right)) == (10, 10)
    assert sum(wrong) >= 9
    assert sum(right) == 0


ROW = {
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
def judged_joined():
    return pg.validate(ROW)


def test_joins_the_findings_of_a_claim_under_the_most_severe(judged_joined):
    [finding] = judged_joined.findings
    assert (finding.rule, finding.severity, finding.claim) == ("contradicted", "error", 0)
    assert finding.rules == RULES
    assert [cause.severity for cause in finding.causes] == ["error", "warning"]
    assert finding.causes[0].message == "[9]: there is no source 9: 2 chunks were retrieved"
    assert judged_joined.reason.startswith("1 error: contradicts h")
    assert pg.Verdict.model_validate_json(judged_joined.to_json()).findings == judged_joined.findings


def test_findings_of_a_citation_stay_with_it(judged_joined):
    own = [[finding.rule for finding in item.findings] for item in judged_joined.citations]
    assert own == [["semantic_alignment"], ["source_exists"], []]
    assert [item.valid for item in judged_joined.citations] == [True, False, True]


def test_the_text_of_a_verdict_names_each_cause_once(judged_joined):
    text = verdict_text(judged_joined, pg.Transcript.model_validate(ROW))
    assert text.count("[error]") + text.count("[warning]") == 1
    for rule in RULES[1:]:
        assert text.count(f"  also:     {rule}: ") == 1
    assert "  do:       use the source's value: '14 days'" in text
    assert "  do:       [9]: write a number from 1 to 2" in text


def test_reports_contain_joined_rules(judged_joined):
    report = decide_suite(RunReport.of([judged_joined]), Settings())
    assert set(BaselineEntry.of(judged_joined).findings) == {
        "error contradicted",
        "error source_exists",
        "warning semantic_alignment",
    }
    assert {item["rule"] for item in draft(judged_joined)["rules"]} == set(RULES)
    sarif = json.loads(render_report(report, "sarif", LinkContext()))["runs"][0]
    assert {rule["id"] for rule in sarif["tool"]["driver"]["rules"]} == set(RULES)
    assert [result["ruleId"] for result in sarif["results"]] == ["contradicted"]
    assert sarif["results"][0]["properties"]["alsoRules"] == list(RULES[1:])
    assert 'value="contradicted semantic_alignment source_exists"' in render_report(
        report, "junit", LinkContext()
    )
    [whole] = json.loads(render_report(report, "json", LinkContext()))["transcripts"][0]["findings"]
    assert [whole["rule"], *(cause["rule"] for cause in whole["causes"])] == list(RULES)
    assert "(also source_exists, semantic_alignment)" in render_report(report, "terminal", LinkContext())
    for rule in ("source_exists", "semantic_alignment"):
        with pytest.raises(AssertionError, match=rule):
            pg.assert_citations_valid(ROW, rules=[rule])
    pg.assert_citations_valid(ROW, rules=["content_match"])


def found(rule, severity="warning", **more):
    return Finding(rule=rule, severity=severity, message=rule, **more)


def groups(findings):
    return {item.rules for item in joined(findings, CONTEXT)}


def test_joins_only_findings_in_one_place():
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


def test_joins_overlapping_findings_outside_of_claims():
    far = len(ANSWER)
    spans = {"a": (far, far + 5), "b": (far + 3, far + 9), "c": (far + 9, far + 12)}
    assert groups([found(rule, span=span) for rule, span in spans.items()]) == {("a", "b"), ("c",)}


def test_a_mild_or_waived_finding_hides_nothing():
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
def test_joining_keeps_every_finding_and_the_severity(findings, dice):
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


def test_the_worst_findings_come_from_different_transcripts():
    errors = tuple(found(f"error_{number}", "error", span=(number, number + 1)) for number in range(4))
    warnings = tuple(found(f"warning_{number}", span=(9 + number, 10 + number)) for number in range(2))
    made = [
        verdict("a", status="reject", findings=errors, confidence=0.1),
        verdict("b", status="reject", findings=errors[:2], confidence=0.2),
        verdict("c", status="review", findings=warnings, confidence=0.3),
    ]
    report = decide_suite(RunReport.of(made), Settings())
    lines = [line.text for line in run_lines(report, worst=7)]
    start = lines.index("worst findings (7 of 8):")
    shown = [tuple(line.split()[:3]) for line in lines[start + 1 : start + 8]]
    assert [line[0] for line in shown] == ["a", "b", "a", "b", "a", "a", "c"]
    assert len(set(shown)) == 7
    assert [line[1] for line in shown] == ["error"] * 6 + ["warning"]


def test_a_claim_with_a_value_of_no_source_keeps_about_a_third_of_its_support():
    source, said = "The pool opens at 8 a.m. for members.", "The pool opens at 9 a.m. for members."
    chunks = [{"id": "a", "text": source}]
    verdict = pg.validate({"id": "x", "question": "What?", "chunks": chunks, "answer": said})
    alone = pg.support(said, [source]).probability
    assert verdict.claims[0].support == pytest.approx(0.35 * alone, abs=1e-6)
