import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_verdicts import citation, claim, conflict, evidence, verdict

import pytest_grounding as pg
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.run_report import Problem, RunFacts, RunReport
from pytest_grounding.model.verdict import ConfidenceBreakdown, ConfidenceTerm
from pytest_grounding.reports.terminal import (
    citation_lines,
    claim_lines,
    evidence_text,
    quoted,
    render,
    run_lines,
    safe,
    verdict_text,
)
from pytest_grounding.reports.write import write_run
from pytest_grounding.settings import Settings
from pytest_grounding.suite.suite_figures import decide


def decided(verdicts, facts=None, **settings):
    return decide(RunReport.of(verdicts, facts), Settings(**settings))


@given(st.text())
def test_no_control_character_gets_through(text):
    shown = safe(text)
    assert not any(ord(char) < 32 and char not in "\t\n" for char in shown)
    assert not any(127 <= ord(char) < 160 for char in shown)
    assert "\u202e" not in shown
    if text.isprintable():
        assert shown == text


def test_evidence_is_verbatim_with_chunk_sentence_and_score():
    assert evidence_text(evidence("It is so.")) == '"It is so." [chunk hr-1, sentence 0, score 0.40]'
    assert evidence_text(evidence(score=None)).endswith("[chunk hr-1, sentence 0]")


def test_an_endless_text_is_cut_and_says_so():
    assert quoted("x" * 1500) == f'"{"x" * 1000} [... 500 more characters]"'


def test_a_claim_shows_conflict_with_both_quotes_or_its_nearest_evidence():
    contradicted = claim("contradicted", text="30 days.", conflicts=(conflict(),), evidence=(evidence(),))
    lines = claim_lines(contradicted)
    assert lines[0] == "claim 1: contradicted (support 0.10), characters 0-8"
    assert '            claim says "30 days", source says "25 days"' in lines
    assert sum("Employees get 25 days." in line for line in lines) == 1
    both = conflict().model_copy(update={"message": 'it says "30 days", the source "25 days"'})
    assert not any("claim says" in line for line in claim_lines(claim("contradicted", conflicts=(both,))))
    lines = claim_lines(claim("unsupported", evidence=(evidence("Near."),), reason="no source says: moon"))
    assert '  nearest:  "Near." [chunk hr-1, sentence 0, score 0.40]' in lines
    assert "  why:      no source says: moon" in lines
    assert "  nearest:  none: no chunk comes near" in claim_lines(claim("unsupported"))


def test_a_citation_shows_what_the_rules_found():
    lines = citation_lines(citation(valid=False))
    assert lines == [
        'citation 1: "[1]" (index 1), characters 0-3',
        "  error:    source_exists: no such chunk",
    ]
    entry = citation(start=-1, end=-1, text="", syntax="list", target="4")
    assert citation_lines(entry) == ["citation 1: an entry of the citation list (list 4), not in the text"]


def test_a_verdict_shows_lines_of_the_answer():
    answer = "All is well.\nThe moon is made of cheese."
    transcript = pg.Transcript.model_validate({"id": "a", "question": "Why?", "chunks": [], "answer": answer})
    finding = Finding(
        rule="unsupported_claim",
        severity="warning",
        message="nobody says so",
        span=(13, 40),
        suggestion="drop it",
    )
    text = verdict_text(verdict(status="review", findings=(finding,), source="x.jsonl", line=3), transcript)
    assert "[warning] unsupported_claim, line 2, characters 13-40" in text
    assert "recorded: x.jsonl:3" in text
    assert "do:       drop it" in text


def test_a_confidence_shows_its_terms_and_its_ceiling():
    breakdown = ConfidenceBreakdown(
        model="self_rag",
        value=0.29,
        raw=0.6,
        terms=(
            ConfidenceTerm(name="relevance", value=1.0, weight=0.3),
            ConfidenceTerm(name="support", value=None, weight=0.4),
        ),
        ceiling=0.29,
        ceiling_reason="no support",
    )
    text = verdict_text(verdict(confidence=0.29, confidence_breakdown=breakdown))
    expected = (
        "confidence: 0.29 (self_rag: relevance 1.00 x 0.3 + support - x 0.4, held at 0.29 (no support))"
    )
    assert expected in text


def test_what_was_not_checked_and_what_is_off_is_said():
    text = verdict_text(
        verdict(not_checked={"heading": 2, "greeting": 1}, switched_off=("hallucination detection",))
    )
    assert "not checked: 1 greeting, 2 heading" in text
    assert "switched off: hallucination detection" in text


def test_many_findings_are_cut_and_counted():
    findings = tuple(Finding(rule="r", severity="error", message=f"m{n}") for n in range(14))
    text = verdict_text(verdict(findings=findings))
    assert "m9" in text
    assert "m10" not in text
    assert "... and 4 more findings" in text


def test_a_run_shows_figures_with_limit_interval_and_count():
    lines = [
        line.text for line in run_lines(decided([verdict("a"), verdict("b", claims=[claim("unsupported")])]))
    ]
    row = next(line for line in lines if line.startswith("hallucination rate"))
    assert row.split() == "hallucination rate of the claims 0.500 <= 0.1 0.095 to 0.905 1 of 2 FAIL".split()
    assert lines[-2] == "gate: FAIL"


def test_the_worst_findings_come_first_and_are_limited():
    findings = [
        Finding(rule="mild", severity="warning", message="w"),
        Finding(rule="grave", severity="error", message="e", claim=0),
        Finding(rule="note", severity="info", message="i"),
    ]
    report = decided([verdict(name, findings=tuple(findings)) for name in ("b", "a")])
    lines = [line.text for line in run_lines(report, worst=3)]
    start = lines.index("worst findings (3 of 4):")
    assert [line.split()[:3] for line in lines[start + 1 : start + 4]] == [
        ["a", "error", "grave:"],
        ["b", "error", "grave:"],
        ["a", "warning", "mild:"],
    ]


def test_counts_of_what_is_in_no_figure():
    facts = RunFacts(expected=("x",), problems=(Problem(place="p:1", message="p:1: is not JSON"),))
    odd = verdict(
        not_checked={"heading": 2},
        citations=[],
        declined=True,
        switched_off=("hallucination detection",),
        claims=[claim("abstained")],
    )
    text = render(decided([odd], facts))
    for part in (
        "not checked: 2 heading",
        "not scored: 1 claims",
        "declined answers: 1",
        "answers without any citation: 1",
        "expected to fail, and in no figure: 1",
        "switched off: hallucination detection (in 1)",
        "unreadable: p:1: is not JSON",
    ):
        assert part in text
    assert "nothing to measure" not in text


def test_an_undecided_report_prints_nothing():
    assert run_lines(RunReport.of([verdict()])) == []


@pytest.mark.parametrize("format", ["json", "terminal"])
def test_writing_makes_folders_and_leaves_no_other_file(tmp_path, format):
    path = tmp_path / "deep" / "out"
    report = decided([verdict("a", confidence=math.nan)])
    write_run(report, path, format=format)
    assert list(path.parent.iterdir()) == [path]
    text = path.read_text(encoding="utf-8")
    if format == "json":
        assert json.loads(text)["gate"]["status"] == "fail"
    else:
        assert "gate: FAIL" in text


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"write one of: .*json, .*terminal"):
        write_run(decided([]), tmp_path / "x", format="yaml")
