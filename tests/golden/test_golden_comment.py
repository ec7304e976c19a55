"""The comment on a pull request of a run whose answers changed against their goldens."""

import html
import json
import re

import pytest
from golden_recordings import ANSWER, WRONG_NUMBER, recording

from pytest_grounding.cli import main

pytest_plugins = ["pytester"]

GONE = "Unused days expire on 31 March of the following year"
KINDS = {"pr-comment": "comment.md", "html": "page.html", "sarif": "report.sarif", "json": "run.json"}
TEST = """
import json, pathlib, pytest
from pytest_grounding import assert_matches_golden

ROWS = [json.loads(line) for line in pathlib.Path("rows.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_answer(row):
    assert_matches_golden(row, name=f"golden of {row['id']}")
"""


def shown(text):
    """The comment as a reader sees it before anything is unfolded."""
    return html.unescape(
        re.sub(r"</?code>", "", re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL))
    )


@pytest.fixture
def changed(pytester, monkeypatch):
    """Runs three answers against their goldens, of which two changed; returns the folder of the reports."""
    assert GONE in ANSWER
    monkeypatch.delenv("CI", raising=False)
    shorter = " ".join(part for part in re.split(r"(?<=\.) ", ANSWER) if GONE not in part)
    pytester.makepyfile(test_quoted_answers=TEST)

    def run(answers, *options):
        rows = [recording(answer, name) for name, answer in answers.items()]
        pytester.path.joinpath("rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        return pytester.runpytest("-p", "no:cacheprovider", *options)

    run(dict.fromkeys(("number", "shorter", "as-before"), ANSWER), "--grounding-golden=new").assert_outcomes(
        passed=3
    )

    def again(*options):
        answers = {"number": WRONG_NUMBER, "shorter": shorter, "as-before": ANSWER}
        run(answers, "--grounding", *options).assert_outcomes(passed=1, failed=2)
        return pytester.path

    return again


def test_the_comment_quotes_the_accepted_sentence_of_each_answer(changed):
    folder = changed("--grounding-report=pr-comment:comment.md")
    seen = shown((folder / "comment.md").read_text(encoding="utf-8"))
    assert "2 passed, 0 to review, 1 rejected; 2 failed (1 rejected, 1 passed by the gate). " in seen
    assert " 2 goldens not met." in seen
    first, second = re.split(r"\n\d\. ", seen)[1:]
    assert first.startswith("number, **regression**, contradicted: ")
    assert "before: Employees receive 25 vacation days per year" in first
    assert "claim: Employees receive 30 vacation days per year" in first
    assert "source: Employees receive 25 vacation days per year." in first
    # No finding of the gate: the golden alone knows what is missing.
    assert second.startswith(
        "shorter, **regression**, claim_vanished: was supported, and is not said any more"
    )
    assert f"before: {GONE}" in second
    assert "question: " in first
    assert "question: " in second
    assert "no error, no warning" not in seen


def test_the_list_of_a_review_shows_both_sentences_what_differs_and_the_source(changed, monkeypatch, capsys):
    monkeypatch.chdir(changed())
    capsys.readouterr()
    assert main(["review", "--list"]) == 1
    out = capsys.readouterr().out
    assert '      old: "Employees receive 25 vacation days per year."\n' in out
    assert '      new: "Employees receive 30 vacation days per year."\n' in out
    assert "      - value: 25 vacation days per year -> 30 vacation days per year\n" in out
    assert '      source: "hr-1: Employees receive 25 vacation days per year."\n' in out


def test_other_reports_give_the_reason_of_the_golden(changed):
    folder = changed(*(f"--grounding-report={kind}:{path}" for kind, path in KINDS.items()))
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))["run"]
    assert set(run["goldens"]) == {"number", "shorter"}
    results = json.loads((folder / "report.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    (gate,) = [item["message"]["text"] for item in results if item["ruleId"] == "gate"]
    assert gate == "shorter: golden: was supported, and is not said any more"
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert f"before: {GONE}" in page


def test_a_merge_and_workers_know_what_changed(changed, monkeypatch):
    options = ["-n", "2", "--grounding-shard-report=shard.json"]
    pytest.importorskip("xdist")
    folder = changed(*options)
    monkeypatch.chdir(folder)
    assert main(["merge", "shard.json", "--report", "pr-comment:merged.md"]) == 1
    assert f"before: {GONE}" in shown((folder / "merged.md").read_text(encoding="utf-8"))
    report = json.loads((folder / "shard.json").read_text(encoding="utf-8"))["report"]
    assert set(report["run"]["goldens"]) == {"number", "shorter"}


def test_a_missing_golden_is_the_reason_in_a_build(pytester, monkeypatch):
    monkeypatch.setenv("CI", "1")
    pytester.makepyfile(test_quoted_answers=TEST)
    pytester.path.joinpath("rows.jsonl").write_text(json.dumps(recording()))
    options = ["--grounding", "--grounding-report=pr-comment:comment.md", "-p", "no:cacheprovider"]
    pytester.runpytest(*options).assert_outcomes(failed=1)
    seen = shown((pytester.path / "comment.md").read_text(encoding="utf-8"))
    assert "1. vacation, golden: has no golden; accept its recording where it was made" in seen
