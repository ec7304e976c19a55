"""What a run shows in a terminal: figures, findings, few lines for each failure, the age of recordings."""

import json
import math
from datetime import date

import pytest
import warm_starts
from every import each
from hypothesis import given
from hypothesis import strategies as st
from made_runs import run, transcript
from made_verdicts import citation, claim, conflict, evidence, verdict

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.run_report import Problem, RunFacts, RunReport
from pytest_grounding.model.verdict import ConfidenceBreakdown, ConfidenceTerm
from pytest_grounding.reports.terminal import (
    citation_lines,
    evidence_text,
    lines_of_claim,
    quoted,
    render_text,
    run_lines,
    safe,
    verdict_text,
    wrapped,
)
from pytest_grounding.reports.write import write_run
from pytest_grounding.settings import ENVIRONMENT, Settings
from pytest_grounding.suite.suite_figures import decide_suite


def decided(verdicts, facts=None, **settings):
    return decide_suite(RunReport.of(verdicts, facts), Settings(**settings))


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


def test_a_very_long_text_is_shortened():
    assert quoted("x" * 1500) == f'"{"x" * 1000} [... 500 more characters]"'


def test_a_claim_shows_conflict_with_both_quotes_or_its_nearest_evidence():
    contradicted = claim("contradicted", text="30 days.", conflicts=(conflict(),), evidence=(evidence(),))
    lines = lines_of_claim(contradicted)
    assert lines[0] == "claim 1: contradicted (support 0.10), characters 0-8"
    assert '            claim says "30 days", source says "25 days"' in lines
    assert sum("Employees get 25 days." in line for line in lines) == 1
    both = conflict().model_copy(update={"message": 'it says "30 days", the source "25 days"'})
    assert not any("claim says" in line for line in lines_of_claim(claim("contradicted", conflicts=(both,))))
    lines = lines_of_claim(claim("unsupported", evidence=(evidence("Near."),), reason="no source says: moon"))
    assert '  nearest:  "Near." [chunk hr-1, sentence 0, score 0.40]' in lines
    assert "  why:      no source says: moon" in lines
    assert "  nearest:  none: no chunk is similar" in lines_of_claim(claim("unsupported"))


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
        "confidence: 0.29 (self_rag: relevance 1.00 x 0.3 + support - x 0.4, capped at 0.29 (no support))"
    )
    assert expected in text


def test_unchecked_parts_and_disabled_checks_are_listed():
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


def test_things_outside_the_figures_are_counted():
    facts = RunFacts(expected=("x",), problems=(Problem(place="p:1", message="p:1: is not JSON"),))
    odd = verdict(
        not_checked={"heading": 2},
        citations=[],
        declined=True,
        switched_off=("hallucination detection",),
        claims=[claim("abstained")],
    )
    text = render_text(decided([odd], facts))
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


REFUNDS = {"id": "kb-101", "text": "Refunds are paid within 14 days of the return. The shop opens at nine."}
#: With a citation that leads nowhere, of which the package writes a line to the log.
ANSWERS = {
    "right": "Refunds are paid within 14 days of the return [1].",
    "number": "Refunds are paid within 45 days of the return [1].",
    "citation": "Refunds are paid within 14 days of the return [7].",
}


def row(identifier, answer):
    question = "How long do refunds take?"
    return {"id": identifier, "question": question, "chunks": [REFUNDS], "answer": ANSWERS[answer]}


@pytest.mark.parametrize("answer", ["number", "citation"])
@pytest.mark.parametrize("form", ["file", "assertion"])
def test_one_fault_costs_few_lines(pytester, answer, form):
    if form == "file":
        (pytester.path / "a.transcript.json").write_text(json.dumps(row("refunds", answer)))
    else:
        pytester.makepyfile(
            test_a="from pytest_grounding import assert_citations_valid, assert_grounded\n"
            f"T = {row('refunds', answer)!r}\ndef test_it():\n    assert_grounded(T)\n"
            "    assert_citations_valid(T)\n"
        )
    result = pytester.runpytest_inprocess("-q")
    lines = [line for line in result.stdout.lines if line]
    assert len(lines) <= (14 if form == "file" else 22)
    text = "\n".join(lines)
    wrong = {"number": "45 days ≠ 14 days, kb-101", "citation": "[7]: there is no source 7"}[answer]
    assert any(line.startswith("FAILED") and (form != "file" or wrong in line) for line in lines)
    assert wrong in text
    for once in ("gate: FAIL", "hallucinated citation 7"):
        assert text.count(once) <= 1
    for never in ("figure", "interval", "nothing to measure", "Captured log", "worst findings"):
        assert never not in text
    if answer == "number" and form == "file":
        place = '  claim:  "Refunds are paid within 45 days of the return [1]." (a.transcript.json:1)'
        assert place in lines
        assert '  source: "Refunds are paid within 14 days of the return." [kb-101]' in lines
        assert any(line.startswith("  do:     ") for line in lines)
    if answer == "number":
        assert "gate: FAIL: 1 transcript failed: refunds" in lines


