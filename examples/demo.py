"""Run the three examples one after the other and say what is seen. Started by ``make demo``."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

#: Folder, what it is, and whether its transcripts should pass or fail.
STEPS = [
    (
        "docs_assistant",
        "A small RAG program over this project's documentation, with its recorded answers and their tests.",
        "pass",
    ),
    (
        "no_code",
        "Recorded answers from nine fields of work, and not one line of Python: the files are the tests.",
        "pass",
    ),
    (
        "failing",
        "Seven answers with one planted fault each. Every one of them MUST fail: read what is said of each.",
        "fail",
    ),
]


def heading(text: str) -> None:
    print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n## {text}", flush=True)


def run(folder: str) -> tuple[int, dict]:
    """Run pytest in one example; its exit status, and the report that the run wrote."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        words = ["-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", f"--grounding-json={report}"]
        status = subprocess.run([sys.executable, *words], cwd=HERE / folder).returncode
        return status, json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}


def as_expected(expected: str, status: int, report: dict) -> bool:
    """A passing suite passed whole, or every single transcript of a failing one was judged and failed."""
    if not report or report["run"]["missing"] or report["run"]["problems"]:
        return False
    summary = report["summary"]
    if expected == "pass":
        return status == 0 and report["gate"]["status"] == "pass" and summary["passed"] > 0
    return status == 1 and summary["passed"] == 0 and summary["transcripts"] > 0


def main() -> int:
    outcomes = []
    for number, (folder, what, expected) in enumerate(STEPS, start=1):
        heading(f"{number}. examples/{folder}")
        print(what)
        print(f"$ cd examples/{folder} && pytest\n", flush=True)
        status, report = run(folder)
        outcomes.append((folder, expected, status, report))

    heading("What you have seen")
    good = True
    for folder, expected, status, report in outcomes:
        summary = report.get("summary") or {"passed": 0, "transcripts": 0}
        figures = f"{summary['passed']} of {summary['transcripts']} transcripts passed"
        if summary.get("review"):
            figures += f", {summary['review']} to review"
        fine = as_expected(expected, status, report)
        good = good and fine
        words = {
            "pass": "as it should: every answer is grounded",
            "fail": "as it should: every fault was found",
        }
        result = words[expected] if fine else "NOT AS EXPECTED"
        print(f"  examples/{folder:<15} {figures}, exit status {status} ({result})")
    print(
        "\nThe first two suites would let a build pass, the third one stops it. Each failure above names\n"
        "the claim, what is wrong with it, the nearest evidence with its chunk, and what to do.\n"
        "Your turn: put a transcript file beside your tests (docs/transcripts.md) and run pytest."
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
