"""Each example, run as its reader would run it."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import warm_starts

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

OFF_THE_PAGES = "Who painted the ceiling of the Sistine Chapel?"
#: Planted fault -> the rules that report it, and words of the claim (or marker) that is named.
FAULTS = {
    "changed-number": ({"contradicted"}, "Refunds are paid within 45 days of the return [1]."),
    "negation": ({"contradicted"}, "Shipping to islands is included in the flat rate [2]."),
    "invented-sentence": (
        {"unsupported_claim"},
        "Gold members receive a voucher for a free helicopter flight [1].",
    ),
    "missing-chunk": ({"source_exists"}, "[7]"),
    "no-citation": ({"cited_claim"}, "Refunds are paid within 14 days of the return."),
    "swapped-entity": (
        {"contradicted", "possible_conflict", "unsupported_claim"},
        "The support desk was opened in Leeds on 3 March 2019 by Martin Keller [3].",
    ),
    "wrong-date": ({"contradicted"}, "The support desk was opened in Leeds on 9 November 2021 [3]."),
}


def environment():
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    return kept | {"NO_COLOR": "1", "COLUMNS": "100"}


def run_pytest(folder, *words):
    command = [warm_starts.python(), "-m", "pytest", "-p", "no:cacheprovider", *words]
    return subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True)


@pytest.fixture
def examples(tmp_path):
    """A copy of examples and docs, so that a run finds no file of this repository above it."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(EXAMPLES, tmp_path / "examples", ignore=ignored)
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=ignored)
    return tmp_path / "examples"


def test_the_suite_without_code_passes(examples):
    assert not list((examples / "no_code").glob("*.py"))
    result = run_pytest(examples / "no_code", "-v")
    assert result.returncode == 0, result.stdout
    passed = re.search(r"(\d+) passed", result.stdout)
    assert passed
    assert int(passed[1]) >= 8
    assert "gate: PASS" in result.stdout


def test_the_docs_assistant_passes(examples):
    result = run_pytest(examples / "docs_assistant")
    assert result.returncode == 0, result.stdout
    assert "gate: PASS" in result.stdout


def test_the_docs_assistant_records_the_same_again_and_again(examples):
    folder = examples / "docs_assistant"
    target = folder / "transcripts" / "docs.jsonl"
    seen = set()
    for seed in ("0", "1"):
        target.unlink(missing_ok=True)
        subprocess.run(
            [warm_starts.python(), "record.py"],
            cwd=folder,
            env=environment() | {"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        )
        seen.add(target.read_bytes())
    assert len(seen) == 1
    rows = [json.loads(line) for line in seen.pop().decode("utf-8").splitlines()]
    assert len(rows) >= 12
    declined = {row["question"] for row in rows if "I don't have that information" in row["answer"]}
    assert declined == {OFF_THE_PAGES}


def test_the_recorded_transcripts_fit_their_questions():
    folder = EXAMPLES / "docs_assistant"
    lines = (folder / "transcripts" / "docs.jsonl").read_text(encoding="utf-8").splitlines()
    asked = (folder / "questions.txt").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["question"] for line in lines] == asked
    assert len(asked) >= 12


def report_on_the_failing(examples):
    result = subprocess.run(
        [warm_starts.python(), "-m", "pytest_grounding", "check", ".", "--json"],
        cwd=examples / "failing",
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert result.returncode == 1, result.stderr
    report = json.loads(result.stdout)
    return report


def test_every_planted_fault_is_reported_by_its_rule_on_its_claim(examples):
    verdicts = {verdict["id"]: verdict for verdict in report_on_the_failing(examples)["transcripts"]}
    assert set(verdicts) == set(FAULTS)
    for name, (rules, words) in FAULTS.items():
        verdict = verdicts[name]
        assert verdict["status"] in {"reject", "review"}, name
        serious = [finding for finding in verdict["findings"] if finding["severity"] != "info"]
        found = [finding for finding in serious if finding["rule"] in rules]
        assert found, f"{name}: {[finding['rule'] for finding in serious]}"
        named = {
            text
            for finding in found
            for text in (
                verdict["claims"][finding["claim"]]["text"] if finding["claim"] is not None else None,
                verdict["citations"][finding["citation"]]["text"]
                if finding["citation"] is not None
                else None,
            )
        }
        assert words in named, f"{name}: {named}"


def test_only_the_planted_fault_is_called_a_hallucination(examples):
    for verdict in report_on_the_failing(examples)["transcripts"]:
        wrong = [c["text"] for c in verdict["claims"] if c["status"] in {"unsupported", "contradicted"}]
        assert len(wrong) <= 1, verdict["id"]
        assert all(text == FAULTS[verdict["id"]][1] for text in wrong), verdict["id"]


def test_pytest_fails_on_every_planted_fault_and_names_claim_evidence_and_chunk(examples):
    result = run_pytest(examples / "failing")
    assert result.returncode == 1
    assert re.search(rf"\b{len(FAULTS)} failed", result.stdout)
    assert " passed" not in result.stdout.splitlines()[-1]
    for name, (_, words) in FAULTS.items():
        assert name in result.stdout
        assert words in result.stdout
    assert "Refunds are paid within 14 days of the return." in result.stdout
    assert "chunk refunds" in result.stdout
    assert "gate: FAIL" in result.stdout
    # A failure is told in words: no frame of the package is shown.
    assert "site-packages" not in result.stdout
    assert "Traceback" not in result.stdout


def test_the_demo_succeeds_and_explains_itself(examples):
    result = subprocess.run(
        [warm_starts.python(), str(examples / "demo.py")], env=environment(), capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout
    end = result.stdout[result.stdout.index("What you have seen") :]
    assert "NOT AS EXPECTED" not in end
    assert "every fault was found" in end
    assert "every answer is grounded" in end
    assert "16 of 16 transcripts passed, exit status 0" in end
    assert "  changed-number: 45 days ≠ 14 days, refunds" in end
    assert "NO_COLOR" not in result.stdout
    assert result.stdout.count("\n") <= 70
    paths = re.findall(r"(?:/|examples/|docs/)[\w/.-]*\w", result.stdout)
    assert [path for path in paths if not (examples.parent / path).exists()] == []
