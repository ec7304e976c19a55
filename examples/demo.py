"""Run the three examples one after the other and say what is seen. Started by ``make demo``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

#: Folder, what is to be seen, and whether its transcripts should pass or fail.
STEPS = [
    (
        "docs_assistant",
        "A small RAG program, its recorded answers and their tests: all pass.",
        "pass",
    ),
    (
        "no_code",
        "Recorded answers are tests by themselves, without any Python: all pass.",
        "pass",
    ),
    ("failing", "Seven answers with one planted fault each: every one MUST fail, and says why.", "fail"),
]
#: Failures that are shown whole; of the others the end has a line each.
SHOWN = 3


def heading(text: str) -> None:
    print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n## {text}", flush=True)


def run(folder: str) -> tuple[int, dict, list[str]]:
    """Run pytest in one example; its exit status, the report of the run, and the lines that it printed."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        words = ["-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", f"--grounding-json={report}"]
        done = subprocess.run(
            [sys.executable, *words],
            cwd=HERE / folder,
            env={**os.environ, "COLUMNS": "200", "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        held = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
    return done.returncode, held, done.stdout.splitlines()


def shown(lines: list[str], report: dict) -> list[str]:
    """What is worth seeing: the first failures, how many transcripts passed, and the gate."""
    starts = [number for number, line in enumerate(lines) if line.startswith("____")]
    end = next((n for n, line in enumerate(lines) if line.strip("=").strip() == "grounding"), len(lines))
    stop = starts[SHOWN] if len(starts) > SHOWN else end
    kept = [
        line.strip("_ ") if line.startswith("____") else line
        for line in lines[min(starts, default=stop) : stop]
    ]
    kept += [f"... and {len(starts) - SHOWN} more failures"] if len(starts) > SHOWN else []
    kept += [line for line in lines if line.startswith(("transcripts: ", "gate: "))]
    # Without a report the run broke off, and all that it says helps.
    return [*kept, *lines[-1:]] if report else lines


def as_expected(expected: str, status: int, report: dict) -> bool:
    """A passing suite passed whole, or every single transcript of a failing one was judged and failed."""
    if not report or report["run"]["missing"] or report["run"]["problems"]:
        return False
    summary = report["summary"]
    if expected == "pass":
        return status == 0 and report["gate"]["status"] == "pass" and summary["passed"] > 0
    failed = set(report["run"]["failed"])
    return status == 1 and {item["id"] for item in report["transcripts"]} == failed != set()


def further() -> bool:
    """A line each: a claim found in the documents, a deed that no call did, a fact that is expected."""
    import pytest_grounding as pg

    chunk = {"id": "c1", "text": "Parcels leave the warehouse on the same day."}
    row = {"id": "t", "question": "What about my order?", "chunks": [chunk]}
    row["answer"] = "Refunds take 14 days."
    sent = {**row, "answer": "I have sent you an email.", "tool_calls": []}
    said = {**row, "answer": chunk["text"], "expected": ["by courier"]}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        Path(folder, "refunds.md").write_text("# Refunds\n\nRefunds take 14 days.\n", encoding="utf-8")
        found = [pg.validate(row, {"corpus": folder}), pg.validate(sent), pg.validate(said)]
    good = True
    for verdict, rule in zip(found, ("unsupported_claim", "claims_action", "expected_fact"), strict=True):
        part = next((part for item in verdict.findings for part in item.parts if part.rule == rule), None)
        good = good and part is not None
        cause = part.details.get("cause", {}) if part is not None else {}
        print(f"{rule}: {cause.get('message') or (part.message if part else 'NOT FOUND')}")
    return good


def main() -> int:
    outcomes = []
    for number, (folder, what, expected) in enumerate(STEPS, start=1):
        heading(f"{number}. {what}")
        print(f"$ cd examples/{folder} && pytest", flush=True)
        status, report, lines = run(folder)
        print("\n".join(shown(lines, report)), flush=True)
        outcomes.append((folder, expected, status, report, lines))

    heading(f"{len(STEPS) + 1}. Where the support would have been, what an agent claims, what must be said.")
    good = further()
    heading("What you have seen")
    for folder, expected, status, report, lines in outcomes:
        summary = report.get("summary") or {"transcripts": 0}
        failed = len(report["run"]["failed"]) if report else 0
        fine = as_expected(expected, status, report)
        good = good and fine
        words = {
            "pass": "as it should: every answer is grounded",
            "fail": "as it should: every fault was found",
        }
        figures = f"{summary['transcripts'] - failed} of {summary['transcripts']} transcripts passed"
        verdict = words[expected] if fine else "NOT AS EXPECTED"
        print(f"examples/{folder}: {figures}, exit status {status} ({verdict})")
        for line in lines:
            if line.startswith("FAILED "):
                print(f"  {line.partition('::')[2].replace(' - ', ': ', 1)}")
    print(
        "\nThe first two suites would let a build pass, the third one stops it. Run pytest in a folder\n"
        "to see its figures. Put a transcript file beside your tests (docs/transcripts.md), and run pytest."
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
