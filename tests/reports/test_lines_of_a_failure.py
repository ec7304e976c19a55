"""What a failure costs in a terminal: few lines, each of which says something that no other says."""

import json

import pytest
import warm_starts
from every import each

from pytest_grounding.reports.terminal import fit

CHUNK = {"id": "kb-101", "text": "Refunds are paid within 14 days of the return. The shop opens at nine."}
#: With a citation that leads nowhere, of which the package writes a line to the log.
ANSWERS = {
    "right": "Refunds are paid within 14 days of the return [1].",
    "number": "Refunds are paid within 45 days of the return [1].",
    "citation": "Refunds are paid within 14 days of the return [7].",
}


def row(identifier, answer):
    question = "How long do refunds take?"
    return {"id": identifier, "question": question, "chunks": [CHUNK], "answer": ANSWERS[answer]}


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


def test_figures_stand_where_a_suite_was_run(pytester):
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
    lines = list(fit(text, width))
    assert max(map(len, lines)) <= width
    assert " ".join(" ".join(lines).split()) == " ".join(text.split())
    assert list(fit(text, 0)) == text.split("\n")