def test_figures_are_shown_for_a_whole_suite(pytester):
    rows = [row("a", "right"), row("b", "right")]
    (pytester.path / "a.transcripts.jsonl").write_text("".join(json.dumps(item) + "\n" for item in rows))
    assert "citation accuracy" in pytester.runpytest_inprocess().stdout.str()
    assert "citation accuracy" not in pytester.runpytest_inprocess("-k", "a or b").stdout.str()
    assert "with a confidence  " not in pytester.runpytest_inprocess("-v").stdout.str()


def test_check_shows_the_worst_first_and_counts_what_passes(pytester):
    rows = [row(f"r{number:02}", "number" if number % 3 == 0 else "right") for number in range(60)]
    rows[57] = row("r57", "citation")
    (pytester.path / "a.jsonl").write_text("".join(json.dumps(item) + "\n" for item in rows))
    check = (warm_starts.python(), "-m", "pytest_grounding", "check", "a.jsonl", "--set", "fail_on=review")
    lines = pytester.run(*check).stdout.lines
    assert len(lines) <= 120
    failed = [line.split()[1].rstrip(":") for line in lines if line.startswith(("REJECT", "REVIEW"))]
    assert len(failed) == 20
    assert failed[-1] == "r57"
    assert any("40 passed" in line for line in lines)
    assert not any(word in line for word in ("confidence", "0.9", "interval", "pass: ") for line in lines)
    long = pytester.run(*check, "-v").stdout.str()
    assert long.count("pass: r") == 40
    assert "confidence" in long
    assert "95 % interval" in long


@each(48, 60, 80)
def test_lines_are_cut_between_words(width):
    text = f"first\n  claim:  {'words of a claim ' * 20}\n\n  do:     mend it"
    lines = list(wrapped(text, width))
    assert max(map(len, lines)) <= width
    assert " ".join(" ".join(lines).split()) == " ".join(text.split())
    assert list(wrapped(text, 0)) == text.split("\n")


GOOD = "Employees receive 25 vacation days per year [1]."


def answered(identifier, recorded_at=None):
    more = {} if recorded_at is None else {"metadata": {"recorded_at": recorded_at}}
    return transcript(identifier, GOOD, **more)


def said(*transcripts, today=date(2026, 3, 12)):
    report, _ = run(transcripts)
    return [line.text for line in run_lines(report, today=today) if line.text.startswith("recorded answers")]


def test_the_oldest_recording_is_named_with_its_age():
    rows = [answered("young", "2026-03-11T08:00:00+00:00"), answered("old", "2026-03-02"), answered("none")]
    expected = "recorded answers: 2026-03-02 (old) to 2026-03-11 (the oldest is 10 days old); 1 without a day"
    assert said(*rows) == [expected]
    assert said(*rows, today=None) == ["recorded answers: 2026-03-02 (old) to 2026-03-11; 1 without a day"]


def test_a_recording_from_tomorrow_is_0_days_old():
    assert said(answered("a", "2026-03-13T00:00:00Z")) == [
        "recorded answers: 2026-03-13 (the oldest is 0 days old)"
    ]


@each(None, 7, "", "yesterday", "2026-13-40T00:00:00", ["2026-03-02"])
def test_an_invalid_date_is_ignored(value):
    row = transcript("a", GOOD, metadata={"recorded_at": value})
    assert row.recorded_on is None
    assert said(row) == []


def test_check_shows_the_day_and_its_json_contains_it(tmp_path, capsys, monkeypatch):
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    row = answered("a", "2025-01-31T23:59:00+00:00")
    (tmp_path / "a.transcript.json").write_text(row.model_dump_json(), encoding="utf-8")
    assert main(["check", "a.transcript.json"]) == 0
    assert "recorded answers: 2025-01-31 (the oldest is " in capsys.readouterr().out
    assert main(["check", "a.transcript.json", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["transcripts"][0]["recorded_on"] == "2025-01-31"


def test_a_golden_does_not_repeat_the_day(tmp_path):
    """The day stands in its transcript already, and a new day alone is not a change of the verdict."""
    from pytest_grounding import validate
    from pytest_grounding.golden.golden_file import Golden

    row = answered("a", "2025-01-31")
    assert Golden.of(row, validate(row)).verdict.recorded_on is None
